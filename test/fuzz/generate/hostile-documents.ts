import type { GraphQLSchema } from 'graphql';
import { worstDocuments } from '../../support/worst-documents.js';
import type { Draw } from './draw.js';

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Documents that are small to send and expensive to validate, by size. */
export const hostileShapes: Readonly<Record<string, (size: number, field: string) => string>> = {
  /** 2^size fields when fragments are expanded. */
  doublingFragments: (size) =>
    `{...f0} ${times(size, (n) => `fragment f${n} on Query{...f${n + 1} ...f${n + 1}}`)} fragment f${size} on Query{__typename}`,
  fragmentCircle: (size) => `{...f0} ${times(size, (n) => `fragment f${n} on Query{...f${(n + 1) % size}}`)}`,
  longChain: (size) =>
    `{...f0} ${times(size, (n) => `fragment f${n} on Query{...f${n + 1}}`)} fragment f${size} on Query{__typename}`,
  manySpreads: (size) => `{${times(size, () => '...f')}} fragment f on Query{__typename}`,
  unusedFragments: (size) => `{__typename} ${times(size, (n) => `fragment f${n} on Query{__typename}`)}`,
  aliases: (size, field) => `{${times(size, (n) => `a${n}:${field}`)}}`,
  repeatedField: (size, field) => `{${times(size, () => field)}}`,
  overlapping: (size, field) => `{${times(size, () => `...on Query{${field} ...on Query{${field}}}`)}}`,
  inlineFragments: (size) => `{${'...{'.repeat(size)}__typename${'}'.repeat(size)}}`,
  directives: (size) => `{__typename ${times(size, () => '@skip(if:false)')}}`,
  unknownDirectives: (size) => `{__typename ${times(size, (n) => `@d${n}`)}}`,
  variables: (size) => `query(${times(size, (n) => `$v${n}:Int`)}){__typename}`,
  variableDefaults: (size) => `query($v:[Int]=[${times(size, (n) => String(n))}]){__typename}`,
  operations: (size) => times(size, (n) => `query Q${n}{__typename}`),
  deepList: (size, field) => `{${field}(a:${'['.repeat(size)}${']'.repeat(size)})}`,
  deepObject: (size, field) => `{${field}(a:${'{a:'.repeat(size)}1${'}'.repeat(size)})}`,
  manyArguments: (size, field) => `{${field}(${times(size, (n) => `a${n}:1`)})}`,
  unknownFields: (size) => `{${times(size, (n) => `unknown${n}`)}}`,
  introspection: (size) => `{${times(size, (n) => `s${n}:__schema{types{name fields{name type{name}}}}`)}}`,
  deepIntrospection: (size) => `{__schema{types{${'fields{type{'.repeat(size)}name${'}}'.repeat(size)}}}}`,
  comments: (size) => `{__typename}${times(size, () => '#\n')}`,
  longName: (size) => `{${'a'.repeat(size * 10)}}`,
  longString: (size) => `{a(b:"${'x'.repeat(size * 10)}")}`,
};

const sizes = [1, 2, 5, 10, 15, 30, 100, 400];

export function hostileShape(draw: Draw, schema: GraphQLSchema): string {
  if (draw.chance(30)) return draw.of(worstDocuments).source;
  const shape = hostileShapes[draw.of(Object.keys(hostileShapes))]!;
  const field = draw.of(Object.keys(schema.getQueryType()!.getFields()));
  return shape(draw.of(sizes), field).slice(0, 64 * 1024);
}
