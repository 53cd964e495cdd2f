import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Logger } from '../../src/core/log.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { createPool } from '../../src/db/pool.js';
import type { CheckStep } from '../../src/ledger/books-check.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { createWeeklyCheck } from '../../src/ledger/weekly-check.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { watched } from '../support/watched.js';
import { archiveOf, leadFeeAt, monthsBefore, openedAt, orderAt } from './archive.fixture.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

const ORDERS = 12;
/** Lines and orders of a step here: a wallet of these orders is read in several. */
const FEW = 3;

let test: TestLedger;
let developer: DeveloperId;
const orders: string[] = [];
beforeAll(async () => {
  test = await startTestLedger();
  developer = await test.wallet(1_000);
  for (let n = 0; n < ORDERS; n++) {
    const hold = holdOf(developer, 10 + n, { provider: n % 2 > 0 ? 'ROUNDPAY' : 'INSPAY' });
    orders.push(hold.id);
    await test.ledger.hold(hold);
    if (n > 0) await test.ledger.resolve(resolutionOf({ developerId: developer, id: hold.id }, n % 3 > 0));
  }
});
afterAll(() => test.close());
beforeEach(async () => {
  expect(await test.newViolations()).toEqual([]);
  // what a test before this one left unfinished
  while ((await test.step()).outcome !== 'complete');
});

const [progressOf, findings] = [
  () =>
    test.db.query(`select developer_id, part, version::text, balance_paise::text, subject_id from ledger_full_check`),
  () => test.db.query<{ rule: string }>('select rule from ledger_full_finding'),
];
const nextRunIn = async (): Promise<string> =>
  (
    await test.db.query<{ rest: string }>(
      `select extract(epoch from next_step_at - completed_at)::integer::text || ' s' as rest from ledger_full_check`,
    )
  )[0]!.rest;

/** Steps of a run from now on to its end. */
async function run(lines = FEW, ledger?: LedgerService): Promise<CheckStep[]> {
  const steps: CheckStep[] = [];
  do steps.push(await test.step(lines, ledger));
  while (steps.at(-1)!.outcome !== 'complete');
  return steps;
}

/** Changes as the owner what nobody may, for as long as `look` runs. */
async function damaged(damage: string, undo: string, look: () => Promise<void>): Promise<void> {
  await test.db.query(damage);
  try {
    await look();
  } finally {
    await test.db.query(undo);
  }
}

describe('a step', () => {
  it('reads a few lines or orders, and a run of them all of a wallet: damage in any of them is found', async () => {
    const steps = await run();
    // lines and orders of the long wallet by threes, lines of its other wallet
    expect(steps.length).toBeGreaterThanOrEqual(2 + (2 * ORDERS) / FEW);
    expect(steps.flatMap(({ violations }) => violations)).toEqual([]);
    for (const id of [orders[0]!, orders[5]!, orders.at(-1)!]) {
      const by = (n: number) =>
        `update transfer set balance_after_paise = balance_after_paise + ${n} where subject_id = '${id}' and step = 1`;
      await damaged(by(1), by(-1), async () => {
        const found = (await run()).flatMap(({ violations }) => violations);
        expect(found.length).toBeGreaterThan(0);
        expect(found[0]).toMatchObject({ rule: 'balance is the sum of transfers', developerId: developer });
      });
      const state = (name: string) => `update orders set provider = '${name}' where id = '${id}'`;
      const [{ provider }] = (await test.db.query<{ provider: string }>('select provider from orders where id = $1', [
        id,
      ])) as [{ provider: string }];
      await damaged(state('OTHER'), state(provider), async () => {
        const found = (await run()).flatMap(({ violations }) => violations);
        expect([...new Set(found.map(({ rule }) => rule))]).toEqual(['a total agrees with the transfers']);
      });
    }
    expect((await run()).flatMap(({ violations }) => violations)).toEqual([]);
  });

  it('is none while nothing is due, and of no lines', async () => {
    expect(await test.ledger.checkStep(FEW)).toEqual({ outcome: 'idle', violations: [] });
    await expect(test.step(0)).rejects.toMatchObject({ code: '22023' });
  });

  it('takes no turn while all the books are checked by hand, and an archive waits for its end', async () => {
    const [hand, process] = [await test.pool.connect(), await test.pool.connect()];
    try {
      await hand.query('begin; select pg_advisory_xact_lock_shared(7401255)');
      expect((await test.step()).outcome).toBe('busy');
      await hand.query('commit');
      await process.query('begin');
      expect((await process.query('select outcome from ledger_check_step(3)')).rows).toEqual([{ outcome: 'begun' }]);
      const [row] = await test.db.query(
        `select busy from archive_leave(uuidv7(), 'production', 1, now(), '{}', '{}', '{}', '{}')`,
      );
      expect(row).toEqual({ busy: true });
      expect((await test.ledger.checkStep(FEW)).outcome).toBe('busy');
    } finally {
      await process.query('rollback');
      for (const client of [hand, process]) client.release();
    }
  });
});

