import { beforeAll, describe, expect, it } from 'vitest';
import { callerOf } from '../../src/providers/calls.js';
import { ScenarioStore } from '../../src/providers/sandbox/scenario.store.js';
import { deleteExpired } from '../../src/retention/expired-rows.js';
import { knownFetchId, owner, payBill, validFetch } from '../card-bills/card-bills.fixture.js';
import { PROFILE, salaried } from '../leads/lead.fixture.js';
import { lookups } from '../plans/lookups.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { callsOf, rejectionOf, SCENARIO } from './sandbox.fixture.js';

const NUMBER = '9876543210';
const REASON = 'LIMIT_REACHED';

const test = useSharedApp();
let developer: TestDeveloper;
let calls: ReturnType<typeof callsOf>;
beforeAll(async () => {
  developer = await newDeveloper();
  calls = callsOf(test, developer);
});

const newDeveloper = (): Promise<TestDeveloper> => test.developer({ rateLimitPerMinute: 10_000 });

/** The word "success", or the reason of the failure. */
const endOf = ({ body }: TestResponse): string => body.reason ?? body.code ?? body.status;

const waiting = async (account = developer): Promise<number> => {
  const [row] = await test.db.query<{ n: number }>(
    'select count(*)::int as n from sandbox_scenario where developer_id = $1 and reference is null',
    [account.id],
  );
  return row!.n;
};

describe('a scenario is used', () => {
  it('by exactly one of many simultaneous orders', async () => {
    await calls.chooseOutcome({ account_number: NUMBER }, 'decline', REASON);
    const responses = await Promise.all(Array.from({ length: 16 }, (_, n) => calls.recharge(`at once ${n}`)));
    expect(responses.map(endOf).toSorted()).toEqual([REASON, ...Array.from({ length: 15 }, () => 'success')]);
    expect(await waiting()).toBe(0);
  });

  it('by exactly one call if the provider is unavailable', async () => {
    await calls.chooseOutcome({ account_number: NUMBER }, 'provider_down');
    const responses = await Promise.all(Array.from({ length: 16 }, (_, n) => calls.recharge(`down at once ${n}`)));
    expect(responses.map(endOf).toSorted()).toEqual([
      'PROVIDER_UNAVAILABLE',
      ...Array.from({ length: 15 }, () => 'success'),
    ]);
  });

  it.each(['order', 'lookup', 'away'] as const)('by exactly one call (%s) across processes', async (kind) => {
    const { pool, config } = test.app;
    // the two processes share only the database
    const stores = [new ScenarioStore(pool, config.pepper), new ScenarioStore(pool, config.pepper)];
    const caller = callerOf({ developerId: developer.id, environment: 'uat', hasScenarios: true }, null);
    const take = (store: ScenarioStore, reference: string): Promise<unknown> =>
      ({
        order: () => store.takeForOrder(caller, NUMBER, reference),
        lookup: () => store.takeForLookup(caller, NUMBER),
        away: async () => (await store.takeOutage(caller, NUMBER)) || undefined,
      })[kind]();
    for (let round = 0; round < 20; round++) {
      const scenario = kind === 'away' ? 'provider_down' : 'decline';
      await stores[0]!.set(caller, { account: NUMBER }, { scenario, reason: null });
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, n) => take(stores[n % 2]!, `${kind} ${round} ${n}`)),
      );
      expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    }
  });

  it('once, by the first of two orders', async () => {
    await calls.chooseOutcome({ account_number: NUMBER }, 'decline', REASON);
    expect(endOf(await calls.recharge('one'))).toBe(REASON);
    expect(endOf(await calls.recharge('two'))).toBe('success');
  });

  it('before the outcome of a magic number', async () => {
    const magic = '9876540001';
    await calls.chooseOutcome({ account_number: magic }, 'decline', REASON);
    expect(endOf(await calls.recharge('scenario', magic))).toBe(REASON);
    expect(endOf(await calls.recharge('magic', magic))).toBe('NUMBER_NOT_ON_OPERATOR');
    await calls.chooseOutcome({ client_request_id: 'without a reason' }, 'decline');
    expect(endOf(await calls.recharge('without a reason'))).toBe('NUMBER_NOT_ON_OPERATOR');
  });

  it('by key first, while one by number stays for the next call', async () => {
    await calls.chooseOutcome({ account_number: NUMBER }, 'provider_down');
    await calls.chooseOutcome({ client_request_id: 'both' }, 'decline', REASON);
    expect(endOf(await calls.recharge('both'))).toBe(REASON);
    expect(endOf(await calls.recharge('after both'))).toBe('PROVIDER_UNAVAILABLE');
    expect(endOf(await calls.recharge('after both'))).toBe('success');
  });

  it('instead of the one that was set earlier', async () => {
    await calls.chooseOutcome({ account_number: NUMBER }, 'provider_down');
    await calls.chooseOutcome({ account_number: NUMBER }, 'decline', REASON);
    expect(await waiting()).toBe(1);
    expect(endOf(await calls.recharge('replaced'))).toBe(REASON);
    expect(endOf(await calls.recharge('nothing left'))).toBe('success');
  });

  it('for every decline reason except a reversal', async () => {
    const { body } = await calls.post(SCENARIO, { outcome: 'decline', reason: 'none', account_number: NUMBER });
    const words = body.errors.reason[0].replace(/^Must be one of |\.$/g, '').split(', ');
    expect(words).toHaveLength(9);
    for (const word of words) {
      await calls.chooseOutcome({ client_request_id: word }, 'decline', word);
      const response = await calls.recharge(word);
      expect([rejectionOf(response, 'failed'), endOf(response)]).toEqual([[400, 'PROVIDER_DECLINED'], word]);
    }
  });
});

