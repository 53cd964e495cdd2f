import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import { type TestDeveloper, type TestResponse, testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import {
  callsTo,
  codesOf,
  environments,
  fetchIdOf,
  knownFetchId,
  owner,
  PAY,
  PAY_MUTATION,
  payBill,
} from './card-bills.fixture.js';

const settings = { MANUAL_REVIEW_AFTER_MS: '9s' };

const test = useSharedApp(settings);

interface Expected {
  /** HTTP status of the first response. */
  first: string;
  production: string;
  uat: string;
  succeeded: boolean;
}

/** The bill-pay column of the simulator's table. Slow responses count as missing because the test has a shorter timeout. */
const magic: Record<string, Expected> = {
  '0001': { first: 'error', production: 'failed', uat: 'failed', succeeded: false },
  '0002': { first: 'pending', production: 'success', uat: 'success', succeeded: true },
  '0003': { first: 'pending', production: 'failed', uat: 'failed', succeeded: false },
  // Inspay's "not found" proves nothing, so the order needs review and the money stays held; "not found" in the sandbox is final
  '0004': { first: 'pending', production: 'review', uat: 'failed', succeeded: false },
  '0005': { first: 'pending', production: 'success', uat: 'success', succeeded: true },
  '0006': { first: 'pending', production: 'failed', uat: 'failed', succeeded: false },
  '0007': { first: 'pending', production: 'success', uat: 'success', succeeded: true },
  '0008': { first: 'pending', production: 'success', uat: 'success', succeeded: true },
  '0009': { first: 'pending', production: 'success', uat: 'success', succeeded: true },
  '0010': { first: 'success', production: 'success', uat: 'success', succeeded: true },
  '0011': { first: 'pending', production: 'success', uat: 'success', succeeded: true },
  '0012': { first: 'pending', production: 'success', uat: 'success', succeeded: true },
  '0013': { first: 'success', production: 'success', uat: 'success', succeeded: true },
  '9999': { first: 'success', production: 'success', uat: 'success', succeeded: true },
};

const suffixes = Object.keys(magic);
/** A different amount for each payment in both environments, so that a mix-up is detected. */
const amountOf = (environment: Environment, suffix: string): number =>
  (environment === 'uat' ? 300 : 100) + suffixes.indexOf(suffix);

/** Pays every magic number concurrently and waits until no order is open. */
async function payAll(environment: Environment) {
  const developer = await test.developer({ liveRupees: 2_00_000 });
  const states = async (): Promise<Record<string, string>> => {
    const rows = await test.db.query<{ client_key: string; state: string }>(
      'select client_key, state from orders where developer_id = $1',
      [developer.id],
    );
    return Object.fromEntries(rows.map(({ client_key, state }) => [client_key, state]));
  };
  const firsts = await Promise.all(
    suffixes.map(async (suffix) => {
      const mobile = `987654${suffix}`;
      const fetch_id = await knownFetchId(test, developer, environment, mobile);
      const amount = amountOf(environment, suffix);
      return payBill(test, developer, environment, { orderid: suffix, fetch_id, mobile, amount });
    }),
  );
  await until('all orders are final', async () => !Object.values(await states()).includes('open'));
  // scripted reversals may have happened already, so step 3 is left out
  const moved = await test.db.query<{ client_key: string; kinds: string; paise: string }>(
    `select o.client_key, string_agg(t.kind, ' ' order by t.step) as kinds, min(t.amount_paise)::text as paise
     from orders o join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step < 3
     where o.developer_id = $1 group by o.client_key`,
    [developer.id],
  );
  return {
    environment,
    developer,
    firsts: Object.fromEntries(suffixes.map((suffix, n) => [suffix, firsts[n]!.body.status])),
    states: await states(),
    moved: Object.fromEntries(moved.map(({ client_key, kinds, paise }) => [client_key, `${kinds} ${paise}`])),
  };
}

const KINDS: Record<string, string> = { success: 'hold settle', failed: 'hold refund', review: 'hold' };

describe('the magic numbers', () => {
  let results: Awaited<ReturnType<typeof payAll>>[];
  beforeAll(async () => {
    await test.simulator.reset();
    results = await Promise.all(environments.map(payAll));
  });

  it.each(environments)('end with the documented outcome in %s', (environment) => {
    const { firsts, states, moved } = results.find((result) => result.environment === environment)!;
    const column = <Key extends keyof Expected>(key: Key) =>
      Object.fromEntries(suffixes.map((suffix) => [suffix, magic[suffix]![key]]));
    expect(firsts).toEqual(column('first'));
    expect(states).toEqual(column(environment));
    expect(moved).toEqual(
      Object.fromEntries(
        suffixes.map((suffix) => [
          suffix,
          `${KINDS[magic[suffix]![environment]]} ${amountOf(environment, suffix) * 100}`,
        ]),
      ),
    );
  });

  it('leave the provider’s records equal to ours, without any UAT payment', async () => {
    const payments = (await test.simulator.book()).filter(({ outcome }) => outcome === 'succeeded');
    const expected = suffixes
      .filter((suffix) => magic[suffix]!.production === 'success')
      .map((suffix) => [`987654${suffix}`, amountOf('production', suffix) * 100]);
    expect(payments.map(({ account, amount }) => [account, amount]).toSorted()).toEqual(expected.toSorted());
  });

  it('return the order status to a retry without sending a second payment', async () => {
    expect(await callsTo(test, '/bill_pay')).toBe(suffixes.length);
    for (const { environment, developer, states } of results) {
      const retries = await Promise.all(
        suffixes.map((orderid) => payBill(test, developer, environment, { orderid, fetch_id: 'whatever' })),
      );
      expect(codesOf(retries)).toEqual({ DUPLICATE_ORDER: suffixes.length });
      const now = retries.map(({ headers }) => headers.get('x-order-status')?.replace('reversed', 'success'));
      expect(now).toEqual(suffixes.map((suffix) => (states[suffix] === 'review' ? 'pending' : states[suffix])));
    }
    expect(await callsTo(test, '/bill_pay')).toBe(suffixes.length);
  });
});

describe.each(environments)('20 parallel payments in %s', (environment) => {
  const sends = environment === 'production' ? 1 : 0;
  let developer: TestDeveloper;
  let opening: number;

  beforeAll(async () => {
    developer = await test.developer({ liveRupees: 2_00_000, rateLimitPerMinute: 1_000 });
    opening = await test.balance(developer, environment);
  });
  const viaBoth = (n: number, orderid: string, fetch_id: string, amount = 10): Promise<TestResponse> =>
    n % 2
      ? payBill(test, developer, environment, { orderid, fetch_id, amount })
      : test.graphql(environment, developer.tokens[environment], PAY_MUTATION, {
          input: { ...owner, amount, clientRequestId: orderid, fetchId: fetch_id },
        });

  it('pay once when they share one fetch_id but have different orderids', async () => {
    await test.simulator.reset();
    const fetch_id = await fetchIdOf(test, developer, environment);
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => viaBoth(n, `race-${n}`, fetch_id)));
    const { paid, VALIDATION_FAILED: expired = 0, BILL_PAYMENT_IN_PROGRESS: busy = 0, ...rest } = codesOf(responses);
    // calls after the success report that the bill was already paid
    expect([paid, expired + busy, rest]).toEqual([1, 19, {}]);
    expect(await callsTo(test, '/bill_pay')).toBe(sends);
    expect(await test.balance(developer, environment)).toBe((opening -= 10));
  });

  it('send one payment and report 19 duplicates when they share one orderid', async () => {
    await test.simulator.reset();
    const fetch_id = await fetchIdOf(test, developer, environment);
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => viaBoth(n, 'one-order', fetch_id)));
    // GraphQL replays the first payment; REST rejects the retry
    const replays = responses.filter(({ body }) => body.extensions?.replayed).length;
    expect(codesOf(responses)).toEqual({ paid: 1 + replays, DUPLICATE_ORDER: 19 - replays });
    for (const { headers, body } of responses) {
      const status = headers.get('x-order-status') ?? body.errors?.[0]?.extensions?.orderStatus;
      if (body.code ?? body.errors) expect(status).toMatch(/^(pending|success)$/);
    }
    expect(await callsTo(test, '/bill_pay')).toBe(sends);
    expect(await test.balance(developer, environment)).toBe((opening -= 10));
  });

  it('send one payment when they share one orderid, and the bills of the 19 duplicates stay payable', async () => {
    await test.simulator.reset();
    const fetchIds = await Promise.all(Array.from({ length: 20 }, () => fetchIdOf(test, developer, environment)));
    const responses = await Promise.all(fetchIds.map((fetch_id, n) => viaBoth(n, 'many-bills', fetch_id)));
    expect(codesOf(responses)).toEqual({ paid: 1, DUPLICATE_ORDER: 19 });
    expect(await callsTo(test, '/bill_pay')).toBe(sends);
    const paidWith = responses.findIndex(({ body }) => !body.code && !body.errors);
    const laterPayments = await Promise.all(fetchIds.map((fetch_id, n) => viaBoth(n, `later-${n}`, fetch_id)));
    expect(codesOf(laterPayments)).toEqual({ paid: 19, VALIDATION_FAILED: 1 });
    expect(laterPayments[paidWith]!.body.code ?? laterPayments[paidWith]!.body.errors[0].extensions.code).toBe(
      'VALIDATION_FAILED',
    );
    expect(await test.balance(developer, environment)).toBe((opening -= 200));
  });
});

