import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../src/cli/doctor-checks.js';
import type { Finding } from '../../src/cli/finding.js';
import { loadConfig } from '../../src/config.js';
import { newId, referenceOf } from '../../src/core/ids.js';
import { createLogger } from '../../src/core/log.js';
import { rupees } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { Channel } from '../../src/db/channel.js';
import { publishSettings } from '../../src/db/shared-settings.js';
import { sqlFiles } from '../../src/db/sql-files.js';
import { startOwnPostgres } from '../faults/support/own-postgres.js';
import { resolutionOf } from '../ledger/ledger.fixture.js';
import { startTestApp, type TestApp, type TestDeveloper, testEnvironment } from '../support/app.js';
import { creditWallet, utrFor } from '../support/credit.js';
import { putInReview } from '../support/orders.js';
import { runProgram } from '../support/program.js';
import { place } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

let test: TestApp;
let developer: TestDeveloper;
beforeAll(async () => {
  test = await startTestApp();
  developer = await test.developer({ liveRupees: 100 });
  await test.app.sweeper.stop(); // keeps stuck orders stuck
});
afterAll(() => test.close());

const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');
const settings = () => testEnvironment(test.db.url, 'http://127.0.0.1:9', [0, 0, 0]);

async function findings(env: Record<string, string> = {}, full = false): Promise<Record<string, Finding>> {
  const found: Record<string, Finding> = {};
  await examine(
    { config: loadConfig({ ...settings(), ...env }), stuckAfterMs: 10 * 60_000, reviewLimitMs: 24 * 3_600_000, full },
    (name, finding) => (found[name] = finding),
  );
  return found;
}
/** Findings except the durability of the test server, which has its own test. */
const problems = async (env?: Record<string, string>) =>
  Object.entries(await findings(env)).flatMap(([name, { ok }]) => (ok || name === 'durability' ? [] : [name]));

const doctor = (env: Record<string, string>, args?: string[]) => runProgram('cli/doctor.js', env, args);

async function withChange(change: string, undo: string, check: () => Promise<void>): Promise<void> {
  await test.db.query(change);
  try {
    await check();
  } finally {
    await test.db.query(undo);
  }
}

/** Starts like a value that was encrypted with the key of the tests. */
const sealed = Buffer.from([1, 6, ...Buffer.from('test-1')]);

/** An order with a hold, placed `hours` ago and due `minutesOverdue` ago or in review. */
async function pendingOrder(
  state: 'open' | 'review',
  { hours, minutesOverdue = 0 }: { hours: number; minutesOverdue?: number },
) {
  const id = newId();
  await test.app.ledger.hold({
    developerId: developer.id,
    environment: 'production',
    operation: 'recharge',
    id,
    reference: referenceOf(id),
    clientKey: null,
    fingerprint: Buffer.alloc(32),
    amountPaise: 100n as never,
    provider: 'ROUNDPAY',
    request: sealed,
    accountHash: Buffer.alloc(32),
    leaseMs: 1_000,
  });
  await test.db.query(`update orders set created_at = now() - $2 * interval '1 hour' where id = $1`, [id, hours]);
  if (state === 'review') await putInReview(test.db, id);
  else
    await test.db.query(`update order_due set due_at = now() - $2 * interval '1 minute' where order_id = $1`, [
      id,
      minutesOverdue,
    ]);
  return {
    id,
    remove: async () => {
      const resolved = await test.app.ledger.resolve(
        resolutionOf({ developerId: developer.id, id }, false, { result: sealed }),
      );
      if (resolved.outcome === 'already') await test.app.ledger.reverse(developer.id, id, {});
    },
  };
}