describe('a run', () => {
  it('goes on in another process when one dies in the middle of a step', async () => {
    const inAll = (await run()).length;
    const first = new LedgerService(test.pool);
    for (let n = 0; n < 5; n++) await test.step(FEW, first);
    const before = await progressOf();
    const dying = new Client({ connectionString: test.db.url });
    await dying.connect();
    await test.db.query('update ledger_full_check set next_step_at = now()');
    await dying.query('begin');
    expect((await dying.query('select outcome from ledger_check_step(3)')).rows).toEqual([{ outcome: 'going on' }]);
    dying.on('error', () => {});
    const [{ pid }] = (await dying.query<{ pid: number }>('select pg_backend_pid() as pid')).rows as [{ pid: number }];
    await test.db.query('select pg_terminate_backend($1, 5000)', [pid]);
    expect(await progressOf()).toEqual(before);

    const pool = createPool(test.db.url, { max: 1 });
    try {
      expect(await run(FEW, new LedgerService(pool))).toHaveLength(inAll - 5);
    } finally {
      await pool.end();
    }
  });

  it('is done once by two processes, of which each waits for no other', async () => {
    const inAll = (await run()).length;
    await test.db.query('update ledger_full_check set next_step_at = now()');
    const outcomes: string[] = [];
    const process = async (): Promise<void> => {
      while (outcomes.at(-1) !== 'complete' && !outcomes.includes('complete'))
        // not `step`: what is not due yet is no step
        outcomes.push((await test.ledger.checkStep(FEW)).outcome);
    };
    const soon = setInterval(
      () => void test.db.query('update ledger_full_check set next_step_at = now() where started_at is not null'),
      5,
    );
    await Promise.all([process(), process()]).finally(() => clearInterval(soon));
    expect(outcomes.filter((outcome) => ['begun', 'going on', 'complete'].includes(outcome))).toHaveLength(inAll);
  });

  it('counts what is posted meanwhile neither as damage nor twice', async () => {
    const wallet = await test.wallet(1_000);
    const steps: CheckStep[] = [];
    do {
      steps.push(await test.step(FEW));
      const hold = holdOf(wallet, 1);
      await test.ledger.hold(hold);
      await test.ledger.resolve(resolutionOf({ developerId: wallet, id: hold.id }, steps.length % 2 > 0));
      if (steps.length % 3 === 0) expect(await test.newViolations()).toEqual([]);
    } while (steps.at(-1)!.outcome !== 'complete' && steps.length < 500);
    expect(steps.flatMap(({ violations }) => violations)).toEqual([]);
    expect(steps.at(-1)!.outcome).toBe('complete');
  });

  it('begins anew after an archive, which takes away what it has counted, and on another server', async () => {
    const old = await test.wallet(1_000);
    await openedAt(test, old, monthsBefore(3));
    const [held, decided] = [monthsBefore(2), monthsBefore(2, 11)];
    for (let n = 0; n < 3; n++) await orderAt(test, old, 100, held, { at: decided, success: n > 0 });
    await leadFeeAt(test, old, monthsBefore(2, 12));
    await orderAt(test, old, 7, new Date());
    expect(await test.newViolations()).toEqual([]);
    await test.step(FEW);
    const isThere = async () =>
      ((await progressOf())[0] as { developer_id: string; part: string }).developer_id === old;
    while (!(await isThere())) await test.step(FEW);
    while (await isThere()) await test.step(FEW);
    const archive = archiveOf(test);
    await archive.run(temporaryDirectory());
    await archive.close();
    const [{ left }] = (await test.db.query<{ left: number }>(
      'select sum(left_lines)::integer as left from wallet_opening',
    )) as [{ left: number }];
    expect(left).toBeGreaterThan(0);
    expect((await test.step(FEW)).outcome).toBe('begun anew');
    // an archive lets batch after batch leave
    expect((await test.ledger.checkStep(FEW)).outcome).toBe('idle');
    await test.step(FEW);
    await test.db.query('update ledger_full_check set system_identifier = 1');
    expect((await test.step(FEW)).outcome).toBe('begun anew');
    expect((await run()).flatMap(({ violations }) => violations)).toEqual([]);
  });

  it('keeps what the last one found until one finds nothing, and comes sooner while there is something', async () => {
    const change = (n: number) =>
      `update wallet set balance_paise = balance_paise + ${n} where developer_id = '${developer}' and environment = 'uat'`;
    const rule = 'balance is the sum of transfers';
    await damaged(change(1), change(-1), async () => {
      await run();
      expect(await findings()).toEqual([{ rule }]);
      expect(await nextRunIn()).toBe('3600 s');
      await run();
      expect(await findings()).toEqual([{ rule }]);
    });
    for (let n = 0; n < 3; n++) await test.step(FEW);
    expect((await test.ledger.lastFullCheck()).violations).toMatchObject([{ rule, developerId: developer }]);
    await run();
    expect(await findings()).toEqual([]);
    expect(await nextRunIn()).toBe(`${7 * 86_400} s`);
  });
});

