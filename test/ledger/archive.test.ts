import { readdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ArchivedSubject } from '../../src/archive/archive-file.js';
import { planOf } from '../../src/archive/archive-plan.js';
import { monthOf } from '../../src/archive/indian-month.js';
import { indianDay, indianDays } from '../../src/core/clock.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { closeOrm, type EntityManager, openOrm } from '../../src/db/orm.js';
import type { PatientQuery } from '../../src/db/patience.js';
import { createPool } from '../../src/db/pool.js';
import { DailyStatementService } from '../../src/ledger/daily-statement.service.js';
import { referencedLine } from '../../src/ledger/line.reader.js';
import { StatementService } from '../../src/ledger/statement.service.js';
import { auditService } from '../support/audit.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import {
  archiveOf,
  BOUNDARY,
  idAt,
  leadFeeAt,
  monthsBefore,
  openedAt,
  orderAt,
  resolveAt,
  type TestArchive,
  tablesOf,
} from './archive.fixture.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

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

interface Wallet {
  developer: DeveloperId;
  /** Archived: a success, a refunded order, a lead fee. */
  success: string;
  failed: string;
  fee: string;
  /** Kept: an order settled after the boundary, an open order, and a completely recent one. */
  straddling: string;
  open: string;
  recent: string;
}

/** Credits 100,000; five entries are archived, one of them after an entry that is kept; the last three are kept. */
async function oldWallet(): Promise<Wallet> {
  const developer = await test.wallet(100_000);
  await openedAt(test, developer, monthsBefore(3));
  const resolvedAt = (instant: Date, success: boolean) => ({ at: instant, success });
  const success = await orderAt(
    test,
    developer,
    500,
    monthsBefore(3, 11),
    resolvedAt(monthsBefore(3, 11), true),
    (id) => `key of ${id}`,
  );
  const straddling = await orderAt(test, developer, 40, monthsBefore(2, 1));
  const failed = await orderAt(test, developer, 300, monthsBefore(2, 2), resolvedAt(monthsBefore(1, 2), false));
  const fee = await leadFeeAt(test, developer, monthsBefore(1, 3));
  const open = await orderAt(test, developer, 7, monthsBefore(1, 4));
  await resolveAt(test, developer, straddling, monthsBefore(0, 1), true);
  const recent = await orderAt(test, developer, 60, monthsBefore(0, 2), resolvedAt(monthsBefore(0, 2), true));
  return { developer, success, failed, fee, straddling, open, recent };
}

/** Subject and step of every transfer in the database. */
const transfersOf = async (developer: DeveloperId): Promise<string[]> =>
  (
    await test.db.query<{ key: string }>(
      `select subject_id || ' ' || step as key from transfer where developer_id = $1`,
      [developer],
    )
  )
    .map(({ key }) => key)
    .toSorted();