describe('a scenario stays pending', () => {
  it('during retries of an earlier order, which are replayed as usual', async () => {
    const first = await calls.recharge('earlier');
    for (const outcome of ['provider_down', 'decline']) {
      for (const target of [{ account_number: NUMBER }, { client_request_id: 'earlier' }])
        await calls.chooseOutcome(target, outcome);
      const retry = await calls.recharge('earlier');
      expect(retry.body).toEqual(first.body);
      expect(retry.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await waiting()).toBe(2);
    expect(endOf(await calls.recharge('later'))).toBe('NUMBER_NOT_ON_OPERATOR');
    expect(await waiting()).toBe(1);
  });

  it('while calls are rejected because of fields, a fetch_id or the balance', async () => {
    const account = await newDeveloper();
    const own = callsOf(test, account);
    await own.chooseOutcome({ account_number: owner.mobile }, 'decline', REASON);
    const pay = (more: object) => payBill(test, account, 'uat', { orderid: 'refused', ...more });
    const stray = await knownFetchId(test, developer, 'uat', owner.mobile);
    const fetch_id = await knownFetchId(test, account, 'uat', owner.mobile);
    expect(rejectionOf(await pay({ fetch_id, amount: 0 }))).toEqual([422, 'VALIDATION_FAILED']);
    expect(rejectionOf(await pay({ fetch_id: stray }))).toEqual([422, 'VALIDATION_FAILED']);
    const tooMuch = await pay({ fetch_id, amount: 5_00_000, pan: 'ABCDE1234F' });
    expect(rejectionOf(tooMuch)).toEqual([400, 'INSUFFICIENT_BALANCE']);
    expect(await waiting(account)).toBe(1);
    expect(endOf(await pay({ fetch_id }))).toBe(REASON);
    expect(await waiting(account)).toBe(0);
  });

  it('for its own developer: calls of other developers and in Production do not use it', async () => {
    const otherAccount = await newDeveloper();
    await calls.chooseOutcome({ account_number: NUMBER }, 'decline', REASON);
    await calls.chooseOutcome({ client_request_id: 'shared key' }, 'provider_down');
    expect(endOf(await callsOf(test, otherAccount).recharge('shared key'))).toBe('success');
    expect(endOf(await calls.recharge('shared key', NUMBER, 'production'))).toBe('success');
    expect(endOf(await calls.recharge('shared key'))).toBe('PROVIDER_UNAVAILABLE');
    expect(endOf(await calls.recharge('shared key'))).toBe(REASON);
  });

  it('for a day', async () => {
    const { body } = await calls.chooseOutcome({ account_number: NUMBER }, 'decline', REASON);
    const hours = (Date.parse(body.data.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    await test.db.query(`update sandbox_scenario set expires_at = now() - interval '1 s' where developer_id = $1`, [
      developer.id,
    ]);
    expect(endOf(await calls.recharge('too late'))).toBe('success');
    // scenarios used by an order are kept because the status of the order may be checked
    const usedQuery = 'select 1 from sandbox_scenario where developer_id = $1 and reference is not null';
    const usedCount = (await test.db.query(usedQuery, [developer.id])).length;
    while ((await deleteExpired(test.app.pool, test.app.config.kycKept)).hasMore);
    expect(await waiting()).toBe(0);
    expect(usedCount).toBeGreaterThan(0);
    expect(await test.db.query(usedQuery, [developer.id])).toHaveLength(usedCount);
    await calls.chooseOutcome({ account_number: NUMBER }, 'decline', REASON);
    expect(endOf(await calls.recharge('set anew'))).toBe(REASON);
  });
});

describe('a call without later status checks', () => {
  const every: readonly [path: string, body: Record<string, unknown>, target: object][] = [
    ...Object.entries(lookups).map(([path, { body, identifier }]): [string, Record<string, unknown>, object] => [
      `/api/v1/plan/${path}`,
      body,
      { account_number: body[identifier] },
    ]),
    ['/api/v1/bill-payment/credit-card/bill-fetch', validFetch, { account_number: owner.mobile }],
    [PROFILE, salaried, { account_number: salaried.mobile_no }],
  ];

  /** Started first because the timeout takes a while. */
  let timedOut: Promise<{ answer: TestResponse; ms: number }>;
  beforeAll(async () => {
    const body = { ...lookups['operator-fetch'].body, orderid: 'in no time' };
    await calls.chooseOutcome({ client_request_id: body.orderid }, 'timeout');
    const startedAt = performance.now();
    timedOut = calls
      .post('/api/v1/plan/operator-fetch', body)
      .then((answer) => ({ answer, ms: performance.now() - startedAt }));
  });

  it.each(every)('%s fails once for its number and is unavailable once', async (path, body, target) => {
    await calls.chooseOutcome(target, 'decline', REASON);
    const failed = await calls.post(path, body);
    expect(rejectionOf(failed)).toEqual([400, path.endsWith('/profile') ? 'LEAD_REFUSED' : 'PROVIDER_FAILED']);
    expect((await calls.post(path, body)).status).toBe(200);
    await calls.chooseOutcome(target, 'provider_down');
    const unavailable = await calls.post(path, body);
    expect(rejectionOf(unavailable)).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(unavailable.headers.get('retry-after')).not.toBeNull();
    expect((await calls.post(path, body)).status).toBe(200);
  });

  it('uses a scenario by its orderid and can time out', async () => {
    const { answer, ms } = await timedOut;
    expect(rejectionOf(answer)).toEqual([400, 'PROVIDER_FAILED']);
    expect(ms).toBeGreaterThan(1_000);
  });

  it('does not use a scenario that applies only to payments', async () => {
    await calls.chooseOutcome({ account_number: NUMBER }, 'success_then_reversal');
    const lookup = { ...lookups['operator-fetch'].body, mobile: NUMBER };
    expect((await calls.post('/api/v1/plan/operator-fetch', lookup)).status).toBe(200);
    expect(await waiting()).toBe(1);
    await calls.chooseOutcome({ account_number: NUMBER }, 'provider_down');
    expect(endOf(await calls.recharge('the payment'))).toBe('PROVIDER_UNAVAILABLE');
  });
});

describe('setting a scenario', () => {
  const SET = `mutation($input: SetSandboxScenarioInput!) { setSandboxScenario(input: $input) {
    outcome reason clientRequestId accountNumber expiresAt
  } }`;

  it('works in the same way over GraphQL', async () => {
    const input = { outcome: 'DECLINE', reason: REASON, clientRequestId: 'by GraphQL' };
    const { body } = await test.graphql('uat', developer.tokens.uat, SET, { input });
    expect(body.data.setSandboxScenario).toEqual({ ...input, accountNumber: null, expiresAt: expect.any(String) });
    expect(endOf(await calls.recharge('by GraphQL'))).toBe(REASON);
  });

  it.each<[string, object, string[]]>([
    ['no target', { outcome: 'decline' }, ['client_request_id']],
    ['two targets', { outcome: 'decline', client_request_id: 'a', account_number: NUMBER }, ['client_request_id']],
    ['no outcome', { client_request_id: 'a' }, ['outcome']],
    ['an unknown outcome', { outcome: 'explode', client_request_id: 'a' }, ['outcome']],
    [
      'a reason for an outcome other than a decline',
      { outcome: 'timeout', reason: REASON, client_request_id: 'a' },
      ['reason'],
    ],
    [
      'a reversal as a reason',
      { outcome: 'decline', reason: 'REVERSED_BY_PROVIDER', client_request_id: 'a' },
      ['reason'],
    ],
    ['a key that is too long', { outcome: 'decline', client_request_id: 'a'.repeat(101) }, ['client_request_id']],
    ['a number that is too long', { outcome: 'decline', account_number: '9'.repeat(33) }, ['account_number']],
  ])('is rejected for %s', async (_name, body, fields) => {
    const response = await calls.post(SCENARIO, body);
    expect(rejectionOf(response)).toEqual([422, 'VALIDATION_FAILED']);
    expect(Object.keys(response.body.errors)).toEqual(fields);
  });

  it('is rejected in Production with a message that names the UAT host, also over GraphQL', async () => {
    const response = await calls.post(SCENARIO, { outcome: 'decline', client_request_id: 'a' }, 'production');
    expect(rejectionOf(response)).toEqual([403, 'UAT_ONLY']);
    expect(response.body.message).toContain(test.urls.uat);
    const input = { outcome: 'DECLINE', clientRequestId: 'a' };
    const { body } = await test.graphql('production', developer.tokens.production, SET, { input });
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining(test.urls.uat),
      extensions: { code: 'UAT_ONLY', charged: false, retryable: false },
    });
    // a UAT token is not valid there
    const rejection = await test.rest('production', 'POST', SCENARIO, developer.tokens.uat, {});
    expect(rejection.body.code).toBe('WRONG_HOST');
  });

  it('stores no number and no key, and is limited to 100 pending scenarios', async () => {
    const account = await newDeveloper();
    const own = callsOf(test, account);
    await own.chooseOutcome({ account_number: '9812345678' }, 'decline');
    await test.db.query(
      `insert into sandbox_scenario (developer_id, environment, target_hash, by_key, outcome, expires_at)
       select $1, 'uat', sha256(n::text::bytea), true, 'decline', now() + interval '1 hour' from generate_series(1, 99) n`,
      [account.id],
    );
    const more = { outcome: 'decline', client_request_id: 'one more' };
    expect(rejectionOf(await own.post(SCENARIO, more))).toEqual([409, 'CONFLICT']);
    await own.chooseOutcome({ account_number: '9812345678' }, 'provider_down');
    const rows = await test.db.query('select * from sandbox_scenario where developer_id = $1', [account.id]);
    expect(rows).toHaveLength(100);
    expect(JSON.stringify(rows)).not.toContain('9812345678');
    expect(endOf(await own.recharge('frees a place', '9812345678'))).toBe('PROVIDER_UNAVAILABLE');
    expect((await own.post(SCENARIO, more)).status).toBe(200);
  });
});
