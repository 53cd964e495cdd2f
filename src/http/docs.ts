import type { GraphQLSchema } from 'graphql';
import { errorCatalogue, gaveMoneyBack, keepsMoney } from '../core/error-catalogue.js';
import { asOpenApi30 } from '../rest/openapi-3-0.js';
import { PENDING_NOTICE } from '../rest/openapi-prose.js';
import { filledPath, parametersOf } from '../rest/path.js';
import type { RestRoute } from '../rest/route.js';
import { graphqlChapter } from './docs-graphql.js';
import { reasonSection } from './docs-reasons.js';
import { escape, HTML, htmlPage } from './html.js';
import { JSON_TEXT, type StaticDocument } from './static-documents.js';

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Json;
  description?: string;
  example?: string | number;
}

interface Operation {
  operationId: string;
  summary?: string;
  security: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Json; example: Json } } };
  responses: Record<string, Json>;
}

/** A part of the document that stands elsewhere in it. */
function resolved(part: Json, openApi: Json): Json {
  const keys = typeof part.$ref === 'string' ? part.$ref.split('/').slice(1) : undefined;
  return keys ? keys.reduce<Json>((inner, key) => inner[key] as Json, openApi) : part;
}

const typeOf = (schema: Json): string => {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
  if (schema.type === 'array') return `array of ${typeOf((schema.items as Json | undefined) ?? {})}`;
  const types = [(schema.type ?? 'any') as string | string[]].flat();
  return (schema.format as string | undefined) ?? types.join(' or ');
};

function fieldRows(properties: Record<string, Json>, required: readonly string[], depth = 0): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const inner = (schema.type === 'array' ? (schema.items as Json | undefined) : schema) ?? {};
      const nested = inner.properties
        ? fieldRows(inner.properties as Record<string, Json>, (inner.required as string[] | undefined) ?? [], depth + 1)
        : '';
      const row = `<tr><td style="padding-left:${0.6 + depth * 1.2}rem"><code>${escape(name)}</code></td><td>${escape(typeOf(schema))}</td><td>${required.includes(name) ? 'yes' : 'no'}</td><td>${escape(schema.description as string | undefined)}</td></tr>`;
      return row + nested;
    })
    .join('');
}

const fieldTable = (properties: Record<string, Json>, required: readonly string[], presence: string): string =>
  Object.keys(properties).length === 0
    ? '<p>None.</p>'
    : `<table><thead><tr><th>Field</th><th>Type</th><th>${presence}</th><th>Notes</th></tr></thead><tbody>${fieldRows(properties, required)}</tbody></table>`;

