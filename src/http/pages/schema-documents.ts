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

/** The schema of a host, on production too, what its scalars are, and what clients are configured with. */
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

/** What `@specifiedBy` leads to: an anchor for each scalar. */
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
    `<main class="guide alone"><h1>Scalars</h1><p>Of the <a href="/schema.graphql">schema</a>. For code generators and caches: <a href="/clients.json">clients.json</a>.</p>
    <div class="wide"><table><thead><tr><th>Scalar</th><th>In TypeScript</th><th>What it is</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></main>`,
  );
}

/** What clients have to know of a schema beside its text, in the words of each of them. */
export interface ClientSettings {
  /** Graphcache of urql: types without an id, which are a part of what they are read with. `null` for each: it has no key. */
  keys: Readonly<Record<string, null>>;
  /** Apollo Client: the types that an interface or a union can be. */
  possibleTypes: Readonly<Record<string, readonly string[]>>;
  /** Code generators: what a scalar is in TypeScript. */
  scalars: Readonly<Record<string, string>>;
  /** The same, as the configuration of Relay's compiler calls it. */
  customScalarTypes: Readonly<Record<string, string>>;
}

/** A number of a list of the provider's is called id too, but another list has the same one. */
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
