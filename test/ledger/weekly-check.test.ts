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
import { startWorkWatch } from '../support/work-watch.js';
import { archiveOf, leadFeeAt, monthsBefore, openedAt, orderAt } from './archive.fixture.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

const ORDERS = 12;
/** Entries and orders per step in this test: a wallet with these orders takes several steps. */
const ROWS_PER_STEP = 3;
const ONE_READ = { rows: ROWS_PER_STEP, forMs: 0 };
const SINGLE_WORKER = { workers: 1, share: 100 };

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
  // Completes a run that an earlier test left.
  while ((await test.step()).outcome !== 'complete');
});

const [progressOf, findings] = [
  () =>
    test.db.query<{ ord: number; developer_id: string; part: string }>(
      `select ord, developer_id, part, version::text, balance_paise::text, subject_id from ledger_full_part order by ord`,
    ),
  () => test.db.query<{ rule: string }>('select rule from ledger_full_finding'),
];
const nextRunIn = async (): Promise<string> =>
  (
    await test.db.query<{ rest: string }>(
      `select extract(epoch from next_step_at - completed_at)::integer::text || ' s' as rest from ledger_full_check`,
    )
  )[0]!.rest;

/** Steps of a run from now to its end. */
async function run(lines = ROWS_PER_STEP, ledger?: LedgerService): Promise<CheckStep[]> {
  const steps: CheckStep[] = [];
  do steps.push(await test.step(lines, ledger));
  while (steps.at(-1)!.outcome !== 'complete');
  return steps;
}

/** Changes data as the owner of the tables while `look` runs; the application has no such permission. */
async function damaged(damage: string, undo: string, look: () => Promise<void>): Promise<void> {
  await test.db.query(damage);
  try {
    await look();
  } finally {
    await test.db.query(undo);
  }
}