const filesOf = (): ArchivedSubject[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.gz'))
    .flatMap((name) =>
      gunzipSync(readFileSync(path.join(directory, name)))
        .toString()
        .trimEnd()
        .split('\n'),
    )
    .map((line) => JSON.parse(line));

const archived = (): string[] =>
  filesOf()
    .flatMap(({ subject, transfers }) =>
      transfers.map((transfer) => `${subject} ${(transfer as unknown as { step: number }).step}`),
    )
    .toSorted();

/** Fails at the given call of the statement that archives, before or after it ran. */
function killedAt(turn: number, moment: 'before' | 'after'): PatientQuery {
  let turns = 0;
  return async (statement) => {
    const isKilled = statement.text.includes('archive_leave') && ++turns === turn;
    if (isKilled && moment === 'before') throw new Error('killed');
    const rows = await archive.query(statement);
    if (isKilled) throw new Error('killed');
    return rows as never;
  };
}

describe('an archive run', () => {
  it('first lists what it will archive month by month, and what it keeps and why, without changes', async () => {
    const { developer } = await oldWallet();
    expect(await test.newViolations()).toEqual([]);
    const transfersBefore = await transfersOf(developer);
    const plan = await planOf(archive.query, BOUNDARY);
    expect([...plan.months.keys()]).toEqual([3, 1].map((months) => monthOf(monthsBefore(months))));
    expect([...plan.months.values()]).toMatchObject([
      { subjects: 2, orders: 1, transfers: 3, amountPaise: 101_000n },
      { subjects: 2, orders: 1, transfers: 3, amountPaise: 700n },
    ]);
    expect(plan.staying).toEqual(
      new Map([
        ['later transfer', 1],
        ['open', 1],
      ]),
    );
    expect(await transfersOf(developer)).toEqual(transfersBefore);
    await archive.run(directory);
  });

  it('writes complete orders with their events to a file, and keeps every other transfer', async () => {
    const { developer, success, failed, fee, straddling, open, recent } = await oldWallet();
    const transfersBefore = await transfersOf(developer);
    const months = await archive.run(directory);
    expect(months.map(({ month, stayed, subjects }) => [month, subjects, stayed])).toEqual([
      [monthOf(monthsBefore(3)), 2, 0],
      [monthOf(monthsBefore(1)), 2, 0],
    ]);
    expect([...archived(), ...(await transfersOf(developer))].toSorted()).toEqual(transfersBefore);
    expect(await transfersOf(developer)).toEqual(
      [`${straddling} 1`, `${straddling} 2`, `${open} 1`, `${recent} 1`, `${recent} 2`].toSorted(),
    );
    const orders = filesOf().filter(({ order }) => order);
    expect(orders.map(({ subject }) => subject)).toEqual([success, failed]);
    expect(orders[0]).toMatchObject({
      order: { id: success, request: '\\x7365616c6564' },
      events: [{ kind: 'response' }],
    });
    expect(filesOf().map(({ subject }) => subject)).toContain(fee);
    const remaining = await test.db.query('select id from orders where developer_id = $1', [developer]);
    expect(remaining.map(({ id }) => id).toSorted()).toEqual([straddling, open, recent].toSorted());
    expect(await test.db.query('select 1 from order_event where order_id = any($1)', [[success, failed]])).toEqual([]);
    // The IDs of these orders are new, and their search entries are archived by the month of the ID.
    await test.db.query(`select archive_searches(now() + interval '1 minute')`);
    const searched = await test.db.query('select order_id from order_search where order_id = any($1)', [
      [success, failed, straddling, open, recent],
    ]);
    expect(new Set(searched.map(({ order_id }) => order_id))).toEqual(new Set([straddling, open, recent]));
  });

  it('archives a month whose tables were rewritten', async () => {
    const { developer, success, failed, straddling, open, recent } = await oldWallet();
    const step = `select order_month_step(now() + interval '31 days', 64, '0 s') as step`;
    while ((await test.db.query(step))[0]!.step !== 'none');
    await archive.run(directory);
    expect(filesOf().map(({ subject }) => subject)).toEqual(expect.arrayContaining([success, failed]));
    const remaining = await test.db.query('select id from orders where developer_id = $1', [developer]);
    expect(remaining.map(({ id }) => id).toSorted()).toEqual([straddling, open, recent].toSorted());
    await test.db.query('delete from month_rewrite');
  });

  it('is recorded with an audit entry; a file is readable by its owner only and has a description', async () => {
    await oldWallet();
    const [month] = await archive.run(directory);
    const { file, sha256 } = month!;
    const described = JSON.parse(readFileSync(path.join(directory, `${file}.json`), 'utf8'));
    expect(described).toMatchObject({ file, sha256: sha256.toString('hex'), orders: 1, transfers: 3 });
    expect(statSync(path.join(directory, file)).mode & 0o777).toBe(0o600);
    const entries = await test.db.query(`select after from audit_entry where action = 'ledger.archive' order by id`);
    expect(entries.map(({ after }) => after)).toContainEqual(described);
  });

  it('keeps an order with a pending webhook', async () => {
    const { developer, success } = await oldWallet();
    await test.db.query(`insert into webhook_outbox (developer_id, order_id, event) values ($1, $2, 'succeeded')`, [
      developer,
      success,
    ]);
    await archive.run(directory);
    expect(await transfersOf(developer)).toEqual(expect.arrayContaining([`${success} 1`, `${success} 2`]));
    expect((await planOf(archive.query, BOUNDARY)).staying.get('webhook pending')).toBe(1);
    await test.db.query('delete from webhook_outbox where order_id = $1', [success]);
    await archive.run(directory);
    expect(await transfersOf(developer)).not.toContain(`${success} 1`);
  });

  it('writes files that can be restored into the tables', async () => {
    const { success } = await oldWallet();
    const order = async () =>
      (await test.db.query('select to_jsonb(o) as o from orders o where id = $1', [success]))[0]?.o;
    const orderBefore = await order();
    await archive.run(directory);
    expect(await order()).toBeUndefined();
    const line = filesOf().find(({ subject }) => subject === success)!;
    const [read] = await test.db.query('select to_jsonb(jsonb_populate_record(null::orders, $1)) as o', [
      JSON.stringify(line.order),
    ]);
    expect(read!.o).toEqual(orderBefore);
  });

  it('does nothing the second time', async () => {
    await oldWallet();
    expect(await archive.run(directory)).toHaveLength(2);
    expect(await archive.run(directory)).toEqual([]);
    expect(readdirSync(directory)).toHaveLength(4);
  });

  it('archives an order that was kept before, once it is final', async () => {
    const { developer, straddling } = await oldWallet();
    await archive.run(directory);
    await test.db.query(`update transfer set created_at = $2 where subject_id = $1 and step = 2`, [
      straddling,
      monthsBefore(1, 5).toISOString(),
    ]);
    await test.db.query(`update orders set status_conflict_at = now() where id = $1`, [straddling]);
    await test.db.query(
      `delete from ledger_total; update ledger_checkpoint set system_identifier = 1, snapshot = '1500000:1500000:'`,
    );
    expect(await archive.run(directory)).toEqual([]);
    await test.db.query(`update orders set status_conflict_at = null where id = $1`, [straddling]);
    expect(await archive.run(directory)).toMatchObject([{ month: monthOf(monthsBefore(1)), subjects: 1, orders: 1 }]);
    expect((await transfersOf(developer)).filter((key) => key.startsWith(straddling))).toEqual([]);
  });

  it('does not touch other wallets, and a wallet that becomes empty keeps its balance', async () => {
    const [all, empty] = [await test.wallet(900), await test.wallet(5)];
    await openedAt(test, all, monthsBefore(2));
    await archive.run(directory);
    expect([await transfersOf(all), (await transfersOf(empty)).length]).toEqual([[], 1]);
    expect([await test.balance(all), await test.balance(empty)]).toEqual([900, 5]);
    expect(await orderAt(test, all, 100, monthsBefore(0, 3))).toBeDefined();
    expect(await test.balance(all)).toBe(800);
  });
});

describe('the tables of a month', () => {
  /** Rows of the month's orders in their table; null: there is no table. */
  const ordersIn = async (suffix: string): Promise<string[] | null> => {
    const [table] = await test.db.query(`select to_regclass('orders${suffix}') as name`);
    if (table!.name === null) return null;
    return (await test.db.query(`select id from orders${suffix}`)).map(({ id }) => id);
  };

  it('are replaced by tables of the orders that stay, an order that changes before then included', async () => {
    const suffix = await tablesOf(test, 3);
    const developer = await test.wallet(10_000);
    await openedAt(test, developer, monthsBefore(3, 1));
    const placeOrder = async (days: number, resolved?: Date, success = true): Promise<string> => {
      const at = monthsBefore(3, days);
      const ended = resolved && { at: resolved, success };
      return orderAt(test, developer, 100, at, ended, (id) => `key ${id}`, idAt(at));
    };
    const remaining = [await placeOrder(5, monthsBefore(3, 5)), await placeOrder(6, monthsBefore(3, 6), false)];
    const reversed = await placeOrder(7, monthsBefore(3, 7));
    const straddling = await placeOrder(8, monthsBefore(1, 1));
    const open = await placeOrder(9);
    const transfersBefore = await transfersOf(developer);
    let steps = 0;
    const query: PatientQuery = async (statement) => {
      const rows = await archive.query(statement);
      if (statement.text.includes('archive_copy')) {
        expect(await test.ledger.reverse(developer, reversed, {})).toBe('reversed');
        expect(await test.newViolations()).toEqual([]);
      }
      if (/archive_(leave|copy|step)/.test(statement.text)) {
        steps++;
        expect([await test.violations(), await test.newViolations()]).toEqual([[], []]);
        await orderAt(test, developer, 1, new Date(), { at: new Date(), success: false });
      }
      return rows as never;
    };
    const months = await archive.run(directory, { query });
    expect(months.map(({ month, orders, stayed }) => [month, orders, stayed])).toEqual([
      [monthOf(monthsBefore(3)), 3, 1],
      [monthOf(monthsBefore(1)), 1, 0],
    ]);
    // leave, copy, changes, detached, deleted, done; leave
    expect(steps).toBe(7);
    const stay = [reversed, open].toSorted();
    expect(await ordersIn(suffix)).toBeNull();
    const storedRows = await test.db.query(
      `select id, tableoid::regclass::text as name from orders where id = any($1) order by id`,
      [[...remaining, straddling, ...stay]],
    );
    expect(storedRows).toEqual(stay.map((id) => ({ id, name: 'orders_default' })));
    for (const table of ['order_event', 'order_search'])
      expect(
        await test.db.query(`select 1 from ${table} where order_id = any($1)`, [[...remaining, straddling]]),
      ).toEqual([]);
    const found = await test.db.query(
      `select distinct order_id as id from order_search where order_id = any($1) order by 1`,
      [stay],
    );
    expect(found.map(({ id }) => id)).toEqual(stay);
    expect((await transfersOf(developer)).filter((key) => transfersBefore.includes(key))).toEqual(
      [`${reversed} 1`, `${reversed} 2`, `${open} 1`].toSorted(),
    );
    const statuses = await test.db.query('select id, status from archived_order where developer_id = $1', [developer]);
    expect(new Map(statuses.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [remaining[0], 'success'],
        [remaining[1], 'failed'],
        [straddling, 'success'],
      ]),
    );
    const replay = await test.ledger.hold(holdOf(developer, 100, { clientKey: `key ${remaining[0]}` }));
    expect(replay).toMatchObject({ outcome: 'duplicate', orderId: remaining[0] });
    expect(await test.db.query(`select relname from pg_class where relname like '%\\_new'`)).toEqual([]);
    for (const table of ['archive_month', 'archive_leaving', 'archive_change'])
      expect(await test.db.query(`select 1 from ${table}`)).toEqual([]);
    // what stayed can change, and leaves later
    expect((await test.ledger.resolve(resolutionOf({ developerId: developer, id: open }, false))).outcome).toBe(
      'refund',
    );
  });
});

