import { beforeAll, describe, expect, it } from 'vitest';
import { callerOf } from '../../src/providers/calls.js';
import { ScenarioStore } from '../../src/providers/sandbox/scenario.store.js';
import { deleteExpired } from '../../src/retention/ended.js';
import { knownFetchId, owner, payBill, validFetch } from '../card-bills/card-bills.fixture.js';
import { PROFILE, salaried } from '../leads/lead.fixture.js';
import { lookups } from '../plans/lookups.fixture.js';
import type { Answer, TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { callsOf, refused, SCENARIO } from './sandbox.fixture.js';

const NUMBER = '9876543210';
const WHY = 'LIMIT_REACHED';

const test = useSharedApp();
let developer: TestDeveloper;
let calls: ReturnType<typeof callsOf>;
beforeAll(async () => {
  developer = await newDeveloper();
  calls = callsOf(test, developer);
});

const newDeveloper = (): Promise<TestDeveloper> => test.developer({ rateLimitPerMinute: 10_000 });

/** The word "success", or the reason of the failure. */
const endOf = ({ body }: Answer): string => body.reason ?? body.code ?? body.status;

const waiting = async (who = developer): Promise<number> => {
  const [row] = await test.db.query<{ n: number }>(
    'select count(*)::int as n from sandbox_scenario where developer_id = $1 and reference is null',
    [who.id],
  );
  return row!.n;
};

describe('a scenario is used', () => {
  it('by exactly one of many simultaneous orders', async () => {
    await calls.wants({ account_number: NUMBER }, 'decline', WHY);
    const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => calls.recharge(`at once ${n}`)));
    expect(answers.map(endOf).toSorted()).toEqual([WHY, ...Array.from({ length: 15 }, () => 'success')]);
    expect(await waiting()).toBe(0);
  });

  it('by exactly one call if the provider is unavailable', async () => {
    await calls.wants({ account_number: NUMBER }, 'provider_down');
    const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => calls.recharge(`down at once ${n}`)));
    expect(answers.map(endOf).toSorted()).toEqual([
      'PROVIDER_UNAVAILABLE',
      ...Array.from({ length: 15 }, () => 'success'),
    ]);
  });

  it.each(['order', 'lookup', 'away'] as const)('by exactly one call (%s) across processes', async (how) => {
    const { pool, config } = test.app;
    // the two processes share only the database
    const stores = [new ScenarioStore(pool, config.pepper), new ScenarioStore(pool, config.pepper)];
    const caller = callerOf({ developerId: developer.id, environment: 'uat', hasScenarios: true }, null);
    const take = (store: ScenarioStore, reference: string): Promise<unknown> =>
      ({
        order: () => store.takeForOrder(caller, NUMBER, reference),
        lookup: () => store.takeForLookup(caller, NUMBER),
        away: async () => (await store.takeAway(caller, NUMBER)) || undefined,
      })[how]();
    for (let round = 0; round < 20; round++) {
      const scenario = how === 'away' ? 'provider_down' : 'decline';
      await stores[0]!.set(caller, { account: NUMBER }, { scenario, reason: null });
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, n) => take(stores[n % 2]!, `${how} ${round} ${n}`)),
      );
      expect(results.filter((one) => one !== undefined)).toHaveLength(1);
    }
  });

  it('once, by the first of two orders', async () => {
    await calls.wants({ account_number: NUMBER }, 'decline', WHY);
    expect(endOf(await calls.recharge('one'))).toBe(WHY);
    expect(endOf(await calls.recharge('two'))).toBe('success');
  });

  it('before the outcome of a magic number', async () => {
    const magic = '9876540001';
    await calls.wants({ account_number: magic }, 'decline', WHY);
    expect(endOf(await calls.recharge('scenario', magic))).toBe(WHY);
    expect(endOf(await calls.recharge('magic', magic))).toBe('NUMBER_NOT_ON_OPERATOR');
    await calls.wants({ client_request_id: 'without a reason' }, 'decline');
    expect(endOf(await calls.recharge('without a reason'))).toBe('NUMBER_NOT_ON_OPERATOR');
  });

  it('by key first, while one by number stays for the next call', async () => {
    await calls.wants({ account_number: NUMBER }, 'provider_down');
    await calls.wants({ client_request_id: 'both' }, 'decline', WHY);
    expect(endOf(await calls.recharge('both'))).toBe(WHY);
    expect(endOf(await calls.recharge('after both'))).toBe('PROVIDER_UNAVAILABLE');
    expect(endOf(await calls.recharge('after both'))).toBe('success');
  });

  it('instead of the one that was set earlier', async () => {
    await calls.wants({ account_number: NUMBER }, 'provider_down');
    await calls.wants({ account_number: NUMBER }, 'decline', WHY);
    expect(await waiting()).toBe(1);
    expect(endOf(await calls.recharge('replaced'))).toBe(WHY);
    expect(endOf(await calls.recharge('nothing left'))).toBe('success');
  });

  it('for every decline reason except a reversal', async () => {
    const { body } = await calls.post(SCENARIO, { outcome: 'decline', reason: 'none', account_number: NUMBER });
    const words = body.errors.reason[0].replace(/^Must be one of |\.$/g, '').split(', ');
    expect(words).toHaveLength(9);
    for (const word of words) {
      await calls.wants({ client_request_id: word }, 'decline', word);
      const answer = await calls.recharge(word);
      expect([refused(answer, 'failed'), endOf(answer)]).toEqual([[400, 'PROVIDER_DECLINED'], word]);
    }
  });
});

