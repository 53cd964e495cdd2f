import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { RECHARGE_STATUS, signedIn } from '../orders/order.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { logLines } from '../support/log-lines.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';

const lines = logLines();
const test = useSharedApp({}, lines.takes);
let developer: TestDeveloper;
let token: string;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
  token = developer.tokens.production;
});

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const lineOf = ({ headers }: TestResponse) => lines.ofRequest(headers.get('x-request-id'));
const recharge = (more: object, headers?: Record<string, string>) =>
  test.rest('production', 'POST', RECHARGE, token, rechargeBody(more), headers);

const QUERY = `query Balance_of($a: String!) {
  mine: wallet { balance }
  wallet { balance }
  order(kind: RECHARGE, clientRequestId: $a) { status }
}`;

describe('the log line of a request', () => {
  it('contains the account and the order, and marks a replay', async () => {
    const first = await recharge({ client_request_id: 'line-1' });
    const reference = first.body.data.api_request_id as string;
    const firstLine = await lineOf(first);
    expect(firstLine).toEqual({
      level: 30,
      time: expect.any(String),
      msg: 'request',
      requestId: first.headers.get('x-request-id'),
      host: 'production',
      method: 'POST',
      path: RECHARGE,
      httpStatus: 200,
      ms: expect.any(Number),
      address: '127.0.0.1',
      developerId: developer.id,
      clientId: developer.keys.production.clientId,
      orderId: UUID,
      apiRequestId: reference,
    });
    const retryLine = await lineOf(await recharge({ client_request_id: 'line-1' }));
    expect(retryLine).toMatchObject({ replayed: true, orderId: firstLine.orderId, apiRequestId: reference });
    const statusResponse = await test.rest(
      'production',
      'GET',
      `${RECHARGE_STATUS}?api_request_id=${reference}`,
      token,
    );
    expect(await lineOf(statusResponse)).toMatchObject({ path: RECHARGE_STATUS, orderId: firstLine.orderId });
  });

  it('of an error response has its code and level, and is the only one', async () => {
    const rejection = await recharge({ amount: -1, client_request_id: 'line-2' });
    expect(await lineOf(rejection)).toMatchObject({ level: 30, httpStatus: 400, code: 'VALIDATION_FAILED' });
    const anonymous = await test.rest('production', 'POST', RECHARGE, undefined, {});
    const line = await lineOf(anonymous);
    expect(line).toMatchObject({ httpStatus: 401, code: 'UNAUTHENTICATED' });
    expect(line).not.toHaveProperty('developerId');
    expect(lines.of('request failed')).toEqual([]);
  });

  it('contains operation, root fields and error codes of GraphQL, and no caller text except the operation name', async () => {
    await recharge({ client_request_id: 'line-3' });
    const response = await test.graphql('production', token, QUERY, { a: 'line-3' });
    expect(response.body.errors).toBeUndefined();
    expect(await lineOf(response)).toMatchObject({
      path: '/graphql',
      httpStatus: 200,
      operation: 'Balance_of',
      fields: ['wallet', 'order'],
      orderId: UUID,
    });
    const partly = await test.graphql(
      'production',
      token,
      '{ first: order(kind: RECHARGE, clientRequestId: "none") { status } mobilePlans(input: {mobile: "1", opcode: AIRTEL, circle: KA, clientRequestId: "x"}) { groups { name } } wallet { balance } }',
    );
    const line = await lineOf(partly);
    expect(line).toMatchObject({ code: partly.body.errors[0].extensions.code });
    expect(new Set([line.code, ...(line.moreCodes ?? [])])).toEqual(
      new Set(partly.body.errors.map((error: { extensions: { code: string } }) => error.extensions.code)),
    );
  });

  it('limits the length of caller input', async () => {
    const name = `Of_9876543210_${'x'.repeat(200)}`;
    const response = await test.graphql('production', token, `query ${name} { wallet { balance } }`);
    const { operation } = await lineOf(response);
    expect(operation).toHaveLength(60);
    expect(operation).toMatch(/^Of_0000000000_x/);
    const invalid = await lineOf(await test.graphql('production', token, 'query Secret_words { notThere9876543210 }'));
    expect(invalid).toMatchObject({ code: 'INVALID_DOCUMENT' });
    expect(invalid).not.toHaveProperty('operation');
    const keys = Array.from({ length: 12 }, (_, n) => `many-${n}`);
    for (const key of keys) await recharge({ client_request_id: key });
    const found = await test.graphql(
      'production',
      token,
      'query($keys: [String!]!) { ordersByKey(kind: RECHARGE, clientRequestIds: $keys) { status } }',
      { keys },
    );
    const line = await lineOf(found);
    expect([line.moreOrderIds.length, line.moreApiRequestIds.length]).toEqual([9, 9]);
  });

  it('contains the user of the console', async () => {
    const session = await signedIn(test, 'support');
    const line = await lineOf(await test.graphql('console', session, 'query Me { viewer { user { role } } }'));
    expect(line).toMatchObject({ host: 'console', userId: UUID, operation: 'Me', fields: ['viewer'] });
  });

  it('is written once for an unknown path and an undecodable request', async () => {
    const absent = await test.rest('production', 'GET', '/nowhere/9876543210', token);
    expect(await lineOf(absent)).toMatchObject({ path: 'unknown', httpStatus: 404, code: 'NOT_FOUND' });
    const [status, id] = await new Promise<[number, string]>((resolve, reject) => {
      const { port } = new URL(test.urls.production);
      const rawRequest = request({ port, host: '127.0.0.1', path: '/%zz' }, (response) => {
        response.resume().on('end', () => resolve([response.statusCode!, String(response.headers['x-request-id'])]));
      });
      rawRequest.on('error', reject).end();
    });
    expect(await lines.ofRequest(id)).toMatchObject({ httpStatus: status, path: 'unknown', code: 'MALFORMED_REQUEST' });
  });

  it('is not written for probes', async () => {
    const countBefore = lines.of('request').length;
    for (const path of ['/livez', '/readyz', '/metrics', '/livez?at=1'])
      expect((await fetch(`${test.urls.production}${path}`)).status).toBe(200);
    const { headers } = await test.rest('production', 'GET', '/version');
    await lines.ofRequest(headers.get('x-request-id'));
    expect(lines.of('request').length).toBe(countBefore + 1);
  });

  it('contains the class of an internal error, and not its message', async () => {
    await test.db.query('alter table white_label rename to white_label_away');
    try {
      const failed = await test.graphql('console', await signedIn(test, 'admin'), '{ whiteLabels { name } }');
      expect(await lineOf(failed)).toMatchObject({
        level: 50,
        code: 'INTERNAL',
        fields: ['whiteLabels'],
        err: { code: '42P01', message: 'relation "white_label" does not exist', stack: expect.stringContaining('at ') },
      });
    } finally {
      await test.db.query('alter table white_label_away rename to white_label');
    }
  });
});

