import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApprovalRequestStore } from '../../src/approval-requests/approval-request.store.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { createLogger } from '../../src/core/log.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { Secret } from '../../src/core/secret.js';
import { createPool } from '../../src/db/pool.js';
import { ReviewQueue } from '../../src/decisions/review.queue.js';
import type { PageRequest } from '../../src/graphql-toolkit/connection.js';
import { DailyStatementService } from '../../src/ledger/daily-statement.service.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { StatementService } from '../../src/ledger/statement.service.js';
import { releaseLookups } from '../../src/orders/charged-lookup.js';
import { Exposure } from '../../src/orders/exposure.js';
import { OrderSearch, OrderStore } from '../../src/orders/order.store.js';
import { orderFigures, stuckOrders } from '../../src/orders/order-figures.js';
import { recentCalls } from '../../src/orders/recent-calls.js';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import { OrderList } from '../../src/orders/views/order-list.js';
import type { OrderFilter } from '../../src/orders/views/order-list.types.js';
import { doubtSuccess } from '../../src/status-checks/reversals.js';
import { growOrders, plansOf, type RanPlan } from './growth.fixture.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

/**
 * A connection to a fresh database caches its plans while the tables are empty, and would keep scanning complete tables when they
 * have grown. This test does not measure time; test/bench does.
 */
const GROWN = 20_000;
const BATCH = 16;

let test: TestLedger;
let pool: Pool;
let developer: DeveloperId;
let ledger: LedgerService;
beforeAll(async () => {
  test = await startTestLedger();
  developer = await test.wallet(10_000_000);
  pool = createPool(test.db.url, { max: 1 });
  ledger = new LedgerService(pool);
});
afterAll(async () => {
  await pool.end();
  await test.close();
});

/** Charges of one tick, which one statement holds; on a busy machine there can be several statements. */
async function chargeBatch(): Promise<void> {
  const holds = Array.from({ length: BATCH }, (_, n) =>
    holdOf(developer, 1, { clientKey: `${performance.now()} ${n}` }),
  );
  await Promise.all(holds.map((hold) => ledger.hold(hold)));
  await Promise.all(holds.map((hold, n) => ledger.resolve(resolutionOf(hold, n % 2 === 0))));
}

const orderStore = (): OrderStore =>
  new OrderStore(pool, new FieldEncryption([{ id: 'k', key: new Secret(Buffer.alloc(32).toString('base64')) }]));
const reviewQueue = (store: OrderStore): ReviewQueue =>
  new ReviewQueue(pool, store, new ApprovalRequestStore(pool), {
    resolveAlone: { atOncePaise: paise(1), perDayPaise: paise(1) },
    visibilityDelayMs: 0,
  });

async function readEverything(): Promise<void> {
  const store = orderStore();
  const statusCheckStore = new StatusCheckStore(pool);
  const unknownId = '019c0000-0000-7000-8000-000000000000';
  await store.byStoredKey(developer, 'production', 'recharge', 'none');
  await store.byId(developer, unknownId);
  await statusCheckStore.leaseDue('ROUNDPAY', 20, 1_000);
  await releaseLookups(pool, 20);
  await statusCheckStore.markPending(
    { developerId: developer, id: unknownId },
    {
      dueMs: 1,
      pauseMs: 1,
      review: false,
      statusCheck: false,
      event: 'response',
      notFound: false,
      providerTxnId: '',
      search: Buffer.alloc(0),
      detail: {},
    },
  );
  await statusCheckStore.recordCallback('ROUNDPAY', unknownId, 'success', 20, {});
  await doubtSuccess(pool, developer, unknownId);
  await ledger.reverse(developer, unknownId, {});
  await reviewQueue(store).page({}, {}, { masked: true });
  await pool.query({ name: 'lock', text: 'select * from order_lock($1)', values: [unknownId] });
  await pool.query({ name: 'ask', text: 'select order_ask($1)', values: [unknownId] });
  await statusCheckStore.recordConflict({ developerId: developer, id: unknownId }, true, {});
  await statusCheckStore.markStillFinal({ developerId: developer, id: unknownId }, 1, {});
  const correct = `select * from ledger_correct($1, $2, 'refund_reversal', uuidv7(), null, '{}')`;
  await pool.query({ name: 'correct', text: correct, values: [developer, unknownId] });
  await pool.query({
    name: 'post',
    text: `select * from ledger_post($1, 'production', uuidv7(), 'lead_fee', 1, 'x')`,
    values: [developer],
  });
  await ledger.wallet(developer, 'production');
  await new StatementService(pool).page(developer, 'production', { first: 20 });
  await new StatementService(pool).page(developer, 'production', {
    first: 20,
    after: Buffer.from('statement:50').toString('base64url'),
  });
  await new DailyStatementService(pool).days(developer, 'production', '2026-01-01', '2026-01-07');
}

