import { expect, it } from 'vitest';
import { openApiOf } from '../../src/http/hosts.js';
import { DocumentedResponses } from '../support/documented-responses.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();

const id = { 'x-request-id': '00000000-0000-7000-8000-000000000000' };
const me = { id: 1, name: 'Asha', email: 'asha@shop.example', roles: ['developer'], permissions: [] };
const rejection = {
  status: 'error',
  message: 'No.',
  code: 'UNAUTHENTICATED',
  doc_url: 'https://api.example/docs/errors#UNAUTHENTICATED',
  request_id: '019c1a2b-5d3e-7f40-8a51-6b7c8d9e0f12',
};

// `test.rest` validates every response of this suite in the same way
it.each([
  ['a response that matches its description', 200, id, me, undefined],
  [
    'a status that the path does not return',
    404,
    id,
    { ...rejection, code: 'RECORD_NOT_FOUND' },
    /404 RECORD_NOT_FOUND is not described/,
  ],
  [
    'a code that the status does not allow',
    401,
    id,
    { ...rejection, code: 'INVALID_CREDENTIALS' },
    /\/code must be equal to one of/,
  ],
  [
    'a status word that the path does not use',
    401,
    id,
    { ...rejection, status: 'failed' },
    /\/status must be equal to constant/,
  ],
  ['an undocumented field', 200, id, { ...me, colour: 'blue' }, /must NOT have additional properties.*colour/],
  ['a missing field', 200, id, { ...me, email: undefined }, /must have required property 'email'/],
  ['a value of a different type', 200, id, { ...me, id: '1' }, /\/id must be integer/],
  ['a missing header', 200, {}, me, /there is no header x-request-id/],
  ['an undocumented header', 200, { ...id, 'x-order-status': 'success' }, me, /the header x-order-status is not/],
] as const)('validates %s', (_name, status, headers, body, problem) => {
  const described = new DocumentedResponses(openApiOf('uat', test.app));
  const response = {
    status,
    headers: new Headers({ 'content-type': 'application/json; charset=utf-8', ...headers }),
    body: JSON.parse(JSON.stringify(body)),
  };
  const problems = described.problems('GET', '/api/v1/auth/me?x=1', response);
  expect(problems).toEqual(problem ? [expect.stringMatching(problem)] : []);
  expect(described.problems('GET', '/api/v1/unknown', response)).toEqual([]);
});
