import type { GraphQLSchema } from 'graphql';
import { errorCatalogue, gaveMoneyBack, keepsMoney } from '../core/error-catalogue.js';
import { PENDING_NOTICE } from '../rest/openapi.js';
import { filledPath, parametersOf } from '../rest/path.js';
import type { RestRoute } from '../rest/route.js';
import { graphqlChapter } from './docs-graphql.js';
import { reasonSection } from './docs-reasons.js';
import { escape, HTML, htmlPage } from './html.js';
import { JSON_TEXT, type StaticDocument } from './static-documents.js';

type Json = Record<string, unknown>;

interface Operation {
  operationId: string;
  summary?: string;
  security: unknown[];
  parameters?: {
    name: string;
    in: 'query' | 'header' | 'path';
    required: boolean;
    schema: Json;
    description?: string;
  }[];
  requestBody?: {
    content: { 'application/json': { schema: { properties: Record<string, Json>; required: string[] } } };
  };
  responses: Record<string, { description: string; content?: { 'application/json': { schema: Json } } }>;
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

function exampleCall(route: RestRoute, baseUrl: string, isPublic: boolean): string {
  const authorization = isPublic ? '' : ` -H "authorization: Bearer $TOKEN"`;
  const path = filledPath(route.path, route.example);
  const given = Object.entries(route.example).filter(([name]) => !parametersOf(route.path).includes(name));
  if (route.method === 'POST') {
    const body =
      given.length > 0 ? ` -H 'content-type: application/json' -d '${JSON.stringify(Object.fromEntries(given))}'` : '';
    return `curl -s${body ? '' : ' -X POST'} ${baseUrl}${path}${authorization}${body}`;
  }
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  const method = route.method === 'GET' ? '' : ` -X ${route.method}`;
  return `curl -s${method} '${baseUrl}${path}${query && `?${query}`}'${authorization}`;
}

function section(route: RestRoute, operation: Operation, baseUrl: string): string {
  const request = operation.requestBody?.content['application/json'].schema;
  const named = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
  const headers = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');
  const parameters = Object.fromEntries(named.map(({ name, schema }) => [name, schema]));
  const required = named.filter((parameter) => parameter.required).map(({ name }) => name);
  const answer = operation.responses['200']!.content!['application/json'].schema;
  const failures = Object.entries(operation.responses).filter(([status]) => status !== '200');
  return `<section id="${escape(operation.operationId)}">
    <h2><span class="method">${route.method}</span> <code>${escape(route.path)}</code></h2>
    <p>${escape(operation.summary)}</p>
    ${route.mayBePending ? `<p class="notice">May answer with status <code>pending</code>: the money is held until the outcome is known. Never create a new order for it.</p>` : ''}
    <h3>Request</h3>${fieldTable({ ...parameters, ...request?.properties }, [...required, ...(request?.required ?? [])], 'Required')}
    ${headers.map(({ name, description }) => `<p>Header <code>${escape(name)}</code>: ${escape(description)}</p>`).join('')}
    <pre>${escape(exampleCall(route, baseUrl, operation.security.length === 0))}</pre>
    <h3>Answer 200</h3>${answer.properties ? fieldTable(answer.properties as Record<string, Json>, (answer.required as string[] | undefined) ?? [], 'Always') : ''}
    <h3>Other answers</h3><table><tbody>${failures.map(([status, { description }]) => `<tr><td>${status}</td><td>${escape(description)}</td></tr>`).join('')}</tbody></table>
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
export function referencePage({ openApi, routes, baseUrl, schema }: Reference): string {
  const { securitySchemes } = openApi.components as { securitySchemes: { token: { description: string } } };
  const paths = openApi.paths as Record<string, Record<string, Operation>>;
  const described = routes.map((route) => [route, paths[route.path]![route.method.toLowerCase()]!] as const);
  const sections = described.map(([route, operation]) => section(route, operation, baseUrl));
  const links = described.map(
    ([{ method, path }, { operationId }]) =>
      `<li><a href="#${escape(operationId)}">${method} ${escape(path.replace('/api/v1', ''))}</a></li>`,
  );
  return htmlPage(
    'API reference',
    `<header><h1>API reference</h1><p>Base URL <code>${escape(baseUrl)}</code> · <a href="/openapi.json">OpenAPI 3.1</a> · GraphQL at <code>POST /graphql</code>: <a href="/schema.graphql">schema</a>, <a href="/scalars">scalars</a></p></header>
  <p class="notice"><strong>Read this first.</strong> ${escape(PENDING_NOTICE)}</p>
  <p><strong>Tokens.</strong> ${escape(securitySchemes.token.description)}</p>
  <nav><ul>${links.join('')}<li><a href="#graphql">GraphQL</a></li><li><a href="#errors">Errors</a></li><li><a href="#reasons">Reasons of a decline</a></li></ul></nav>
  ${sections.join('')}${graphqlChapter(schema, baseUrl)}${errorSection()}${reasonSection()}`,
  );
}

export interface Reference {
  openApi: Json;
  routes: readonly RestRoute[];
  baseUrl: string;
  schema: GraphQLSchema;
}

/** The reference of an API host, for people and for programs. */
export const referenceDocuments = (reference: Reference): StaticDocument[] => [
  { path: '/openapi.json', headers: JSON_TEXT, text: () => JSON.stringify(reference.openApi) },
  { path: '/docs', headers: HTML, text: () => referencePage(reference) },
];
