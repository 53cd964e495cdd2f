import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstIdAt } from '../../src/core/ids.js';
import { createLogger } from '../../src/core/log.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { makePartitions, partitionFigures } from '../../src/db/partitions.js';
import { createMonthRewrite } from '../../src/orders/month-rewrite.js';
import { growOrders } from '../ledger/growth.fixture.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from '../ledger/ledger.fixture.js';
import { until } from '../support/until.js';

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
/** ID in the middle of the calendar month (IST) that many months ahead, and the partition suffix of the month. */
async function idIn(months: number): Promise<{ id: string; month: string }> {
  const [row] = (await test.db.query<{ at: Date; month: string }>(
    `select m as at, to_char(m at time zone 'Asia/Kolkata', '_YYYY_MM') as month
     from (select (date_trunc('month', now() at time zone 'Asia/Kolkata') + $1 * interval '1 month' + interval '14 days') at time zone 'Asia/Kolkata' as m) x`,
    [months],
  )) as [{ at: Date; month: string }];
  const id = firstIdAt(new Date(row.at)).replace('-0000-0000-', '-7000-8000-').slice(0, -3);
  return { id: `${id}${200 + months}`, month: row.month };
}
async function place(id: string, success = true): Promise<void> {
  const hold = holdOf(developer, 100, { id, clientKey: id });
  expect((await test.ledger.hold(hold)).outcome).toBe('accepted');
  expect((await test.ledger.resolve(resolutionOf(hold, success))).outcome).toBe(success ? 'settle' : 'refund');
}

describe('monthly partitions of orders', () => {
  it('exist two months ahead for orders, their events and their search hashes', async () => {
    const months = await Promise.all([0, 1, 2].map(async (ahead) => (await idIn(ahead)).month));
    expect(await partitionsOf('orders')).toEqual([...months.map((month) => `orders${month}`), 'orders_default']);
    expect(await partitionsOf('order_event')).toEqual([
      ...months.map((month) => `order_event${month}`),
      'order_event_default',
    ]);
    expect(await partitionsOf('order_search')).toHaveLength(4);
    expect(await partitionFigures(test.pool)).toMatchObject({ nextMissing: false, caught: 0 });
  });

  it('receive the orders whose IDs fall into their month (IST)', async () => {
    const { id, month } = await idIn(1);
    await place(id);
    expect(await partitionOf('orders', 'id', id)).toBe(`orders${month}`);
    expect(await partitionOf('order_event', 'order_id', id)).toBe(`order_event${month}`);
  });

  it('lose no order when missing: the default partition keeps them until the month is created', async () => {
    const { id, month } = await idIn(4);
    await place(id);
    await place((await idIn(7)).id, false);
    expect(await partitionOf('orders', 'id', id)).toBe('orders_default');
    expect((await partitionFigures(test.pool)).caught).toBe(2);

    // concurrent processes create each partition once; the application role may create but not own them
    const created = await Promise.all(
      [1, 2, 3].map(() => test.pool.query<{ made: number }>({ text: 'select order_partitions_ahead(4) as made' })),
    );
    expect(created.map(({ rows }) => rows[0]!.made).toSorted()).toEqual([0, 0, 6]);
    expect(await partitionOf('orders', 'id', id)).toBe(`orders${month}`);
    expect(await partitionOf('order_event', 'order_id', id)).toBe(`order_event${month}`);
    expect((await partitionFigures(test.pool)).caught).toBe(1);
    expect(await makePartitions(test.pool)).toBe(0);

    // idempotency keys are unique across months
    const replay = await test.ledger.hold(holdOf(developer, 100, { clientKey: id }));
    expect(replay).toMatchObject({ outcome: 'duplicate', orderId: id });
  });

  it('that are old and have few rows are dropped by the archive, and their rows are kept in the default partition', async () => {
    const { id, month } = await idIn(0);
    await place(id);
    // in the middle of an Indian month: three months after 28 November it can be March already
    const dropped = async (months: number) =>
      (
        await test.db.query<{ dropped: number }>(
          `select archive_small_months((date_trunc('month', now() at time zone 'Asia/Kolkata')
            + interval '${months} months 14 days') at time zone 'Asia/Kolkata') as dropped`,
        )
      )[0]!.dropped;
    expect(await dropped(0)).toBe(0);
    await test.db.query(
      `insert into order_event (developer_id, order_id, kind, detail) select $1, $2, 'callback', '{}' from generate_series(1, 1000)`,
      [developer, id],
    );
    expect(await dropped(1)).toBe(2);
    expect(await partitionOf('order_event', 'order_id', id)).toBe(`order_event${month}`);
    await test.db.query(`delete from order_event where order_id = $1 and kind = 'callback'`, [id]);
    expect(await dropped(1)).toBe(1);
    for (const parent of ['orders', 'order_event', 'order_search'])
      expect(await partitionsOf(parent)).not.toContain(`${parent}${month}`);
    expect(await partitionOf('orders', 'id', id)).toBe('orders_default');
    expect(await partitionOf('order_event', 'order_id', id)).toBe('order_event_default');
    // only months from now on are created
    await place((await idIn(-15)).id);
    expect(await makePartitions(test.pool)).toBe(3);
    expect(await partitionOf('orders', 'id', id)).toBe(`orders${month}`);
    expect(await partitionOf('orders', 'id', (await idIn(-15)).id)).toBe('orders_default');
    expect((await partitionFigures(test.pool)).caught).toBe(1);
  });

  it('are reported by the doctor before an order needs them', async () => {
    const { month } = await idIn(1);
    await test.db.query(`alter table orders${month} rename to away`);
    expect((await partitionFigures(test.pool)).nextMissing).toBe(true);
    await test.db.query(`alter table away rename to orders${month}`);
    expect((await partitionFigures(test.pool)).nextMissing).toBe(false);
  });
});

