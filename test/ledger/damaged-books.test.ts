import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestLedger, type TestLedger } from './ledger.fixture.js';
import { type PlacedOrders, placeOrders, withIds } from './placed-orders.fixture.js';

let test: TestLedger;
let orders: PlacedOrders;
beforeAll(async () => {
  test = await startTestLedger();
});
afterAll(() => test.close());
beforeEach(async () => {
  orders = await placeOrders(test);
});

/** Changes data as the owner of the tables while `look` runs; the application has no such permission. */
async function damaged(damage: string, look: () => Promise<void>): Promise<void> {
  const tables = [
    'wallet_opening',
    'ledger_reference',
    'wallet',
    'orders',
    'order_due',
    'transfer',
    'wallet_checkpoint',
    'ledger_total',
  ];
  const stateBefore = await Promise.all(
    tables.map(async (table) => ({
      table,
      rows: (
        await test.db.query<{ rows: string }>(`select coalesce(jsonb_agg(x), '[]')::text as rows from ${table} x`)
      )[0]!.rows,
    })),
  );
  await test.db.query(withIds(damage, orders));
  try {
    await look();
  } finally {
    for (const { table, rows } of stateBefore) {
      await test.db.query(`delete from ${table}`);
      await test.db.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [rows]);
    }
  }
}

describe('the checks of the ledger find changes that only the owner of the tables can make', () => {
  /** Each change and the rules that it violates; the first is the one under test. */
  it.each<[string, string, string[]]>([
    [
      'a pending order is scheduled for a status check or in review',
      `delete from order_due where order_id = :open`,
      [],
    ],
    [
      'balance is the sum of transfers',
      `update wallet set balance_paise = balance_paise + 1 where developer_id = :d and environment = 'production'`,
      [],
    ],
    [
      'wallet versions have no gap',
      `update wallet set version = version + 1 where developer_id = :d and environment = 'production'`,
      [],
    ],
    [
      'balance is the sum of transfers',
      `update transfer set balance_after_paise = balance_after_paise + 1 where subject_id = :open and step = 1`,
      [],
    ],
    ['a transfer has a wallet', `delete from wallet where developer_id = :d and environment = 'production'`, []],
    [
      'an opening record is the sum of archived and remaining transfers',
      `insert into wallet_opening values (:d, 'production', 0, 0, 1, 0, now())`,
      [],
    ],
    [
      'a correction was approved',
      `with w as (update wallet set balance_paise = balance_paise + 5, version = version + 1 where developer_id = :d and environment = 'production' returning *),
       t as (insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
         select developer_id, uuidv7(), 1, 'correction', 'correction_in', environment, 5, version, balance_paise, 'by hand' from w returning *)
       insert into ledger_reference select developer_id, environment, kind, reference, subject_id from t`,
      [],
    ],
    ['a posting without an order has its reference', `delete from ledger_reference where developer_id = :d`, []],
    [
      'an order has one hold of its amount',
      `update orders set amount_paise = amount_paise + 1 where id = :open`,
      ['money in flight is the sum of open orders'],
    ],
    [
      'an order has one hold of its amount',
      `update transfer set reference = lpad('0', 25, '0') where subject_id = :open and step = 1`,
      [],
    ],
    [
      'a resolution has the amount of its order',
      `update transfer set reference = lpad('0', 25, '0') where subject_id = :failed and step = 2`,
      [],
    ],
    [
      'a resolution has the amount of its order',
      `update transfer set amount_paise = amount_paise + 1 where subject_id = :success and step = 2`,
      ['money in flight is the sum of open orders', 'provider payable is successes minus reversals'],
    ],
    [
      'a transfer of an order has an order',
      `delete from orders where id = :open`,
      ['money in flight is the sum of open orders'],
    ],
    [
      'order state agrees with its last transfer',
      `update orders set state = 'failed' where id = :success`,
      ['provider payable is successes minus reversals'],
    ],
    [
      'a reversal or refund reversal undoes the previous transfer',
      `select ledger_reverse(:d, :success, '{}'); update transfer set step = 5 where subject_id = :success and step = 3`,
      [],
    ],
    [
      'a reversed order has its reversal',
      `update orders set reversed_at = now(), reversed_by = 'support' where id = :success`,
      ['provider payable is successes minus reversals'],
    ],
    [
      'money in flight is the sum of open orders',
      `delete from transfer where subject_id = :success and step = 2`,
      ['order state agrees with its last transfer', 'provider payable is successes minus reversals'],
    ],
    [
      'provider payable is successes minus reversals',
      `update transfer set operation = 'lookup' where subject_id = :success`,
      ['a resolution has the amount of its order', 'an order has one hold of its amount'],
    ],
  ])('%s', async (rule, damage, otherRules) => {
    expect(await test.violations()).toEqual([]);
    await damaged(damage, async () => {
      expect(await test.violations()).toEqual([rule, ...otherRules].toSorted());
      expect(await test.steppedViolations()).toEqual([rule, ...otherRules].toSorted());
      expect(await test.newViolations()).toContain(rule);
      // It is reported until it is fixed.
      expect(await test.newViolations()).toContain(rule);
    });
    expect(await test.newViolations()).toEqual([]);
    await damaged(damage, async () => expect(await test.violations()).toContain(rule));
    expect(await test.steppedViolations()).toEqual([]);
  });

  it.each([
    [
      'a checkpoint agrees with the transfers',
      `update wallet_checkpoint set version = version + 1 where developer_id = :d`,
    ],
    [
      'a checkpoint agrees with the transfers',
      `update wallet_checkpoint set balance_paise = balance_paise - 1 where developer_id = :d`,
    ],
    ['a checkpoint agrees with the transfers', `delete from wallet_checkpoint where developer_id = :d`],
    ['a total agrees with the transfers', `update ledger_total set amount_paise = amount_paise + 1`],
    ['a total agrees with the transfers', `delete from ledger_total where account = 'provider_payable'`],
  ])('%s: %s', async (rule, damage) => {
    expect(await test.newViolations()).toEqual([]);
    await damaged(damage, async () => {
      expect(await test.violations()).toEqual([rule]);
      expect(await test.steppedViolations()).toEqual([rule]);
    });
    expect(await test.violations()).toEqual([]);
    expect(await test.steppedViolations()).toEqual([]);
  });

  it('is tested here for every rule', async () => {
    const [{ source }] = (await test.db.query<{ source: string }>(
      `select string_agg(prosrc, '') as source from pg_proc where proname in ('ledger_check_lines', 'ledger_check_subjects')`,
    )) as [{ source: string }];
    const rules = [...source.matchAll(/select '([^']+)',/g)].map((match) => match[1]);
    expect(rules).toHaveLength(16);
  });
});
