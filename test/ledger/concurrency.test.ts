import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newId } from '../../src/core/ids.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { releaseLookups } from '../../src/orders/charged-lookup.js';
import { until } from '../support/until.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

/** As many processes as pools: each has its own batchers. */
const PROCESSES = 4;
const HOLDS_EACH = 250;
const RESPONSES_BETWEEN_CUTS = 25;
const MOST_CUTS = 200;

let test: TestLedger;
beforeAll(async () => {
  test = await startTestLedger();
});
afterAll(() => test.close());

/** A reproducible sequence of numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

it('with four processes posting while connections are cut, the ledger balances and no confirmed posting is lost', async () => {
  const wallets = [await test.wallet(300_000), await test.wallet(3_000), await test.wallet(0)];
  const pools = Array.from({ length: PROCESSES }, () => createPool(test.db.url, { max: 4 }));
  const confirmed = {
    accepted: new Map<string, number>(),
    resolved: new Map<string, string>(),
    insufficient: 0,
    duplicates: 0,
    toppedUp: 0,
  };

  let responseCount = 0;
  const worker = async (index: number): Promise<void> => {
    const ledger = new LedgerService(pools[index]!, { retryHoldForMs: 10_000, retryInDoubtForMs: 10_000 });
    const next = numbers(index + 1);
    await Promise.all(
      Array.from({ length: HOLDS_EACH }, async (_, n) => {
        await new Promise((resume) => setTimeout(resume, next() * 1_200));
        const developerId = wallets[Math.floor(next() * wallets.length)] as DeveloperId;
        const amountPaise = 1 + Math.floor(next() * 400);
        // The processes share idempotency keys: each is held at most once per wallet.
        const hold = holdOf(developerId, amountPaise, { clientKey: next() < 0.5 ? `key ${n}` : null });
        const { outcome, orderId } = await ledger.hold(hold);
        responseCount++;
        if (outcome === 'insufficient') confirmed.insufficient++;
        if (outcome === 'duplicate' && orderId !== hold.id) confirmed.duplicates++;
        // A hold that was retried after a cut finds itself.
        if (outcome !== 'accepted' && orderId !== hold.id) return;
        if (outcome === 'insufficient' || outcome === 'no_wallet') return;
        confirmed.accepted.set(hold.id, amountPaise);
        if (next() < 0.2) return; // Stays open.
        const success = next() < 0.6;
        const isRepeated = next() < 0.3;
        const results = await Promise.all([
          ledger.resolve(resolutionOf(hold, success)),
          ...(isRepeated ? [ledger.resolve(resolutionOf(hold, !success))] : []),
        ]);
        responseCount++;
        const applied = results.map((result) => result.outcome).filter((result) => result !== 'already');
        if (applied[0]) confirmed.resolved.set(hold.id, applied[0]);
        expect(applied.length).toBeLessThanOrEqual(1);
      }),
    );
  };
  let working = true;
  const cutter = async (): Promise<number> => {
    let cut = 0;
    for (let cutAt = 0; working; ) {
      await new Promise((resume) => setTimeout(resume, 20));
      // Counts responses and not time, because on a busy machine a new connection would be cut before its first use.
      if (responseCount < cutAt + RESPONSES_BETWEEN_CUTS) continue;
      cutAt = responseCount;
      const [row] = await test.db.query<{ cut: number }>(
        `select count(pg_terminate_backend(pid))::integer as cut from (
           select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = 'recharge-gateway'
           order by random() limit 3) victims`,
      );
      cut += row!.cut;
    }
    return cut;
  };
  const topUps = async (): Promise<void> => {
    for (let n = 0; n < 60; n++) {
      // A cut connection aborts the caller's transaction; the reference makes the retry safe.
      for (let attempt = 1, posted = false; !posted; attempt++)
        posted = await test.topUp(wallets[1]!, 500, `bank ${n}`).then(
          () => true,
          (error) => {
            // Other errors are permanent.
            if (attempt === MOST_CUTS) throw error;
            return false;
          },
        );
      confirmed.toppedUp++;
    }
  };
  const cutting = cutter();
  const credited = topUps();
  const outcomes = await Promise.allSettled(Array.from({ length: PROCESSES }, (_, index) => worker(index)));
  // Only top-ups would be left to cut, and on a busy machine none of them would ever succeed.
  working = false;
  expect(await cutting).toBeGreaterThan(3);
  await credited;
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  await Promise.all(pools.map((pool) => pool.end()));

  // The last cut may still hit the connection of this check.
  await vi.waitFor(async () => expect(await test.violations()).toEqual([]), { timeout: 300_000, interval: 20 });
  const orders = await test.db.query<{ id: string; state: string; amount: number }>(
    'select id, state, amount_paise::integer as amount from orders',
  );
  const stored = new Map(orders.map(({ id, state, amount }) => [id, { state, amount }]));
  for (const [id, amount] of confirmed.accepted) expect(stored.get(id)?.amount).toBe(amount);
  for (const [id, outcome] of confirmed.resolved)
    expect(stored.get(id)?.state).toBe(outcome === 'settle' ? 'success' : 'failed');
  const [credits] = await test.db.query<{ n: number }>(
    `select count(*)::integer as n from transfer where reference like 'bank %'`,
  );
  expect([credits!.n, confirmed.toppedUp]).toEqual([60, 60]);
  const twice = await test.db.query(
    `select client_key from orders where client_key is not null group by developer_id, client_key having count(*) > 1`,
  );
  expect(twice).toEqual([]);
  // Every kind of outcome must occur; otherwise the test is meaningless.
  expect(confirmed.accepted.size).toBeGreaterThan(100);
  expect(confirmed.insufficient).toBeGreaterThan(10);
  expect(confirmed.duplicates).toBeGreaterThan(10);
  expect([...confirmed.resolved.values()].filter((outcome) => outcome === 'refund').length).toBeGreaterThan(10);
});

it('affordable holds of one batch succeed in order, whatever the other holds are', async () => {
  const developerId = await test.wallet(1_000);
  const results = await Promise.all(
    [400, 700, 500, -5, 100, 1].map((amount) =>
      test.ledger.hold(holdOf(developerId, amount)).catch((error: { code: string }) => error.code),
    ),
  );
  expect(results.map((result) => (typeof result === 'string' ? result : result.outcome))).toEqual([
    'accepted',
    'insufficient',
    'accepted',
    '23514',
    'accepted',
    'insufficient',
  ]);
  expect(await test.balance(developerId)).toBe(0);
  expect(await test.violations()).toEqual([]);
});

it('several processes that lock two wallets in opposite order do not deadlock', async () => {
  const [a, b] = [await test.wallet(100_000), await test.wallet(100_000)];
  const pools = [createPool(test.db.url, { max: 2 }), createPool(test.db.url, { max: 2 })];
  const deadlocksBefore = await deadlocks();
  await Promise.all(
    pools.map(async (pool, index) => {
      const ledger = new LedgerService(pool);
      for (let round = 0; round < 40; round++) {
        const holds = (index === 0 ? [a, b] : [b, a]).map((developerId) => holdOf(developerId, 1, { id: newId() }));
        await Promise.all(holds.map((hold) => ledger.hold(hold)));
        await Promise.all(holds.map((hold) => ledger.resolve(resolutionOf(hold, false))));
      }
    }),
  );
  await Promise.all(pools.map((pool) => pool.end()));
  expect(await deadlocks()).toBe(deadlocksBefore);
  expect([await test.balance(a), await test.balance(b)]).toEqual([100_000, 100_000]);
});

it('idempotency keys of refunded lookups are deleted in one order, so that new lookups and the cleanup do not deadlock', async () => {
  const developerId = await test.wallet(1_000);
  const keys = Array.from({ length: 20 }, (_, n) => `key ${String(n).padStart(2, '0')}`);
  const lookups = () =>
    keys.map((clientKey) => holdOf(developerId, 1, { operation: 'lookup', provider: 'EKYCHUB', clientKey }));
  const ended = lookups();
  await Promise.all(ended.map((hold) => test.ledger.hold(hold)));
  await Promise.all(ended.map((hold) => test.ledger.resolve(resolutionOf(hold, true))));
  // The last key is deleted first.
  await test.db.query(
    `update lookup_answer a set settled_at = now() - interval '11 minutes' - k.n * interval '1 second'
     from unnest($1::uuid[]) with ordinality k(id, n) where a.order_id = k.id`,
    [ended.map(({ id }) => id)],
  );
  await test.db.query(`alter database ${new URL(test.db.url).pathname.slice(1)} set deadlock_timeout = '50ms'`);
  const [placer, forgetter, gate] = [{}, {}, { asOwner: true }].map((options) =>
    createPool(test.db.url, { max: 1, retries: false, ...options }),
  ) as [Pool, Pool, Pool];
  const waiting = (count: number) =>
    until(`${count} are waiting`, async () => {
      const [row] = await test.db.query<{ n: number }>(
        `select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row!.n === count;
    });
  try {
    // Both get as far as the middle key, each from its end, with locks on the keys that the other needs next.
    await gate.query('begin');
    await gate.query(`select from order_key where client_key = 'key 10' for update`);
    const newLookups = lookups();
    const secondPlacement = placer.query({
      text: `select outcome from ledger_hold($1, array_fill('production'::text, array[20]), array_fill('lookup'::text, array[20]), $2, $3, $4,
        array_fill(decode(repeat('00', 32), 'hex'), array[20]), array_fill(1::bigint, array[20]), array_fill('EKYCHUB'::text, array[20]),
        array_fill('\\x00'::bytea, array[20]), array_fill(decode(repeat('00', 32), 'hex'), array[20]), array_fill(60000, array[20]))`,
      values: [
        keys.map(() => developerId),
        newLookups.map(({ id }) => id),
        newLookups.map(({ reference }) => reference),
        keys,
      ],
    });
    await waiting(1);
    const releasing = releaseLookups(forgetter, 100);
    await waiting(2);
    await gate.query('rollback');
    const [placement, releasedCount] = await Promise.all([secondPlacement, releasing]);
    expect(placement.rows).toEqual(keys.map(() => ({ outcome: 'accepted' })));
    expect(releasedCount).toBe(20);
  } finally {
    await Promise.all([placer, forgetter, gate].map((pool) => pool.end()));
  }
  expect(await test.violations()).toEqual([]);
});

async function deadlocks(): Promise<number> {
  const [row] = await test.db.query<{ n: number }>(
    `select deadlocks::integer as n from pg_stat_database where datname = current_database()`,
  );
  return row!.n;
}

it('the first of two opposite resolutions in one batch succeeds, and the other is reported as not applied', async () => {
  const developerId = await test.wallet(1_000);
  const hold = holdOf(developerId, 100);
  await test.ledger.hold(hold);
  const results = await Promise.all([true, false].map((success) => test.ledger.resolve(resolutionOf(hold, success))));
  expect(results.map(({ outcome }) => outcome)).toEqual(['settle', 'already']);
  expect(await test.balance(developerId)).toBe(900);
});
