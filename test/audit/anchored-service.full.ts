import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnchorLine } from '../../src/audit/anchor.js';
import { AnchorWriter } from '../../src/audit/anchor.writer.js';
import { AuditKeys } from '../../src/audit/audit-keys.js';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/core/log.js';
import { anchorFileOf, testEnvironment } from '../support/app.js';
import { auditKeys } from '../support/audit.js';
import { runProgram } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';

const logged: string[] = [];
const test = useOwnApp(
  { AUDIT_ANCHOR_INTERVAL_MS: '1s' },
  createLogger('info', { write: (line) => void logged.push(line) }),
);
let file: string;
beforeAll(async () => {
  file = anchorFileOf(test.db.url);
  await test.developer();
});

const anchorsIn = (name: string): AnchorLine['auditAnchor'][] =>
  existsSync(name)
    ? readFileSync(name, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as AnchorLine).auditAnchor)
    : [];
const lastEntry = async () =>
  (
    await test.db.query<{ id: string; hash: string }>(
      `select id::text, encode(hash, 'hex') as hash from audit_entry order by audit_entry.id desc limit 1`,
    )
  )[0]!;

const program = (name: string, args: string[], env: Record<string, string> = {}) =>
  runProgram(name, { ...testEnvironment(test.db.url, 'http://127.0.0.1:9', [0, 0, 0]), ...env }, args);

describe('a running process', () => {
  it('writes anchors of the end of the audit log to the file and the log', async () => {
    const entry = await lastEntry();
    await until('the last entry is anchored', () => anchorsIn(file).some(({ id }) => id === entry.id));
    const anchor = anchorsIn(file).at(-1)!;
    expect(anchor).toMatchObject({ ...entry, keyId: 'test-1', signature: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const lines = logged.filter((line) => line.includes('"auditAnchor"')).map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ auditAnchor: anchor, msg: 'audit anchor' }));
  });

  it('lets the doctor detect deleted entries at the end of the audit log, with the settings of the service', async () => {
    const sound = await program('cli/doctor.js', ['--json']);
    expect(JSON.parse(sound.stdout).findings['audit log']).toMatchObject({
      ok: true,
      summary: expect.stringContaining('matches'),
    });
    await test.db.query('create table kept as select * from audit_entry');
    await test.db.query('alter table audit_entry disable trigger all');
    await test.db.query('delete from audit_entry where id > (select max(id) - 5 from audit_entry)');
    const { code, stdout } = await program('cli/doctor.js', ['--anchors', file]);
    await test.db.query('insert into audit_entry select * from kept on conflict do nothing');
    await test.db.query('alter table audit_entry enable trigger all');
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL {2}audit log {8}the audit log ends at entry \d+, but entry \d+ was anchored/);
  });

  it('detects entries deleted before they were anchored, in its metrics and for the doctor', async () => {
    await test.app.developers.register(
      { name: 'Cut off', email: 'cut-off@test.example' },
      { actor: 'system:test', requestId: 'test' },
    );
    const metric = async () => /^gateway_audit_entries_missing (\d+)$/m.exec(await test.app.metrics.text())?.[1];
    await test.db.query('create table before_cut as select * from audit_entry');
    await test.db.query('alter table audit_entry disable trigger all');
    await test.db.query('delete from audit_entry where id = (select max(id) from audit_entry)');
    await until('the process detects the loss', async () => Number(await metric()) >= 1);
    await test.db.query('insert into audit_entry select * from before_cut on conflict do nothing');
    await test.db.query('alter table audit_entry enable trigger all');
    expect(logged.some((line) => line.includes('the end of the audit log was cut off'))).toBe(true);
  });

  it('writes the last anchor when it stops, and no duplicates', async () => {
    const own = path.join(temporaryDirectory(), 'deep', 'anchors.jsonl');
    const writer = new AnchorWriter(test.app.pool, auditKeys, { file: own, intervalMs: 60_000 }, test.app.log);
    await writer.stop();
    expect(anchorsIn(own)).toEqual([]); // The process was never started.
    writer.start();
    await writer.anchor();
    await test.app.developers.register(
      { name: 'One more', email: 'one-more@test.example' },
      {
        actor: 'system:test',
        requestId: 'test',
      },
    );
    await writer.stop();
    const entry = await lastEntry();
    expect(anchorsIn(own)).toHaveLength(2);
    expect(anchorsIn(own).at(-1)).toMatchObject(entry);
  });

  it('continues and retries if an anchor cannot be written', async () => {
    const directory = temporaryDirectory();
    const own = path.join(directory, 'anchors.jsonl');
    mkdirSync(own); // A directory instead of the file.
    const logLines: string[] = [];
    const log = createLogger('info', { write: (line) => void logLines.push(line) });
    const writer = new AnchorWriter(test.app.pool, auditKeys, { file: own, intervalMs: 60_000 }, log);
    await writer.anchor();
    expect(logLines.map((line) => JSON.parse(line).msg)).toEqual([
      'audit anchor',
      'audit anchor: writing failed, retrying in the next round',
    ]);
    rmSync(own, { recursive: true });
    await writer.anchor();
    expect(anchorsIn(own)).toMatchObject([await lastEntry()]);
  });
});

