import type { Operation } from './postman-document.js';
import type { Issued } from './postman-values.js';

/**
 * Script that runs before each request with a token. It exchanges the credentials of the environment if there is no valid token.
 */
export const TOKEN_SCRIPT = `
if (!pm.request.auth || pm.request.auth.type !== 'noauth') {
  const endsAt = Date.parse(pm.environment.get('token_expires_at') || '');
  if (!pm.environment.get('token') || !(endsAt - Date.now() > 60000)) {
    const credentials = {
      client_id: pm.environment.get('client_id'),
      api_secret: pm.environment.get('api_secret'),
      environment: pm.environment.get('environment'),
    };
    pm.sendRequest(
      {
        url: pm.environment.get('base_url') + '/api/v1/auth/client-credentials',
        method: 'POST',
        header: { 'Content-Type': 'application/json' },
        body: { mode: 'raw', raw: JSON.stringify(credentials) },
      },
      (error, response) => {
        if (error || response.code !== 200)
          throw new Error('No token. Set client_id and api_secret in the environment. ' + (error || response.text()));
        pm.environment.set('token', response.json().token);
        pm.environment.set('token_expires_at', response.json().expires_at);
      },
    );
  }
}`;

/** Script that runs after each request. It discards a token that was rejected. */
export const FORGET_TOKEN_SCRIPT = `
if (pm.response.code === 401) pm.environment.unset('token');`;

/** Creates an idempotency key for each order, and keeps it until the order has a final status. */
export const newKeyScript = (variable: string): string => `
// Keeps the key until the last order has a final status, then creates a new one.
if (!pm.collectionVariables.get('${variable}') || pm.collectionVariables.get('${variable} used')) {
  pm.collectionVariables.set('${variable}', 'postman-' + pm.variables.replaceIn('{{$guid}}'));
  pm.collectionVariables.unset('${variable} used');
}`;

/** Returns the tests of a response and the assignments of its values to variables. */
export function testScript(operation: Operation, issued: readonly Issued[], keyVariable?: string): string {
  const { answer } = operation;
  const isJson = answer.contentType === 'application/json';
  const lines = [
    `pm.test('status code is 200', () => pm.response.to.have.status(200));`,
    ...(isJson
      ? jsonTests(operation)
      : [
          `pm.test('response is a file', () => pm.expect(pm.response.headers.get('Content-Type')).to.include('${answer.contentType}'));`,
        ]),
    ...(operation.isPublic && answer.keys.includes('token') ? SAVED_TOKEN : []),
    ...(issued.length > 0 ? savedIds(issued, answer.isList) : []),
    ...(keyVariable ? usedUp(keyVariable) : []),
  ];
  return `\n${lines.join('\n')}`;
}

const list = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;

function jsonTests({ answer: { keys, dataKeys, isList, mayBePending } }: Operation): string[] {
  return [
    'let body = {};',
    `pm.test('response is JSON', () => (body = pm.response.json()));`,
    `pm.test('response has the required keys', () => pm.expect(body).to.include.all.keys(${list(keys)}));`,
    ...(dataKeys.length > 0 && !isList
      ? [`pm.test('data has the required keys', () => pm.expect(body.data).to.include.all.keys(${list(dataKeys)}));`]
      : []),
    ...(isList ? [`pm.test('data is a list', () => pm.expect(body.data).to.be.an('array'));`] : []),
    ...(mayBePending
      ? [
          '// Pending is not failed: never create a new order for it.',
          `pm.test('status is success, pending or failed', () => pm.expect(body.status).to.be.oneOf(['success', 'pending', 'failed']));`,
        ]
      : []),
  ];
}

const savedIds = (issued: readonly Issued[], isList: boolean): string[] => [
  `const found = ${isList ? '(body.data || [])[0]' : 'body.data'} || {};`,
  ...issued.map(
    ({ variable, field }) => `if (found.${field}) pm.collectionVariables.set('${variable}', found.${field});`,
  ),
];

const SAVED_TOKEN: readonly string[] = [
  `if (body.token) pm.environment.set('token', body.token);`,
  `if (body.token) pm.environment.set('token_expires_at', body.expires_at);`,
];

const usedUp = (variable: string): string[] => [
  `const isPending = body.status === 'pending' || body.order_status === 'pending';`,
  `const isRejected = [401, 403, 429].includes(pm.response.code) || pm.response.code >= 500;`,
  `if (!isPending && !isRejected) pm.collectionVariables.set('${variable} used', 'true');`,
];
