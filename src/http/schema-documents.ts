import { type GraphQLSchema, isScalarType, isSpecifiedScalarType } from 'graphql';
import { sdlOf } from '../graphql/sdl.js';
import { scalarTypes } from '../graphql-toolkit/scalar-types.js';
import { escape, HTML, htmlPage } from './html.js';
import { JSON_TEXT, type StaticDocument } from './static-documents.js';

/** The schema of a host, on production too, and what its scalars are. */
export const schemaDocuments = (schema: GraphQLSchema): StaticDocument[] => [
  {
    path: '/schema.graphql',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    text: () => sdlOf(schema),
  },
  { path: '/scalars', headers: HTML, text: () => scalarPage(schema) },
  { path: '/scalars.json', headers: JSON_TEXT, text: () => JSON.stringify(scalarTypes) },
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
    `<h1>Scalars</h1><p>Of the <a href="/schema.graphql">schema</a>. For code generators: <a href="/scalars.json">scalars.json</a>.</p>
    <table><thead><tr><th>Scalar</th><th>In TypeScript</th><th>What it is</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}
