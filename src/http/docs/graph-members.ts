import type { GraphQLSchema } from 'graphql';
import type { Host, Surface } from '../../core/environment.js';
import { surfaceOf } from '../../core/environment.js';
import { anchorOfField, GRAPH_REFERENCE } from './graph-reference.js';

/**
 * Finds the schema member for a code span, in the schema of this host or of the other surface: a type (`StatementEntry`), a
 * field of a type (`Order.timeline`) or a root field whose name consists of several words (`orderChanged`). A single word is
 * ambiguous.
 */
export function memberFinder(
  schemas: Readonly<Record<Surface, GraphQLSchema>>,
  host: Host,
  publicUrls: Readonly<Record<Host, string>>,
): (text: string) => string | undefined {
  const own = surfaceOf(host);
  const places: readonly [Surface, string][] = [
    [own, ''],
    own === 'api' ? ['console', publicUrls.console] : ['api', publicUrls.uat],
  ];
  return (text) => {
    for (const [surface, baseUrl] of places) {
      const anchor = anchorOf(schemas[surface], text);
      if (anchor !== undefined) return `${baseUrl}${GRAPH_REFERENCE.path}#${anchor}`;
    }
    return undefined;
  };
}

function anchorOf(schema: GraphQLSchema, member: string): string | undefined {
  const [, typeName, fieldName] = /^([A-Z]\w*)(?:\.(\w+))?$/.exec(member) ?? [];
  if (typeName !== undefined) {
    const type = schema.getType(typeName);
    if (!type || fieldName === undefined) return type && member;
    return 'getFields' in type && Object.hasOwn(type.getFields(), fieldName) ? member : undefined;
  }
  if (!/^[a-z]+[A-Z]\w*$/.test(member)) return undefined;
  const root = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].find(
    (type) => type && Object.hasOwn(type.getFields(), member),
  );
  return root ? anchorOfField(root.name, member) : undefined;
}
