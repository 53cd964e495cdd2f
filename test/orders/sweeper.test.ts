import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { newId, referenceOf } from '../../src/core/ids.js';
import { createLogger } from '../../src/core/log.js';
import { Metrics } from '../../src/core/metrics.js';
import { paise } from '../../src/core/money.js';
import { Secret } from '../../src/core/secret.js';
import type { FailureKind } from '../../src/db/database-errors.js';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { OrderSearch, OrderStore } from '../../src/orders/order.store.js';
import {
  Outcomes,
  type ProviderStatusChecks,
  type StatusCheckFailure,
  StatusCheckRegistry,
} from '../../src/orders/outcomes.js';
import { jittered, StatusCheckStore } from '../../src/orders/status-check.store.js';
import type { LeasedOrder, StoredOrder } from '../../src/orders/stored-order.js';
import type { StatusCheckOutcome } from '../../src/providers/outcome.js';
import { doubtSuccess, Reversals } from '../../src/status-checks/reversals.js';
import { Sweeper } from '../../src/status-checks/sweeper.js';
import { fundWallets } from '../support/audit.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { developerNumber } from '../support/ids.js';
import { until } from '../support/until.js';

const developerId = developerNumber(1);
const PENDING: StatusCheckOutcome<never> = { kind: 'unknown', evidence: { reason: 'provider_pending' } };
const DONE = { kind: 'accepted', value: { providerTxnId: 'T1' }, evidence: { reason: 'provider_success' } } as const;

let db: TestDatabase;
let pool: Pool;
let ledger: LedgerService;
let store: OrderStore;
let statusCheckStore: StatusCheckStore;
const log = createLogger('silent');
const failedSweeps: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  pool = createPool(db.url, { max: 20 });
  ledger = new LedgerService(pool);
  store = new OrderStore(pool, new FieldEncryption([{ id: 'k', key: new Secret(randomBytes(32).toString('base64')) }]));
  statusCheckStore = new StatusCheckStore(pool);
  await db.query(`insert into wallet (developer_id, environment) values ($1, 'production')`, [developerId]);
  await fundWallets(db.query, [developerId], 100_000_000);
});
afterAll(async () => {
  expect(failedSweeps).toEqual([]);
  expect(await ledger.check()).toEqual([]);
  await pool.end();
  await db.drop();
});

type CheckStatus = (order: StoredOrder) => Promise<StatusCheckOutcome<{ providerTxnId: string }>>;

/** A sweeper that the database treats as a separate process. */
function sweeperOf(
  statusChecks: Record<string, CheckStatus>,
  {
    leaseMs = 5_000,
    perProvider = 5,
    scheduleMs = [5],
    recheckAfterMs = 0,
    onFailure,
    metrics,
    nowMs,
  }: {
    leaseMs?: number;
    perProvider?: number;
    scheduleMs?: number[];
    recheckAfterMs?: number;
    onFailure?: (failure: StatusCheckFailure) => void;
    metrics?: Metrics;
    nowMs?: () => number;
  } = {},
) {
  const registry = new StatusCheckRegistry(onFailure, nowMs);
  for (const [provider, checkStatus] of Object.entries(statusChecks))
    registry.register('recharge', provider, {
      canCheckStatus: true,
      notFoundIsFinal: true,
      recheckAfterMs,
      receiptOf: () => ({}),
      checkStatus,
    } satisfies ProviderStatusChecks);
  const policy = { scheduleMs, visibilityDelayMs: 1_000, manualReviewAfterMs: 86_400_000 };
  const dependencies = { ledger, store, statusCheckStore, statusChecks: registry };
  const outcomes = new Outcomes(dependencies, new OrderSearch(new Secret('a pepper')), policy, undefined, metrics);
  const sweeping = {
    providers: Object.keys(statusChecks),
    perProvider,
    limitOf: registry.limitOf,
    leaseMs,
    canCheck: async () => true,
    onFailure: (provider: string, problem: FailureKind) => failedSweeps.push(`${provider}: ${problem}`),
  };
  const reversals = new Reversals(dependencies, policy, log);
  const checkStatus = (order: LeasedOrder) =>
    order.state === 'success' ? reversals.check(order) : outcomes.checkStatus(order);
  return new Sweeper(checkStatus, statusCheckStore, sweeping, log);
}