describe('the partitions of a finished month', () => {
  const PARTS = ['order_event', 'order_search', 'orders'];
  /** Runs one step as if the current month had ended. */
  const step = async (db: Pick<TestLedger['db'], 'query'> = test.db, quiet = '0 s'): Promise<string> => {
    const [row] = await db.query<{ step: string }>(
      `select order_month_step(now() + interval '31 days', 32, $1::interval) as step`,
      [quiet],
    );
    return row!.step;
  };
  const stepsUntil = async (outcome: string): Promise<string[]> => {
    const steps = [await step()];
    while (steps.at(-1) !== outcome) steps.push(await step());
    return steps;
  };
  /** Count and checksum of all rows of the three tables. */
  const contents = (): Promise<object[]> =>
    test.db.query(
      PARTS.map(
        (part) => `select '${part}' as part, count(*)::integer, sum(hashtextextended(t::text, 0)) from ${part} t`,
      ).join(' union all '),
    );
  const bytesPerOrder = async (): Promise<number> => {
    await test.db.query('vacuum orders, order_event, order_search');
    const { month } = await idIn(0);
    const [row] = await test.db.query<{ bytes: number }>(
      `select sum(pg_relation_size(part || '${month}') + pg_indexes_size((part || '${month}')::regclass))::float8 / (select count(*) from orders${month}) as bytes
       from unnest($1::text[]) part`,
      [PARTS],
    );
    return row!.bytes;
  };
  /** Settled recharges in both the first and the last blocks of the table. */
  let settled: { developer: string; id: string }[];
  const reverse = ({ developer: of, id }: { developer: string; id: string }) =>
    test.pool.query<{ outcome: string }>({ text: `select ledger_reverse($1, $2, '{}') as outcome`, values: [of, id] });

  beforeAll(async () => {
    await growOrders(test.db, 1_000);
    settled = await test.db.query(
      `select developer_id as developer, id from orders where state = 'success' and client_key like 'order key %' order by ctid`,
    );
  });
  beforeEach(async () => {
    await test.db.query('delete from month_rewrite');
  });

  it('are rewritten without free space: 1.4 kB per order instead of 2.1', async () => {
    const contentsBefore = await contents();
    expect(await bytesPerOrder()).toBeGreaterThan(1_900);
    await stepsUntil('none');
    expect(await contents()).toEqual(contentsBefore);
    expect(await bytesPerOrder()).toBeLessThan(1_400);
    expect(await test.violations()).toEqual([]);
    // names and indexes are unchanged, and no temporary object is left
    expect(await partitionsOf('orders')).toContain(`orders${(await idIn(0)).month}`);
    const names = await test.db.query(`select relname from pg_class where relname ~ '_new|^rewritten'`);
    expect(names).toEqual([]);
    expect(await test.db.query(`select from pg_trigger where tgname = 'rewritten_month'`)).toEqual([]);
    expect(await test.db.query('select from month_change')).toEqual([]);
    expect(
      await test.db.query(`select 1 from pg_index where indrelid = 'orders${(await idIn(0)).month}'::regclass`),
    ).toHaveLength(3);
    expect(await step()).toBe('none');
  });

  it('keep every change made between two steps, in copied and in remaining blocks', async () => {
    const steps: string[] = [];
    for (let turn = 0; steps.filter((outcome) => outcome === 'swapped').length < 3; turn++) {
      // without this step there would always be one more change to copy
      if (steps.at(-1) === 'compared') steps.push(await step());
      const at = (index: number): [developer: string, id: string] => {
        const { developer: of, id } = settled[index + turn]!;
        return [of, id];
      };
      for (const [of, id] of [at(0), at(900)])
        expect((await reverse({ developer: of, id })).rows).toEqual([{ outcome: 'reversed' }]);
      const [found, deleted, moved] = [at(200), at(300), at(400)];
      await test.db.query('insert into order_search (hash, order_id) values (gen_random_uuid(), $1)', [found[1]]);
      await test.db.query(
        `insert into order_event (developer_id, order_id, kind, detail) values ($1, $2, 'callback', '{}')`,
        found,
      );
      await test.db.query('delete from order_search where order_id = $1', [deleted[1]]);
      await test.db.query('delete from order_event where developer_id = $1 and order_id = $2', deleted);
      // moves the new row version to another block
      await test.db.query(
        `with old as (delete from orders where developer_id = $1 and id = $2 returning *) insert into orders select * from old`,
        moved,
      );
      const contentsBefore = await contents();
      steps.push(await step());
      expect(await contents(), steps.join(' ')).toEqual(contentsBefore);
    }
    expect(steps).not.toContain('different');
    expect(await test.violations()).toEqual([]);
  });

  it('keep a change whose transaction was open during the entire copy', async () => {
    const [order] = settled.slice(600);
    const client = await test.pool.connect();
    try {
      await stepsUntil('begun');
      await client.query('begin');
      await client.query('select order_ask($1)', [order!.id]);
      await client.query(`select ledger_reverse($1, $2, '{}')`, [order!.developer, order!.id]);
      // the swap waits for the events of the transaction; other statements wait only briefly
      await stepsUntil('locked');
      expect(await test.db.query('select state from orders where id = $1', [order!.id])).toEqual([
        { state: 'success' },
      ]);
      await client.query('commit');
    } finally {
      client.release();
    }
    const contentsBefore = await contents();
    await stepsUntil('none');
    expect(await contents()).toEqual(contentsBefore);
  });

  it('are not swapped if a change commits while the swap waits for its lock', async () => {
    const [order] = settled.slice(700);
    await stepsUntil('compared');
    const client = await test.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `insert into order_event (developer_id, order_id, kind, detail) values ($1, $2, 'callback', '{}')`,
        [order!.developer, order!.id],
      );
      const pendingStep = step();
      await until(
        'the step waits for its lock',
        async () =>
          (await test.db.query(`select from pg_locks where not granted and relation = 'order_event'::regclass`))
            .length > 0,
      );
      await client.query('commit');
      expect(await pendingStep).toBe('locked');
    } finally {
      client.release();
    }
    const contentsBefore = await contents();
    await stepsUntil('none');
    expect(await contents()).toEqual(contentsBefore);
  });

  it('keep a second change of a row whose first change was copied in the meantime', async () => {
    const [order] = settled.slice(800);
    const insertEvent = `insert into order_event (developer_id, order_id, kind, detail) values ($1, $2, 'callback', '{}')`;
    const values = [order!.developer, order!.id];
    await stepsUntil('compared');
    const client = await test.pool.connect();
    try {
      await test.db.query(insertEvent, values);
      await client.query('begin');
      await client.query(insertEvent, values);
      expect(await step()).toBe('changes');
      await client.query('commit');
    } finally {
      client.release();
    }
    const contentsBefore = await contents();
    await stepsUntil('none');
    expect(await contents()).toEqual(contentsBefore);
  });

  it('are swapped only some time after the last copied row, because older statements would not see the copy', async () => {
    await stepsUntil('compared');
    expect(await step(test.db, '1 hour')).toBe('waits');
    expect(await step(test.db, '0 s')).toBe('swapped');
  });

  it('stay readable if each step is killed once, and are rewritten in the end', async () => {
    const contentsBefore = await contents();
    for (let outcome = ''; outcome !== 'none'; ) {
      const client = new Client({ connectionString: test.db.url });
      client.on('error', () => {});
      await client.connect();
      await client.query('begin');
      await client.query(`select order_month_step(now() + interval '31 days', 64, '0 s')`);
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      await test.db.query('select pg_terminate_backend($1, 5000)', [rows[0]!.pid]);
      await client.end().catch(() => {});
      expect(await contents()).toEqual(contentsBefore);
      const [row] = await test.db.query<{ step: string }>(
        `select order_month_step(now() + interval '31 days', 64, '0 s') as step`,
      );
      outcome = row!.step;
      expect(await contents()).toEqual(contentsBefore);
    }
    expect(await test.db.query(`select count(*)::integer from month_rewrite where state = 'done'`)).toEqual([
      { count: 3 },
    ]);
  });

  it.each([
    ['was rewritten by VACUUM FULL, which moves its rows', (table: string) => `vacuum full ${table}`],
    ['has a new column', () => 'alter table order_event add added text'],
    ['has a new index', () => 'create index added on order_event (at)'],
  ])('are copied again if a table %s in the meantime', async (_, change) => {
    await stepsUntil('indexed');
    await test.db.query(change(`order_event${(await idIn(0)).month}`));
    const contentsBefore = await contents();
    expect((await stepsUntil('none')).filter((outcome) => outcome === 'cancelled')).toHaveLength(1);
    expect(await contents()).toEqual(contentsBefore);
    await test.db.query('drop index if exists added');
    await test.db.query('alter table order_event drop column if exists added');
  });

  it('are copied again if the copy is wrong', async () => {
    await stepsUntil('indexed');
    await test.db.query(`delete from order_event${(await idIn(0)).month}_new where ctid = '(0,1)'`);
    const contentsBefore = await contents();
    const steps = await stepsUntil('none');
    expect(steps[0]).toBe('different');
    expect(steps.filter((outcome) => outcome === 'swapped')).toHaveLength(3);
    expect(await contents()).toEqual(contentsBefore);
  });

  it('are rewritten by any process with housekeeping, three days after the end of the month', async () => {
    const { id, month } = await idIn(-2);
    const [bounds] = await test.db.query<{ least: string; end: string }>(
      `select first_id_at(m at time zone 'Asia/Kolkata') as least, first_id_at((m + interval '1 month') at time zone 'Asia/Kolkata') as end
       from (select to_date($1, '_YYYY_MM')::timestamp as m) x`,
      [month],
    );
    for (const part of PARTS)
      await test.db.query(
        `create table ${part}${month} partition of ${part} for values from ('${bounds!.least}') to ('${bounds!.end}')`,
      );
    await place(id);
    const rewriting = createMonthRewrite(test.pool, createLogger('silent'));
    rewriting.start();
    // the swap follows 30 seconds after the copy
    await until('the copy is complete', async () => {
      const found = await test.db.query(
        `select from month_rewrite where name = 'order_event${month}' and state = 'swapping'`,
      );
      return found.length > 0;
    });
    await rewriting.stop();
    await stepsUntil('none');
    expect(await test.db.query(`select state from month_rewrite where name like '%${month}'`)).toEqual(
      PARTS.map(() => ({ state: 'done' })),
    );
    expect(await partitionOf('orders', 'id', id)).toBe(`orders${month}`);
  });

  it('are not rewritten in a transaction that would miss the latest change', async () => {
    const client = await test.pool.connect();
    try {
      await client.query('begin isolation level repeatable read');
      await expect(client.query('select order_months_rewrite()')).rejects.toMatchObject({ code: '25001' });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('are skipped while a publication exists, and by the application before the end of the month', async () => {
    await test.db.query('create publication others for all tables');
    expect(await step()).toBe('replicated');
    await test.db.query('drop publication others');
    await stepsUntil('none');
    await test.db.query('delete from month_rewrite where name like $1', [`%${(await idIn(0)).month}`]);
    const { rows } = await test.pool.query({ text: 'select order_months_rewrite() as step' });
    expect(rows).toEqual([{ step: 'none' }]);
  });
});

it('no index of an order contains a mutable column, so that updates stay on their page', async () => {
  const indexes = await test.db.query<{ columns: string[]; predicate: string | null }>(
    `select array(select attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey)) as columns,
       pg_get_expr(i.indpred, i.indrelid) as predicate
     from pg_index i where i.indrelid in ('orders'::regclass, 'orders_default'::regclass)`,
  );
  expect(indexes).toHaveLength(6);
  for (const { columns, predicate } of indexes) {
    // the environment of an order never changes
    expect([null, `(environment = 'uat'::text)`]).toContain(predicate);
    expect(['developer_id', 'id']).toEqual(expect.arrayContaining(columns));
  }
});