describe('a step of the full check', () => {
  it('reads a few entries or orders, and a run reads all of a wallet: a change in any of them is found', async () => {
    const steps = await run();
    // Entries and orders of the long wallet in threes, and the entries of its other wallet.
    expect(steps.length).toBeGreaterThanOrEqual(2 + (2 * ORDERS) / ROWS_PER_STEP);
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

  it('does nothing if none is due, or with a size of zero', async () => {
    expect(await test.ledger.checkStep(ONE_READ)).toEqual({ outcome: 'idle', violations: [], restMs: 0 });
    await expect(test.step(0)).rejects.toMatchObject({ code: '22023' });
  });

  it('is skipped while an archive waits for the end of another step, and while an archive runs', async () => {
    const archive = new Client({ connectionString: test.db.url });
    const process = await test.pool.connect();
    try {
      await archive.connect();
      await archive.query('begin; select books_alone()');
      expect((await test.step()).outcome).toBe('busy');
      await archive.query('commit');
      await process.query('begin');
      expect((await process.query('select outcome from ledger_check_step(3)')).rows).toEqual([{ outcome: 'begun' }]);
      const archiveLock = archive.query('begin; select books_alone() as alone');
      await until('the archive is waiting', async () => {
        const [row] = await test.db.query<{ waits: boolean }>(
          `select exists (select from pg_locks where locktype = 'advisory' and not granted and objid = 7401255
             and database = (select oid from pg_database where datname = current_database())) as waits`,
        );
        return row!.waits;
      });
      // A later step does not overtake it.
      expect((await test.ledger.checkStep(ONE_READ)).outcome).toBe('busy');
      await process.query('commit');
      expect(((await archiveLock) as unknown as { rows: unknown[] }[])[1]!.rows).toEqual([{ alone: true }]);
      await archive.query('rollback');

      await process.query('begin');
      await process.query('select outcome from ledger_check_step(3)');
      const [row] = await test.db.query(
        `select busy from archive_leave(uuidv7(), 'production', 1, now(), '{}', '{}', '{}', '{}')`,
      );
      expect(row).toEqual({ busy: true });
    } finally {
      await process.query('rollback');
      process.release();
      await archive.end();
    }
  });

  it('grows while there is time, and pauses for the rest of the interval', async () => {
    await test.step();
    const { outcome, restMs } = await test.ledger.checkStep({ rows: 1, forMs: 20, share: 20 });
    expect(outcome).toBe('going on');
    // Four times as long as its work.
    expect(restMs).toBeGreaterThanOrEqual(4 * 20);
    expect((await test.ledger.lastFullCheck()).endsAtS).toBeGreaterThan(Date.now() / 1_000 - 60);
    const [worker] = await test.db.query<{ rests: boolean }>(
      'select next_step_at > now() as rests from ledger_full_worker where worker = 1',
    );
    const secondStep = await test.ledger.checkStep(ONE_READ);
    if (worker!.rests) expect(secondStep.outcome).toBe('busy');
    await test.db.query(`update ledger_full_worker set next_step_at = '-infinity'`);
    expect((await test.ledger.checkStep({ forMs: 10_000 })).outcome).toBe('complete');
    expect((await test.ledger.lastFullCheck()).endsAtS).toBeNull();
  });

  it.each([[{ share: 0 }], [{ share: 101 }], [{ workers: 0 }], [{ forMs: -1 }]])(
    'does nothing with %j',
    async (pace) => {
      await expect(test.ledger.checkStep(pace)).rejects.toMatchObject({ code: '22023' });
    },
  );
});

describe('workers of the full check', () => {
  const TWO_WORKERS = 'select outcome from ledger_check_step(3, 0, 100, 2)';
  const remaining = async () => new Set((await progressOf()).map(({ ord }) => ord));

  it('read different parts at once, up to the configured number, and others continue the part of one that dies', async () => {
    const total = (await run()).length;
    await test.step(ROWS_PER_STEP);
    const [first, second, third] = [await test.pool.connect(), await test.pool.connect(), await test.pool.connect()];
    try {
      for (const worker of [first, second]) {
        await worker.query('begin');
        expect((await worker.query(TWO_WORKERS)).rows).toEqual([{ outcome: 'going on' }]);
      }
      expect((await third.query(TWO_WORKERS)).rows).toEqual([{ outcome: 'busy' }]);
      await first.query('commit');
      // A killed process.
      await second.query('rollback');
    } finally {
      for (const client of [first, second, third]) client.release();
    }
    expect(await run()).toHaveLength(total - 2);
  });

  it('read every transfer once together, and find a change in the part of each', async () => {
    const check = async (): Promise<CheckStep['violations']> => {
      await test.step();
      const found: CheckStep['violations'] = [];
      let worked = 0;
      const worker = async (): Promise<void> => {
        for (;;) {
          await test.db.query('update ledger_full_worker set next_step_at = now() where next_step_at > now()');
          const { outcome, violations } = await test.ledger.checkStep({ rows: 1, forMs: 0, workers: 3 });
          found.push(...violations);
          if (outcome === 'going on') worked++;
          if (outcome === 'complete' || outcome === 'idle') return;
        }
      };
      await Promise.all([worker(), worker(), worker()]);
      expect(worked).toBeGreaterThan(2 * ORDERS);
      expect(await remaining()).toEqual(new Set());
      return found;
    };
    expect(await check()).toEqual([]);
    const id = orders[5]!;
    const by = (n: number) =>
      `update transfer set balance_after_paise = balance_after_paise + ${n} where subject_id = '${id}' and step = 1`;
    await damaged(by(1), by(-1), async () =>
      expect((await check())[0]).toMatchObject({ rule: 'balance is the sum of transfers', developerId: developer }),
    );
    const provider = (name: string) => `update orders set provider = '${name}' where id = '${id}'`;
    const [{ was }] = (await test.db.query<{ was: string }>('select provider as was from orders where id = $1', [
      id,
    ])) as [{ was: string }];
    await damaged(provider('OTHER'), provider(was), async () =>
      expect([...new Set((await check()).map(({ rule }) => rule))]).toEqual(['a total agrees with the transfers']),
    );
  });

  it('find the same in a manual check as a single worker', async () => {
    const change = (n: number) =>
      `update wallet set balance_paise = balance_paise + ${n} where developer_id = '${developer}' and environment = 'uat'`;
    const total = (n: number) =>
      `update ledger_total set amount_paise = amount_paise + ${n} where account = 'in_flight'`;
    expect(await test.ledger.check(undefined, 3)).toEqual([]);
    await damaged(`${change(1)}; ${total(1)}`, `${change(-1)}; ${total(-1)}`, async () => {
      const serialFindings = await test.ledger.check();
      expect(new Set(serialFindings.map(({ rule }) => rule)).size).toBe(2);
      expect(new Set(await test.ledger.check(undefined, 3))).toEqual(new Set(serialFindings));
    });
  });
});

describe('the order of the checks', () => {
  const firstIsNew = () => test.ledger.restoredToInstant();
  const change = (table: string, set: string) => test.db.query(`update ${table} set ${set}`);

  it('puts the check of new transfers first only after a point-in-time restore, never after a dump, until the full check is complete', async () => {
    expect(await firstIsNew()).toBe(false);
    // A promotion starts a new timeline.
    await change('ledger_full_check', 'completed_timeline = completed_timeline - 1');
    expect(await firstIsNew()).toBe(true);
    expect(await test.ledger.size()).toEqual({ entries: expect.any(Number), newEntries: 0 });

    // A dump restored on another server, with any timeline.
    const [{ system }] = (await test.db.query<{ system: string }>(
      'select system_identifier::text as system from ledger_checkpoint',
    )) as [{ system: string }];
    await change('ledger_checkpoint', 'system_identifier = 1');
    expect(await firstIsNew()).toBe(false);
    await change('ledger_checkpoint', `system_identifier = ${system}`);
    expect(await firstIsNew()).toBe(true);
    // And on the same server.
    await change('ledger_full_check', 'completed_table = (completed_table::bigint + 1)::oid');
    expect(await firstIsNew()).toBe(false);
    await change('ledger_full_check', `completed_table = 'transfer'::regclass`);
    expect(await firstIsNew()).toBe(true);

    await test.ledger.fullCheckNow();
    expect((await test.ledger.checkStep()).outcome).toBe('begun');
    expect((await test.ledger.checkStep({ forMs: 10_000 })).outcome).toBe('complete');
    expect(await firstIsNew()).toBe(false);
  });

  it('restarts a run that the restore interrupted', async () => {
    await test.step(ROWS_PER_STEP);
    await test.step(ROWS_PER_STEP);
    await change('ledger_full_check', 'timeline = timeline - 1');
    expect((await test.step(ROWS_PER_STEP)).outcome).toBe('restarted');
  });
});

describe('a run of the full check', () => {
  it('continues in another process when one dies during a step', async () => {
    const total = (await run()).length;
    const first = new LedgerService(test.pool);
    for (let n = 0; n < 5; n++) await test.step(ROWS_PER_STEP, first);
    const progressBefore = await progressOf();
    const killedClient = new Client({ connectionString: test.db.url });
    await killedClient.connect();
    await test.db.query('update ledger_full_check set next_step_at = now()');
    await killedClient.query('begin');
    expect((await killedClient.query('select outcome from ledger_check_step(3)')).rows).toEqual([
      { outcome: 'going on' },
    ]);
    killedClient.on('error', () => {});
    const [{ pid }] = (await killedClient.query<{ pid: number }>('select pg_backend_pid() as pid')).rows as [
      { pid: number },
    ];
    await test.db.query('select pg_terminate_backend($1, 5000)', [pid]);
    expect(await progressOf()).toEqual(progressBefore);

    const pool = createPool(test.db.url, { max: 1 });
    try {
      expect(await run(ROWS_PER_STEP, new LedgerService(pool))).toHaveLength(total - 5);
    } finally {
      await pool.end();
    }
  });

  it('is shared by two processes that do not wait for each other', async () => {
    const total = (await run()).length;
    await test.db.query('update ledger_full_check set next_step_at = now()');
    const outcomes: string[] = [];
    const process = async (): Promise<void> => {
      while (outcomes.at(-1) !== 'complete' && !outcomes.includes('complete'))
        // Not `step`, because a step that is not due must do nothing.
        outcomes.push((await test.ledger.checkStep(ONE_READ)).outcome);
    };
    const ticker = setInterval(
      () => void test.db.query('update ledger_full_check set next_step_at = now() where started_at is not null'),
      5,
    );
    await Promise.all([process(), process()]).finally(() => clearInterval(ticker));
    // The other process may begin the next run before it notices that this one is complete, and responses can overtake each
    // other. So everything from the second "begun" on is ignored, and the last step is not counted by its position.
    const nextRun = outcomes.indexOf('begun', outcomes.indexOf('begun') + 1);
    const ofRun = nextRun < 0 ? outcomes : outcomes.slice(0, nextRun);
    expect(outcomes).toContain('complete');
    expect(ofRun.filter((outcome) => outcome === 'begun' || outcome === 'going on')).toHaveLength(total - 1);
  });

  it('reports transfers posted during the run neither as violations nor twice', async () => {
    const wallet = await test.wallet(1_000);
    const steps: CheckStep[] = [];
    do {
      steps.push(await test.step(ROWS_PER_STEP));
      const hold = holdOf(wallet, 1);
      await test.ledger.hold(hold);
      await test.ledger.resolve(resolutionOf({ developerId: wallet, id: hold.id }, steps.length % 2 > 0));
      if (steps.length % 3 === 0) expect(await test.newViolations()).toEqual([]);
    } while (steps.at(-1)!.outcome !== 'complete' && steps.length < 500);
    expect(steps.flatMap(({ violations }) => violations)).toEqual([]);
    expect(steps.at(-1)!.outcome).toBe('complete');
  });

  it('restarts after an archive, which removes transfers that it has read, and on another server', async () => {
    const old = await test.wallet(1_000);
    await openedAt(test, old, monthsBefore(3));
    const [heldAt, resolvedAt] = [monthsBefore(2), monthsBefore(2, 11)];
    for (let n = 0; n < 3; n++) await orderAt(test, old, 100, heldAt, { at: resolvedAt, success: n > 0 });
    await leadFeeAt(test, old, monthsBefore(2, 12));
    await orderAt(test, old, 7, new Date());
    expect(await test.newViolations()).toEqual([]);
    await test.step(ROWS_PER_STEP);
    // All entries of the wallet were read.
    const hasRemaining = async () =>
      (await progressOf()).some(({ developer_id, part }) => developer_id === old && part !== 'uat');
    expect(await hasRemaining()).toBe(true);
    while (await hasRemaining()) await test.step(ROWS_PER_STEP);
    const archive = archiveOf(test);
    await archive.run(temporaryDirectory());
    await archive.close();
    const [{ left }] = (await test.db.query<{ left: number }>(
      'select sum(left_lines)::integer as left from wallet_opening',
    )) as [{ left: number }];
    expect(left).toBeGreaterThan(0);
    expect((await test.step(ROWS_PER_STEP)).outcome).toBe('restarted');
    // An archive moves batch after batch.
    expect((await test.ledger.checkStep(ONE_READ)).outcome).toBe('idle');
    await test.step(ROWS_PER_STEP);
    await test.db.query('update ledger_full_check set system_identifier = 1');
    expect((await test.step(ROWS_PER_STEP)).outcome).toBe('restarted');
    expect((await run()).flatMap(({ violations }) => violations)).toEqual([]);
  });

  it('keeps the findings of the last run until a run finds nothing, and is due earlier while there are any', async () => {
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
    for (let n = 0; n < 3; n++) await test.step(ROWS_PER_STEP);
    expect((await test.ledger.lastFullCheck()).violations).toMatchObject([{ rule, developerId: developer }]);
    await run();
    expect(await findings()).toEqual([]);
    expect(await nextRunIn()).toBe(`${7 * 86_400} s`);
  });
});

describe('a process', () => {
  it('runs due checks by itself, and logs their findings', async () => {
    const lines: [object | string, string?][] = [];
    const record = (...line: [object | string, string?]) => void lines.push(line);
    const weekly = createWeeklyCheck(
      test.ledger,
      { info: record, warn: record, error: record } as unknown as Logger,
      { workers: 2, share: 50 },
      { rows: 1, forMs: 1 },
    );
    const watch = startWorkWatch(test.pool, weekly.duties, 20);
    weekly.start(new Set(['housekeeping']));
    const change = (n: number) =>
      `update wallet set version = version + ${n} where developer_id = '${developer}' and environment = 'uat'`;
    try {
      await damaged(change(1), change(-1), async () => {
        await test.db.query('update ledger_full_check set next_step_at = now()');
        await until('a run is complete', () =>
          lines.some((line) => line.includes('the full ledger check is complete')),
        );
      });
      expect(lines.filter(([line]) => typeof line === 'object')).toEqual([
        [
          { violations: 1, rules: ['wallet versions have no gap'], developerIds: [developer] },
          'the ledger check found violations, run the doctor for details',
        ],
      ]);
    } finally {
      await watch.stop();
      await weekly.stop();
    }
  });

  it('delays the next step for a while after a failed one, and logs it once', async () => {
    const warnings: unknown[] = [];
    let attempts = 0;
    const checkStep = () => {
      attempts++;
      return Promise.reject(new Error('away'));
    };
    const log = { warn: (line: unknown) => warnings.push(line) } as unknown as Logger;
    const weekly = createWeeklyCheck({ checkStep }, log, SINGLE_WORKER);
    weekly.start(new Set(['housekeeping']));
    for (let n = 0; n < 3; n++) {
      await until('the step was attempted', () => warnings.length === 1);
      weekly.duties[0]!.wake();
    }
    await weekly.stop();
    expect([attempts, warnings]).toEqual([1, [{ err: new Error('away') }]]);
  });
});