/** Wakes the sweeper repeatedly, as other processes do when they have work for it. */
function startWaking(sweeper: Sweeper, ...providers: string[]): { stop(): Promise<void> } {
  sweeper.start();
  const waking = setInterval(() => providers.forEach((provider) => void sweeper.wake(provider)), 10);
  return {
    stop: () => {
      clearInterval(waking);
      return sweeper.stop();
    },
  };
}

/** Orders whose sending process crashed, due immediately. */
async function orphans(count: number, provider: string): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  await Promise.all(
    ids.map((id) =>
      ledger.hold({
        developerId,
        environment: 'production',
        operation: 'recharge',
        id,
        reference: referenceOf(id),
        clientKey: null,
        fingerprint: randomBytes(32),
        amountPaise: paise(100),
        provider,
        request: store.encrypt(id, { accountNumber: '9876543210' }),
        accountHash: randomBytes(32),
        leaseMs: 0,
      }),
    ),
  );
  return ids;
}
const inState = async (provider: string, state: string): Promise<number> =>
  (
    await db.query<{ n: number }>('select count(*)::int as n from orders where provider = $1 and state = $2', [
      provider,
      state,
    ])
  )[0]!.n;

const dueIn = async (id: string): Promise<number | undefined> => {
  const [row] = await db.query<{ s: number }>(
    'select extract(epoch from due_at - now())::float as s from order_due where order_id = $1',
    [id],
  );
  return row?.s;
};

describe('concurrent sweepers', () => {
  it('never check one order at the same time, with or without callbacks, and settle each once', async () => {
    const runningChecks = new Map<string, number>();
    const checkCounts = new Map<string, number>();
    let worst = 0;
    const checkStatus: CheckStatus = async ({ id }) => {
      runningChecks.set(id, (runningChecks.get(id) ?? 0) + 1);
      worst = Math.max(worst, runningChecks.get(id)!);
      await pause(15);
      runningChecks.set(id, runningChecks.get(id)! - 1);
      checkCounts.set(id, (checkCounts.get(id) ?? 0) + 1);
      return checkCounts.get(id)! < 3 ? PENDING : DONE;
    };
    const sweepers = Array.from({ length: 4 }, () => sweeperOf({ SIDE: checkStatus }));
    const ids = await orphans(60, 'SIDE');
    const handles = sweepers.map((sweeper) => startWaking(sweeper, 'SIDE'));
    const callbacks = setInterval(() => {
      for (const id of ids.slice(0, 10))
        void statusCheckStore.recordCallback('SIDE', referenceOf(id), 'success', 20, {}).catch(() => {});
    }, 20);
    await until('all are settled', async () => (await inState('SIDE', 'success')) === 60);
    clearInterval(callbacks);
    await Promise.all(handles.map((sweeper) => sweeper.stop()));
    expect(worst).toBe(1);
    expect(new Set(checkCounts.values())).toEqual(new Set([3]));
    const settled = await db.query(
      `select 1 from transfer t join orders o on o.id = t.subject_id where o.provider = 'SIDE' and t.kind = 'settle'`,
    );
    expect(settled).toHaveLength(60);
  });

  it('take over an order of a crashed sweeper after its lease', async () => {
    const [id] = await orphans(1, 'DIED');
    const stuckSweeper = sweeperOf({ DIED: () => new Promise(() => {}) });
    void stuckSweeper.sweep();
    await until(
      'the crashed sweeper holds the lease',
      async () => (await db.query('select 1 from orders where id = $1 and asked = 1', [id])).length === 1,
    );
    const successor = sweeperOf({ DIED: async () => DONE });
    expect(await successor.sweep()).toBe(0);
    await db.query('update order_due set due_at = now() where order_id = $1', [id]); // simulates the end of the lease
    expect(await successor.sweep()).toBe(1);
    expect(await inState('DIED', 'success')).toBe(1);
  });
});

