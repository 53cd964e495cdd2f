import { Client, type Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { createPool } from '../../src/db/pool.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { until } from '../support/until.js';
import { growOrders, plansOf } from './growth.fixture.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

let test: TestLedger;
let developer: DeveloperId;
beforeAll(async () => {
  test = await startTestLedger();
  developer = await test.wallet(1_000_000);
});
afterAll(() => test.close());
afterEach(async () => {
  expect(await test.newViolations()).toEqual([]);
  expect(await test.violations()).toEqual([]);
  expect(await totals()).toEqual(await totalsOfTransfers());
});

/** The sum of every account as stored by the checks, and as computed from the transfers. */
const totals = () =>
  test.db.query(
    `select environment, account, provider, sum(amount_paise)::text as paise from ledger_total group by 1, 2, 3 order by 1, 2, 3`,
  );
const totalsOfTransfers = () =>
  test.db.query(
    `select e.environment, m.account, coalesce(o.provider, '') as provider, sum(m.change)::text as paise from ledger_entry e
     left join orders o on o.developer_id = e.developer_id and o.id = e.subject_id
     cross join lateral (values (e.from_account, -e.amount_paise), (e.to_account, e.amount_paise)) m(account, change)
     where m.account <> 'wallet' group by 1, 2, 3 order by 1, 2, 3`,
  );

async function placeOrder(amountPaise: number, provider = 'ROUNDPAY'): Promise<string> {
  const hold = holdOf(developer, amountPaise, { provider });
  expect((await test.ledger.hold(hold)).outcome).toBe('accepted');
  return hold.id;
}
const settle = (id: string, success = true) =>
  test.ledger.resolve(resolutionOf({ developerId: developer, id }, success));
const tamper = (sql: string, id: string) => test.db.query(sql, [id]);

describe('the check of new transfers', () => {
  it('stores the payable of each provider: successes minus reversals', async () => {
    const [success, reversed, failed, other] = [
      await placeOrder(500),
      await placeOrder(300),
      await placeOrder(200),
      await placeOrder(70, 'INSPAY'),
    ];
    for (const id of [success, reversed, other]) await settle(id);
    await settle(failed, false);
    expect(await test.newViolations()).toEqual([]);
    const owedBefore = await test.ledger.owed();
    expect(owedBefore).toEqual([
      { environment: 'production', provider: 'INSPAY', paise: 70 },
      { environment: 'production', provider: 'ROUNDPAY', paise: 800 },
    ]);
    expect(await test.ledger.reverse(developer, reversed, {})).toBe('reversed');
    expect(await test.newViolations()).toEqual([]);
    expect((await test.ledger.owed())[1]).toEqual({ environment: 'production', provider: 'ROUNDPAY', paise: 500 });
  });

  it.each([
    ['settled', true],
    ['refunded', false],
  ])('reads an old order resolved %s later, and finds its wrong state', async (_name, success) => {
    const id = await placeOrder(100);
    expect(await test.newViolations()).toEqual([]);
    await settle(id, success);
    const [state, other] = success ? ['success', 'failed'] : ['failed', 'success'];
    await tamper(`update orders set state = '${other}' where id = $1`, id);
    expect(await test.newViolations()).toContain('order state agrees with its last transfer');
    await tamper(`update orders set state = '${state}' where id = $1`, id);
  });

  it('finds the reversal of an old success without a mark on its order', async () => {
    const id = await placeOrder(100);
    await settle(id);
    expect(await test.newViolations()).toEqual([]);
    await test.ledger.reverse(developer, id, {});
    await tamper('update orders set reversed_at = null, reversed_by = null where id = $1', id);
    expect(await test.newViolations()).toEqual([
      'a reversed order has its reversal',
      'provider payable is successes minus reversals',
    ]);
    await tamper(`update orders set reversed_at = now(), reversed_by = 'support' where id = $1`, id);
  });

  it('reads transactions that started before an earlier check and committed after it', async () => {
    const [id, second] = [await placeOrder(100), await placeOrder(100)];
    const slow = new Client({ connectionString: test.db.url });
    await slow.connect();
    try {
      await slow.query('begin');
      await slow.query(
        `select * from ledger_resolve(array[$1::uuid], array[$2::uuid], array[true], array['\\x00'::bytea], array[''], array['response'], array['{}'::jsonb])`,
        [developer, id],
      );
      await settle(second);
      expect(await test.newViolations()).toEqual([]);
      await slow.query('commit');
    } finally {
      await slow.end();
    }
    await tamper('update transfer set amount_paise = amount_paise + 1 where subject_id = $1 and step = 2', id);
    expect(await test.newViolations()).toContain('a resolution has the amount of its order');
    await tamper('update transfer set amount_paise = amount_paise - 1 where subject_id = $1 and step = 2', id);
  });

  it('finds an order without a debit', async () => {
    expect(await test.newViolations()).toEqual([]);
    const [open, success] = [newId(), newId()];
    for (const [id, state] of [
      [open, 'open'],
      [success, 'success'],
    ])
      await test.db.query(
        `insert into orders (developer_id, id, reference, environment, operation, fingerprint, amount_paise, provider, state, request, account_hash, settled_at)
         values ($1, $2, $4, 'production', 'recharge', decode(repeat('00', 32), 'hex'), 1, 'ROUNDPAY', $3, '', decode(repeat('00', 32), 'hex'),
           case $3 when 'success' then now() end)`,
        [developer, id, state, `${state} without a hold`.padEnd(25)],
      );
    const found = await test.ledger.checkNew();
    expect(found.filter(({ rule }) => rule === 'an order has one hold of its amount')).toHaveLength(2);
    await test.db.query('delete from orders where id = any($1)', [[open, success]]);
  });

  it('finds a balance that changed without a transfer in a wallet with no new transfers', async () => {
    const quiet = await test.wallet(500);
    expect(await test.newViolations()).toEqual([]);
    const change = `update wallet set balance_paise = balance_paise + $2::bigint where developer_id = $1 and environment = 'production'`;
    await test.db.query(change, [quiet, 1]);
    expect(await test.newViolations()).toEqual(['balance is the sum of transfers']);
    await test.db.query(change, [quiet, -1]);
  });

  it('does not advance its checkpoints past a violation', async () => {
    const id = await placeOrder(100);
    expect(await test.newViolations()).toEqual([]);
    const checkpoint = () =>
      test.db.query(
        `select snapshot::text, (select jsonb_agg(w) from wallet_checkpoint w) as wallets from ledger_checkpoint`,
      );
    const checkpointBefore = await checkpoint();
    await settle(id, false);
    await tamper(`update orders set state = 'success' where id = $1`, id);
    expect(await test.newViolations()).not.toEqual([]);
    expect(await checkpoint()).toEqual(checkpointBefore);
    await tamper(`update orders set state = 'failed' where id = $1`, id);
    expect(await test.newViolations()).toEqual([]);
    expect(await checkpoint()).not.toEqual(checkpointBefore);
  });

  it('is rejected inside a transaction that posts', async () => {
    const client = await test.pool.connect();
    try {
      await client.query('begin');
      await client.query(`select ledger_post($1, 'production', uuidv7(), 'lead_fee', 1, 'x')`, [developer]);
      await expect(client.query('select * from ledger_check_new()')).rejects.toMatchObject({ code: '25001' });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('reads every transfer once, however many checks run at once while others post', async () => {
    const post = async () => {
      for (let n = 0; n < 15; n++) await settle(await placeOrder(1), n % 3 > 0);
    };
    const check = async () => {
      for (let n = 0; n < 10; n++) expect(await test.newViolations()).toEqual([]);
    };
    await Promise.all([post(), post(), check(), check()]);
  });

  it('continues from its checkpoint after pg_upgrade, which keeps transaction numbers and changes the system identifier', async () => {
    await settle(await placeOrder(100));
    expect(await test.newViolations()).toEqual([]);
    const totalsBefore = await totals();
    await test.db.query('update ledger_checkpoint set system_identifier = 1');
    await settle(await placeOrder(50));
    // A check that restarts would replace the totals.
    const change = `update ledger_total set amount_paise = amount_paise + $1 where environment = 'production' and account = 'provider_payable'`;
    await test.db.query(change, [1]);
    expect(await test.newViolations()).toEqual([]);
    const grown = await totals();
    expect(grown).not.toEqual(totalsBefore);
    await test.db.query(change, [-1]);
    expect(await test.violations()).toEqual([]);
    const [{ same }] = (await test.db.query<{ same: boolean }>(
      'select c.system_identifier = s.system_identifier as same from ledger_checkpoint c, pg_control_system() s',
    )) as [{ same: boolean }];
    expect(same).toBe(true);
  });

  it('sets the lowest transaction number for the transfers of a dump in small statements', async () => {
    for (let n = 0; n < 5; n++) await settle(await placeOrder(1));
    expect(await test.newViolations()).toEqual([]);
    await test.db.query(`update transfer set posted_in = (posted_in::text::bigint + 1000000)::text::xid8`);
    await test.db.query(`update ledger_checkpoint set system_identifier = 1, snapshot = '1500000:1500000:'`);
    const remaining = async (): Promise<number> => {
      const [row] = await test.db.query<{ n: number }>(
        `select count(*)::int as n from transfer where posted_in > '1000000'`,
      );
      return row!.n;
    };
    const all = await remaining();
    const [{ next }] = (await test.db.query<{ next: string }>(`select ledger_renumber('0', 3)::text as next`)) as [
      { next: string },
    ];
    expect(await remaining()).toBeLessThan(all);
    expect(await remaining()).toBeGreaterThan(0);
    for (let after: string | null = next; after !== null; ) {
      const [row]: { next: string | null }[] = await test.db.query(`select ledger_renumber($1, 3)::text as next`, [
        after,
      ]);
      after = row!.next;
    }
    expect(await remaining()).toBe(0);
    expect(await test.newViolations()).toEqual([]);
    expect(await test.violations()).toEqual([]);
  });

  it('restarts on a server with other transaction numbers, where a dump was restored', async () => {
    await settle(await placeOrder(100));
    expect(await test.newViolations()).toEqual([]);
    const totalsBefore = await totals();
    // As after a dump of a server whose transaction numbers were far ahead.
    await test.db.query(`update transfer set posted_in = (posted_in::text::bigint + 1000000)::text::xid8`);
    await test.db.query(`update ledger_checkpoint set system_identifier = 1, snapshot = '1500000:1500000:'`);
    await settle(await placeOrder(50));
    expect(await test.violations()).toEqual([]);
    expect(await test.newViolations()).toEqual([]);
    expect(await test.newViolations()).toEqual([]);
    const grown = await totals();
    expect(grown).not.toEqual(totalsBefore);
    await settle(await placeOrder(50));
    expect(await test.newViolations()).toEqual([]);
    expect(await totals()).not.toEqual(grown);
  });
});

describe('in a long ledger', () => {
  const GROWN = 20_000;
  let pool: Pool;
  beforeAll(async () => {
    pool = createPool(test.db.url, { max: 1 });
    await growOrders(test.db, GROWN, '1 day');
    // Transaction numbers are shared by all databases: an earlier open transaction makes the check read these again.
    await until('a check after the end of all earlier transactions', async () => {
      expect(await test.newViolations()).toEqual([]);
      const [{ over }] = (await test.db.query<{ over: boolean }>(
        `select pg_snapshot_xmin(snapshot) > (select posted_in from transfer order by transfer.posted_in desc limit 1) as over from ledger_checkpoint`,
      )) as [{ over: boolean }];
      return over;
    });
  });
  afterAll(() => pool.end());

  it('the check of new transfers reads only those', async () => {
    const ledger = new LedgerService(pool);
    for (let n = 0; n < 5; n++) await settle(await placeOrder(1), n % 2 === 0);
    const [{ pages }] = (await test.db.query<{ pages: number }>(
      `select (pg_relation_size('orders') + pg_relation_size('transfer'))::float8 / 8192 as pages`,
    )) as [{ pages: number }];
    const plans = await plansOf(pool, async () => {
      expect(await ledger.checkNew()).toEqual([]);
      expect(await ledger.owed()).toHaveLength(2);
    });
    const scanned = plans.flatMap(({ scans }) => scans);
    expect(scanned.filter((name) => ['orders', 'transfer', 'order_event'].includes(name))).toEqual([]);
    const blocksOf = (part: string) => plans.find(({ text }) => text.includes(part))!.blocks;
    expect(blocksOf('fresh as materialized')).toBeLessThan(pages);
    expect(blocksOf('select environment, provider, sum')).toBeLessThan(20);
  });

  it('a step of the full check reads only its part', async () => {
    const ledger = new LedgerService(pool);
    // Postpones routine checks; the references belong to other postings.
    await test.db.query(
      `insert into order_due (developer_id, order_id, provider, waited_for, due_at) select developer_id, id, provider, false, now() + interval '1 day' from orders
       where state = 'success' on conflict do nothing`,
    );
    await test.db.query(
      `insert into ledger_reference select developer_id, environment, 'top_up', 'another ' || n, uuidv7() from wallet cross join generate_series(1, 500) n`,
    );
    const step = () => test.step(1_000, ledger);
    // After a long run, plans are generic.
    await test.db.query('analyze orders, transfer');
    await pool.query('set plan_cache_mode = force_generic_plan');
    for (const outcome of ['begun', ...Array<string>(7).fill('going on')]) expect((await step()).outcome).toBe(outcome);
    // One step reads orders, the other transfers.
    const plans = await plansOf(pool, async () => {
      await step();
      await step();
    });
    await pool.query('reset plan_cache_mode');
    const nodes = plans.flatMap(({ tree }) => tree);
    // Orders of other accounts are between two IDs.
    expect(nodes.filter((node) => /Scan orders_\w+_id_idx/.test(node))).toEqual([]);
    const scanned = plans.flatMap(({ scans }) => scans);
    expect(scanned.filter((name) => ['orders', 'transfer', 'order_event'].includes(name))).toEqual([]);
    const blocks = plans.filter(({ text }) => text.includes('ledger_check_step')).map((plan) => plan.blocks);
    expect(Math.max(...blocks)).toBeLessThan(20_000);
    const rowsOf = (node: string) => Number(/, ([\d.]+) rows$/.exec(node)![1]);
    expect(nodes.filter((node) => rowsOf(node) > 3 * 1_000)).toEqual([]);
  });
});