describe('doctor findings', () => {
  it('reports no problem in a sound database', async () => {
    expect(await problems()).toEqual([]);
    const found = await findings();
    expect(Object.keys(found)).toEqual([
      'database',
      'durability',
      'connections',
      'encryption',
      'clock',
      'migrations',
      'secrets',
      'shared settings',
      'encryption keys',
      'ledger',
      'full check',
      'partitions',
      'orders',
      'review',
      'credits',
      'audit log',
      'audit table',
      'explained',
      'two people',
    ]);
    expect(found.database!.summary).toMatch(/^PostgreSQL 1[5-8].* responds in \d+ ms$/);
    expect(found.database!.details).toEqual([
      'as gateway_app, signed in as postgres, which owns the tables: use a login for the service that is only a member of that role',
    ]);
    expect(found.migrations!.summary).toBe(`all ${sqlFiles.migrations.length + sqlFiles.repeatables.length} applied`);
  });

  it('reports each setting in which the running processes differ', async () => {
    const other = new Channel(test.db.url, createLogger('silent'));
    const differing = {
      SYNC_WINDOW_MS: '20s',
      REDIS_URL: 'redis://:canary@127.0.0.1:6379/0',
      EXPOSURE_LIMIT: '2000:10000000,mokshiq:20:100000',
      MAX_RECHARGE_RUPEES: '20000',
    };
    const show = { ...settings(), ...differing };
    publishSettings(other, loadConfig(show));
    expect((await findings())['shared settings']).toEqual({
      ok: true,
      summary: 'identical in all running processes (1)',
    });
    other.start();
    try {
      await until('it has printed them', async () => !(await findings())['shared settings']!.ok);
      const { summary, details } = (await findings())['shared settings']!;
      const names = ['REDIS_URL', 'SYNC_WINDOW_MS', 'EXPOSURE_LIMIT', 'MAX_RECHARGE_RUPEES'];
      expect(summary).toBe(
        `the running processes have different values of ${names.join(', ')}: set the same value for all and restart them`,
      );
      expect(details).toEqual(names.map((name) => `${name}: 1 with the value of this command, 1 with another`));
      expect(JSON.stringify(await test.db.query('select * from pg_locks'))).not.toContain('canary');
    } finally {
      await other.stop();
    }
    await until('it has exited', async () => (await findings())['shared settings']!.ok);
  });

  it('notes that the base image is not pinned, but only in an image', async () => {
    const image = async (baseImage: string | undefined) => {
      const found: Record<string, Finding> = {};
      const limits = { stuckAfterMs: 600_000, reviewLimitMs: 86_400_000 };
      await examine(
        { config: loadConfig(settings()), ...limits, baseImage },
        (name, finding) => (found[name] = finding),
      );
      return found.image;
    };
    expect(await image(undefined)).toBeUndefined();
    expect(await image(`node:26@sha256:${'a'.repeat(64)}`)).toEqual({
      ok: true,
      summary: 'the base image is pinned by its digest',
    });
    expect(await image('node:26-bookworm-slim')).toMatchObject({
      ok: true,
      warning: true,
      summary: expect.stringContaining('images not pinned: the base image is node:26-bookworm-slim'),
    });
  });

  it('warns of a database or Redis on another machine without TLS, and does not show its address', async () => {
    const encryption = async (env: Record<string, string> = {}) => (await findings(env)).encryption!;
    expect(await encryption({ REDIS_URL: 'redis://:secret@127.0.0.1:6379' })).toMatchObject({ ok: true });
    const { warning, ok, summary } = await encryption({
      ALLOW_WEAK_DURABILITY: 'false',
      DATABASE_LISTEN_URL: 'postgresql://app:secret@database.example/x',
      DATABASE_REPLICA_URL: 'postgresql://app:secret@replica.example/x?sslmode=verify-full',
      REDIS_URL: 'redis://:secret@redis.example:6379',
    });
    expect([ok, warning]).toEqual([true, true]);
    expect(summary).toBe(
      'connections to other machines without TLS: DATABASE_LISTEN_URL, REDIS_URL; use sslmode=verify-full or rediss://',
    );
    expect(await encryption({ REDIS_URL: 'rediss://redis.example:6379' })).not.toHaveProperty('warning');
  });

  it('finds the same problems with a login that owns nothing', async () => {
    const login = `service_${randomBytes(4).toString('hex')}`;
    await test.db.query(`create role ${login} login password 'of a test' in role gateway_app`);
    try {
      const url = new URL(test.db.url);
      [url.username, url.password] = [login, 'of a test'];
      expect(await problems({ DATABASE_URL: url.href })).toEqual([]);
      const found = await findings({ DATABASE_URL: url.href });
      expect(found.database!.details).toEqual([`as gateway_app, signed in as ${login}, which does not own the tables`]);
    } finally {
      await test.db.query(`drop role ${login}`);
    }
  });

  it('warns of credits with one reference in several Production wallets, unless each has a UTR', async () => {
    const by = { actor: 'system:test', requestId: 't' };
    const [first, second] = [await test.developer({ liveRupees: 0 }), await test.developer({ liveRupees: 0 })];
    const credit = (developerId: DeveloperId, reference: string, utr?: string) =>
      creditWallet(test.app, { developerId, environment: 'production', amountPaise: rupees(125), reference, utr }, by);
    for (const [index, { id }] of [first, second].entries()) await credit(id, 'Advance', utrFor(`advance ${index}`));
    expect((await findings()).credits).toEqual({
      ok: true,
      summary: 'no reference was credited to several wallets in 90 days',
    });
    await credit(first.id, 'Cash of 3 March');
    await credit(second.id, 'CASH of  3 march');
    const { credits } = await findings();
    expect(credits).toMatchObject({
      ok: true,
      warning: true,
      summary: '1 references were credited to several Production wallets in 90 days',
    });
    expect(credits!.details).toEqual([
      expect.stringMatching(
        new RegExp(`: developer:${first.id}: 125.00 rupees, 20.*; developer:${second.id}: 125.00 rupees, 20`),
      ),
    ]);
  });

  it('reports every violated invariant', async () => {
    await withChange(
      `update wallet set balance_paise = balance_paise + 1 where developer_id = '${developer.id}'`,
      `update wallet set balance_paise = balance_paise - 1 where developer_id = '${developer.id}'`,
      async () => {
        const { ledger } = await findings();
        expect(ledger).toMatchObject({ ok: false, summary: 'violations: 2' });
        expect(ledger!.details!.toSorted()[0]).toBe(
          `balance is the sum of transfers, developer ${developer.id}: production: wrong from version 2 on by 1 paise, 0 entries; balance 10001, sum of transfers 10000`,
        );
      },
    );
  });

  it('checks books that were found correct again only if a full check is requested', async () => {
    const [{ id }] = (await test.db.query(`select subject_id as id from transfer where kind = 'top_up' limit 1`)) as [
      { id: string },
    ];
    expect((await findings()).ledger).toEqual({ ok: true, summary: 'no violation since the last check' });
    await withChange(
      `update transfer set balance_after_paise = balance_after_paise + 1 where subject_id = '${id}'`,
      `update transfer set balance_after_paise = balance_after_paise - 1 where subject_id = '${id}'`,
      async () => {
        expect((await findings()).ledger!.ok).toBe(true);
        const { ledger } = await findings({}, true);
        expect(ledger).toMatchObject({ ok: false, summary: 'violations: 1' });
        expect(ledger!.details![0]).toMatch(/^balance is the sum of transfers, developer/);
      },
    );
    expect((await findings({}, true)).ledger).toEqual({ ok: true, summary: 'no violation' });
  });

  it('reports the time of the last full check by the service, and a problem if it is too old', async () => {
    const ago = (days: number) => `update ledger_full_check set completed_at = now() - interval '${days} days'`;
    expect((await findings())['full check']).toMatchObject({
      ok: true,
      summary: expect.stringMatching(/^the last full ledger check ended \d+ (s|min) ago$/),
    });
    await withChange(ago(8), ago(0), async () =>
      expect((await findings())['full check']).toEqual({
        ok: true,
        summary: 'the last full ledger check ended 8 d ago',
      }),
    );
    await withChange(ago(10), ago(0), async () => {
      expect(await problems()).toEqual(['full check']);
      expect((await findings())['full check']!.summary).toBe(
        'the last full ledger check ended 10 d ago: start a process with the worker housekeeping',
      );
      // the last full check is recent again
      expect(Object.keys(await findings({}, true))).not.toContain('full check');
    });
  });

  it('allows more time while a full check is in progress and will end in time at its current speed', async () => {
    const underWay = (hours: number) =>
      `update ledger_full_check set completed_at = now() - interval '10 days', started_at = now() - interval '${hours} hours', rows_total = 400`;
    const left = `insert into ledger_full_part (ord, developer_id, part, rows_left) values (1, '${developer.id}', 'uat', 300)`;
    const cleanup =
      'update ledger_full_check set completed_at = now(), started_at = null; delete from ledger_full_part';
    // a quarter was checked
    await withChange(`${underWay(24)}; ${left}`, cleanup, async () =>
      expect((await findings())['full check']).toEqual({
        ok: true,
        summary: 'the last full ledger check ended 10 d ago; the current one ends in 3 d',
      }),
    );
    await withChange(`${underWay(72)}; ${left}`, cleanup, async () =>
      expect((await findings())['full check']).toEqual({
        ok: false,
        summary:
          'the last full ledger check ended 10 d ago; the current one ends in 9 d: raise LEDGER_CHECK_SHARE or LEDGER_CHECK_WORKERS',
      }),
    );
  });

  it('reports findings of the weekly check that checks of new data do not see', async () => {
    const due = () => test.db.query('update ledger_full_check set next_step_at = now()');
    const run = async () => {
      await due();
      while ((await test.app.ledger.checkStep()).outcome !== 'complete') await due();
    };
    await findings();
    const change = (n: number) =>
      `update transfer set balance_after_paise = balance_after_paise + ${n} where developer_id = '${developer.id}' and environment = 'production' and kind = 'top_up'`;
    await withChange(change(1), change(-1), async () => {
      await run();
      const found = await findings();
      expect(found.ledger!.ok).toBe(true);
      expect(found['full check']).toMatchObject({
        ok: false,
        summary: expect.stringMatching(/^the last full ledger check ended \d+ s ago; violations: 1$/),
        details: [
          `balance is the sum of transfers, developer ${developer.id}: production: wrong from version 1 on by 1 paise, 1 entries; balance 10000, sum of transfers 10000`,
        ],
      });
    });
    await run();
    expect((await findings())['full check']!.ok).toBe(true);
  });

  it('lists orders without scheduled status checks by their reference', async () => {
    const order = await pendingOrder('open', { hours: 2, minutesOverdue: 30 });
    const { orders, ledger } = await findings();
    expect(ledger!.ok).toBe(true);
    expect(orders).toMatchObject({ ok: false, summary: expect.stringMatching(/^1 open, the oldest for 2 h; 1 stuck/) });
    expect(orders!.details![0]).toMatch(/^[0-9A-Z]{25} of developer [0-9a-f-]{36} at ROUNDPAY: due for 30 min$/);
    await order.remove();
  });

  it('finds orders whose status checks never end in a final status', async () => {
    // each status check fails, and each lease delays the next one a little
    const order = await pendingOrder('open', { hours: 25, minutesOverdue: -1 });
    const { orders } = await findings();
    expect(orders).toMatchObject({
      ok: false,
      summary: expect.stringMatching(/^1 open, the oldest for 25 h; 1 stuck/),
    });
    expect(orders!.details).toEqual([expect.stringMatching(/^[0-9A-Z]{25} of .* at ROUNDPAY: pending for 25 h$/)]);
    await order.remove();
    const patient = await pendingOrder('open', { hours: 24, minutesOverdue: -1 });
    expect((await findings()).orders).toMatchObject({ ok: true });
    await patient.remove();
  });

  it('ignores orders that were due a moment ago', async () => {
    const order = await pendingOrder('open', { hours: 1, minutesOverdue: 2 });
    expect(await problems()).toEqual([]);
    await order.remove();
  });

  it('reports an order with a conflicting provider status until it is reviewed', async () => {
    const { id, remove } = await pendingOrder('open', { hours: 1 });
    await test.app.ledger.resolve(resolutionOf({ developerId: developer.id, id }, true, { result: sealed }));
    await test.db.query(`select order_status_conflict($1, $2, false, '{}')`, [developer.id, id]);
    expect((await findings()).review).toEqual({
      ok: false,
      summary: 'no order needs review; final orders with a conflicting provider status: 1',
    });
    await test.db.query(`select order_confirm($1, $2, '{}')`, [developer.id, id]);
    expect((await findings()).review!.ok).toBe(true);
    await remove();
  });

  it('reports a review that takes longer than a day', async () => {
    const fresh = await pendingOrder('review', { hours: 3 });
    expect((await findings()).review).toEqual({ ok: true, summary: '1 in review, the oldest for 3 h' });
    const old = await pendingOrder('review', { hours: 49 });
    expect((await findings()).review).toEqual({ ok: false, summary: '2 in review, the oldest for 2 d' });
    await fresh.remove();
    await old.remove();
  });

  it('finds a changed audit entry', async () => {
    const [entry] = await test.db.query<{ id: string; action: string }>(
      'select id::text, action from audit_entry order by audit_entry.id limit 1 offset 2',
    );
    await withChange(
      `update audit_entry set action = 'nothing' where id = ${entry!.id}`,
      `update audit_entry set action = '${entry!.action}' where id = ${entry!.id}`,
      async () => {
        expect((await findings())['audit log']).toEqual({
          ok: false,
          summary: `the chain breaks at entry ${entry!.id}: it was changed, or was not signed with this key`,
          details: [],
        });
      },
    );
    await until('the server has counted both changes', async () => {
      const { 'audit table': table } = await findings();
      return /^0 entries were deleted and 2 changed.*, by the owner of the tables$/.test(table!.summary);
    });
    await test.db.query(`select pg_stat_reset_single_table_counters('audit_entry'::regclass)`);
  });

  it('finds values whose key is no longer configured', async () => {
    await place(test, developer, { amount: 1 });
    const found = await findings({ ENCRYPTION_KEYS: `test-2:${Buffer.alloc(32, 8).toString('base64')}` });
    expect(found.secrets!.details).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEYS lacks key "test-1", which stored/),
    ]);
    expect(found['encryption keys']).toMatchObject({
      ok: false,
      details: ['orders.request: key "test-1"', 'orders.answer: key "test-1"'],
    });
  });

  it('finds secrets that differ from those of the database', async () => {
    const found = await findings({
      REFERENCE_SECRET: 'another secret of references',
      ENCRYPTION_KEYS: `test-1:${OTHER_KEY}`,
    });
    expect(found.secrets).toEqual({
      ok: false,
      summary: 'the secrets differ from the registered ones',
      details: [
        expect.stringMatching(
          /^ENCRYPTION_KEYS: key "test-1" differs from the key with this ID that this database was used with/,
        ),
        expect.stringMatching(
          /^REFERENCE_SECRET differs from the secret that this database was used with\. Set the secret /,
        ),
      ],
    });
    expect((await findings()).secrets).toMatchObject({
      ok: true,
      summary: expect.stringMatching(/^the secrets match the registered/),
    });
  });

  it('finds a server without durability, and reports if this is allowed', async () => {
    const { durability } = await findings();
    expect(durability).toEqual({
      ok: false,
      summary:
        'PostgreSQL runs with fsync = off, full_page_writes = off, synchronous_commit = off: a crash can lose orders that were sent',
      details: ['ALLOW_WEAK_DURABILITY is set: remove it'],
    });
    expect((await findings({ ALLOW_WEAK_DURABILITY: 'false' })).durability).toMatchObject({ ok: false, details: [] });
  });

  it('finds a missing migration and a database that is newer', async () => {
    const { name } = sqlFiles.migrations.at(-1)!;
    await withChange(
      `update schema_migration set name = '9999-future' where name = '${name}'`,
      `update schema_migration set name = '${name}' where name = '9999-future'`,
      async () => {
        expect((await findings()).migrations).toEqual({
          ok: false,
          summary: '1 not applied: run "gateway migrate"',
          details: [name],
        });
      },
    );
    await withChange(
      `insert into schema_migration (name) values ('9999-future')`,
      `delete from schema_migration where name = '9999-future'`,
      async () => {
        const details = ['9999-future'];
        const summary = 'the database is newer than this program, but compatible with it';
        expect((await findings()).migrations).toEqual({ ok: true, summary, details });
        await withChange(
          `insert into schema_fingerprint values ('9999-future', 'x', '9999-future')`,
          `delete from schema_fingerprint where name = '9999-future'`,
          async () => {
            expect((await findings()).migrations).toMatchObject({
              ok: false,
              summary: expect.stringMatching(/^The database is too new for this program\. /),
              details,
            });
          },
        );
      },
    );
  });

  it('finds functions whose text differs', async () => {
    const { name } = sqlFiles.repeatables[0]!;
    await withChange(
      `update schema_repeatable set fingerprint = 'x' || fingerprint where name = '${name}'`,
      `update schema_repeatable set fingerprint = substr(fingerprint, 2) where name = '${name}'`,
      async () => {
        expect((await findings()).migrations).toEqual({
          ok: false,
          summary: '1 not applied: run "gateway migrate"',
          details: [name],
        });
      },
    );
  });

  it('reports an unreachable database and stops', async () => {
    const found = await findings({ DATABASE_URL: 'postgresql://postgres@127.0.0.1:9/none' });
    expect(found).toEqual({ database: { ok: false, summary: expect.stringContaining('ECONNREFUSED') } });
  });
});