describe('gateway audit export', () => {
  it('writes entries as JSON lines that can be verified with the keys', async () => {
    const { code, stdout, stderr } = await program('cli/audit.js', ['export', '--from', '2020-01-01']);
    expect([code, stderr]).toEqual([0, '']);
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.pop()).toMatchObject({ auditExport: { entries: entries.length, last: (await lastEntry()).id } });
    expect(entries.at(-1)).toMatchObject(await lastEntry());
    let previous = Buffer.alloc(32);
    for (const { previous_hash, hash, ...entry } of entries) {
      expect(previous_hash).toBe(previous.toString('hex'));
      previous = Buffer.from(auditKeys.entryHash(previous, entry)!);
      expect(hash).toBe(previous.toString('hex'));
    }
  });

  it('exports the requested days, and rejects invalid ones', async () => {
    const [empty, invalid, noCommand] = await Promise.all([
      program('cli/audit.js', ['export', '--to', '2020-01-01']),
      program('cli/audit.js', ['export', '--from', 'yesterday']),
      program('cli/audit.js', []),
    ]);
    expect(empty.code).toBe(0);
    expect(JSON.parse(empty.stdout)).toMatchObject({ auditExport: { entries: 0, first: null, last: null } });
    expect(invalid).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--from must be a date such as 2026-03-01\. See/),
    });
    expect(noCommand).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Enter a subcommand: export, or verify with a file\./),
    });
  });
});

describe('gateway serve', () => {
  it('rejects the audit keys of a demo', async () => {
    const key = Buffer.alloc(32, 3).toString('base64');
    const { code, stderr } = await program('main.js', [], { AUDIT_KEYS: `demo-1:${key}` });
    expect([code, stderr]).toEqual([
      1,
      'ENCRYPTION_KEYS, AUDIT_KEYS, SECRET_PEPPER or REFERENCE_SECRET contain demo values. Set your own values.\n',
    ]);
  });
});

describe('the audit settings', () => {
  const env = () => testEnvironment('postgresql://db/none', 'http://127.0.0.1:9', [0, 0, 0]);

  it('require keys of 32 bytes for the audit log', () => {
    const { AUDIT_KEYS: _keys, ...without } = env();
    expect(() => loadConfig(without)).toThrow('AUDIT_KEYS: is required');
    const { audit } = loadConfig({ ...env(), AUDIT_KEYS: 'short:c2hvcnQ=' });
    expect(() => new AuditKeys(audit.keys)).toThrow('AUDIT_KEYS: key "short" must be 32 bytes in base64.');
  });

  it.each(['0', '999ms', '25h', 'often'])('reject an anchor interval of %s', (interval) => {
    expect(() => loadConfig({ ...env(), AUDIT_ANCHOR_INTERVAL_MS: interval })).toThrow(
      'AUDIT_ANCHOR_INTERVAL_MS: must',
    );
  });

  it('write anchors to the data directory every five minutes by default', () => {
    const { audit } = loadConfig({ ...env(), AUDIT_ANCHOR_FILE: '', DATA_DIR: '/data' });
    expect([audit.anchorFile, audit.anchorIntervalMs]).toEqual(['/data/audit-anchors.jsonl', 300_000]);
  });
});
