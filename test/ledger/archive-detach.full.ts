import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ArchivedSubject } from '../../src/archive/archive-file.js';
import { planOf } from '../../src/archive/archive-plan.js';
import { monthOf } from '../../src/archive/indian-month.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { makePartitions } from '../../src/db/partitions.js';
import type { PatientQuery } from '../../src/db/patience.js';
import type { Statement } from '../../src/db/pool.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import {
  archiveOf,
  BOUNDARY,
  idAt,
  monthsBefore,
  openedAt,
  orderAt,
  type TestArchive,
  tablesOf,
} from './archive.fixture.js';
import { growOrders } from './growth.fixture.js';
import { startTestLedger, type TestLedger } from './ledger.fixture.js';

const PARENTS = ['orders', 'order_event', 'order_search'];

let test: TestLedger;
let archive: TestArchive;
let directory: string;
beforeAll(async () => {
  test = await startTestLedger();
  archive = archiveOf(test);
});
afterAll(async () => {
  await archive.close();
  await test.close();
});
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(async () => {
  expect(await test.newViolations()).toEqual([]);
  expect(await test.violations()).toEqual([]);
});

/** Each test has a month of its own: open orders of the others are in the default partition. */
let monthsBack = 16;

/** A wallet with orders of the next month in the tables of that month: two that leave, one that is open. */
async function monthOfOrders(): Promise<{ developer: DeveloperId; leaving: [string, string]; open: string }> {
  monthsBack--;
  await tablesOf(test, monthsBack);
  const developer = await test.wallet(10_000);
  await openedAt(test, developer, monthsBefore(monthsBack, 1));
  const placeOrder = async (days: number, success?: boolean): Promise<string> => {
    const at = monthsBefore(monthsBack, days);
    const id = idAt(at);
    await orderAt(test, developer, 100, at, success === undefined ? undefined : { at, success }, () => `key ${id}`, id);
    return id;
  };
  return { developer, leaving: [await placeOrder(5, true), await placeOrder(6, false)], open: await placeOrder(7) };
}

const ids = (rows: { id: string }[]): string[] => rows.map(({ id }) => id).toSorted();
const ordersOf = async (developer: DeveloperId): Promise<string[]> =>
  ids(await test.db.query<{ id: string }>('select id from orders where developer_id = $1', [developer]));
const transfersOf = async (developer: DeveloperId): Promise<string[]> =>
  ids(
    await test.db.query<{ id: string }>(
      `select subject_id || ' ' || step as id from transfer where developer_id = $1`,
      [developer],
    ),
  );
