import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstIdAt } from '../../src/core/ids.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { makePartitions, partitionFigures } from '../../src/db/partitions.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from '../ledger/ledger.fixture.js';

let test: TestLedger;
let developer: DeveloperId;
beforeAll(async () => {
  test = await startTestLedger();
  developer = await test.wallet(10_000);
});
afterAll(async () => {
  expect(await test.violations()).toEqual([]);
  await test.close();
});

const partitionsOf = async (parent: string): Promise<string[]> =>
  (
    await test.db.query<{ name: string }>(
      'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
      [parent],
    )
  ).map(({ name }) => name);
const partitionOf = async (table: string, column: string, id: string): Promise<string | undefined> =>
  (
    await test.db.query<{ name: string }>(
      `select tableoid::regclass::text as name from ${table} where ${column} = $1 limit 1`,
      [id],
    )
  )[0]?.name;
/** An id of the middle of the Indian month that is so many months ahead, and the month as partitions are named. */
async function idIn(months: number): Promise<{ id: string; month: string }> {
  const [row] = (await test.db.query<{ at: Date; month: string }>(
    `select m as at, to_char(m at time zone 'Asia/Kolkata', '_YYYY_MM') as month
     from (select (date_trunc('month', now() at time zone 'Asia/Kolkata') + $1 * interval '1 month' + interval '14 days') at time zone 'Asia/Kolkata' as m) x`,
    [months],
  )) as [{ at: Date; month: string }];
  const id = firstIdAt(new Date(row.at)).replace('-0000-0000-', '-7000-8000-').slice(0, -3);
  return { id: `${id}${100 + months}`, month: row.month };
}
async function place(id: string, success = true): Promise<void> {
  const hold = holdOf(developer, 100, { id, clientKey: id });
  expect((await test.ledger.hold(hold)).outcome).toBe('accepted');
  expect((await test.ledger.resolve(resolutionOf(hold, success))).outcome).toBe(success ? 'settle' : 'refund');
}

describe('the months of orders', () => {
  it('are there two months ahead, for orders, for what happened to them and for what they are found by', async () => {
    const months = await Promise.all([0, 1, 2].map(async (ahead) => (await idIn(ahead)).month));
    expect(await partitionsOf('orders')).toEqual([...months.map((month) => `orders${month}`), 'orders_default']);
    expect(await partitionsOf('order_event')).toEqual([
      ...months.map((month) => `order_event${month}`),
      'order_event_default',
    ]);
    expect(await partitionsOf('order_search')).toHaveLength(4);
    expect(await partitionFigures(test.pool)).toMatchObject({ nextMissing: false, caught: 0 });
  });

  it('take the orders whose ids are of their time, by the Indian calendar', async () => {
    const { id, month } = await idIn(1);
    await place(id);
    expect(await partitionOf('orders', 'id', id)).toBe(`orders${month}`);
    expect(await partitionOf('order_event', 'order_id', id)).toBe(`order_event${month}`);
  });

  it('that nobody made lose nothing: the default takes their orders, and gives them to the month once it is made', async () => {
    const { id, month } = await idIn(4);
    await place(id);
    await place((await idIn(7)).id, false);
    expect(await partitionOf('orders', 'id', id)).toBe('orders_default');
    expect((await partitionFigures(test.pool)).caught).toBe(2);

    // several processes at once make each of them once; the application's role may, and owns nothing
    const made = await Promise.all(
      [1, 2, 3].map(() => test.pool.query<{ made: number }>({ text: 'select order_partitions_ahead(4) as made' })),
    );
    expect(made.map(({ rows }) => rows[0]!.made).toSorted()).toEqual([0, 0, 6]);
    expect(await partitionOf('orders', 'id', id)).toBe(`orders${month}`);
    expect(await partitionOf('order_event', 'order_id', id)).toBe(`order_event${month}`);
    expect((await partitionFigures(test.pool)).caught).toBe(1);
    expect(await makePartitions(test.pool)).toBe(0);

    // a key is known whichever month its order is in
    const again = await test.ledger.hold(holdOf(developer, 100, { clientKey: id }));
    expect(again).toMatchObject({ outcome: 'duplicate', orderId: id });
  });

  it('that are empty are dropped by the archive, and no others', async () => {
    const { id, month } = await idIn(0);
    await place(id);
    // in the middle of an Indian month: three months after 28 November it can be March already
    const after = (
      months: number,
    ) => `select archive_empty_months((date_trunc('month', now() at time zone 'Asia/Kolkata')
      + interval '${months} months 14 days') at time zone 'Asia/Kolkata') as dropped`;
    expect(await test.db.query(after(0))).toEqual([{ dropped: 0 }]);
    expect(await test.db.query(after(1))).toEqual([{ dropped: 0 }]);
    const { month: empty } = await idIn(2);
    expect(await test.db.query(after(3))).toEqual([{ dropped: 3 }]);
    for (const parent of ['orders', 'order_event', 'order_search']) {
      expect(await partitionsOf(parent)).toContain(`${parent}${month}`);
      expect(await partitionsOf(parent)).not.toContain(`${parent}${empty}`);
    }
  });

  it('are missed by the doctor before an order misses them', async () => {
    const { month } = await idIn(1);
    await test.db.query(`alter table orders${month} rename to away`);
    expect((await partitionFigures(test.pool)).nextMissing).toBe(true);
    await test.db.query(`alter table away rename to orders${month}`);
    expect((await partitionFigures(test.pool)).nextMissing).toBe(false);
  });
});

it('no index of an order names what changes later, so that its changes stay on its page', async () => {
  const indexes = await test.db.query<{ columns: string[]; predicate: string | null }>(
    `select array(select attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey)) as columns,
       pg_get_expr(i.indpred, i.indrelid) as predicate
     from pg_index i where i.indrelid in ('orders'::regclass, 'orders_default'::regclass)`,
  );
  expect(indexes).toHaveLength(6);
  for (const { columns, predicate } of indexes) {
    // the environment of an order stays what it is
    expect([null, `(environment = 'uat'::text)`]).toContain(predicate);
    expect(['developer_id', 'id']).toEqual(expect.arrayContaining(columns));
  }
});
