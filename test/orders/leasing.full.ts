import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import type { FailureKind } from '../../src/db/database-errors.js';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import { doubtSuccess } from '../../src/status-checks/reversals.js';
import { Sweeper } from '../../src/status-checks/sweeper.js';
import { holdOf, resolutionOf } from '../ledger/ledger.fixture.js';
import { fundWallets } from '../support/audit.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { developerNumber } from '../support/ids.js';

const developerId = developerNumber(1);
const PROVIDER = 'ROUNDPAY';
const OPEN = 8;
const RECHECKS = 42;
const AT_ONCE = 20;

let db: TestDatabase;
let ledger: LedgerService;
let connections: Pool[];

beforeAll(async () => {
  db = await createTestDatabase();
  // the database treats each connection as a separate process
  connections = Array.from({ length: 3 }, () => createPool(db.url, { max: 1 }));
  ledger = new LedgerService(connections[0]!);
  await db.query(`insert into wallet (developer_id, environment) values ($1, 'production')`, [developerId]);
  await fundWallets(db.query, [developerId], 100_000_000);
  const ids = await Promise.all(Array.from({ length: OPEN + RECHECKS }, openOrder));
  await Promise.all(ids.slice(OPEN).map(succeed));
});
afterAll(async () => {
  expect(await ledger.check()).toEqual([]);
  await Promise.all(connections.map((connection) => connection.end()));
  await db.drop();
});

async function openOrder(): Promise<string> {
  const hold = holdOf(developerId, 100);
  await ledger.hold(hold);
  return hold.id;
}

/** Settles the order and schedules a routine re-check. */
const succeed = (id: string) => ledger.resolve(resolutionOf({ developerId, id }, true, { recheckAfterMs: 60_000 }));

/** Makes all orders due in random order. */
const makeDue = (): Promise<unknown> =>
  db.query(`update order_due set due_at = now() - random() * interval '1 second'`);

const lease = async (connection: Pool): Promise<string[]> =>
  (await new StatusCheckStore(connection).leaseDue(PROVIDER, AT_ONCE, 60_000)).map(({ id }) => id);

describe('concurrent leases of several processes with open orders and routine re-checks due', () => {
  it.each([2, 3])('of %i processes neither fail, crash the server nor lease an order twice', async (processes) => {
    const startedAt = await db.query('select pg_postmaster_start_time() as at');
    for (let round = 0; round < 200; round++) {
      await makeDue();
      const leases = connections.slice(0, processes).map(async (connection, index) => {
        // with offsets of some milliseconds, so that the second lease reads before the first one commits
        await pause(index * (round % 4));
        return lease(connection);
      });
      const leased = (await Promise.all(leases)).flat();
      expect(new Set(leased).size).toBe(leased.length);
      expect(leased.length).toBeGreaterThanOrEqual(AT_ONCE);
    }
    // after a crash the start time would differ
    expect(await db.query('select pg_postmaster_start_time() as at')).toEqual(startedAt);
  });

  it('prefer open orders and fill the remaining limit with re-checks', async () => {
    await makeDue();
    const leased = await lease(connections[0]!);
    const rows = await db.query<{ n: number }>(
      'select count(*)::int as n from order_due where waited_for and order_id = any($1)',
      [leased],
    );
    expect([leased.length, rows[0]!.n]).toEqual([AT_ONCE, OPEN]);
  });

  it('skip orders locked by another transaction', async () => {
    await makeDue();
    const other = await connections[1]!.connect();
    try {
      await other.query('begin');
      await other.query(
        'select order_unknown($1, order_id, 60000, 0, false, true, false, null, null, null) from order_due where waited_for',
        [developerId],
      );
      const leased = await lease(connections[0]!);
      await other.query('commit');
      expect(leased).toHaveLength(AT_ONCE);
    } finally {
      other.release();
    }
  });
});

describe('a failed lease', () => {
  const fail = async (error: Error): Promise<never> => {
    throw error;
  };
  const sweeperWith = (error: Error, reported: [string, FailureKind][]): Sweeper =>
    new Sweeper(
      async () => {},
      { leaseDue: () => fail(error) } as never,
      {
        providers: [PROVIDER],
        perProvider: 1,
        leaseMs: 1,
        canCheck: async () => true,
        onFailure: (provider, problem) => reported.push([provider, problem]),
      },
      createLogger('silent'),
    );

  it.each([
    ['57P01', 'doubt'],
    ['57P02', 'doubt'],
    ['57P03', 'away'],
    ['2201W', 'data'],
    ['XX000', 'bug'],
  ] as const)('with error %s is counted as %s', async (code, problem) => {
    const failures: [string, FailureKind][] = [];
    expect(await sweeperWith(Object.assign(new Error('refused'), { code }), failures).sweep()).toBe(0);
    expect(failures).toEqual([[PROVIDER, problem]]);
  });
});

it('a success with a second reversal notice during its status check stays in doubt, because the check may have been too early', async () => {
  const id = await openOrder();
  await succeed(id);
  const [connection] = connections as [Pool];
  const store = new StatusCheckStore(connection);
  const confirmed = { dueMs: undefined, pauseMs: 1_000, over: true, detail: { reason: 'provider_success' } };
  const leased = async () => {
    await db.query(`update order_due set due_at = now() - interval '1 day' where order_id = $1`, [id]);
    return (await store.leaseDue(PROVIDER, AT_ONCE, 60_000)).find((order) => order.id === id)!;
  };
  const state = async () =>
    (
      await db.query(
        `select doubted_since is not null as doubted, (select waited_for and due_at < now() + interval '2 seconds' from order_due where order_id = id) as soon
         from orders where id = $1`,
        [id],
      )
    )[0];
  await doubtSuccess(connection, developerId, id);
  const leasedOrder = await leased();
  await doubtSuccess(connection, developerId, id);
  await store.markStillSuccess(leasedOrder, confirmed);
  expect(await state()).toEqual({ doubted: true, soon: true });
  await store.markStillSuccess(await leased(), confirmed);
  expect(await state()).toEqual({ doubted: false, soon: null });
});