describe('after an archive run', () => {
  let wallet: Wallet;
  const firstDay = (): string => indianDay(BOUNDARY);
  beforeAll(async () => {
    wallet = await oldWallet();
    await archive.run(temporaryDirectory());
  });

  it('the statement starts with the opening record', async () => {
    const { edges, pageInfo } = await new StatementService(test.pool).page(wallet.developer, 'production', {
      first: 50,
    });
    expect(edges.map(({ node }) => [node.kind, Number(node.amountPaise), Number(node.balanceAfterPaise)])).toEqual([
      ['hold', -60, 99_293],
      ['hold', -7, 99_353],
    ]);
    expect(pageInfo.hasNextPage).toBe(false);
  });

  it('a day after the boundary opens with the right balance, and an earlier one is rejected with an error that names the limit', async () => {
    const daily = new DailyStatementService(test.pool);
    const days = await daily.days(wallet.developer, 'production', firstDay(), indianDay(monthsBefore(0, 5)));
    expect(Number(days[0]!.openingPaise)).toBe(99_353);
    expect(Number(days.at(-1)!.closingPaise)).toBe(99_293);
    const [dayBefore] = indianDays(indianDay(new Date(BOUNDARY.getTime() - 1)), firstDay());
    await expect(daily.days(wallet.developer, 'production', dayBefore!, firstDay())).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        fields: [
          {
            path: 'from',
            rule: 'RANGE',
            message: `Must not be before ${firstDay()}, because earlier entries are archived.`,
          },
        ],
      },
    });
  });

  it('references, paid leads and idempotency keys of orders are still known', async () => {
    const clientKey = `key of ${wallet.success}`;
    const replay = await test.ledger.hold(holdOf(wallet.developer, 500, { clientKey }));
    expect(replay).toMatchObject({ outcome: 'duplicate', orderId: wallet.success });
    const post = async (subject: string, kind: string, reference: string) =>
      (
        await test.db.query(`select outcome from ledger_post($1, 'production', $2, $3, 100, $4)`, [
          wallet.developer,
          subject,
          kind,
          reference,
        ])
      )[0]!.outcome;
    expect(await post('019c0000-0000-7000-8000-000000000001', 'top_up', 'opening')).toBe('duplicate');
    expect(await post(wallet.fee, 'lead_fee', 'L-1')).toBe('duplicate');
    const pool = createPool(test.db.url, { max: 1 });
    const orm = openOrm(pool, []);
    try {
      const walletKey = { developerId: wallet.developer, environment: 'production' } as const;
      await expect(
        referencedLine(walletKey, 'top_up', 'opening', orm.em.fork() as EntityManager),
      ).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { fields: [{ path: 'input.reference' }] },
      });
    } finally {
      await closeOrm(orm, pool);
    }
  });

  it('the full check passes, as on a server that a dump was restored on', async () => {
    const totals = () => test.db.query('select * from ledger_total order by 1, 2, 3, 4');
    expect(await test.newViolations()).toEqual([]);
    const totalsBefore = await totals();
    await test.db.query(`update transfer set posted_in = (posted_in::text::bigint + 1000000)::text::xid8`);
    await test.db.query(`update ledger_checkpoint set system_identifier = 1, snapshot = '1500000:1500000:'`);
    expect(await test.violations()).toEqual([]);
    expect(await test.newViolations()).toEqual([]);
    expect(await totals()).toEqual(totalsBefore);
  });

  const OPENING = 'update wallet_opening set';
  it.each([
    [
      'the balance of an opening record',
      `${OPENING} balance_paise = balance_paise + 1`,
      `${OPENING} balance_paise = balance_paise - 1`,
    ],
    ['the version of an opening record', `${OPENING} version = version + 1`, `${OPENING} version = version - 1`],
    [
      'the archived amount of an opening record',
      `${OPENING} left_paise = left_paise + 1`,
      `${OPENING} left_paise = left_paise - 1`,
    ],
    ['the environment of an opening record', `${OPENING} environment = 'uat'`, `${OPENING} environment = 'production'`],
    [
      'the archived total of an account',
      `update archived_total set amount_paise = amount_paise + 1 where account = 'funding'`,
      `update archived_total set amount_paise = amount_paise - 1 where account = 'funding'`,
    ],
    [
      'the transfer after an opening record',
      `update transfer set balance_after_paise = 0, wallet_version = wallet_version + 90 where subject_id = :straddling and step = 1`,
      `update transfer set balance_after_paise = 99460, wallet_version = wallet_version - 90 where subject_id = :straddling and step = 1`,
    ],
  ])('a change of %s is found by both checks', async (_name, damage, repair) => {
    const forWallet = (sql: string) =>
      sql.replace(':straddling', `'${wallet.straddling}'`) +
      (sql.startsWith(OPENING) ? ` where developer_id = '${wallet.developer}'` : '');
    await test.db.query(forWallet(damage));
    const [found, foundNew] = [await test.violations(), await test.newViolations()];
    await test.db.query(forWallet(repair));
    expect(found).not.toEqual([]);
    expect(foundNew).not.toEqual([]);
  });

  it('a missing transfer is found, before the opening record and after it', async () => {
    for (const [id, rule] of [
      [wallet.straddling, 'an opening record is the sum of archived and remaining transfers'],
      [wallet.recent, 'wallet versions have no gap'],
    ] as const) {
      const rows = await test.db.query(
        `with gone as (delete from transfer where subject_id = $1 and step = 1 returning *) select to_jsonb(gone) as row from gone`,
        [id],
      );
      const found = await test.violations();
      await test.db.query('insert into transfer select * from jsonb_populate_record(null::transfer, $1)', [
        rows[0]!.row,
      ]);
      expect(found).toContain(rule);
    }
  });
});

