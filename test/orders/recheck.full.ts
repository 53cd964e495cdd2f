import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { indianDay } from '../../src/core/clock.js';
import { type TestDeveloper, testEnvironment } from '../support/app.js';
import { runProgram } from '../support/program.js';
import { place } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { eventsOf, orderRow, transfersOf } from './order.fixture.js';

/** The provider reverses it a second after its success. */
const REVERSED = '9876540010';
/**
 * Less than the tolerated clock difference of a provider. Otherwise, a check shortly after midnight IST would cover only the
 * previous day.
 */
const RECHECK_S = 240;

const test = useOwnApp({
  // callbacks of the simulator are rejected because of a wrong secret, so reversals stay unnoticed
  CALLBACK_SECRETS: 'roundpay:not the secret that it was given',
  RECHECK_AFTER_MS: `${RECHECK_S}s`,
});
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});

const recharge = (key: string, account = REVERSED, environment: 'uat' | 'production' = 'production') =>
  place(test, developer, { account_number: account, client_request_id: key }, environment);
const row = (key: string) => orderRow(test, developer, key);
const isReversed = (key: string) => async () => (await row(key)).reversed_at !== null;
/** Waits until the provider's book contains this number of reversals. */
const waitForReversals = async (count: number): Promise<void> =>
  until(
    'the provider has reversed it',
    async () => (await test.simulator.book()).filter(({ outcome }) => outcome === 'reversed').length >= count,
  );
/** Moves the settlement back by the time after which the re-check is due. */
const makeDue = (key: string) =>
  test.db.query(
    `with o as (update orders set settled_at = settled_at - $2 * interval '1 s' where client_key = $1 returning id)
     update order_due set due_at = due_at - $2 * interval '1 s' from o where order_id = o.id`,
    [key, RECHECK_S],
  );
const dueIn = async (key: string): Promise<number | null> => {
  const [order] = await test.db.query<{ s: number | null }>(
    'select extract(epoch from due_at - settled_at)::float8 as s from orders left join order_due on order_id = id where client_key = $1',
    [key],
  );
  return order!.s;
};

describe('a reversal without a callback', () => {
  it('of a recharge is found by the routine re-check', async () => {
    const balance = await test.balance(developer, 'production');
    expect((await recharge('unheard')).status).toBe(200);
    await waitForReversals(1);
    expect(await row('unheard')).toMatchObject({ state: 'success', reversed_at: null, doubted_since: null });
    expect(await dueIn('unheard')).toBe(RECHECK_S);
    await makeDue('unheard');
    await until('it is reversed', isReversed('unheard'));
    expect(await transfersOf(test, (await row('unheard')).id)).toEqual(['hold', 'settle', 'reversal']);
    expect(await test.balance(developer, 'production')).toBe(balance);
    expect((await recharge('unheard')).body).toMatchObject({ status: 'failed', code: 'REVERSED' });
  });

  it('of a card payment, which has no callbacks, is found in the same way', async () => {
    const card = { card: '3008', mobile: REVERSED, opcode: 'HDFC' };
    const call = (name: string, body: object) =>
      test.rest('production', 'POST', `/api/v1/bill-payment/credit-card/${name}`, developer.tokens.production, body);
    const bill = await call('bill-fetch', { ...card, orderid: 'fetch' });
    const paid = await call('bill-pay', { ...card, amount: 500, orderid: 'pay', fetch_id: bill.body.data.fetch_id });
    expect(paid.status).toBe(200);
    await waitForReversals(2);
    await makeDue('pay');
    await until('it is reversed', isReversed('pay'));
    expect(await transfersOf(test, (await row('pay')).id)).toEqual(['hold', 'settle', 'reversal']);
  });

  it('is found by another process after the settling process has stopped', async () => {
    await recharge('abandoned');
    await test.app.sweeper.stop();
    await waitForReversals(3);
    await makeDue('abandoned');
    const settings = testEnvironment(test.db.url, test.simulator.url, [0, 0, 0]);
    const other = await createApp(loadConfig({ ...settings, RECHECK_AFTER_MS: `${RECHECK_S}s` }), test.app.log);
    try {
      await until('another process has found it', async () => {
        await other.sweeper.sweep();
        return isReversed('abandoned')();
      });
    } finally {
      await other.close();
      test.app.sweeper.start();
    }
  });

  it('is scheduled in the transaction of the success, so that it cannot be lost', async () => {
    await test.db.query('alter function order_doubt rename to order_doubt_away');
    try {
      expect((await recharge('sandbox', REVERSED, 'uat')).status).toBe(200);
      expect(await dueIn('sandbox')).toBe(5);
      await until('it is reversed', isReversed('sandbox'));
    } finally {
      await test.db.query('alter function order_doubt_away rename to order_doubt');
    }
  });
});