describe('the request ID and the trace of the caller', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

  it('are logged next to the request ID of the service', async () => {
    const response = await recharge(
      { client_request_id: 'own-1' },
      { 'x-request-id': 'shop:42/a', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
    );
    expect(response.headers.get('x-request-id')).toEqual(UUID);
    expect(response.headers.get('x-correlation-id')).toBe('shop:42/a');
    expect(await lineOf(response)).toMatchObject({ correlationId: 'shop:42/a', traceId: TRACE });
  });

  it.each([
    ['too long', 'a'.repeat(129)],
    ['spaces', 'two words'],
    ['an email address', 'somebody@mail.example'],
    ['a phone number', '9876543210'],
    ['a card number', '4111-1111-1111-1111'],
    ['quotes', '"},{"'],
    ['nothing', ''],
  ])('are omitted if the ID is %s', async (_case, id) => {
    const response = await test.rest('production', 'GET', '/version', undefined, undefined, { 'x-request-id': id });
    expect(response.headers.get('x-correlation-id')).toBeNull();
    expect(await lineOf(response)).not.toHaveProperty('correlationId');
  });

  it.each([
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7-01-more`,
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7`,
  ])('are omitted if the trace is %s', async (traceparent) => {
    const response = await test.rest('production', 'GET', '/version', undefined, undefined, { traceparent });
    expect(await lineOf(response)).not.toHaveProperty('traceId');
  });
});

it('no log line contains a number, a key or a secret', () => {
  const all = lines.texts.join('');
  for (const secret of ['9876543210', 'line-1', 'none', token, developer.keys.production.apiSecret])
    expect(all.includes(secret), secret).toBe(false);
});
