import type { Environment } from '../../core/environment.js';
import { type OpenApi, type Operation, operationsOf } from './postman-document.js';
import { FORGET_TOKEN_SCRIPT, newKeyScript, TOKEN_SCRIPT, testScript } from './postman-scripts.js';
import { PostmanValues } from './postman-values.js';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * Returns a Postman collection (v2.1) of all operations of an OpenAPI document that the environment serves, with tests and a
 * script that requests tokens.
 */
export function postmanCollection(document: OpenApi, environment: Environment): object {
  const operations = operationsOf(document).filter(({ isUatOnly }) => environment === 'uat' || !isUatOnly);
  const values = new PostmanValues(operations);
  const groups = Map.groupBy(operations, ({ group }) => group);
  const { title, version, description } = document.info;
  return {
    info: { name: title, description, version, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    event: [event('prerequest', TOKEN_SCRIPT), event('test', FORGET_TOKEN_SCRIPT)],
    variable: variablesOf(operations, values),
    item: [...groups].map(([name, own]) => ({ name, item: own.map((one) => itemOf(one, values)) })),
  };
}

/** Returns the Postman environment, in which the user enters the credentials. */
export const postmanEnvironment = (name: string, environment: Environment, baseUrl: string): object => ({
  name,
  values: [
    { key: 'base_url', value: baseUrl, type: 'default', enabled: true },
    { key: 'environment', value: environment, type: 'default', enabled: true },
    { key: 'client_id', value: '', type: 'default', enabled: true },
    ...['api_secret', 'token', 'token_expires_at'].map((key) => ({ key, value: '', type: 'secret', enabled: true })),
  ],
  _postman_variable_scope: 'environment',
});

const event = (listen: 'prerequest' | 'test', script: string): object => ({
  listen,
  script: { type: 'text/javascript', exec: script.trim().split('\n') },
});

function itemOf(operation: Operation, values: PostmanValues): object {
  const { method, summary, description, isPublic, answer } = operation;
  const key = values.keyVariable(operation);
  const body = bodyOf(operation, values);
  return {
    name: `${method} ${operation.path.replace(/^\/api\/v\d+/, '')}`,
    event: [
      ...(key ? [event('prerequest', newKeyScript(key))] : []),
      event('test', testScript(operation, values.issuedBy(operation), key)),
    ],
    request: {
      method,
      description: [summary, description].filter(Boolean).join('\n\n'),
      ...(isPublic ? { auth: { type: 'noauth' } } : {}),
      header: [
        { key: 'Accept', value: answer.contentType },
        ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ],
      url: urlOf(operation, values),
      ...(body ? { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } } : {}),
    },
    response: [],
  };
}

const textOf = (example: unknown): string =>
  typeof example === 'string' ? example : example === undefined ? '' : JSON.stringify(example);
const braced = (variable: string): string => `{{${variable}}}`;

function bodyOf(operation: Operation, values: PostmanValues): string | undefined {
  if (!operation.example) return undefined;
  const filled = Object.entries(operation.example).map(([name, value]) => {
    const variable = values.variableOf(operation, name, false);
    return [name, variable === undefined ? value : braced(variable)];
  });
  return JSON.stringify(Object.fromEntries(filled), null, 2);
}

function urlOf(operation: Operation, values: PostmanValues): object {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const path = operation.path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, example, description }) => {
      const variable = values.variableOf(operation, name, false);
      const isSent = required || example !== undefined;
      return {
        key: name,
        value: variable === undefined ? textOf(example) : braced(variable),
        ...(description ? { description } : {}),
        ...(isSent ? {} : { disabled: true }),
      };
    });
  const sent = query.filter((one) => !('disabled' in one)).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{base_url}}/${path}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: ['{{base_url}}'],
    path: path.split('/'),
    ...(query.length > 0 ? { query } : {}),
    ...(inPath.length > 0
      ? {
          variable: inPath.map(({ name, description }) => ({
            key: name,
            value: braced(values.variableOf(operation, name, true)!),
            ...(description ? { description } : {}),
          })),
        }
      : {}),
  };
}

/** Returns the variables that responses set. They contain the example of the document until then. */
function variablesOf(operations: readonly Operation[], values: PostmanValues): object[] {
  const examples = new Map<string, unknown>();
  for (const operation of operations) {
    if (operation.isPublic) continue;
    for (const { name, in: place, example } of operation.parameters) {
      const variable = values.variableOf(operation, name, place === 'path');
      if (variable !== undefined && example !== undefined && !examples.has(variable)) examples.set(variable, example);
    }
    for (const [name, example] of Object.entries(operation.example ?? {})) {
      const variable = values.variableOf(operation, name, false);
      if (variable !== undefined && !examples.has(variable)) examples.set(variable, example);
    }
  }
  const keys = new Set(operations.map((operation) => values.keyVariable(operation)));
  return [...examples].map(([key, value]) => ({ key, value: keys.has(key) ? '' : textOf(value) }));
}
