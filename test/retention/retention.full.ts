import { Client, type Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { createLogger, type Logger } from '../../src/core/log.js';
import { openJobQueue } from '../../src/db/job-queue.js';
import { createPool } from '../../src/db/pool.js';
import { BATCH, deleteExpired, KINDS } from '../../src/retention/expired-rows.js';
import { createRetention } from '../../src/retention/retention.room.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';
import { countOf, kinds, RETENTION, seed, seedOwners, tableOf, tables } from './retention.fixture.js';

let db: TestDatabase;
/** Connects as the application role, which has no general permission to delete. */
let pool: Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = createPool(db.url, { max: 4 });
  await seedOwners(db);
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});
beforeEach(async () => {
  for (const table of tables)
    await db.query(`delete from ${table}${table === 'access_token' ? ` where token_hash <> sha256('parent')` : ''}`);
});

/** Runs one cleanup process and returns the numbers of deleted rows that it logs. */
async function runOnce(): Promise<Record<string, number>> {
  let deleted: Record<string, number> | undefined;
  const warnings: unknown[] = [];
  const log = {
    info: (line: { deleted: Record<string, number> }) => (deleted = line.deleted),
    warn: (line: unknown) => warnings.push(line),
  } as unknown as Logger;
  const retention = createRetention({ pool, log, config: { kycKept: RETENTION } });
  retention.start(new Set(['housekeeping']));
  await until('the run is complete', () => deleted !== undefined);
  await retention.stop();
  expect(warnings).toEqual([]);
  return deleted!;
}

describe('a cleanup run', () => {
  it('deletes all expired rows and keeps the others', async () => {
    expect(kinds).toEqual(KINDS);
    for (const kind of kinds) {
      await seed(db, kind, 'ended', BATCH + 200);
      await seed(db, kind, 'live', 3);
    }
    expect(await runOnce()).toEqual(Object.fromEntries(kinds.map((kind) => [kind, BATCH + 200])));
    for (const table of tables) {
      const remainingCount = 3 * kinds.filter((kind) => tableOf(kind) === table).length;
      expect([table, await countOf(db, table)]).toEqual([
        table,
        table === 'access_token' ? remainingCount + 1 : remainingCount,
      ]);
    }
  });

  it('shares the work with another process, so that each row is deleted once', async () => {
    await seed(db, 'access tokens', 'ended', 12_500);
    await seed(db, 'revoked access tokens', 'ended', 12_500);
    const runs = await Promise.all([runOnce(), runOnce()]);
    const sum = runs.flatMap((deleted) => Object.values(deleted)).reduce((a, b) => a + b, 0);
    expect(sum).toBe(25_000);
    expect(await countOf(db, 'access_token')).toBe(1);
  });

  it('skips rows locked by another transaction', async () => {
    for (const kind of kinds) await seed(db, kind, 'ended', 20);
    const holder = new Client({ connectionString: db.url });
    await holder.connect();
    try {
      await holder.query('begin');
      for (const table of tables) await holder.query(`select from ${table} limit 5 for update`);
      const { failed } = await deleteExpired(pool, RETENTION);
      expect(failed).toEqual({});
    } finally {
      await holder.end();
    }
    for (const table of tables) expect([table, await countOf(db, table)]).toEqual([table, 5]);
    expect((await deleteExpired(pool, RETENTION)).hasMore).toBe(false);
    for (const table of tables.filter((name) => name !== 'access_token'))
      expect([table, await countOf(db, table)]).toEqual([table, 0]);
  });

  it('continues after an error with one kind and reports it', async () => {
    for (const kind of ['sessions', 'ended sessions', 'approval requests'] as const) await seed(db, kind, 'ended', 5);
    // simulates a change of the table
    await db.query('alter table kyc_document rename submitted_at to other');
    try {
      const { deleted, failed } = await deleteExpired(pool, RETENTION);
      expect(deleted).toEqual({ sessions: 5, 'ended sessions': 5, 'approval requests': 5 });
      expect(Object.keys(failed)).toEqual(['KYC documents']);
      expect(failed['KYC documents']!.message).toContain('submitted_at');
    } finally {
      await db.query('alter table kyc_document rename other to submitted_at');
    }
  });

  it('deletes the orders of an approval request with it, and keeps a request that a reconciliation refers to', async () => {
    await seed(db, 'approval requests', 'ended', 4);
    await db.query(
      `insert into approval_request_order (approval_request_id, order_id, outcome) select id, gen_random_uuid(), 'success' from approval_request`,
    );
    await db.query(
      `insert into reconcile_run (id, provider, file_hash, period_from, period_to, orders, lines, matched, differences, requested, approval_request_id, run_by)
        select id, 'X', sha256('x'), now(), now() + interval '1 day', 1, 1, 1, 0, 1, id, requested_by from approval_request limit 1`,
    );
    await deleteExpired(pool, RETENTION);
    expect(await countOf(db, 'approval_request')).toBe(1);
    expect(await countOf(db, 'approval_request_order')).toBe(1);
    await db.query('delete from reconcile_run');
    await db.query('delete from approval_request_order');
  });
});