function exampleCall(route: RestRoute, operation: Operation, baseUrl: string): string {
  const authorization = operation.security.length === 0 ? '' : ` -H "authorization: Bearer $TOKEN"`;
  const parameters = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
  const inPath = parametersOf(route.path);
  const path = filledPath(route.path, Object.fromEntries(parameters.map(({ name, example }) => [name, example])));
  const method = route.method === 'GET' ? '' : ` -X ${route.method}`;
  const body = operation.requestBody?.content['application/json'].example;
  if (body)
    return `curl -s ${baseUrl}${path}${authorization} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  const query = new URLSearchParams(
    parameters.flatMap(({ name, example }): [string, string][] =>
      inPath.includes(name) ? [] : [[name, String(example)]],
    ),
  ).toString();
  return `curl -s${method} '${baseUrl}${path}${query && `?${query}`}'${authorization}`;
}

function answerTable(openApi: Json, response: Json): string {
  const content = response.content as { 'application/json': { schema: Json } };
  const answer = resolved(content['application/json'].schema, openApi);
  const variants = (answer.oneOf as Json[] | undefined) ?? [answer];
  return variants
    .map((variant) => resolved(variant, openApi))
    .map(({ properties, required }) =>
      properties
        ? fieldTable(properties as Record<string, Json>, (required as string[] | undefined) ?? [], 'Always')
        : '',
    )
    .join('');
}

function section(
  route: RestRoute,
  operation: Operation,
  { openApi, baseUrl }: { openApi: Json; baseUrl: string },
): string {
  const body = operation.requestBody?.content['application/json'].schema;
  const request = body && (resolved(body, openApi) as { properties: Record<string, Json>; required?: string[] });
  const named = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
  const headers = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');
  const parameters = Object.fromEntries(
    named.map(({ name, schema, description }) => [name, { ...schema, description }]),
  );
  const required = named.filter((parameter) => parameter.required).map(({ name }) => name);
  const failures = Object.entries(operation.responses).filter(([status]) => status !== '200');
  return `<section id="${escape(operation.operationId)}">
    <h2><span class="method">${route.method}</span> <code>${escape(route.path)}</code></h2>
    <p>${escape(operation.summary)}</p>
    ${route.mayBePending ? `<p class="notice">May answer with status <code>pending</code>: the money is held until the outcome is known. Never create a new order for it.</p>` : ''}
    <h3>Request</h3>${fieldTable({ ...parameters, ...request?.properties }, [...required, ...(request?.required ?? [])], 'Required')}
    ${headers.map(({ name, description }) => `<p>Header <code>${escape(name)}</code>: ${escape(description)}</p>`).join('')}
    <pre>${escape(exampleCall(route, operation, baseUrl))}</pre>
    <h3>Answer 200</h3>${answerTable(openApi, operation.responses['200']!)}
    <h3>Other answers</h3><table><tbody>${failures.map(([status, response]) => `<tr><td>${status}</td><td>${escape(resolved(response, openApi).description as string)}</td></tr>`).join('')}</tbody></table>
  </section>`;
}

/** code, status, meaning, word on recharge, whether to retry, what became of the money: straight from the catalogue. */
export const errorReference = (): {
  code: string;
  status: number;
  message: string;
  meaning: string;
  onRecharge: 'failed' | 'error';
  retryable: boolean;
  charged: boolean;
  refunded: boolean;
}[] =>
  Object.entries(errorCatalogue).map(([code, { httpStatus, message, meaning, onRecharge, retryable, charged }]) => ({
    code,
    status: httpStatus,
    message,
    meaning,
    onRecharge,
    retryable,
    charged: keepsMoney(charged),
    refunded: gaveMoneyBack(charged),
  }));

const yes = (value: boolean, word = 'yes'): string => (value ? word : 'no');

function errorSection(): string {
  const rows = errorReference().map(
    ({ code, status, meaning, onRecharge, retryable, charged, refunded }) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${onRecharge}</td><td>${escape(meaning)}</td><td>${yes(retryable)}</td><td>${yes(charged, 'perhaps')}</td><td>${yes(refunded)}</td></tr>`,
  );
  return `<section id="errors"><h2>Errors</h2>
    <p>REST failures carry <code>code</code>, GraphQL errors <code>extensions.code</code>. Codes never change their meaning. <code>status</code> of a failure is <code>error</code> on every path but <code>POST /api/v1/recharge</code>, where it is as the table says: <code>failed</code> when nothing is charged for good, <code>error</code> when the request was refused, which says nothing about an order.</p>
    <table><thead><tr><th>Code</th><th>HTTP status</th><th>On recharge</th><th>Meaning</th><th>Retry may help</th><th>Money kept</th><th>Money given back</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

/** The reference as one page that loads nothing from anywhere. */
async function referencePage(reference: Reference): Promise<string> {
  const { routes, baseUrl, schema } = reference;
  const openApi = await reference.openApi();
  const { securitySchemes } = openApi.components as { securitySchemes: { token: { description: string } } };
  const paths = openApi.paths as Record<string, Record<string, Operation>>;
  const described = routes.map((route) => [route, paths[route.path]![route.method.toLowerCase()]!] as const);
  const sections = described.map(([route, operation]) => section(route, operation, { openApi, baseUrl }));
  const links = described.map(
    ([{ method, path }, { operationId }]) =>
      `<li><a href="#${escape(operationId)}">${method} ${escape(path.replace('/api/v1', ''))}</a></li>`,
  );
  return htmlPage(
    'API reference',
    `<header><h1>API reference</h1><p>Base URL <code>${escape(baseUrl)}</code> · <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/openapi-3.0.json">3.0</a> · GraphQL at <code>POST /graphql</code>: <a href="/schema.graphql">schema</a>, <a href="/scalars">scalars</a></p></header>
  <p class="notice"><strong>Read this first.</strong> ${escape(PENDING_NOTICE)}</p>
  <p><strong>Tokens.</strong> ${escape(securitySchemes.token.description)}</p>
  <nav><ul>${links.join('')}<li><a href="#graphql">GraphQL</a></li><li><a href="#errors">Errors</a></li><li><a href="#reasons">Reasons of a decline</a></li></ul></nav>
  ${sections.join('')}${graphqlChapter(schema, baseUrl)}${errorSection()}${reasonSection()}`,
  );
}

export interface Reference {
  /** Made when somebody asks for the first time. */
  openApi: () => Promise<Json>;
  routes: readonly RestRoute[];
  baseUrl: string;
  schema: GraphQLSchema;
}

/** The reference of an API host, for people and for programs. */
export const referenceDocuments = (reference: Reference): StaticDocument[] => [
  { path: '/openapi.json', headers: JSON_TEXT, text: async () => JSON.stringify(await reference.openApi()) },
  {
    path: '/openapi-3.0.json',
    headers: JSON_TEXT,
    text: async () => JSON.stringify(asOpenApi30(await reference.openApi())),
  },
  { path: '/docs', headers: HTML, text: () => referencePage(reference) },
];