/** Pages that a batch read; of several batches, the one with the fewest statements. */
const blocksOf = (batches: readonly RanPlan[][], start: string): number =>
  Math.min(
    ...batches.map((plans) =>
      plans.filter(({ text }) => text.startsWith(start)).reduce((sum, { blocks }) => sum + blocks, 0),
    ),
  );
const batchesOf = async (): Promise<RanPlan[][]> => {
  const batches: RanPlan[][] = [];
  while (batches.length < 3) batches.push(await plansOf(pool, chargeBatch));
  return batches;
};

describe('query plans cached while the tables were empty', () => {
  let empty: RanPlan[][];
  let charged: RanPlan[][];
  let grown: RanPlan[];
  beforeAll(async () => {
    // More often than PostgreSQL replans before it keeps a generic plan.
    for (let round = 0; round < 8; round++) {
      await chargeBatch();
      await readEverything();
    }
    empty = await batchesOf();
    await growOrders(test.db, GROWN);
    charged = await batchesOf();
    grown = [...charged.flat(), ...(await plansOf(pool, readEverything))];
    const [{ analyzed }] = (await test.db.query<{ analyzed: number }>(
      `select count(*)::integer as analyzed from pg_stat_user_tables where (relname like 'orders%' or relname in ('order_key', 'order_reference', 'transfer')) and (last_analyze is not null or last_autoanalyze is not null)`,
    )) as [{ analyzed: number }];
    expect(analyzed).toBe(0); // The statistics are as stale as possible.
  });

  it('include every statement under test', () => {
    for (const part of [
      'ledger_hold',
      'ledger_resolve',
      'order_lease_due',
      'lookup_release',
      'order_callback',
      'ledger_reverse',
      'ledger_post',
      'order_lock',
      'order_ask',
      'order_status_conflict',
      'order_still_decided',
      'ledger_correct',
      'order_unknown',
      'with req as materialized',
      'from orders where developer_id',
      'from ledger_entry',
      'with recursive search',
    ])
      expect(
        grown.map(({ text }) => text).some((text) => text.includes(part)),
        part,
      ).toBe(true);
  });

  it('scan no growing table completely', () => {
    const scanned = grown.flatMap(({ text, scans }) =>
      scans
        .filter((name) => /^(orders|transfer|order_event|order_key|order_reference|bill_claim|wallet)/.test(name))
        .map((name) => `${name}: ${text.slice(0, 120)}`),
    );
    expect(scanned).toEqual([]);
  });

  it.each(['with req as materialized', 'select * from ledger_hold', 'select * from ledger_resolve'])(
    'read about as many pages as before: %s',
    (start) => {
      expect(blocksOf(empty, start)).toBeGreaterThan(0);
      expect(blocksOf(charged, start)).toBeLessThan(2 * blocksOf(empty, start));
    },
  );
});

it('the metrics of pending orders read the queues and their orders only, without statistics', async () => {
  const plans = await plansOf(pool, async () => {
    await orderFigures(pool);
    await stuckOrders(pool, { overdueMs: 1_000, ageMs: 60_000 }, 20);
    await reviewQueue(orderStore()).totals({});
    const unlimited = { otherwise: { payments: 0, amountPaise: paise(0) }, byProvider: new Map() };
    await new Exposure(pool, [], unlimited, createLogger('silent')).refresh();
  });
  expect(plans).toHaveLength(4);
  for (const { scans, blocks } of plans) {
    expect(scans.filter((name) => !['order_due', 'order_review'].includes(name))).toEqual([]);
    expect(blocks).toBeLessThan(100); // Of about 1,000.
  }
});

