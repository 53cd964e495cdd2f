import { beforeAll, describe, expect, it } from 'vitest';
import { CALLBACK_SECRET, type TestDeveloper } from '../support/app.js';
import { rechargeBody } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';

const STATUS = '/api/v1/recharge/status';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

const post = async (
  host: 'uat' | 'production' | 'console',
  path: string,
  payload: Buffer,
  headers: Record<string, string> = {},
) => {
  const token = host === 'console' ? undefined : developer.tokens[host];
  const response = await fetch(`${test.urls[host]}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: new Uint8Array(payload),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const rechargeWith = (key: string): string => JSON.stringify(rechargeBody({ client_request_id: key }));
const orders = () =>
  test.db.query<{ client_key: string }>('select client_key from orders where developer_id = $1 order by client_key', [
    developer.id,
  ]);

describe('text that is not UTF-8', () => {
  it('is rejected in bodies, so that two keys in another encoding are never the same order', async () => {
    for (const key of ['Commande-é', 'Commande-è']) {
      const response = await post('uat', '/api/v1/recharge', Buffer.from(rechargeWith(key), 'latin1'));
      expect(response).toEqual({
        status: 400,
        body: {
          status: 'error',
          code: 'MALFORMED_REQUEST',
          message: 'The request body is not UTF-8.',
          doc_url: `${test.urls.uat}/docs/errors#MALFORMED_REQUEST`,
          request_id: expect.any(String),
        },
      });
    }
    expect(await orders()).toEqual([]);
    for (const key of ['Commande-é', 'Commande-è'])
      expect((await post('uat', '/api/v1/recharge', Buffer.from(rechargeWith(key)))).status).toBe(200);
    expect(await orders()).toHaveLength(2);
  });

  it.each(['uat', 'production', 'console'] as const)('is rejected by GraphQL on %s', async (host) => {
    const response = await post(host, '/graphql', Buffer.from('{"query":"{ __typename } # é"}', 'latin1'));
    expect([response.status, response.body]).toMatchObject([
      400,
      { errors: [{ extensions: { code: 'MALFORMED_REQUEST' } }] },
    ]);
  });

  it.each([
    [
      'an invalid first byte',
      'client_request_id=%FF',
      'The query parameter "client_request_id" is not percent-encoded UTF-8.',
    ],
    [
      'a truncated character',
      'client_request_id=a%C3',
      'The query parameter "client_request_id" is not percent-encoded UTF-8.',
    ],
    [
      'a surrogate',
      'client_request_id=%ED%A0%80',
      'The query parameter "client_request_id" is not percent-encoded UTF-8.',
    ],
    ['an unknown parameter', 'x%FF=1', 'The query is not percent-encoded UTF-8.'],
  ])('is rejected in queries: %s', async (_case, query, message) => {
    const response = await test.rest('uat', 'GET', `${STATUS}?${query}`, developer.tokens.uat);
    expect([response.status, response.body]).toMatchObject([400, { code: 'MALFORMED_REQUEST', message }]);
  });

  it('does not include the replacement character itself, other scripts, or a single percent sign', async () => {
    for (const query of [
      'client_request_id=%EF%BF%BD',
      'client_request_id=%E0%A4%95%E0%A5%8D%E2%80%8D',
      'client_request_id=50%',
      'client_request_id=%zz',
    ]) {
      const response = await test.rest('uat', 'GET', `${STATUS}?${query}`, developer.tokens.uat);
      expect(response.body.code).not.toBe('MALFORMED_REQUEST');
    }
  });

  it('is omitted from a callback, whose readable part is processed, so the provider does not retry it', async () => {
    const bodies: [Buffer, string][] = [
      [Buffer.from('agentid=x&operator=Caf\xe9', 'latin1'), 'application/x-www-form-urlencoded'],
      [Buffer.from('{"agentid":"x","operator":"Caf\xe9"}', 'latin1'), 'application/json'],
      [Buffer.from('&'.repeat(60_000)), 'application/x-www-form-urlencoded'],
    ];
    for (const [body, type] of bodies)
      expect(
        await post('production', '/callbacks/roundpay?operator=%FF', body, {
          'content-type': type,
          'x-callback-secret': CALLBACK_SECRET,
        }),
      ).toEqual({ status: 200, body: { status: 'ok' } });
  });
});

it('a body cannot reach the prototype of an object', async () => {
  for (const body of ['{"__proto__":{"amount":1}}', '{"constructor":{"prototype":1}}']) {
    const response = await post('uat', '/api/v1/recharge', Buffer.from(body));
    expect([response.status, response.body.code]).toEqual([400, 'MALFORMED_REQUEST']);
    expect(response.body.message).toBe(
      'The request body has a field with the name `__proto__`, or `prototype` inside `constructor`. Remove the field.',
    );
  }
  const broken = await post('uat', '/api/v1/recharge', Buffer.from('{"__proto__":{"amount":1}'));
  expect(broken.body.message).toBe('The request body is not valid JSON.');
});
