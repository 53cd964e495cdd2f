import { type GraphQLSchema, Kind } from 'graphql';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { operationOf, type RestRoute } from '../route.js';

const PROSE = new Set(['description', 'summary']);
const VALUES = new Set(['example', 'examples', 'default', 'enum']);

/** Where GraphQL says the same as a REST body. */
const IN_GRAPHQL = / \(extensions\.\w+(, extensions\.\w+)*\)/g;

/**
 * Descriptions come from the schema and the catalogue, which call things as GraphQL does. Here a field that has a path is called by
 * it; of one that has none, its name stays and says where it is.
 */
export function inRestWords(document: JsonSchema, routes: readonly RestRoute[], schema: GraphQLSchema): JsonSchema {
  const paths = new Map(routes.map((route) => [rootNameOf(route), `${route.method} ${route.path}`]));
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  // a name in lower case is a word of English too
  const names = fields.filter((name) => /[A-Z]/.test(name));
  const pattern = new RegExp(`\`?\\b(${names.join('|')})\\b\`?`, 'g');
  const reworded = (text: string): string =>
    text
      .replace(IN_GRAPHQL, '')
      .replace(pattern, (_all, name: string) => paths.get(name) ?? `\`${name}\` over GraphQL`);
  const walk = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return PROSE.has(key) ? reworded(part) : part;
    if (Array.isArray(part) && !VALUES.has(key)) return part.map((item) => walk(item, ''));
    if (part === null || typeof part !== 'object' || VALUES.has(key)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, walk(inner, name)]));
  };
  return walk(document, '') as JsonSchema;
}

function rootNameOf(route: RestRoute): string {
  const [selection] = operationOf(route).selectionSet.selections;
  return selection?.kind === Kind.FIELD ? selection.name.value : '';
}