it('the results of the newest calls are read backwards along the index', async () => {
  const fresh = createPool(test.db.url, { max: 1 });
  try {
    // Half of the rows are from this hour.
    await fresh.query('set enable_seqscan = off');
    const plans = await plansOf(fresh, async () => void (await recentCalls(fresh)));
    const [read] = plans.filter(({ text }) => text.includes('percentile_disc'));
    expect(read!.scans, read!.tree.join('\n')).toEqual([]);
  } finally {
    await fresh.end();
  }
});

it('a page of many orders and a search are read along the indexes', async () => {
  const owner = await test.wallet(0);
  await test.db.query(
    `with made as (select uuidv7() as id, n from generate_series(1, 20000) n),
     o as (
       insert into orders (developer_id, id, reference, environment, operation, fingerprint, amount_paise, provider, state, request, account_hash, settled_at)
       select $1, id, lpad(n::text, 25, 'A'), 'production', 'recharge', decode(repeat('00', 32), 'hex'), 1, 'ROUNDPAY', 'success', '\\x00', decode(repeat('00', 32), 'hex'), now()
       from made)
     insert into order_search (hash, order_id) select md5(n::text)::uuid, id from made`,
    [owner],
  );
  // Autovacuum does this after 2 % of a month. Without statistics, a developer seems to have few orders, which are sorted.
  await test.db.query('analyze orders');
  const search = new OrderSearch(new Secret('pepper'));
  search.ofAccount = (account) => createHash('md5').update(account).digest();
  const fresh = createPool(test.db.url, { max: 1 });
  try {
    const pages: { edges: unknown[] }[] = [];
    const plans = await plansOf(fresh, async () => {
      const history = new OrderList(fresh, search, { storedKeyOf: (key) => key });
      const send = async (filter: OrderFilter, request: PageRequest = { first: 50 }) =>
        void pages.push(await history.page({ developerId: owner, environment: 'production' }, filter, request));
      await send({});
      await send({}, { last: 50 });
      await send({ accountNumber: '10' });
      await send({ accountNumber: '19990', status: ['success'] }, { last: 1 });
      await send({ from: new Date(0), amount: paise(1) });
    });
    expect(pages.map(({ edges }) => edges.length)).toEqual([50, 50, 1, 1, 50]);
    const read = plans.filter(({ text }) => text.includes('operation = any($'));
    expect(read).toHaveLength(5);
    for (const { scans, blocks, tree } of read) {
      expect(scans, tree.join('\n')).toEqual([]);
      expect(blocks, tree.join('\n')).toBeLessThan(150); // Of about 1,500.
    }
  } finally {
    await fresh.end();
    await test.db.query(
      'with gone as (delete from orders where developer_id = $1 returning id) delete from order_search s using gone where s.order_id = gone.id',
      [owner],
    );
  }
});

it('a statement page of a long wallet is read along the index, also by new connections', async () => {
  await test.db.query(
    `with posted as (
       insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
       select $1, uuidv7(), 1, 'top_up', 'top_up', 'uat', 1, v, v, 'r ' || v from generate_series(1, 20000) v
       returning developer_id, environment, kind, reference_key(reference), subject_id)
     insert into ledger_reference select * from posted`,
    [developer],
  );
  await test.db.query(
    `update wallet set balance_paise = 20000, version = 20000 where developer_id = $1 and environment = 'uat'`,
    [developer],
  );
  const fresh = createPool(test.db.url, { max: 1 });
  try {
    const plans = await plansOf(fresh, async () => {
      const statement = new StatementService(fresh);
      const page = await statement.page(developer, 'uat', { first: 50 });
      await statement.page(developer, 'uat', { first: 50, after: page.pageInfo.endCursor });
      await statement.page(developer, 'uat', {
        first: 50,
        after: Buffer.from('statement:10000').toString('base64url'),
      });
    });
    const pages = plans.filter(({ text }) => text.includes('from ledger_entry'));
    expect(pages).toHaveLength(3);
    for (const { scans, blocks } of pages) {
      expect(scans).toEqual([]);
      expect(blocks).toBeLessThan(60); // Of about 500.
    }
  } finally {
    await fresh.end();
  }
  expect(await test.violations()).toEqual([]);
});