describe('gateway doctor', () => {
  it('exits with 0 and an empty stderr if all checks pass', async () => {
    const server = await startOwnPostgres({ fsync: 'on' });
    try {
      const { name } = await server.database();
      const env = {
        ...testEnvironment(server.urlThrough(server.port, name), 'http://127.0.0.1:9', [0, 0, 0]),
        AUDIT_ANCHOR_FILE: `${temporaryDirectory()}/none`,
      };
      const allowed = await doctor(env);
      expect([allowed.code, allowed.stdout]).toEqual([
        1,
        expect.stringMatching(/^FAIL {2}durability {7}ALLOW_WEAK_DURABILITY is set: remove it$/m),
      ]);
      const { code, stdout, stderr } = await doctor({ ...env, ALLOW_WEAK_DURABILITY: 'false' });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^ok {4}settings {9}complete\n/);
      expect(stdout).toMatch(/All 20 checks passed; 1 could not compare everything\.\n$/);
    } finally {
      await server.close();
    }
  });

  it('exits with 1 if there is a problem, with JSON on request', async () => {
    const order = await pendingOrder('open', { hours: 2, minutesOverdue: 30 });
    const { code, stdout } = await doctor(settings(), ['--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      findings: { settings: { ok: true }, orders: { ok: false } },
    });
    const later = JSON.parse((await doctor(settings(), ['--stuck-minutes', '45', '--json'])).stdout);
    expect(later.findings.orders).toMatchObject({ ok: true });
    await order.remove();
  });

  it('explains an error that prevents the checks', async () => {
    const [incomplete, withoutDatabase, misspelt] = await Promise.all([
      doctor({ DATABASE_URL: test.db.url, ENCRYPTION_KEYS: 'not a key' }),
      runProgram('dev/alongside-demo.js', { DATA_DIR: temporaryDirectory() }, ['dist/cli/doctor.js']),
      doctor(settings(), ['--stuck-minutes', '0']),
    ]);
    expect(incomplete.code).toBe(1);
    expect(incomplete.stdout).toMatch(/FAIL {2}settings/);
    expect(incomplete.stdout).toContain('SECRET_PEPPER:');
    expect(incomplete.stdout).toContain('REFERENCE_SECRET:');
    expect(incomplete.stdout).not.toContain('not a key');
    expect(withoutDatabase.code).toBe(1);
    expect(withoutDatabase.stderr).toMatch(
      /^There is no database in .*\. Run "npm start" first, or set DATA_DIR or DATABASE_URL\.\n$/,
    );
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toMatch(
      /^--stuck-minutes must be a number greater than 0\. See "gateway doctor --help"\.\n$/,
    );
  });
});