describe('a scenario stays pending', () => {
  it('during retries of an earlier order, which are replayed as usual', async () => {
    const first = await calls.recharge('earlier');
    for (const outcome of ['provider_down', 'decline']) {
      for (const target of [{ account_number: NUMBER }, { client_request_id: 'earlier' }])
        await calls.wants(target, outcome);
      const again = await calls.recharge('earlier');
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await waiting()).toBe(2);
    expect(endOf(await calls.recharge('later'))).toBe('NUMBER_NOT_ON_OPERATOR');
    expect(await waiting()).toBe(1);
  });

  it('while calls are rejected because of fields, a fetch_id or the balance', async () => {
    const who = await newDeveloper();
    const own = callsOf(test, who);
    await own.wants({ account_number: owner.mobile }, 'decline', WHY);
    const pay = (more: object) => payBill(test, who, 'uat', { orderid: 'refused', ...more });
    const stray = await knownFetchId(test, developer, 'uat', owner.mobile);
    const fetch_id = await knownFetchId(test, who, 'uat', owner.mobile);
    expect(refused(await pay({ fetch_id, amount: 0 }))).toEqual([422, 'VALIDATION_FAILED']);
    expect(refused(await pay({ fetch_id: stray }))).toEqual([422, 'VALIDATION_FAILED']);
    const tooMuch = await pay({ fetch_id, amount: 5_00_000, pan: 'ABCDE1234F' });
    expect(refused(tooMuch)).toEqual([400, 'INSUFFICIENT_BALANCE']);
    expect(await waiting(who)).toBe(1);
    expect(endOf(await pay({ fetch_id }))).toBe(WHY);
    expect(await waiting(who)).toBe(0);
  });

  it('for its own developer: calls of other developers and in Production do not use it', async () => {
    const stranger = await newDeveloper();
    await calls.wants({ account_number: NUMBER }, 'decline', WHY);
    await calls.wants({ client_request_id: 'shared key' }, 'provider_down');
    expect(endOf(await callsOf(test, stranger).recharge('shared key'))).toBe('success');
    expect(endOf(await calls.recharge('shared key', NUMBER, 'production'))).toBe('success');
    expect(endOf(await calls.recharge('shared key'))).toBe('PROVIDER_UNAVAILABLE');
    expect(endOf(await calls.recharge('shared key'))).toBe(WHY);
  });

  it('for a day', async () => {
    const { body } = await calls.wants({ account_number: NUMBER }, 'decline', WHY);
    const hours = (Date.parse(body.data.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    await test.db.query(`update sandbox_scenario set expires_at = now() - interval '1 s' where developer_id = $1`, [
      developer.id,
    ]);
    expect(endOf(await calls.recharge('too late'))).toBe('success');
    // scenarios used by an order are kept because the status of the order may be checked
    const kept = 'select 1 from sandbox_scenario where developer_id = $1 and reference is not null';
    const usedCount = (await test.db.query(kept, [developer.id])).length;
    while ((await deleteExpired(test.app.pool, test.app.config.kycKept)).more);
    expect(await waiting()).toBe(0);
    expect(usedCount).toBeGreaterThan(0);
    expect(await test.db.query(kept, [developer.id])).toHaveLength(usedCount);
    await calls.wants({ account_number: NUMBER }, 'decline', WHY);
    expect(endOf(await calls.recharge('set anew'))).toBe(WHY);
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
  let timedOut: Promise<{ answer: Answer; ms: number }>;
  beforeAll(async () => {
    const body = { ...lookups['operator-fetch'].body, orderid: 'in no time' };
    await calls.wants({ client_request_id: body.orderid }, 'timeout');
    const startedAt = performance.now();
    timedOut = calls
      .post('/api/v1/plan/operator-fetch', body)
      .then((answer) => ({ answer, ms: performance.now() - startedAt }));
  });

  it.each(every)('%s fails once for its number and is unavailable once', async (path, body, target) => {
    await calls.wants(target, 'decline', WHY);
    const failed = await calls.post(path, body);
    expect(refused(failed)).toEqual([400, path.endsWith('/profile') ? 'LEAD_REFUSED' : 'PROVIDER_FAILED']);
    expect((await calls.post(path, body)).status).toBe(200);
    await calls.wants(target, 'provider_down');
    const away = await calls.post(path, body);
    expect(refused(away)).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(away.headers.get('retry-after')).not.toBeNull();
    expect((await calls.post(path, body)).status).toBe(200);
  });

  it('uses a scenario by its orderid and can time out', async () => {
    const { answer, ms } = await timedOut;
    expect(refused(answer)).toEqual([400, 'PROVIDER_FAILED']);
    expect(ms).toBeGreaterThan(1_000);
  });

  it('does not use a scenario that applies only to payments', async () => {
    await calls.wants({ account_number: NUMBER }, 'success_then_reversal');
    const lookup = { ...lookups['operator-fetch'].body, mobile: NUMBER };
    expect((await calls.post('/api/v1/plan/operator-fetch', lookup)).status).toBe(200);
    expect(await waiting()).toBe(1);
    await calls.wants({ account_number: NUMBER }, 'provider_down');
    expect(endOf(await calls.recharge('the payment'))).toBe('PROVIDER_UNAVAILABLE');
  });
});

describe('setting a scenario', () => {
  const SET = `mutation($input: SetSandboxScenarioInput!) { setSandboxScenario(input: $input) {
    outcome reason clientRequestId accountNumber expiresAt
  } }`;

  it('works in the same way over GraphQL', async () => {
    const input = { outcome: 'DECLINE', reason: WHY, clientRequestId: 'by GraphQL' };
    const { body } = await test.graphql('uat', developer.tokens.uat, SET, { input });
    expect(body.data.setSandboxScenario).toEqual({ ...input, accountNumber: null, expiresAt: expect.any(String) });
    expect(endOf(await calls.recharge('by GraphQL'))).toBe(WHY);
  });

  it.each<[string, object, string[]]>([
    ['no target', { outcome: 'decline' }, ['client_request_id']],
    ['two targets', { outcome: 'decline', client_request_id: 'a', account_number: NUMBER }, ['client_request_id']],
    ['no outcome', { client_request_id: 'a' }, ['outcome']],
    ['an unknown outcome', { outcome: 'explode', client_request_id: 'a' }, ['outcome']],
    [
      'a reason for an outcome other than a decline',
      { outcome: 'timeout', reason: WHY, client_request_id: 'a' },
      ['reason'],
    ],
    [
      'a reversal as a reason',
      { outcome: 'decline', reason: 'REVERSED_BY_PROVIDER', client_request_id: 'a' },
      ['reason'],
    ],
    ['a key that is too long', { outcome: 'decline', client_request_id: 'a'.repeat(101) }, ['client_request_id']],
    ['a number that is too long', { outcome: 'decline', account_number: '9'.repeat(33) }, ['account_number']],
  ])('is rejected for %s', async (_what, body, fields) => {
    const answer = await calls.post(SCENARIO, body);
    expect(refused(answer)).toEqual([422, 'VALIDATION_FAILED']);
    expect(Object.keys(answer.body.errors)).toEqual(fields);
  });

  it('is rejected in Production with a message that names the UAT host, also over GraphQL', async () => {
    const answer = await calls.post(SCENARIO, { outcome: 'decline', client_request_id: 'a' }, 'production');
    expect(refused(answer)).toEqual([403, 'UAT_ONLY']);
    expect(answer.body.message).toContain(test.urls.uat);
    const input = { outcome: 'DECLINE', clientRequestId: 'a' };
    const { body } = await test.graphql('production', developer.tokens.production, SET, { input });
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining(test.urls.uat),
      extensions: { code: 'UAT_ONLY', charged: false, retryable: false },
    });
    // a UAT token is not valid there
    const strange = await test.rest('production', 'POST', SCENARIO, developer.tokens.uat, {});
    expect(strange.body.code).toBe('WRONG_HOST');
  });

  it('stores no number and no key, and is limited to 100 pending scenarios', async () => {
    const who = await newDeveloper();
    const own = callsOf(test, who);
    await own.wants({ account_number: '9812345678' }, 'decline');
    await test.db.query(
      `insert into sandbox_scenario (developer_id, environment, target_hash, by_key, outcome, expires_at)
       select $1, 'uat', sha256(n::text::bytea), true, 'decline', now() + interval '1 hour' from generate_series(1, 99) n`,
      [who.id],
    );
    const more = { outcome: 'decline', client_request_id: 'one more' };
    expect(refused(await own.post(SCENARIO, more))).toEqual([409, 'CONFLICT']);
    await own.wants({ account_number: '9812345678' }, 'provider_down');
    const rows = await test.db.query('select * from sandbox_scenario where developer_id = $1', [who.id]);
    expect(rows).toHaveLength(100);
    expect(JSON.stringify(rows)).not.toContain('9812345678');
    expect(endOf(await own.recharge('frees a place', '9812345678'))).toBe('PROVIDER_UNAVAILABLE');
    expect((await own.post(SCENARIO, more)).status).toBe(200);
  });
});