describe('20 parallel payments from a wallet that can pay one', () => {
  it('report the payment in progress instead of the reduced balance', async () => {
    const poor = await test.developer({ liveRupees: 15 });
    const fetch_id = await fetchIdOf(test, poor, 'production');
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => payBill(test, poor, 'production', { orderid: `poor-${n}`, fetch_id })),
    );
    const { paid, VALIDATION_FAILED: expired = 0, BILL_PAYMENT_IN_PROGRESS: busy = 0, ...rest } = codesOf(responses);
    expect([paid, expired + busy, rest]).toEqual([1, 19, {}]);
    expect(await test.balance(poor, 'production')).toBe(5);
  });

  it('pay one of 20 different bills and leave the others payable', async () => {
    const poor = await test.developer({ liveRupees: 15 });
    const fetchIds = await Promise.all(Array.from({ length: 20 }, () => fetchIdOf(test, poor, 'production')));
    const responses = await Promise.all(
      fetchIds.map((fetch_id, n) => payBill(test, poor, 'production', { orderid: `each-${n}`, fetch_id })),
    );
    expect(codesOf(responses)).toEqual({ paid: 1, INSUFFICIENT_BALANCE: 19 });
    expect(await test.balance(poor, 'production')).toBe(5);
  });
});

describe('two processes on one database', () => {
  let second: App;
  beforeAll(async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    const environment = testEnvironment(test.db.url, test.simulator.url, ports);
    second = await createApp(loadConfig({ ...environment, ...settings }), createLogger('silent'));
    await second.listen();
  });
  afterAll(() => second.close());

  const payAt = async (
    n: number,
    developer: TestDeveloper,
    environment: Environment,
    body: object,
  ): Promise<TestResponse> => {
    const url = n % 2 ? test.urls[environment] : second.config.publicUrls[environment];
    const response = await fetch(`${url}${PAY}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${developer.tokens[environment]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...owner, amount: 10, ...body }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it.each(environments)(
    'pay one fetch_id once out of 20 attempts and send one orderid once, in %s',
    async (environment) => {
      await test.simulator.reset();
      const developer = await test.developer({ liveRupees: 1_000 });
      const opening = await test.balance(developer, environment);
      const fetch_id = await fetchIdOf(test, developer, environment);
      const race = await Promise.all(
        Array.from({ length: 20 }, (_, n) => payAt(n, developer, environment, { orderid: `race-${n}`, fetch_id })),
      );
      const { paid, VALIDATION_FAILED: expired = 0, BILL_PAYMENT_IN_PROGRESS: busy = 0, ...rest } = codesOf(race);
      expect([paid, expired + busy, rest]).toEqual([1, 19, {}]);

      const next = await fetchIdOf(test, developer, environment);
      const duplicates = await Promise.all(
        Array.from({ length: 20 }, (_, n) => payAt(n, developer, environment, { orderid: 'same', fetch_id: next })),
      );
      expect(codesOf(duplicates)).toEqual({ paid: 1, DUPLICATE_ORDER: 19 });
      expect(await test.balance(developer, environment)).toBe(opening - 20);
      expect(await callsTo(test, '/bill_pay')).toBe(environment === 'production' ? 2 : 0);
    },
  );
});
