import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkAuditTable } from '../../src/cli/doctor-audit.js';
import { developerNumber } from '../support/ids.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { keysOf, plainHash, startTestAuditLog, type TestAuditLog } from './audit.fixture.js';

let auditLog: TestAuditLog;
beforeEach(async () => {
  auditLog = await startTestAuditLog();
  await auditLog.write(10);
});
afterEach(() => auditLog.close());

const lines = (): string[] => readFileSync(auditLog.anchorFile, 'utf8').trim().split('\n');

describe('an intact audit log', () => {
  it('agrees with its anchors, including old ones', async () => {
    await auditLog.anchor();
    await auditLog.write(3);
    await auditLog.anchor();
    await auditLog.write(1);
    expect(await auditLog.check()).toEqual({
      ok: true,
      summary: expect.stringMatching(/^the chain of 14 entries is complete and matches 2 anchors, the last of 20\d\d-/),
      details: ['key "k-1": entries 1 to 14'],
    });
  });

  it('is reported as incomplete without anchors', async () => {
    expect(await auditLog.check()).toMatchObject({
      ok: true,
      incomplete: true,
      summary: `the chain of 10 entries is complete, but there is no anchor to compare it with in ${auditLog.anchorFile}`,
    });
  });

  it('is verified across a rotation of keys, including older entries and anchors', async () => {
    await auditLog.anchor();
    const rotated = keysOf(2, 1);
    await auditLog.write(5, rotated);
    await auditLog.anchor(auditLog.anchorFile, rotated);
    expect(await auditLog.check(rotated)).toMatchObject({
      ok: true,
      details: ['key "k-1": entries 1 to 10', 'key "k-2": entries 11 to 15'],
    });
  });

  it('cannot be verified without the key it was written with, and the error names that key', async () => {
    await auditLog.write(1, keysOf(2, 1));
    expect(await auditLog.check(keysOf(2))).toMatchObject({
      ok: false,
      summary: 'entry 1 cannot be verified: its key "k-1" is missing in AUDIT_KEYS',
    });
  });

  it('can be longer than one batch of the reader', async () => {
    await auditLog.db.query(`insert into audit_entry (id, at, actor, action, subject, request_id, reason, key_id, previous_hash, hash)
      select n, now(), 'a', 'b', 'c', 'd', '', 'k-1', '', '' from generate_series(11, 1100) n`);
    const keys = keysOf(1);
    await auditLog.remake((previous, entry) => keys.entryHash(previous, entry)!);
    expect((await auditLog.check()).summary).toContain('the chain of 1100 entries is complete');
  });
});

describe('the doctor finds', () => {
  it('deleted entries at the end', async () => {
    await auditLog.anchor();
    await auditLog.db.query('delete from audit_entry where id > 5');
    expect(await auditLog.check()).toMatchObject({
      ok: false,
      summary: expect.stringMatching(
        /^the audit log ends at entry 5, but entry 10 was anchored at \S+ \(\S+:1\)\. The end was cut off, or an older backup was restored$/,
      ),
    });
  });

  it('deleted entries at the end whose numbers were reused', async () => {
    await auditLog.anchor();
    await auditLog.db.query('delete from audit_entry where id > 5');
    await auditLog.write(8);
    expect(await auditLog.check()).toMatchObject({
      ok: false,
      summary: expect.stringMatching(/^entry 10 differs from the entry anchored at \S+ \(\S+:1\)$/),
    });
  });

  it('a chain rewritten without the key', async () => {
    await auditLog.db.query(`update audit_entry set actor = 'user:999' where id = 5`);
    await auditLog.remake(plainHash);
    const { ok, summary, details } = await auditLog.check();
    expect([ok, summary]).toEqual([
      false,
      'the chain breaks at entry 1: it was changed, or was not signed with this key',
    ]);
    expect(details).toHaveLength(9);
  });

  it('a chain rewritten with another key', async () => {
    await auditLog.db.query(`update audit_entry set actor = 'user:999' where id = 5`);
    const otherKeys = keysOf(9);
    await auditLog.remake((previous, entry) => otherKeys.entryHash(previous, { ...entry, key_id: 'k-9' })!);
    expect((await auditLog.check()).ok).toBe(false);
  });

  it('a chain rewritten with a stolen key, from the anchors', async () => {
    await auditLog.anchor();
    const rotated = keysOf(2, 1);
    await auditLog.write(5, rotated);
    await auditLog.db.query(`update audit_entry set actor = 'user:999' where id = 5`);
    await auditLog.db.query(`delete from audit_entry where id > 10`);
    const old = keysOf(1);
    await auditLog.remake((previous, entry) => old.entryHash(previous, entry)!);
    expect(await auditLog.check(rotated)).toMatchObject({
      ok: false,
      summary: expect.stringMatching(/^entry 10 differs from the entry anchored/),
    });
  });

  it.each([
    ['a changed entry', `update audit_entry set after = '{"n":0}' where id = 4`, /breaks at entry 4: it was changed/],
    [
      'a changed IP address',
      `update audit_entry set address = '192.0.2.1' where id = 4`,
      /breaks at entry 4: it was changed, or was not signed with this key/,
    ],
    [
      'a changed account',
      `update audit_entry set developer_id = uuidv7() where id = 4`,
      /breaks at entry 4: it was changed, or was not signed with this key/,
    ],
    ['a deleted entry', 'delete from audit_entry where id = 4', /breaks at entry 4: it is missing/],
    [
      'two swapped entries',
      'update audit_entry set id = 1000 where id = 4; update audit_entry set id = 4 where id = 5; update audit_entry set id = 5 where id = 1000',
      /breaks at entry 4: it does not follow the previous entry/,
    ],
    [
      'an entry appended at the end',
      `insert into audit_entry select 11, at, 'user:1', address, action, subject, developer_id, before, after, reason, request_id, key_id, posting_id, amount_paise, hash, sha256('x') from audit_entry where id = 10`,
      /breaks at entry 11: it was changed, or was not signed with this key/,
    ],
    [
      'an entry with the ID of another key',
      `update audit_entry set key_id = 'k-2' where id = 7`,
      /entry 7 cannot be verified: its key "k-2" is missing in AUDIT_KEYS/,
    ],
  ])('%s', async (_name, damage, summary) => {
    await auditLog.db.query(damage);
    expect(await auditLog.check()).toMatchObject({ ok: false, summary: expect.stringMatching(summary) });
  });

  it('a changed or forged anchor, and an unreadable one', async () => {
    await auditLog.anchor();
    const [line] = lines();
    appendFileSync(auditLog.anchorFile, `${line!.replace('"id":"10"', '"id":"9"')}\n`);
    appendFileSync(auditLog.anchorFile, `${line!.slice(0, 60)}\n`);
    await auditLog.anchor(auditLog.anchorFile, keysOf(5));
    const { ok, summary, details } = await auditLog.check();
    expect([ok, summary, details]).toEqual([
      false,
      `${auditLog.anchorFile}:2: the anchor was changed, or was not signed with this key`,
      [
        `${auditLog.anchorFile}:3: the anchor cannot be read`,
        `${auditLog.anchorFile}:4: the key of this anchor is missing in AUDIT_KEYS`,
      ],
    ]);
  });

  it.each(['top_up', 'debit'])('a %s that only the owner of the tables can have created', async (kind) => {
    await auditLog.db.query(
      `insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
       values ($2, gen_random_uuid(), 1, $1, $1, 'production', 100, 1, 100, 'gift')`,
      [kind, developerNumber(1)],
    );
    expect(await auditLog.check()).toMatchObject({
      ok: false,
      summary: `developer ${developerNumber(1)}, production: the ${kind.replace('_', '-')} "gift" has no audit entry`,
    });
  });
});