const filesOf = (): ArchivedSubject[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.gz'))
    .toSorted()
    .flatMap((name) =>
      gunzipSync(readFileSync(path.join(directory, name)))
        .toString()
        .trimEnd()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as ArchivedSubject);
/** Every transfer of the files, also one that is in two of them. */
const archived = (): string[] =>
  filesOf()
    .flatMap(({ subject, transfers }) =>
      transfers.map((transfer) => `${subject} ${(transfer as unknown as { step: number }).step}`),
    )
    .toSorted();
const stateOf = async (): Promise<string | undefined> =>
  (await test.db.query<{ state: string }>('select state from archive_month'))[0]?.state;

/** The archive's query, with something before or after each statement. */
const wrapQuery =
  (work: (statement: Statement, run: () => Promise<unknown[]>) => Promise<unknown[]>): PatientQuery =>
  async (statement) =>
    (await work(statement, () => archive.query(statement))) as never;
const nameOf = ({ text }: Statement): string => /archive_\w+|update \w+/.exec(text)?.[0] ?? 'other';

describe('a run whose process is killed', () => {
  it.each(['before', 'after'] as const)(
    '%s the commit of each step continues, and leaves nothing out',
    async (moment) => {
      const wallets = [await monthOfOrders(), await monthOfOrders()];
      const [straddling] = wallets[0]!.leaving;
      // leaves with the later month
      await test.db.query(`update transfer set created_at = $2 where subject_id = $1 and step = 2`, [
        straddling,
        monthsBefore(monthsBack, 3).toISOString(),
      ]);
      await test.db.query(
        `delete from ledger_total; update ledger_checkpoint set system_identifier = 1, snapshot = '1500000:1500000:'`,
      );
      const transfers = async () => (await Promise.all(wallets.map(({ developer }) => transfersOf(developer)))).flat();
      const transfersBefore = (await transfers()).toSorted();
      const killed: string[] = [];
      // so that a change is copied too; this order leaves with a later file
      const changed = wallets[0]!.leaving[1];
      let isChanged = false;
      const query: PatientQuery = async (statement) => {
        const client = new Client({ connectionString: test.db.url });
        client.on('error', () => {});
        await client.connect();
        try {
          if (nameOf(statement) === 'archive_step' && !isChanged) {
            isChanged = true;
            await test.db.query('update orders set quiet_until = now() where id = $1', [changed]);
          }
          await client.query('begin');
          const { rows } = await client.query(statement);
          const step = `${(await stateOf()) ?? ''} ${nameOf(statement)} ${rows[0]?.step ?? rows[0]?.state ?? ''}`;
          const kill = nameOf(statement) !== 'other' && !killed.includes(step);
          if (kill && moment === 'before') {
            killed.push(step);
            const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
            await test.db.query('select pg_terminate_backend($1, 5000)', [own[0]!.pid]);
            throw new Error('killed');
          }
          await client.query('commit');
          if (kill) {
            killed.push(step);
            throw new Error('killed');
          }
          return rows;
        } finally {
          await client.end().catch(() => {});
        }
      };
      let attempts = 0;
      for (let ended = false; !ended && attempts < 50; attempts++) {
        ended = await archive.run(directory, { query, subjectsAtATime: 1 }).then(
          () => true,
          (error: Error) => {
            expect(error.message, error.stack).toBe('killed');
            return false;
          },
        );
        expect([await test.violations(), await test.newViolations()], killed.join('; ')).toEqual([[], []]);
        // in a file, or here, until a file is recorded and from then on
        expect([...new Set([...archived(), ...(await transfers())])].toSorted()).toEqual(transfersBefore);
        for (const { developer, open } of wallets) expect(await ordersOf(developer)).toContain(open);
      }
      for (const step of ['staging', 'changes', 'detached', 'deleted', 'done'])
        expect(
          killed.some((name) => name.endsWith(` ${step}`)),
          `${step}: ${killed.join('; ')}`,
        ).toBe(true);
      for (const name of ['archive_leave', 'archive_copy', 'archive_searches', 'archive_small_months'])
        expect(
          killed.some((step) => step.includes(name)),
          `${name}: ${killed.join('; ')}`,
        ).toBe(true);
      for (const { developer, open } of wallets) expect(await ordersOf(developer)).toEqual([open]);
      expect((await transfers()).toSorted()).toEqual(wallets.map(({ open }) => `${open} 1`).toSorted());
      const changedTransfers = [`${changed} 1`, `${changed} 2`];
      expect([...archived(), ...(await transfers())].toSorted()).toEqual(
        [...transfersBefore, ...changedTransfers].toSorted(),
      );
      for (const parent of PARENTS) {
        const rows = await test.db.query(`select distinct tableoid::regclass::text as name from ${parent}`);
        expect(rows.map(({ name }) => name).filter((name) => /_(new|20[0-9]{2}_[0-9]{2}_)/.test(name))).toEqual([]);
      }
    },
  );
});

describe('while the tables of a month are replaced', () => {
  it('no call waits longer than two seconds, although a transaction holds the tables', async () => {
    const { developer, open, leaving } = await monthOfOrders();
    const other = await test.wallet(1_000);
    const client = new Client({ connectionString: test.db.url });
    await client.connect();
    let locked = 0;
    let longestMs = 0;
    const timed = async (call: () => Promise<unknown>): Promise<void> => {
      const startedAt = performance.now();
      await call();
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    };
    let calls = 0;
    const query = wrapQuery(async (statement, run) => {
      if (nameOf(statement) === 'archive_step' && locked === 0 && calls === 0) {
        await client.query('begin');
        await client.query('select from order_event where order_id = $1', [open]);
      }
      if (nameOf(statement) !== 'archive_step' || calls > 0) return run();
      const step = run();
      await until('the step waits for its lock', async () => {
        const found = await test.db.query(
          `select from pg_locks where not granted and relation = 'order_event'::regclass`,
        );
        return found.length > 0;
      });
      await Promise.all([
        timed(() => orderAt(test, other, 1, new Date(), { at: new Date(), success: false })),
        timed(() => test.ledger.reverse(developer, leaving[0], {})),
        timed(() => test.pool.query(`select order_ask('${open}')`)),
      ]);
      calls++;
      return step;
    });
    try {
      const months = await archive.run(directory, {
        query,
        onLocked: () => {
          locked++;
          if (locked === 2) void client.query('commit');
        },
      });
      expect(months).toMatchObject([{ stayed: 1 }]);
    } finally {
      await client.end();
    }
    expect(locked).toBeGreaterThanOrEqual(2);
    expect(longestMs).toBeLessThan(2_000);
    // it was reversed while the step waited
    expect(await ordersOf(developer)).toEqual([leaving[0], open].toSorted());
  });

  it('an order whose change commits while the step waits for its lock stays, and leaves with a later file', async () => {
    const { developer, open, leaving } = await monthOfOrders();
    const client = await test.pool.connect();
    let waited = false;
    const query = wrapQuery(async (statement, run) => {
      if (nameOf(statement) !== 'archive_step' || waited) return run();
      waited = true;
      await client.query('begin');
      await client.query(
        `insert into order_event (developer_id, order_id, kind, detail) values ($1, $2, 'callback', '{}')`,
        [developer, leaving[1]],
      );
      const step = run();
      await until('the step waits for its lock', async () => {
        const found = await test.db.query(
          `select from pg_locks where not granted and relation = 'order_event'::regclass`,
        );
        return found.length > 0;
      });
      await client.query('commit');
      expect(await step).toMatchObject([{ step: 'locked' }]);
      return step;
    });
    try {
      expect(await archive.run(directory, { query })).toMatchObject([{ stayed: 1 }, { orders: 1, stayed: 0 }]);
    } finally {
      client.release();
    }
    expect(await ordersOf(developer)).toEqual([open]);
    const files = filesOf().filter(({ subject }) => subject === leaving[1]);
    expect(files.map(({ events }) => events.map((event) => (event as { kind: string }).kind))).toEqual([
      ['response'],
      ['response', 'callback'],
    ]);
  });

  it('an order for which approval is requested after its file was written stays', async () => {
    const { developer, open, leaving } = await monthOfOrders();
    const query = wrapQuery(async (statement, run) => {
      if (nameOf(statement) === 'archive_copy')
        await test.db.query(`set session_replication_role = replica;
          insert into approval_request (id, action, subject, key, folded_key, developer_id, order_id, order_step, payload, reason, requested_by, expires_at)
          values (uuidv7(), 'order.reverse', 'order:${leaving[0]}', 'k', 'k', '${developer}', '${leaving[0]}', 2, '{}', 'old', uuidv7(), now() + interval '1 day');
          reset session_replication_role`);
      return run();
    });
    expect(await archive.run(directory, { query })).toMatchObject([{ stayed: 1 }]);
    expect(await ordersOf(developer)).toEqual([leaving[0], open].toSorted());
    await test.db.query('delete from approval_request where order_id = $1', [leaving[0]]);
    expect(await archive.run(directory)).toMatchObject([{ stayed: 0, orders: 1 }]);
    expect(await ordersOf(developer)).toEqual([open]);
  });

  it('the last copied row is as old as the longest statement of the service', async () => {
    await monthOfOrders();
    const steps: string[] = [];
    const query = wrapQuery(async (_statement, run) => {
      const rows = (await run()) as { step?: string }[];
      if (rows[0]?.step) steps.push(rows[0].step);
      return rows;
    });
    await archive.run(directory, { query, quietMs: 1_500 });
    expect(steps[0]).toBe('waits');
    expect(steps.filter((step) => step !== 'waits')).toEqual(['detached', 'deleted', 'done']);
  });
});

describe('until the transfers are deleted', () => {
  /** Runs until the tables are detached, and no further. */
  async function detached(): Promise<void> {
    const query = wrapQuery(async (_statement, run) => {
      const rows = (await run()) as { step?: string }[];
      if (rows[0]?.step === 'detached') throw new Error('killed');
      return rows;
    });
    await expect(archive.run(directory, { query })).rejects.toThrow('killed');
    expect(await stateOf()).toBe('detached');
  }

  it('the books can be counted anew, and a plan does not list them', async () => {
    const { developer, leaving } = await monthOfOrders();
    await detached();
    expect(await transfersOf(developer)).toContain(`${leaving[0]} 2`);
    const totals = () => test.db.query('select * from ledger_total where amount_paise <> 0 order by 1, 2, 3, 4');
    const counted = await totals();
    await test.db.query(`update transfer set posted_in = (posted_in::text::bigint + 1000000)::text::xid8`);
    await test.db.query(`update ledger_checkpoint set system_identifier = 1, snapshot = '1500000:1500000:'`);
    expect([await test.violations(), await test.newViolations()]).toEqual([[], []]);
    expect(await totals()).toEqual(counted);
    expect(await test.steppedViolations(50)).toEqual([]);
    const plan = await planOf(archive.query, BOUNDARY);
    expect(plan.months.size).toBe(0);
    expect([...plan.staying.keys()]).not.toContain('order missing');
    await archive.run(directory);
    expect(await transfersOf(developer)).not.toContain(`${leaving[0]} 2`);
    expect(await totals()).toEqual(counted);
  });

  it.each([
    [
      'a transfer of an order that has left is not hidden before its tables are detached',
      `update archive_month set state = 'copied'`,
      `update archive_month set state = 'detached'`,
    ],
    ['an order is listed that did not leave', `delete from archive_leaving where transfers = 1`, ''],
  ])('%s', async (name, damage, repair) => {
    const { open, developer } = await monthOfOrders();
    await detached();
    if (repair === '') {
      await test.db.query(`insert into archive_leaving values ($1, $2, 'production', 1)`, [open, developer]);
    } else await test.db.query(damage);
    const found = await test.violations();
    await test.db.query(repair === '' ? damage : repair);
    expect(found, name).not.toEqual([]);
    await archive.run(directory);
  });
});

describe('the tables of a month', () => {
  it('stay tables of their own while more than a thousand rows stay, and the rewrite leaves them alone', async () => {
    const suffix = await tablesOf(test, 4);
    const days = Math.round((Date.now() - monthsBefore(4, 10).getTime()) / 86_400_000);
    await growOrders(test.db, 1_500, `${days} days`);
    const [some] = await test.db.query<{ ids: string[] }>(
      `select array_agg(id) as ids from (select id from orders${suffix} order by id limit 1200) o`,
    );
    // a later transfer
    await test.db.query(`update transfer set created_at = now() where subject_id = any($1) and step = 2`, [some!.ids]);
    await test.db.query(
      `delete from ledger_total; update ledger_checkpoint set system_identifier = 1, snapshot = '1500000:1500000:'`,
    );
    const step = `select order_month_step(now(), 8, '0 s') as step`;
    for (const expected of ['begun', 'copied']) expect((await test.db.query(step))[0]!.step).toBe(expected);
    expect(await archive.run(directory)).toMatchObject([{ orders: 300, stayed: 0 }]);
    expect(await test.db.query(`select count(*)::integer as n from orders${suffix}`)).toEqual([{ n: 1_200 }]);
    expect(await test.db.query(`select count(*)::integer as n from order_search${suffix}`)).toEqual([{ n: 3_600 }]);
    expect((await test.db.query(step))[0]!.step).toBe('none');
    const names = await test.db.query(
      `select indexrelid::regclass::text as name from pg_index where indrelid = 'orders${suffix}'::regclass order by 1`,
    );
    expect(names.map(({ name }) => name)).toEqual(
      [`orders${suffix}_developer_id_id_idx`, `orders${suffix}_id_idx`, `orders${suffix}_pkey`].toSorted(),
    );
    expect(await makePartitions(test.pool)).toBe(0);
    // a second run has nothing to do, and keeps the tables
    expect(await archive.run(directory)).toEqual([]);
    expect(monthOf(monthsBefore(4))).toBe(suffix.slice(1).replace('_', '-'));
  });

  it('are left, and their rows deleted, while another server subscribes to the changes', async () => {
    const { developer, open } = await monthOfOrders();
    await test.db.query('create publication others for all tables');
    const states: unknown[] = [];
    const query = wrapQuery(async (statement, run) => {
      const rows = (await run()) as { state?: string }[];
      if (nameOf(statement) === 'archive_begin') states.push(rows[0]!.state);
      return rows;
    });
    await archive.run(directory, { query });
    await test.db.query('drop publication others');
    expect(states).toEqual(['none']);
    expect(await ordersOf(developer)).toEqual([open]);
  });
});