describe('a run that is killed and restarted completes correctly', () => {
  const storedTransfersOf = async (wallets: Wallet[]) =>
    (await Promise.all(wallets.map(({ developer }) => transfersOf(developer)))).flat().toSorted();
  const setUp = async (): Promise<{ wallets: Wallet[]; transfers: string[] }> => {
    const wallets = [await oldWallet(), await oldWallet()];
    return { wallets, transfers: await storedTransfersOf(wallets) };
  };
  const expectComplete = async (wallets: Wallet[], transfers: string[]) => {
    const stored = await storedTransfersOf(wallets);
    expect([...new Set([...archived(), ...stored])].toSorted()).toEqual(transfers);
    return stored;
  };

  it.each([
    [1, 'before'],
    [3, 'before'],
    [5, 'after'],
  ] as const)('if killed at batch %i, %s its commit', async (turn, moment) => {
    const { wallets, transfers } = await setUp();
    const killedRun = archive.run(directory, { query: killedAt(turn, moment), subjectsAtATime: 1 });
    await expect(killedRun).rejects.toThrow('killed');
    expect(await test.violations()).toEqual([]);
    await expectComplete(wallets, transfers);
    await archive.run(directory);
    expect(await expectComplete(wallets, transfers)).toHaveLength(10);
    expect(archived()).toHaveLength(new Set(archived()).size);
  });

  it('if killed before its file is recorded, so that the file is void', async () => {
    const { wallets, transfers } = await setUp();
    const audit = { record: () => Promise.reject(new Error('killed')) } as unknown as typeof auditService;
    await expect(archive.run(directory, { audit })).rejects.toThrow('killed');
    expect(archived()).toEqual([]);
    expect(await expectComplete(wallets, transfers)).toEqual(expect.arrayContaining(transfers));
    await archive.run(directory);
    expect(await expectComplete(wallets, transfers)).toHaveLength(10);
  });

  it('if killed before its file is renamed, but archives nothing if that file is missing or different', async () => {
    const { wallets, transfers } = await setUp();
    await expect(archive.run(directory, { query: killedAt(1, 'before') })).rejects.toThrow('killed');
    const [name] = readdirSync(directory).filter((file) => file.endsWith('.gz')) as [string];
    const file = path.join(directory, name);
    const bytes = readFileSync(file);

    await expect(archive.run(temporaryDirectory())).rejects.toThrow(`wrote ${name} and was interrupted`);
    truncateSync(file, bytes.length - 9);
    await expect(archive.run(directory)).rejects.toThrow('differs from the data that was written to it');
    expect(await storedTransfersOf(wallets)).toEqual(transfers);

    writeFileSync(file, bytes);
    renameSync(file, `${file}.partial`);
    await archive.run(directory);
    expect(await expectComplete(wallets, transfers)).toHaveLength(10);
  });
});

