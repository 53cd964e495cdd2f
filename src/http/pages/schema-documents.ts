import { readFileSync } from 'node:fs';
import {
  GraphQLID,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { packageRoot } from '../../core/package-root.js';
import { sdlOf } from '../../graphql/schema/documented.js';
import { scalarTypes } from '../../graphql-toolkit/scalar-types.js';
import { escape, HTML, htmlPage, STYLE_SHEET } from './html.js';
import { JSON_TEXT, type ServedDocument } from './static-documents.js';

/** Returns the schema of a host (including production), its scalars, and settings for clients. */
export const schemaDocuments = (schema: GraphQLSchema): ServedDocument[] => [
  {
    path: '/schema.graphql',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    text: () => sdlOf(schema),
  },
  {
    path: STYLE_SHEET.path,
    headers: { 'content-type': 'text/css; charset=utf-8' },
    text: () => readFileSync(new URL(STYLE_SHEET.file, packageRoot), 'utf8'),
  },
  { path: '/scalars', headers: HTML, text: () => scalarPage(schema) },
  { path: '/clients.json', headers: JSON_TEXT, text: () => JSON.stringify(clientSettings(schema)) },
];

/** Returns the page that `@specifiedBy` links to, with an anchor for each scalar. */
function scalarPage(schema: GraphQLSchema): string {
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  const rows = scalars.map(
    ({ name, description }) =>
      `<tr id="${escape(name)}"><td><code>${escape(name)}</code></td><td><code>${scalarTypes[name as keyof typeof scalarTypes]}</code></td><td>${escape(description ?? '')}</td></tr>`,
  );
  return htmlPage(
    'Scalars',
    `<main class="guide alone"><h1>Scalars</h1><p>Custom scalars of the <a href="/schema.graphql">schema</a>. Settings for code generators and caches are in <a href="/clients.json">clients.json</a>.</p>
    <div class="wide"><table><thead><tr><th>Scalar</th><th>TypeScript type</th><th>Description</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></main>`,
  );
}

/** Settings for GraphQL clients that the SDL does not contain, in the format of each client. */
export interface ClientSettings {
  /** Types without an ID, for Graphcache of urql. They are part of their parent. `null` means that a type has no key. */
  keys: Readonly<Record<string, null>>;
  /** Possible types of interfaces and unions, for Apollo Client. */
  possibleTypes: Readonly<Record<string, readonly string[]>>;
  /** TypeScript types of scalars, for code generators. */
  scalars: Readonly<Record<string, string>>;
  /** TypeScript types of scalars, for the Relay compiler. */
  customScalarTypes: Readonly<Record<string, string>>;
}

/**
 * Returns whether a type has a key. The numbers in lists of the provider are called `id` as well, but are not keys because
 * different lists contain the same numbers.
 */
const hasKey = (type: GraphQLObjectType): boolean => {
  const { id } = type.getFields();
  return id !== undefined && getNullableType(id.type) === GraphQLID;
};

export function clientSettings(schema: GraphQLSchema): ClientSettings {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const values = types.filter((type) => isObjectType(type) && !roots.includes(type) && !hasKey(type));
  const scalars = Object.fromEntries(
    types
      .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
      .map(({ name }) => [name, scalarTypes[name as keyof typeof scalarTypes]]),
  );
  return {
    keys: Object.fromEntries(values.map(({ name }) => [name, null])),
    possibleTypes: Object.fromEntries(
      types.filter(isAbstractType).map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
    ),
    scalars,
    customScalarTypes: scalars,
  };
}