describe('a process', () => {
  it('does what is due by itself, and says what it found', async () => {
    const lines: [object | string, string?][] = [];
    const noted = (...line: [object | string, string?]) => void lines.push(line);
    const weekly = createWeeklyCheck(test.ledger, { info: noted, warn: noted, error: noted } as unknown as Logger);
    const watch = watched(test.pool, weekly.duties, 20);
    weekly.start(new Set(['housekeeping']));
    const change = (n: number) =>
      `update wallet set version = version + ${n} where developer_id = '${developer}' and environment = 'uat'`;
    try {
      await damaged(change(1), change(-1), async () => {
        await test.db.query('update ledger_full_check set next_step_at = now()');
        await until('a run is over', () => lines.some((line) => line.includes('all the books were checked')));
      });
      expect(lines.filter(([line]) => typeof line === 'object')).toEqual([
        [
          { violations: 1, rules: ['wallet versions have no gap'], developerIds: [developer] },
          'the books are wrong, the doctor says where',
        ],
      ]);
    } finally {
      await watch.stop();
      await weekly.stop();
    }
  });

  it('whose step fails leaves the next one for a while, and says so once', async () => {
    const warnings: unknown[] = [];
    let asked = 0;
    const checkStep = () => {
      asked++;
      return Promise.reject(new Error('away'));
    };
    const log = { warn: (line: unknown) => warnings.push(line) } as unknown as Logger;
    const weekly = createWeeklyCheck({ checkStep }, log);
    weekly.start(new Set(['housekeeping']));
    for (let n = 0; n < 3; n++) {
      await until('it was tried', () => warnings.length === 1);
      weekly.duties[0]!.wake();
    }
    await weekly.stop();
    expect([asked, warnings]).toEqual([1, [{ err: new Error('away') }]]);
  });
});
