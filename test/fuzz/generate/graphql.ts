import type { GraphQLSchema } from 'graphql';
import type { FuzzCase, HostName } from '../case.js';
import { hostNames } from '../case.js';
import type { Draw } from './draw.js';
import { garbledHeaders, headersOf, roughBody } from './envelope.js';
import { documentOf, type Operation, operationFor } from './graphql-document.js';
import { hostileShape } from './hostile-documents.js';
import { hostileJson, hostileText, jsonObject } from './values.js';

export type Schemas = Readonly<Record<HostName, GraphQLSchema>>;
type Manner = 'valid' | 'near' | 'shape' | 'raw';

interface Request {
  query: string;
  /** JSON text. */
  variables?: string;
  operationName?: string;
}

const requestOf = (operation: Operation): Request => ({
  query: documentOf(operation),
  variables: JSON.stringify(operation.variables),
});

const tokens = [
  '{',
  '}',
  '(',
  ')',
  ':',
  '$',
  '@',
  '...',
  '"',
  '"""',
  '!',
  '[',
  '=',
  '&',
  '#',
  '\\',
  '\u0000',
  'on',
  'null',
];
const strangeLiterals = [
  '{toString:1,valueOf:1}',
  '[]',
  '[[1]]',
  '$undeclared',
  'null',
  'WORD',
  '1e400',
  '99999999999999999999',
  '4111111111111111',
  '"\\ud800"',
  '"\\u0000"',
  '"""block\n  text"""',
  '{a:{b:{c:1}}}',
  'true',
];

/** A valid request with one defect. */
function withOneDefect(draw: Draw, operation: Operation): Request {
  const request = requestOf(operation);
  const { query } = request;
  const at = draw.below(query.length);
  const names = Object.keys(operation.variables);
  const name = draw.of(names);
  switch (draw.below(12)) {
    case 0:
      return { ...request, query: query.slice(0, at) + draw.of(tokens) + query.slice(at) };
    case 1:
      return { ...request, query: query.slice(0, at) + query.slice(at + 1 + draw.below(8)) };
    case 2:
      return { ...request, query: query.replace(/: ("[^"]*"|[\d.]+|[A-Z]+)/, () => `: ${draw.of(strangeLiterals)}`) };
    case 3:
      return { ...request, query: query.replace(/\w+(?=\()/, (field) => `${field}x`) };
    case 4:
      return {
        ...request,
        query: `${query} ${draw.of(['query B { __typename }', 'fragment F on Query { __typename }', '{ a }'])}`,
      };
    case 5:
      return { ...request, operationName: hostileText(draw).slice(0, 200) };
    case 6:
      return {
        ...request,
        query: query.replace(/ \{/, ` @${draw.of(['skip(if: true)', 'include(if: false)', 'defer', 'skip'])} {`),
      };
    case 7:
      return { ...request, variables: hostileJson(draw) };
    case 8:
      return conditional(draw, operation);
    default:
      if (!name) return { ...request, query: query.replace('{', `{ ${draw.uniqueName('f')} `) };
      return { ...request, variables: withHostile(draw, operation.variables, name) };
  }
}

/** `@include(if: $c)` with a default, and the possible values from a client. */
function conditional(draw: Draw, operation: Operation): Request {
  const declared = new Map([
    ...operation.declared,
    ['c', draw.of(['Boolean = false', 'Boolean! = true', 'Boolean!', 'Boolean'])] as const,
  ]);
  const request = requestOf({ ...operation, declared });
  const variables = { ...operation.variables, c: draw.of([null, true, false, 'x', undefined]) };
  const query = request.query.replace('{ ', '{ __typename @include(if: $c) ');
  return { query, variables: JSON.stringify(variables) };
}

function withHostile(draw: Draw, variables: Record<string, unknown>, name: string): string {
  const value = JSON.parse(JSON.stringify(variables[name] ?? null)) as unknown;
  const unchanged = Object.entries(variables)
    .filter(([other]) => other !== name)
    .map(([other, text]): [string, string] => [other, JSON.stringify(text)]);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return jsonObject([...unchanged, [name, hostileJson(draw)]]);
  const entries = Object.entries(value).map(([key, inner]): [string, string] => [key, JSON.stringify(inner)]);
  const at = draw.below(entries.length);
  const changed = entries[at] ? entries.with(at, [entries[at][0], hostileJson(draw)]) : entries;
  const more: [string, string][] = draw.chance(20) ? [['extra', hostileJson(draw)]] : [];
  return jsonObject([...unchanged, [name, jsonObject([...changed, ...more])]]);
}

function bodyOf({ query, variables, operationName }: Request): string {
  return jsonObject([
    ['query', JSON.stringify(query)],
    ...(variables === undefined ? [] : [['variables', variables] as [string, string]]),
    ...(operationName === undefined ? [] : [['operationName', JSON.stringify(operationName)] as [string, string]]),
  ]);
}

export function graphqlCase(draw: Draw, schemas: Schemas, manner: Manner): FuzzCase {
  const host = draw.of(hostNames);
  const base = { kind: `GraphQL ${manner}`, host, method: 'POST', path: '/graphql' };
  if (manner === 'shape')
    return {
      ...base,
      headers: headersOf(draw, host, true),
      body: bodyOf({ query: hostileShape(draw, schemas[host]) }),
    };
  const operation = operationFor(draw, schemas[host]);
  const request = manner === 'near' ? withOneDefect(draw, operation) : requestOf(operation);
  const headers = manner === 'valid' ? headersOf(draw, host, true) : garbledHeaders(draw, host);
  const body = bodyOf(request);
  return { ...base, headers, ...(manner === 'raw' ? roughBody(draw, body) : { body }) };
}

const schemaQueries = [
  '{__typename}',
  '{__schema{types{name}}}',
  '{__type(name:"Query"){fields{name args{name type{name}}}}}',
  '{__schema{types{fields{type{fields{type{fields{name}}}}}}}}',
];

/** GET only serves introspection; nothing else may reach a resolver. */
export function graphqlGetCase(draw: Draw, schemas: Schemas): FuzzCase {
  const host = draw.of(hostNames);
  const query = draw.chance(40)
    ? draw.of(schemaQueries)
    : draw.chance(40)
      ? hostileShape(draw, schemas[host])
      : documentOf(operationFor(draw, schemas[host]));
  const more = draw.chance(30)
    ? `&variables=${encodeURIComponent(hostileJson(draw).toWellFormed().slice(0, 500))}`
    : '';
  return {
    kind: 'GraphQL GET',
    host,
    method: 'GET',
    // longer paths are rejected because the server limits the request head
    path: `/graphql?query=${encodeURIComponent(query.toWellFormed().slice(0, 3_000))}${more}`,
    headers: headersOf(draw, host, false),
  };
}
