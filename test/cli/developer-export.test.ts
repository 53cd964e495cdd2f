import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportDeveloper, exportedTables } from '../../src/cli/developer-export.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { PASSWORD, useConsole } from '../console/console.fixture.js';
import { documentOf, formOf, kyc, SUBMIT, upload } from '../onboarding/onboarding.fixture.js';
import { seed, type TestDeveloper, testEnvironment } from '../support/app.js';
import { runProgram } from '../support/program.js';
import { place } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const console = useConsole();
const document = documentOf();
let directory: string;
let applicant: DeveloperId;
let developer: TestDeveloper;
let other: TestDeveloper;

beforeAll(async () => {
  directory = temporaryDirectory();
  const { app, urls } = console.test;
  applicant = await app.developers.register({ name: 'Export', email: `export-${Date.now()}@test.example` }, seed);
  await app.developers.markEmailVerified(applicant, seed);
  const session = await console.userOf(applicant);
  const { documentId } = (await upload(urls.console, session, formOf(document))).body;
  expect(await console.codes(session, SUBMIT, { input: { ...kyc, documentIds: [documentId] } })).toEqual([]);
  [developer, other] = [await console.test.developer(), await console.test.developer()];
  for (const one of [developer, other]) await place(console.test, one);
});

const exported = async (developerId: DeveloperId, name: string) => {
  const into = path.join(directory, name);
  const { pool: db, config } = console.test.app;
  const written = await exportDeveloper({
    db,
    encryption: new FieldEncryption(config.encryptionKeys),
    developerId,
    directory: into,
  });
  const read = async (file: string) => JSON.parse(await readFile(path.join(into, file), 'utf8'));
  return { into, written, read };
};

describe('the export of an account', () => {
  it('has what was handed in, in the clear, for its reader alone', async () => {
    const { into, read, written } = await exported(applicant, 'applicant');
    expect(await read('kyc_submission.json')).toMatchObject([{ details: { ...kyc, pan: kyc.pan.toUpperCase() } }]);
    expect(await read('kyc_document.json')).toMatchObject([{ details: { kind: document.kind }, size_bytes: 200 }]);
    const [file] = await readdir(path.join(into, 'documents'));
    expect(await readFile(path.join(into, 'documents', file!))).toEqual(document.content);
    expect((await stat(path.join(into, 'documents', file!))).mode & 0o077).toBe(0);
    expect((await stat(into)).mode & 0o077).toBe(0);
    expect(await read('developer.json')).toMatchObject([{ id: applicant, onboarding_status: 'kyc_submitted' }]);
    expect((await read('activity.json')).map(({ action }: { action: string }) => action)).toContain('kyc.submit');
    expect([...written.keys()].toSorted()).toEqual((await readdir(into)).toSorted());
  });

  it('has orders and money of this account alone, and nothing that lets somebody in', async () => {
    const { into, read } = await exported(developer.id, 'developer');
    const orders = await read('orders.json');
    expect(orders).toMatchObject([
      { developer_id: developer.id, state: 'success', request: { accountNumber: '9876543210' } },
    ]);
    expect(await read('wallet.json')).toHaveLength(2);
    expect((await read('transfer.json')).map(({ kind }: { kind: string }) => kind)).toContain('hold');
    const files = await readdir(into);
    const all = (await Promise.all(files.map((file) => readFile(path.join(into, file), 'utf8')))).join('\n');
    for (const secret of [
      other.id,
      developer.keys.uat.apiSecret,
      developer.tokens.production,
      PASSWORD,
      'secret_hash',
      'password_hash',
    ])
      expect([secret, all.includes(secret)]).toEqual([secret, false]);
  });

  it('goes page by page, each row once', async () => {
    await console.test.db.query(
      `insert into developer_note (id, developer_id, author, text) select uuidv7(), $1, 'system:test', 'note ' || n from generate_series(1, 1100) n`,
      [other.id],
    );
    const { read } = await exported(other.id, 'pages');
    const notes = (await read('developer_note.json')).map(({ text }: { text: string }) => text);
    expect([notes.length, new Set(notes).size]).toEqual([1_100, 1_100]);
  });

  it('writes over nothing', async () => {
    const into = path.join(directory, 'full');
    await mkdir(into);
    await writeFile(path.join(into, 'mine.txt'), 'mine');
    await expect(exported(applicant, 'full')).rejects.toThrow('not empty');
    expect(await readdir(into)).toEqual(['mine.txt']);
  });

  it('leaves out of all tables about accounts and people only what is named here', async () => {
    const rows = await console.test.db.query<{ name: string }>(
      `select distinct c.table_name as name from information_schema.columns c join pg_class t on t.oid = c.table_name::regclass
       where c.table_schema = 'public' and c.column_name in ('developer_id', 'user_id') and not t.relispartition`,
    );
    const left = [
      // hashes of secrets, links and devices
      ...['access_token', 'client_token', 'password_reset', 'email_change', 'known_device'],
      // by which orders and customers are found: their rows are there
      ...['order_key', 'order_reference', 'order_search', 'keyless_recharge', 'bill_claim', 'lead_customer'],
      ...['order_due', 'order_review', 'webhook_outbox', 'sandbox_scenario'],
      // what the books check of wallets and statements
      ...['ledger_reference', 'wallet_opening', 'wallet_checkpoint', 'ledger_full_finding', 'ledger_full_total'],
      // of the operator: bank transfers, decisions, how far a check has come, a view of the statement
      ...['bank_transfer', 'proposal', 'alone_allowance', 'ledger_full_check', 'ledger_entry'],
      // as its people read it: activity.json
      'audit_entry',
    ];
    const known = [...exportedTables.map(({ table }) => table), ...left];
    expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('is a command, which the trail remembers', async () => {
    const into = path.join(directory, 'command');
    const env = testEnvironment(console.test.db.url, 'http://127.0.0.1:9', [1, 2, 3]);
    const run = (...args: string[]) => runProgram('cli/developer.js', env, args);
    const done = await run('export', `dev_${applicant}`, into);
    expect([done.code, done.stderr, done.stdout]).toEqual([0, '', expect.stringContaining('kyc_submission.json: 1\n')]);
    const [entry] = await console.test.db.query(
      `select actor, subject from audit_entry where action = 'developer.export' order by audit_entry.id desc limit 1`,
    );
    expect(entry).toEqual({ actor: 'system:developer', subject: `developer:${applicant}` });
    const wrong = await Promise.all([run('export', 'dev_1', into), run('export', applicant), run('delete')]);
    expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2]);
    const unknown = await run('export', 'dev_0190b3c2-0000-7000-8000-000000000000', path.join(directory, 'nobody'));
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no developer with this id.')]);
  });
});
