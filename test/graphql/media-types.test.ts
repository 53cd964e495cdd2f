import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

type Host = 'uat' | 'production' | 'console';

/** Without a default Accept header, which `fetch` would send. */
async function post(host: Host, token: string | undefined, accept: string | undefined, body: object) {
  const {
    statusCode,
    headers,
    body: responseBody,
  } = await request(`${test.urls[host]}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(accept === undefined ? {} : { accept }),
    },
    body: JSON.stringify(body),
  });
  const { data, errors } = (await responseBody.json()) as any;
  const type = String(headers['content-type']).split(';')[0];
  return { status: statusCode, type, data, code: errors?.[0].extensions.code };
}

const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';
/** The media type of the response for each Accept header. */
const TYPES = [
  [undefined, JSON_TYPE],
  ['', JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['application/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/json, application/graphql-response+json;q=0.9', JSON_TYPE],
  ['application/graphql-response+json', RESPONSE_TYPE],
  ['application/graphql-response+json, application/json;q=0.9', RESPONSE_TYPE],
  ['application/graphql-response+json, */*', RESPONSE_TYPE],
] as const;

const RECHARGE = 'mutation($input: RechargeInput!) { recharge(input: $input) { order { status } } }';
const UNREADABLE = { query: '{' };
const UNKNOWN_FIELD = { query: '{ nothing }' };
const NO_SELECTION = { query: '{ leadless: me }' };
const WRONG_LITERAL = { query: '{ order(kind: "RECHARGE", clientRequestId: "a") { id } }' };
const WRONG_VARIABLES = { query: RECHARGE, variables: { input: {} } };
const NO_VARIABLES = { query: RECHARGE };
const NO_OPERATION = { query: 'query A { __typename } query B { __typename }' };

describe.each(TYPES)('with Accept: %s, the response is %s', (accept, type) => {
  const byType = type === JSON_TYPE ? 200 : 400;

  it.each([
    ['a document that does not parse', UNREADABLE, 'INVALID_DOCUMENT'],
    ['an unknown field', UNKNOWN_FIELD, 'INVALID_DOCUMENT'],
    ['a field without its selection', NO_SELECTION, 'INVALID_DOCUMENT'],
    ['an ambiguous operation', NO_OPERATION, 'INVALID_DOCUMENT'],
    ['an invalid literal', WRONG_LITERAL, 'VALIDATION_FAILED'],
    ['invalid variables', WRONG_VARIABLES, 'VALIDATION_FAILED'],
    ['missing variables', NO_VARIABLES, 'VALIDATION_FAILED'],
  ])(`and the status of %s is ${byType}`, async (_name, body, code) => {
    for (const host of ['uat', 'production'] as const)
      expect(await post(host, developer.tokens[host], accept, body)).toEqual({
        status: byType,
        type,
        data: undefined,
        code,
      });
  });

  it.each([
    ['an executed operation', { query: '{ me { id } }' }, 'own', 200, undefined],
    ['a request without a token', { query: '{ me { id } }' }, undefined, 401, 'UNAUTHENTICATED'],
    ['a request without a document', { operationName: 'A' }, 'own', 400, 'MALFORMED_REQUEST'],
  ] as const)(
    'and the status of %s does not depend on the media type',
    async (_name, body, isSignedIn, status, code) => {
      const response = await post('uat', isSignedIn && developer.tokens.uat, accept, body);
      expect([response.status, response.code]).toEqual([status, code]);
    },
  );

  it(`and the status of an invalid document on the console is ${byType}`, async () => {
    const response = await post('console', undefined, accept, UNREADABLE);
    expect(response).toEqual({ status: byType, type, data: undefined, code: 'INVALID_DOCUMENT' });
  });
});

it('is 406 if the client accepts no media type of this service', async () => {
  const { status, code } = await post('uat', undefined, 'text/html', { query: '{ __typename }' });
  expect([status, code]).toEqual([406, 'NOT_ACCEPTABLE']);
});