describe('a callback that arrives during a status check', () => {
  it('is followed by another status check after the pause, not after the long delay', async () => {
    const [id] = await orphans(1, 'MEANWHILE');
    await db.query(`update orders set unknown_since = now(), status_checks = 5 where id = $1`, [id]);
    const response = Promise.withResolvers<StatusCheckOutcome<never>>();
    const started = Promise.withResolvers<void>();
    const checkStatus: CheckStatus = () => (started.resolve(), response.promise);
    const round = sweeperOf({ MEANWHILE: checkStatus }, { scheduleMs: [2_000, 600_000] }).sweep();
    await started.promise;
    expect(await statusCheckStore.recordCallback('MEANWHILE', referenceOf(id!), 'success', 20, {})).toBe(
      'status_check',
    );
    expect(await dueIn(id!)).toBeGreaterThan(4); // the lease is still held
    response.resolve(PENDING);
    await round;
    expect(await dueIn(id!)).toBeLessThanOrEqual(2);
    // a callback during the pause does not shorten it
    await statusCheckStore.recordCallback('MEANWHILE', referenceOf(id!), 'success', 20, {});
    expect(await dueIn(id!)).toBeGreaterThan(1);
  });

  it('keeps a success in doubt that the status check would have confirmed', async () => {
    const [id] = await orphans(1, 'DOUBTED');
    await sweeperOf({ DOUBTED: async () => DONE }).sweep();
    await statusCheckStore.recordCallback('DOUBTED', referenceOf(id!), 'failure', 20, {});
    await db.query('update orders set asked = 2 where id = $1', [id]);
    const response = Promise.withResolvers<typeof DONE>();
    const started = Promise.withResolvers<void>();
    const checkStatus: CheckStatus = () => (started.resolve(), response.promise);
    const sweeper = sweeperOf({ DOUBTED: checkStatus }, { scheduleMs: [2_000, 600_000] });
    const round = sweeper.sweep();
    await started.promise;
    await statusCheckStore.recordCallback('DOUBTED', referenceOf(id!), 'failure', 20, {});
    response.resolve(DONE);
    await round;
    expect(await dueIn(id!)).toBeLessThanOrEqual(2);
    await db.query('update orders set asked = 2 where id = $1', [id]);
    await db.query('update order_due set due_at = now() where order_id = $1', [id]);
    expect(await sweeper.sweep()).toBe(1);
    expect(await dueIn(id!)).toBeUndefined();
    expect(await inState('DOUBTED', 'success')).toBe(1);
  });
});

describe('a success in doubt', () => {
  it('is reversed only by a status check that names its transaction', async () => {
    const [id] = await orphans(1, 'NAMED');
    const accepted = { ...DONE, evidence: { ...DONE.evidence, providerTxnId: 'T-1' } };
    await sweeperOf({ NAMED: async () => accepted }).sweep();
    const failure = (providerTxnId?: string): StatusCheckOutcome<never> => ({
      kind: 'declined',
      evidence: { reason: 'provider_failure', ...(providerTxnId ? { providerTxnId } : {}) },
    });
    const reversed = async () =>
      (await db.query('select 1 from orders where id = $1 and reversed_at is not null', [id])).length;
    for (const [response, expected] of [
      [failure(), 0],
      [failure('T-2'), 0],
      [failure('T-1'), 1],
    ] as const) {
      await doubtSuccess(pool, developerId, id!);
      await db.query('update order_due set due_at = now() where order_id = $1', [id]); // after the pause
      expect(await sweeperOf({ NAMED: async () => response }).sweep()).toBe(1);
      expect(await reversed()).toBe(expected);
    }
    await doubtSuccess(pool, developerId, id!);
    expect(await sweeperOf({ NAMED: async () => failure('T-1') }).sweep()).toBe(0);
  });
});

