import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { preferredWaitS } from '../../src/http/requests/head.js';
import { seed, type TestDeveloper, type TestResponse } from '../support/app.js';
import { RECHARGE, rechargeBody, rechargeInput } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';

const MUTATION = `mutation($input: RechargeInput!) {
  recharge(input: $input) { order { id apiRequestId status } replayed warnings { code message orderId apiRequestId } }
}`;

/** Timeouts exceed slow responses, and pending orders stay pending until a test checks them. */
const test = useOwnApp({
  PROVIDER_TIMEOUT_MS: '20s',
  SYNC_WINDOW_MS: '25s',
  VISIBILITY_DELAY_MS: '40s',
  STATUS_CHECK_SCHEDULE_MS: '60s',
});
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
});

let counter = 0;
/** A unique number, optionally with a magic suffix. */
const numberOf = (magic = '543210'): string => `${7_000 + ++counter}${magic}`;
const bodyFor = (account: string, more: object = {}) => rechargeBody({ account_number: account, ...more });
const send = (body: object, account = developer, environment: Environment = 'production'): Promise<TestResponse> =>
  test.rest(environment, 'POST', RECHARGE, account.tokens[environment], body);
const idOf = ({ body }: TestResponse): string => body.data?.api_request_id ?? body.api_request_id;
const isReplayed = ({ headers }: TestResponse): boolean => headers.get('idempotent-replayed') === 'true';
const warningsOf = ({ body }: TestResponse): string[] | undefined =>
  body.warnings?.map((warning: { api_request_id: string }) => warning.api_request_id);