it('KYC data of a closed or rejected account is deleted after the configured number of days', async () => {
  const kept = { afterClosingDays: 100, afterRejectionDays: 10 };
  // name of an account, and how many days ago it was closed, rejected and approved
  const accounts: [
    name: string,
    closed: number | null,
    rejected: number | null,
    approved: number | null,
    goes: boolean,
  ][] = [
    ['open', null, null, 500, false],
    ['closed lately', 99, null, 500, false],
    ['closed', 101, null, 500, true],
    ['rejected lately', null, 9, null, false],
    ['rejected', null, 11, null, true],
    ['closed before approval', 11, null, null, true],
    ['closed after it was rejected', 1, 11, null, true],
    ['waits', null, null, null, false],
  ];
  for (const [name, closed, rejected, approved] of accounts)
    await db.query(
      `with one as (insert into developer (name, email, closed_at, suspended_at, rejected_at, approved_at, approved_by)
          select $1, $1 || '@kyc.example', a.closed, a.closed, a.rejected, a.approved, case when a.approved is not null then 'x' end
          from (select now() - $2 * interval '1 day', now() - $3 * interval '1 day', now() - $4 * interval '1 day') a (closed, rejected, approved)
          returning id),
        document as (insert into kyc_document (developer_id, id, details, content, size_bytes, submitted_at) select id, id, 'x', 'x', 1, now() from one),
        note as (insert into developer_note (id, developer_id, author, text) select id, id, 'x', 'x' from one)
        insert into kyc_submission (developer_id, id, pan_hash, details, document_ids) select id, id, sha256('x'), 'x', array[id] from one`,
      [name, closed, rejected, approved],
    );
  const { deleted, failed } = await deleteExpired(pool, kept);
  expect(failed).toEqual({});
  expect(deleted).toEqual({
    'documents of closed accounts': 1,
    'KYC of closed accounts': 1,
    'notes on closed accounts': 1,
    'documents of rejected accounts': 3,
    'KYC of rejected accounts': 3,
    'notes on rejected accounts': 3,
  });
  for (const table of ['kyc_document', 'kyc_submission', 'developer_note']) {
    const remaining = await db.query<{ name: string }>(
      `select d.name from ${table} t join developer d on d.id = t.developer_id`,
    );
    const remainingNames = accounts.flatMap(([name, , , , isDeleted]) => (isDeleted ? [] : [name]));
    expect([table, remaining.map(({ name }) => name).toSorted()]).toEqual([table, remainingNames.toSorted()]);
  }
  expect((await deleteExpired(pool, kept)).deleted).toEqual({});
});

it('completed jobs are deleted after a day by the job queue with the application role', async () => {
  const queue = openJobQueue(pool, createLogger('silent'), { superviseIntervalS: 1 });
  try {
    await queue.start();
    const jobs = await queue.insert('email', [{ data: {} }, { data: {} }, { data: {} }], { returnId: true });
    expect(jobs).toHaveLength(3);
    await db.query(
      `update pgboss.job set state = 'completed', completed_on = now() - interval '25 hours' where id = $1`,
      [jobs![0]],
    );
    await db.query(
      `update pgboss.job set state = 'completed', completed_on = now() - interval '23 hours' where id = $1`,
      [jobs![1]],
    );
    await db.query(`update pgboss.queue set maintain_on = null`);
    await until('the old job is deleted', async () => (await countOf(db, 'pgboss.job')) === 2);
    const remaining = await db.query('select state from pgboss.job order by state');
    expect(remaining).toEqual([{ state: 'created' }, { state: 'completed' }]);
  } finally {
    await queue.stop();
  }
});

it('every API process cleans up from its start', async () => {
  await seed(db, 'sessions', 'ended', 5);
  const ports = [await freePort(), await freePort(), await freePort()];
  const app = await createApp(loadConfig(testEnvironment(db.url, 'http://127.0.0.1:9', ports)), createLogger('silent'));
  try {
    await app.listen();
    await until('the rows are deleted', async () => (await countOf(db, 'session')) === 0);
  } finally {
    await app.close();
  }
});