describe('a sweeper', () => {
  it('is not blocked by an unresponsive provider and limits concurrent checks with it', async () => {
    let hanging = 0;
    const release = Promise.withResolvers<StatusCheckOutcome<never>>();
    const sweeper = sweeperOf({ SLOW: () => (hanging++, release.promise), FAST: async () => DONE }, { perProvider: 3 });
    await Promise.all([orphans(30, 'SLOW'), orphans(30, 'FAST')]);
    const handle = startWaking(sweeper, 'SLOW', 'FAST');
    await until('the fast provider is done', async () => (await inState('FAST', 'success')) === 30);
    expect(hanging).toBe(3);
    expect(await inState('SLOW', 'open')).toBe(30);
    release.resolve(PENDING);
    await until('waiting checks use the free slots', async () => hanging > 3);
    await handle.stop();
  });

  it('fills a free slot immediately while another status check hangs', async () => {
    const release = Promise.withResolvers<StatusCheckOutcome<{ providerTxnId: string }>>();
    const [stuckId] = await orphans(1, 'MIXED');
    await pause(5); // this order is the oldest
    await orphans(20, 'MIXED');
    let running = 0;
    let most = 0;
    const checkStatus: CheckStatus = async ({ id }) => {
      most = Math.max(most, ++running);
      if (id === stuckId) await release.promise;
      await pause(5);
      running--;
      return DONE;
    };
    const sweeper = sweeperOf({ MIXED: checkStatus }, { perProvider: 3 });
    const handle = startWaking(sweeper, 'MIXED');
    await until('the other checks are done', async () => (await inState('MIXED', 'success')) === 20);
    release.resolve(DONE);
    await handle.stop();
    expect(await inState('MIXED', 'success')).toBe(21);
    expect(most).toBe(3);
  });

  it('leaves orders due while the breaker rejects status checks, and checks them all once a probe succeeds', async () => {
    let now = 0;
    let response: StatusCheckOutcome<{ providerTxnId: string }> = {
      kind: 'unknown',
      evidence: { reason: 'breaker_open' },
    };
    let checks = 0;
    const checkStatus: CheckStatus = async () => (checks++, response);
    const sweeper = sweeperOf(
      { CLOSED_OFF: checkStatus },
      { perProvider: 3, scheduleMs: [0, 3_600_000], nowMs: () => now },
    );
    const due = async (): Promise<number> => {
      const [row] = await db.query<{ count: string }>(
        `select count(*) from order_due where provider = 'CLOSED_OFF' and due_at <= now()`,
      );
      return Number(row!.count);
    };
    await orphans(10, 'CLOSED_OFF');
    expect(await sweeper.sweep()).toBe(3);
    expect(await sweeper.sweep()).toBe(0);
    now = 29_999;
    expect(await sweeper.sweep()).toBe(0);
    now = 30_000;
    expect(await sweeper.sweep()).toBe(1);
    expect(await sweeper.sweep()).toBe(0);
    expect(checks).toBe(4);
    // a rejected check does not advance the schedule
    await until('all of them are due', async () => (await due()) === 10);

    response = DONE;
    now = 60_000;
    expect(await sweeper.sweep()).toBe(1);
    expect(await sweeper.sweep()).toBe(3);
    while ((await sweeper.sweep()) > 0);
    expect(await inState('CLOSED_OFF', 'success')).toBe(10);
  });

  it('moves an order to review after 24 hours without a final status, and not earlier', async () => {
    const [old, recent] = await orphans(2, 'GIVE_UP');
    await db.query(`update orders set created_at = now() - interval '24 hours 1 second' where id = $1`, [old]);
    await db.query(`update orders set created_at = now() - interval '23 hours 59 minutes' where id = $1`, [recent]);
    await sweeperOf({ GIVE_UP: async () => PENDING }).sweep();
    const states = await db.query<{ id: string; state: string }>(
      `select id, state from orders where provider = 'GIVE_UP'`,
    );
    expect(Object.fromEntries(states.map(({ id, state }) => [id, state]))).toEqual({
      [old!]: 'review',
      [recent!]: 'open',
    });
    expect(referenceOf(old!)).toHaveLength(25);
  });

  it('continues hourly status checks of an order in review until its status is final', async () => {
    const [id] = await orphans(1, 'WITH_A_PERSON');
    await db.query(`update orders set created_at = now() - interval '25 hours' where id = $1`, [id]);
    let response: StatusCheckOutcome<{ providerTxnId: string }> = PENDING;
    const metrics = new Metrics();
    const sweeper = sweeperOf({ WITH_A_PERSON: async () => response }, { metrics });
    for (let hour = 0; hour < 3; hour++) {
      expect(await sweeper.sweep()).toBe(1);
      expect(await inState('WITH_A_PERSON', 'review')).toBe(1);
      expect(await dueIn(id!)).toBeGreaterThan(3_000);
      await db.query('update order_due set due_at = now() where order_id = $1', [id]);
    }
    const events = await db.query('select kind from order_event where order_id = $1 order by at, id', [id]);
    expect(events.map(({ kind }) => kind)).toEqual(['status_check', 'review', 'status_check', 'status_check']);
    // an order in review is counted once, however often its status is checked
    expect(await metrics.text()).toMatch(/^gateway_order_outcomes_total\{.*outcome="review"\} 1$/m);
    response = DONE;
    expect(await sweeper.sweep()).toBe(1);
    expect(await inState('WITH_A_PERSON', 'success')).toBe(1);
  });

  it('counts a status check that throws and repeats it as scheduled', async () => {
    await orphans(1, 'THROWS');
    let times = 0;
    const sweeper = sweeperOf({
      THROWS: async () => (times++ === 0 ? Promise.reject(new Error('a defect')) : DONE),
    });
    expect(await sweeper.sweep()).toBe(1);
    expect(
      await db.query(`select state, status_checks as "statusChecks" from orders where provider = 'THROWS'`),
    ).toEqual([{ state: 'open', statusChecks: 1 }]);
    await until('the check is due again', async () => (await sweeper.sweep()) === 1);
    expect(await inState('THROWS', 'success')).toBe(1);
  });

  it('moves an order whose request cannot be decrypted to review when the time is up', async () => {
    const [id] = await orphans(1, 'UNREADABLE');
    await db.query(`update orders set request = '\\x00', created_at = now() - interval '25 hours' where id = $1`, [id]);
    const failed: unknown[] = [];
    await sweeperOf({ UNREADABLE: async () => DONE }, { onFailure: ({ orderId }) => failed.push(orderId) }).sweep();
    expect(failed).toEqual([id]);
    expect(await inState('UNREADABLE', 'review')).toBe(1);
    const events = await db.query('select kind, detail from order_event where order_id = $1 order by at, id', [id]);
    expect(events).toEqual([
      { kind: 'status_check', detail: { reason: 'status_check_failed' } },
      { kind: 'review', detail: {} },
    ]);
  });

  it('ends the doubt in a success whose status checks throw when the time is up', async () => {
    const [id] = await orphans(1, 'DEFECTIVE');
    await sweeperOf({ DEFECTIVE: async () => DONE }).sweep();
    await db.query(`select order_doubt($1, $2, 0)`, [developerId, id]);
    const defective = sweeperOf({ DEFECTIVE: () => Promise.reject(new Error('a defect')) });
    expect(await defective.sweep()).toBe(1);
    expect(await dueIn(id!)).toBeDefined();
    await db.query(`update orders set doubted_since = now() - interval '25 hours' where id = $1`, [id]);
    await db.query('update order_due set due_at = now() where order_id = $1', [id]);
    expect(await defective.sweep()).toBe(1);
    expect(await dueIn(id!)).toBeUndefined();
    expect(await inState('DEFECTIVE', 'success')).toBe(1);
  });

  it('repeats a status check after the scheduled delay, within ten percent', async () => {
    const ids = await orphans(40, 'JITTER');
    await sweeperOf({ JITTER: async () => PENDING }, { perProvider: 40, scheduleMs: [1_000, 60_000] }).sweep();
    const delays = (
      await db.query<{ s: number }>(
        `select extract(epoch from due_at - at)::float as s from order_due q join order_event e using (order_id) where provider = 'JITTER'`,
      )
    ).map(({ s }) => s);
    expect(delays).toHaveLength(ids.length);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(54);
    expect(Math.max(...delays)).toBeLessThanOrEqual(66);
    expect(new Set(delays).size).toBeGreaterThan(30);
  });
});

it.each([
  [0, 900],
  [0.5, 1_000],
  [1, 1_100],
])('jitter of %f turns 1000 ms into %i', (random, delayMs) => {
  expect(jittered(1_000, () => random)).toBe(delayMs);
});