const ordersOf = async (account: string): Promise<string[]> => {
  const payments = (await test.simulator.book()).filter((line) => line.account === account);
  return payments.map(({ outcome }) => outcome);
};
/** Sends a recharge and disconnects as soon as its order exists. */
const sendAndLeave = async (body: ReturnType<typeof bodyFor>): Promise<void> => {
  const client = new AbortController();
  const request = fetch(`${test.urls.production}${RECHARGE}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${developer.tokens.production}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: client.signal,
  });
  const isAborted = expect(request).rejects.toMatchObject({ name: 'AbortError' });
  await until('the order is created', async () => (await lastOf(body.account_number)) !== undefined);
  client.abort();
  await isAborted;
};
const stateOf = async (reference: string): Promise<string> =>
  (await test.db.query<{ state: string }>('select state from orders where reference = $1', [reference]))[0]!.state;
const lastOf = async (account: string): Promise<{ reference: string; state: string } | undefined> => {
  const { body } = await test.rest(
    'production',
    'GET',
    `/api/v1/orders?account_number=${account}`,
    developer.tokens.production,
  );
  const reference = body.data[0]?.api_request_id;
  return reference && { reference, state: await stateOf(reference) };
};
const makeOlder = (seconds: number) =>
  test.db.query(`update keyless_recharge set placed_at = placed_at - $2 * interval '1 s' where developer_id = $1`, [
    developer.id,
    seconds,
  ]);
const isDelivered = async (reference: string): Promise<boolean> => {
  const rows = await test.db.query(
    `select 1 from keyless_recharge k join orders o on o.id = k.order_id where o.reference = $1 and k.answered_at is not null`,
    [reference],
  );
  return rows.length === 1;
};
/** Makes the response to the last recharge older than a second, so that an equal recharge counts as new. */
const received = async (first: TestResponse): Promise<TestResponse> => {
  await until('delivery of the response is recorded', () => isDelivered(idOf(first)));
  await test.db.query(
    `update keyless_recharge k set answered_at = answered_at - interval '2 s' from orders o where o.id = k.order_id and o.reference = $1`,
    [idOf(first)],
  );
  return first;
};
const guarded = async (seconds: number): Promise<TestDeveloper> => {
  const account = await test.developer({ rateLimitPerMinute: 10_000 });
  await test.app.developers.change('setDuplicateGuard', { developerId: account.id, seconds }, seed);
  return account;
};

const waiting = (account: string, prefer: string) =>
  test.rest('production', 'POST', RECHARGE, developer.tokens.production, bodyFor(account), { prefer });

describe.concurrent('while the provider responds slowly', () => {
  it('returns the recharge in progress to a retry after a client without an idempotency key disconnected', async () => {
    const account = numberOf('540009');
    await sendAndLeave(bodyFor(account));
    const pending = await send(bodyFor(account));
    expect([pending.status, pending.body.status, isReplayed(pending)]).toEqual([200, 'success', true]);
    expect(await ordersOf(account)).toEqual(['succeeded']);
  });

  it('replays a success to the retry of a disconnected client once; a later identical recharge is new', async () => {
    const account = numberOf('540013');
    await test.simulator.outcome('0013', 'slow_success');
    await sendAndLeave(bodyFor(account));
    await until('the first recharge succeeds', async () => (await lastOf(account))?.state === 'success');
    const { reference } = (await lastOf(account))!;
    const retry = await received(await send(bodyFor(account)));
    expect([retry.body.status, idOf(retry), isReplayed(retry)]).toEqual(['success', reference, true]);
    expect(retry.body).not.toHaveProperty('warnings');
    expect(await ordersOf(account)).toEqual(['succeeded']);

    await test.simulator.outcome('0013', 'success');
    const newResponse = await send(bodyFor(account));
    expect([newResponse.body.status, isReplayed(newResponse), warningsOf(newResponse)]).toEqual([
      'success',
      false,
      [reference],
    ]);
    expect(await ordersOf(account)).toEqual(['succeeded', 'succeeded']);
  });

  it('processes simultaneous recharges without an idempotency key once and returns the same order to all', async () => {
    const account = numberOf('540009');
    const responses = await Promise.all(Array.from({ length: 12 }, () => send(bodyFor(account))));
    expect(new Set(responses.map(idOf)).size).toBe(1);
    expect(responses.filter(isReplayed)).toHaveLength(11);
    expect(await ordersOf(account)).toEqual(['succeeded']);
  });

  it('shortens the wait for the outcome with Prefer: wait and confirms it in the response', async () => {
    const account = numberOf('540009');
    const { body, headers } = await waiting(account, 'respond-async, wait=0');
    expect([body.status, headers.get('preference-applied')]).toEqual(['pending', 'wait=0']);
    const { body: laterBody } = await waiting(account, 'wait=60');
    expect([laterBody.status, laterBody.data.api_request_id]).toEqual(['success', body.data.api_request_id]);
  });
});

describe('a retry without an idempotency key after the client missed the response', () => {
  it('replays a failure once, and the next identical recharge is processed', async () => {
    const account = numberOf('540001');
    const first = await send(bodyFor(account));
    // simulates a client that did not receive the response
    await until('delivery of the response is recorded', () => isDelivered(idOf(first)));
    await test.db.query('update keyless_recharge set answered_at = null where developer_id = $1', [developer.id]);
    const retry = await received(await send(bodyFor(account)));
    expect([retry.status, retry.body.code, idOf(retry)]).toEqual([400, 'PROVIDER_DECLINED', idOf(first)]);
    const third = await send(bodyFor(account));
    expect([third.body.code, idOf(third) === idOf(first), isReplayed(third)]).toEqual([
      'PROVIDER_DECLINED',
      false,
      false,
    ]);
  });

  it('replays the response when the connection broke while it was being sent', async () => {
    const account = numberOf();
    const cut = (event: unknown): void => {
      const { request, response, socket } = event as {
        request: IncomingMessage;
        response: ServerResponse;
        socket: Socket;
      };
      if (request.url !== RECHARGE) return;
      const { end } = response;
      response.end = ((...args: Parameters<typeof end>) => {
        socket.destroy();
        return end.apply(response, args);
      }) as typeof end;
    };
    subscribe('http.server.request.start', cut);
    await expect(send(bodyFor(account))).rejects.toThrow('fetch failed');
    unsubscribe('http.server.request.start', cut);
    const retry = await send(bodyFor(account));
    expect([retry.body.status, isReplayed(retry)]).toEqual(['success', true]);
    expect(await ordersOf(account)).toEqual(['succeeded']);
  });

  it('replays the first response before any validation can reject the request', async () => {
    const account = numberOf('540005');
    const poor = await test.developer({ liveRupees: 10 });
    const first = await send(bodyFor(account), poor);
    expect(first.body.status).toBe('pending');
    const retry = await send(bodyFor(account), poor);
    expect([retry.body.status, idOf(retry), isReplayed(retry)]).toEqual(['pending', idOf(first), true]);
    // the first recharge is found before the operator is validated
    await test.app.developers.assignProvider(poor.id, 'MOKSHIQ', seed);
    expect(idOf(await send(bodyFor(account), poor))).toBe(idOf(first));
  });
});

describe('a recharge without an idempotency key after the client received the response', () => {
  it('returns the pending order, however often the client received it', async () => {
    const account = numberOf('540005');
    const first = await send(bodyFor(account));
    for (let n = 0; n < 3; n++) {
      const retry = await send(bodyFor(account));
      expect([retry.body.status, idOf(retry), isReplayed(retry)]).toEqual(['pending', idOf(first), true]);
    }
  });

  it('replays a later success once because the client has received only pending', async () => {
    const account = numberOf('540005');
    const first = await send(bodyFor(account));
    expect(first.body.status).toBe('pending');
    await until('the order succeeds', async () => {
      await test.db.query('update order_due set due_at = now() where developer_id = $1', [developer.id]);
      return (await stateOf(idOf(first))) === 'success';
    });
    // more than a second after the response "pending", which is not a final status
    await test.db.query(
      `update keyless_recharge set answered_at = answered_at - interval '2 s' where developer_id = $1`,
      [developer.id],
    );
    const retry = await send(bodyFor(account));
    expect([retry.body.status, idOf(retry), isReplayed(retry)]).toEqual(['success', idOf(first), true]);
  });

  it('is processed again with a warning that names the last order, over both protocols', async () => {
    const account = numberOf();
    const first = await received(await send(bodyFor(account)));
    expect(first.body).not.toHaveProperty('warnings');
    const second = await received(await send(bodyFor(account)));
    expect(second.body.warnings).toEqual([
      {
        code: 'LIKELY_DUPLICATE',
        message: expect.stringContaining(idOf(first)),
        api_request_id: idOf(first),
      },
    ]);
    const input = rechargeInput({ accountNumber: account });
    const third = await test.graphql('production', developer.tokens.production, MUTATION, { input });
    const { replayed, warnings } = third.body.data.recharge;
    expect({ replayed, warnings }).toEqual({
      replayed: false,
      warnings: [
        {
          code: 'LIKELY_DUPLICATE',
          message: expect.any(String),
          orderId: expect.stringMatching(/^ord_/),
          apiRequestId: idOf(second),
        },
      ],
    });
    expect(await ordersOf(account)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  it('is a new recharge without a warning after three minutes, even while the first is pending', async () => {
    for (const magic of ['543210', '540005']) {
      const account = numberOf(magic);
      const first = await send(bodyFor(account));
      if (magic === '543210') await received(first);
      await makeOlder(179);
      const early = await send(bodyFor(account));
      expect([magic, isReplayed(early), warningsOf(early)]).toEqual(
        magic === '540005' ? [magic, true, undefined] : [magic, false, [idOf(first)]],
      );
      await makeOlder(181);
      const lateRetry = await send(bodyFor(account));
      expect([isReplayed(lateRetry), lateRetry.body.warnings, idOf(lateRetry) === idOf(first)]).toEqual([
        false,
        undefined,
        false,
      ]);
    }
  });

  it('is a new recharge with a different number, amount, operator, environment or account, or with a key', async () => {
    const account = numberOf('540005');
    const otherAccount = await test.developer();
    await send(bodyFor(account));
    const otherResponses = await Promise.all([
      send(bodyFor(numberOf('540005'))),
      send(bodyFor(account, { amount: 11 })),
      send(bodyFor(account, { operator_sp_key: 3 })),
      send(bodyFor(account), developer, 'uat'),
      send(bodyFor(account), otherAccount),
      send(bodyFor(account, { client_request_id: 'own' })),
      test.rest('production', 'POST', RECHARGE, developer.tokens.production, bodyFor(account), {
        'idempotency-key': 'own too',
      }),
    ]);
    for (const other of otherResponses) expect([other.body.status, isReplayed(other)]).toEqual(['pending', false]);
    expect(new Set(otherResponses.map(idOf)).size).toBe(otherResponses.length);
  });

  it('never replays an order that has an idempotency key', async () => {
    const account = numberOf('540005');
    await send(bodyFor(account, { client_request_id: 'keyed first' }));
    expect(isReplayed(await send(bodyFor(account)))).toBe(false);
  });
});

describe('simultaneous recharges without an idempotency key', () => {
  it('are processed separately with allow_duplicate', async () => {
    const account = numberOf();
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => send(bodyFor(account, { allow_duplicate: true }))),
    );
    expect(new Set(responses.map(idOf)).size).toBe(4);
    expect(responses.map(warningsOf)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('the duplicate guard of an account', () => {
  it('rejects a duplicate of a completed recharge and names the first order', async () => {
    const guardedAccount = await guarded(600);
    const account = numberOf();
    const first = await received(await send(bodyFor(account), guardedAccount));
    const balanceBefore = await test.balance(guardedAccount, 'production');
    const retry = await send(bodyFor(account), guardedAccount);
    expect([retry.status, retry.headers.get('x-order-status')]).toEqual([409, 'success']);
    expect(retry.body).toMatchObject({
      status: 'error',
      code: 'LIKELY_DUPLICATE',
      api_request_id: idOf(first),
      order_status: 'success',
    });
    const input = rechargeInput({ accountNumber: account });
    const { body } = await test.graphql('production', guardedAccount.tokens.production, MUTATION, { input });
    expect(body.errors[0].extensions).toMatchObject({
      code: 'LIKELY_DUPLICATE',
      charged: false,
      retryable: false,
      apiRequestId: idOf(first),
      orderStatus: 'success',
    });
    expect(await test.balance(guardedAccount, 'production')).toBe(balanceBefore);
    expect(await ordersOf(account)).toEqual(['succeeded']);

    for (const more of [{ allow_duplicate: true }, { client_request_id: 'meant' }])
      expect((await send(bodyFor(account, more), guardedAccount)).body.status).toBe('success');
    expect(await ordersOf(account)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  it('rejects a duplicate of a long-pending recharge, but not of a refunded one', async () => {
    const guardedAccount = await guarded(600);
    const older = () =>
      test.db.query(
        `update keyless_recharge set placed_at = placed_at - interval '4 minutes' where developer_id = $1`,
        [guardedAccount.id],
      );
    const pending = numberOf('540005');
    const first = await send(bodyFor(pending), guardedAccount);
    expect(idOf(await send(bodyFor(pending), guardedAccount))).toBe(idOf(first));
    await older();
    const rejection = await send(bodyFor(pending), guardedAccount);
    expect([rejection.body.code, idOf(rejection), rejection.body.order_status]).toEqual([
      'LIKELY_DUPLICATE',
      idOf(first),
      'pending',
    ]);
    const declined = numberOf('540001');
    const failed = await received(await send(bodyFor(declined), guardedAccount));
    const secondFailure = await send(bodyFor(declined), guardedAccount);
    expect([secondFailure.body.code, idOf(secondFailure) === idOf(failed)]).toEqual(['PROVIDER_DECLINED', false]);
    const completedAccount = numberOf();
    await received(await send(bodyFor(completedAccount), guardedAccount));
    for (let n = 0; n < 3; n++) await older();
    expect((await send(bodyFor(completedAccount), guardedAccount)).body.status).toBe('success');
  });
});

describe('allow_duplicate', () => {
  it.each([
    ['application/x-www-form-urlencoded', 'true'],
    ['application/x-www-form-urlencoded', '1'],
    ['application/json', true],
  ])('in %s accepts %s', async (type, value) => {
    const account = numberOf('540005');
    const first = await send(bodyFor(account));
    const body = bodyFor(account, { allow_duplicate: value });
    const text = type.includes('json') ? JSON.stringify(body) : new URLSearchParams(body as never).toString();
    const allowed = await test.rest('production', 'POST', RECHARGE, developer.tokens.production, text, {
      'content-type': type,
    });
    expect([allowed.body.status, isReplayed(allowed), idOf(allowed) === idOf(first)]).toEqual([
      'pending',
      false,
      false,
    ]);
  });

  it('rejects a value other than true or false and names the field', async () => {
    const { status, body } = await send(bodyFor(numberOf(), { allow_duplicate: 'perhaps' }));
    expect([status, Object.keys(body.errors)]).toEqual([400, ['allow_duplicate']]);
  });

  it('is not bound to the idempotency key', async () => {
    const account = numberOf();
    const first = await send(bodyFor(account, { client_request_id: 'same', allow_duplicate: true }));
    const retry = await send(bodyFor(account, { client_request_id: 'same' }));
    expect([idOf(retry), isReplayed(retry)]).toEqual([idOf(first), true]);
  });
});

describe('Prefer: wait', () => {
  it.each<[string | undefined, number | undefined]>([
    ['wait=8', 8],
    ['Wait = 8', 8],
    ['wait="8"', 8],
    ['respond-async, wait=8;x=1, wait=9', 8],
    ['wait=0', 0],
    [undefined, undefined],
    ...[
      '',
      'wait',
      'wait=',
      'wait=soon',
      'wait=-1',
      'wait=1.5',
      'await=8',
      'wait=1234567890',
      'x="wait=8',
      'handling=lenient; wait=8',
    ].map((prefer): [string, undefined] => [prefer, undefined]),
  ])('%s means %s', (prefer, seconds) => {
    expect(preferredWaitS({ prefer })).toBe(seconds);
  });

  it('is capped at the server limit and ignored for a rejected request', async () => {
    const response = await waiting(numberOf('540005'), 'wait=999999999');
    expect([response.body.status, response.headers.get('preference-applied')]).toEqual(['pending', 'wait=25']);
    const rejection = await test.rest(
      'production',
      'POST',
      RECHARGE,
      developer.tokens.production,
      {},
      { prefer: 'wait=1' },
    );
    expect([rejection.status, rejection.headers.get('preference-applied')]).toEqual([400, null]);
  });

  it('applies to payments over GraphQL', async () => {
    const response = await fetch(`${test.urls.production}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${developer.tokens.production}`,
        'content-type': 'application/json',
        prefer: 'wait=0',
      },
      body: JSON.stringify({
        query: MUTATION,
        variables: {
          input: rechargeInput({ accountNumber: numberOf('540009') }),
        },
      }),
    });
    const { data } = (await response.json()) as { data: { recharge: { order: { status: string } } } };
    expect([data.recharge.order.status, response.headers.get('preference-applied')]).toEqual(['PENDING', 'wait=0']);
  });
});