describe('an unreversed success', () => {
  it('is checked once', async () => {
    await recharge('kept', '9876543210');
    await makeDue('kept');
    await until('the status was checked', async () => (await row('kept')).statusChecks === 1);
    expect(await row('kept')).toMatchObject({ state: 'success', due_at: null, doubted_since: null, reversed_at: null });
    expect(await eventsOf(test, (await row('kept')).id)).toEqual(['response', 'status_check']);
  });

  it('is checked again until the provider is available', async () => {
    await recharge('outage', '9876543210');
    await test.simulator.outage('roundpay', true);
    await makeDue('outage');
    await until('the status was checked', async () => (await row('outage')).statusChecks >= 2);
    expect(await row('outage')).toMatchObject({ state: 'success', doubted_since: null });
    await test.simulator.outage('roundpay', false);
    await until('the re-check is complete', async () => (await row('outage')).due_at === null);
  });

  it('keeps its scheduled re-check after an earlier doubt', async () => {
    await recharge('doubted', '9876543210');
    await test.db.query('select order_doubt(developer_id, id, 0) from orders where client_key = $1', ['doubted']);
    await until('the doubt has ended', async () => (await row('doubted')).doubted_since === null);
    expect((await row('doubted')).statusChecks).toBe(3);
    const wait = await dueIn('doubted');
    expect(wait).toBeGreaterThan(0.8 * RECHECK_S);
    expect(wait).toBeLessThan(1.2 * RECHECK_S);
  });

  it('has no re-check in UAT or without a status check of the provider', async () => {
    const mokshiq = await test.developer({ provider: 'MOKSHIQ' });
    expect((await place(test, mokshiq, { client_request_id: 'silent', circle: 'Delhi' })).status).toBe(200);
    await recharge('play', '9876543210', 'uat');
    expect([await dueIn('silent'), await dueIn('play')]).toEqual([null, null]);
  });
});

describe('a reversal in a provider statement', () => {
  it('triggers a status check, which is reported', async () => {
    const { body } = await recharge('in a statement');
    const rowBefore = await row('in a statement');
    await until('the provider has reversed it', async () =>
      (await test.simulator.book()).some(
        ({ outcome, reference }) => outcome === 'reversed' && reference === body.data.api_request_id,
      ),
    );
    const file = path.join(temporaryDirectory(), 'book.jsonl');
    writeFileSync(file, (await test.simulator.book()).map((line) => JSON.stringify(line)).join('\n'));
    const today = indianDay(new Date());
    const reconcile = (...more: string[]) =>
      runProgram('cli/reconcile.js', testEnvironment(test.db.url, 'http://127.0.0.1:9', [0, 0, 0]), [
        '--provider',
        'roundpay',
        '--statement',
        file,
        '--from',
        today,
        '--to',
        today,
        ...more,
      ]);
    const compared = await reconcile('--compare-only');
    expect(compared.stdout).toMatch(/status differs +[0-9A-Z]{25} +success 10\.00 +reversed 10\.00/);
    expect(compared.stdout).not.toContain('asking about');
    expect(await row('in a statement')).toEqual(rowBefore);
    const { code, stdout } = await reconcile();
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/ differences; 1 new; checking the status of 1 with the provider\n$/),
    ]);
    await until('it is reversed', isReversed('in a statement'));
  });
});

describe('the re-check setting', () => {
  const settings = (text: string) =>
    loadConfig({ ...testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]), RECHECK_AFTER_MS: text });
  it('accepts a time with overrides for single providers', () => {
    expect(settings('12h,inspay:0, roundpay:36h').recheckAfter).toEqual({
      otherwiseMs: 12 * 3_600_000,
      byProvider: new Map([
        ['INSPAY', 0],
        ['ROUNDPAY', 36 * 3_600_000],
      ]),
    });
  });
  it.each(['soon', '24h,inspay', '500h', 'INSPAY:0'])('rejects %j', (text) => {
    expect(() => settings(text)).toThrow('RECHECK_AFTER_MS');
  });
});