describe('the anchors of several processes', () => {
  it('are read from all configured files and from a log', async () => {
    const other = path.join(temporaryDirectory(), 'other.log');
    writeFileSync(other, '{"level":30,"msg":"listening"}\nnot JSON at all\n');
    await auditLog.anchor();
    await auditLog.write(2);
    await auditLog.anchor(other);
    const anchorFiles = [auditLog.anchorFile, other];
    expect((await auditLog.check(undefined, anchorFiles)).summary).toContain('matches 2 anchors');
    await auditLog.db.query('delete from audit_entry where id > 10');
    expect((await auditLog.check()).ok).toBe(true);
    expect((await auditLog.check(undefined, anchorFiles)).summary).toContain(
      `the audit log ends at entry 10, but entry 12 was anchored`,
    );
  });

  it('must be readable if they are configured', async () => {
    const missing = path.join(temporaryDirectory(), 'none.jsonl');
    expect(await auditLog.check(undefined, [missing])).toMatchObject({
      ok: false,
      summary: `${missing} cannot be read: ENOENT`,
    });
  });
});

describe('the end of the log after the last anchor', () => {
  const look = () =>
    auditLog.tail.look(async ({ text, values = [] }) => (await auditLog.pool.query({ text, values })).rows);

  it('grows, and does not include rolled back entries', async () => {
    expect(await look()).toEqual({ lastId: 10, missing: 0 });
    await auditLog.write(2);
    expect(await look()).toEqual({ lastId: 12, missing: 0 });
    await expect(auditLog.rollBack()).rejects.toThrow('rolled back');
    expect(await look()).toEqual({ lastId: 12, missing: 0 });
  });

  it.each([
    ['deleted', 0, 3],
    // The process knows one of the entries that reused their numbers.
    ['deleted, with new entries from other processes', 3, 1],
  ])(
    '%s: the process that wrote it detects the loss, and so does the doctor from then on',
    async (_name, otherNames, missing) => {
      await auditLog.anchor();
      await auditLog.write(3);
      await auditLog.db.query('delete from audit_entry where id > 10');
      await auditLog.write(otherNames, undefined, { withoutTail: true });
      // The chain and its anchors agree.
      expect(await auditLog.check()).toMatchObject({ ok: true });
      expect(await look()).toEqual({ lastId: 10 + otherNames, missing });
      const summary =
        otherNames === 0
          ? /^the audit log ends at entry 10, but entry 13 was anchored/
          : /^entry 13 differs from the entry anchored/;
      expect(await auditLog.check()).toMatchObject({ ok: false, summary: expect.stringMatching(summary) });
      // The value stays, and later entries are not a further loss.
      await auditLog.write(1);
      expect(await look()).toEqual({ lastId: 11 + otherNames, missing });
    },
  );

  it('is detected from the counters of the server, which the owner of the tables cannot reset', async () => {
    expect(await checkAuditTable(auditLog.pool)).toMatchObject({ ok: true });
    await auditLog.write(3);
    await auditLog.db.query('delete from audit_entry where id > 10');
    await until('the server has counted it', async () => !(await checkAuditTable(auditLog.pool)).ok);
    expect((await checkAuditTable(auditLog.pool)).summary).toMatch(/^3 entries were deleted and 0 changed/);
    await auditLog.db.query('create role table_owner_test nosuperuser');
    const reset = `set role table_owner_test; select pg_stat_reset_single_table_counters('audit_entry'::regclass)`;
    const client = await auditLog.pool.connect();
    await expect(client.query(reset)).rejects.toThrow('permission denied');
    client.release(true);
    await auditLog.db.query('drop role table_owner_test');
  });
});