describe('during an archive run', () => {
  it('an order that is reversed after its file was written is kept with all of its transfers', async () => {
    const { developer, success } = await oldWallet();
    let reversed = false;
    const query: PatientQuery = async (statement) => {
      if (statement.text.includes('archive_leave') && !reversed) {
        reversed = true;
        expect(await test.ledger.reverse(developer, success, {})).toBe('reversed');
        expect(await test.newViolations()).toEqual([]);
      }
      return await archive.query(statement);
    };
    expect(await archive.run(directory, { query })).toMatchObject([{ stayed: 1 }, { stayed: 0 }]);
    expect((await transfersOf(developer)).filter((key) => key.startsWith(success))).toHaveLength(3);
  });

  it('orders are placed and resolved, and the checks find no violation at any commit', async () => {
    const { developer } = await oldWallet();
    const query: PatientQuery = async (statement) => {
      const rows = await archive.query(statement);
      if (statement.text.includes('archive_leave')) {
        await orderAt(test, developer, 1, new Date(), { at: new Date(), success: false });
        expect([await test.violations(), await test.newViolations()]).toEqual([[], []]);
      }
      return rows as never;
    };
    expect(await archive.run(directory, { query, subjectsAtATime: 1 })).toHaveLength(2);
  });

  it('the run waits for a full check to end', async () => {
    await oldWallet();
    const client = await test.pool.connect();
    try {
      await client.query('select pg_advisory_lock_shared(7401255)');
      expect(await test.newViolations()).toEqual([]);
      const [row] = await test.db.query(
        `select busy from archive_leave(uuidv7(), 'production', 1, now(), '{}', '{}', '{}', '{}')`,
      );
      expect(row).toEqual({ busy: true });
    } finally {
      await client.query('select pg_advisory_unlock_shared(7401255)');
      client.release();
    }
    expect(await archive.run(directory)).toHaveLength(2);
  });

  it('only transfers that the check has read are archived', async () => {
    const developer = await test.wallet(100);
    await openedAt(test, developer, monthsBefore(2));
    expect(await test.newViolations()).toEqual([]);
    await leadFeeAt(test, developer, monthsBefore(1));
    const leave = `select * from archive_leave($1, 'production', $2, now(),
      (select coalesce(array_agg(subject_id), '{}') from transfer where developer_id = $1 and wallet_version <= $3), '{1,1}', '{100,100}', '{0,0}')`;
    const client = new Client({ connectionString: test.db.url });
    await client.connect();
    try {
      await expect(client.query(leave, [developer, 2, 2])).rejects.toThrow('has not been checked');
      await expect(client.query(leave, [developer, 1, 0])).rejects.toThrow('is in no file');
    } finally {
      await client.end();
    }
    await archive.run(directory);
    expect(await transfersOf(developer)).toEqual([]);
  });
});
