import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ClosingService } from '../../src/accounts/developers/closing.service.js';
import { largeFiles, leftOut, smallFiles } from '../../src/cli/account-files.js';
import { runDeveloperCommand } from '../../src/cli/developer-commands.js';
import { developerOptions } from '../../src/cli/developer-options.js';
import { services } from '../../src/core/services.js';
import { expectExplained, PASSWORD, useConsole } from '../console/console.fixture.js';
import { kyc } from '../onboarding/onboarding.fixture.js';
import { FROM_TEST, mailboxOf, seed, type TestDeveloper, testEnvironment } from '../support/app.js';
import { mailsTo } from '../support/mailbox.js';
import { putInReview } from '../support/orders.js';
import { runProgram } from '../support/program.js';
import { place } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { CUSTOMER, document, encryption, fillAccount } from './account-rows.fixture.js';

const on = useConsole();
expectExplained(on);
const { test } = on;

const SERVICES = services.length;

/** The command, without its process. */
async function developer(...args: string[]) {
  let said = '';
  const { pool, orm, audit, users, credentials, mails } = test.app;
  const closing = new ClosingService({ orm, audit, users, credentials, mails, endpoints: test.app.webhooks.endpoints });
  const parts = { pool, orm, audit, encryption, closing, say: (line: string) => void (said += `${line}\n`) };
  const code = await Promise.resolve()
    .then(() => runDeveloperCommand(developerOptions(args), parts))
    .catch((error: Error) => error.message);
  return { code, said };
}

const linesIn = (directory: string, name: string): Record<string, unknown>[] =>
  readFileSync(path.join(directory, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const linesOfFiles = (directory: string): [name: string, lines: number][] =>
  JSON.parse(readFileSync(path.join(directory, 'index.json'), 'utf8')).files.flatMap(
    ({ name, lines }: { name: string; lines?: number }) => (lines === undefined ? [] : [[name, lines]]),
  );
const newDirectory = (): string => path.join(temporaryDirectory(), 'export');

/** SQL: tables that name an account, or a row that leads to one. */
const OF_ACCOUNTS = `
  with recursive found as (
    select 'developer'::regclass::oid as id union select attrelid from pg_attribute join pg_class c on c.oid = attrelid
      where attname in ('developer_id', 'order_id') and not attisdropped and c.relkind in ('r', 'p') and not c.relispartition
    union select conrelid from pg_constraint join found on confrelid = found.id join pg_class c on c.oid = conrelid
      where contype = 'f' and not c.relispartition)
  select id::regclass::text as name from found order by 1`;

let shop: TestDeveloper;
let other: TestDeveloper;
let filled: Awaited<ReturnType<typeof fillAccount>>;
beforeAll(async () => {
  shop = await test.developer({ liveRupees: 100 });
  other = await test.developer({ liveRupees: 100 });
  filled = await fillAccount(on, shop);
  await fillAccount(on, other);
});

it('has a file of every table that leads to an account, or says why not', async () => {
  const read = [...smallFiles, ...largeFiles].flatMap(({ text }) =>
    [...text.matchAll(/\b(?:from|join) (\w+)/g)].map(([, table]) => table!),
  );
  // the documents, the statement and the activity are written by functions of their own
  const written = new Set([...read, 'kyc_document', 'transfer', 'audit_entry']);
  const tables = (await test.db.query<{ name: string }>(OF_ACCOUNTS)).map(({ name }) => name);
  expect(Object.values(leftOut).flat().toSorted()).toEqual(tables.filter((name) => !written.has(name)).toSorted());
});

it('writes what is kept of an account into files that only their owner reads, and names each', async () => {
  await place(test, shop);
  const directory = newDirectory();
  const env = testEnvironment(test.db.url, 'http://127.0.0.1:9', [1, 2, 3]);
  const ended = await runProgram('cli/gateway.js', env, ['developer', 'export', String(filled.number), directory]);
  expect(ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Written files: \d+\./) });

  const { files, unreadable, account } = JSON.parse(readFileSync(path.join(directory, 'index.json'), 'utf8'));
  expect([account, unreadable]).toEqual([`dev_${shop.id}`, []]);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const { name, holds, lines, bytes, sha256 } of files) {
    const content = readFileSync(path.join(directory, name));
    expect([name, sha256]).toEqual([name, createHash('sha256').update(content).digest('hex')]);
    expect([name, statSync(path.join(directory, name)).mode & 0o777, content.length]).toEqual([name, 0o600, bytes]);
    expect(holds).toMatch(/\.$/);
    if (lines !== undefined)
      expect([name, linesIn(directory, name)]).toEqual([name, expect.objectContaining({ length: lines })]);
  }

  // the other account has lines in every file: one of it here would be one too many
  const theirs = newDirectory();
  expect((await developer('export', other.id, theirs)).code).toBe(0);
  expect(linesOfFiles(theirs).filter(([, lines]) => lines === 0)).toEqual([]);
  expect(Object.fromEntries(linesOfFiles(directory))).toEqual({
    'account.jsonl': 1,
    'people.jsonl': 1,
    'invitations.jsonl': 1,
    'second-factors.jsonl': 1,
    'sessions.jsonl': 1,
    'devices.jsonl': 1,
    'failed-attempts.jsonl': 1,
    'keys.jsonl': 2,
    'tokens.jsonl': 2,
    'client-tokens.jsonl': 1,
    'services.jsonl': SERVICES,
    'rejected-calls.jsonl': 1,
    'kyc-submissions.jsonl': 1,
    'kyc-draft.jsonl': 1,
    'kyc-documents.jsonl': 2,
    'notes.jsonl': 1,
    'wallets.jsonl': 2,
    'webhook-endpoints.jsonl': 1,
    'orders.jsonl': 2,
    'order-events.jsonl': 2,
    'leads.jsonl': 1,
    'lead-profiles.jsonl': 1,
    'webhook-deliveries.jsonl': 1,
    'statement-uat.jsonl': 3,
    'statement-production.jsonl': 2,
    'activity.jsonl': expect.any(Number),
  });
  expect(linesIn(directory, 'account.jsonl')).toMatchObject([
    { id: account, accountNumber: filled.number, mobile: '9812345670' },
  ]);
  expect(linesIn(directory, 'people.jsonl')).toMatchObject([{ email: filled.email, mobile: '9812345671' }]);
  expect(linesIn(directory, 'kyc-submissions.jsonl')).toMatchObject([{ details: kyc, documentIds: [filled.handedIn] }]);
  expect(linesIn(directory, 'kyc-draft.jsonl')).toMatchObject([{ details: kyc }]);
  expect(readFileSync(path.join(directory, `kyc-documents/${filled.waiting}-pan.pdf`))).toEqual(document.content);
  expect(linesIn(directory, 'lead-profiles.jsonl')).toMatchObject([
    { profile: { mobileNo: CUSTOMER, firstName: 'Ravi' } },
  ]);
  expect(linesIn(directory, 'orders.jsonl')).toMatchObject([
    { environment: 'uat', amount: '20.00', request: { accountNumber: '9876540001' } },
    { environment: 'production', amount: '10.00', state: 'success', request: { accountNumber: '9876543210' } },
  ]);
  expect(linesIn(directory, 'order-events.jsonl')).toMatchObject([
    { kind: 'response', detail: { reason: 'provider_failure' } },
    { kind: 'response', detail: { reason: 'provider_success' } },
  ]);
  expect(linesIn(directory, 'statement-production.jsonl')).toMatchObject([
    { kind: 'top_up', amount: '100.00' },
    { kind: 'hold', amount: '-10.00', balance: '90.00' },
  ]);
  expect(linesIn(directory, 'wallets.jsonl')).toContainEqual(
    expect.objectContaining({ environment: 'production', balance: '90.00' }),
  );
  const activity = linesIn(directory, 'activity.jsonl');
  expect(activity.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['developer.approve', 'credential.create', 'wallet.credit', 'user.sign_in']),
  );
  const everything = files.map(({ name }: { name: string }) => readFileSync(path.join(directory, name))).join();
  for (const secret of [
    ...Object.values(shop.tokens),
    ...Object.values(shop.keys).map(({ apiSecret }) => apiSecret),
    'argon2',
  ])
    expect(everything).not.toContain(secret);
  expect(everything).not.toContain(other.id);
  const entries = await test.db.query(
    `select actor, subject from audit_entry where action = 'developer.export' and developer_id = $1`,
    [shop.id],
  );
  expect(entries).toEqual([{ actor: 'system:developer', subject: `developer:${shop.id}` }]);
});

it('names what it cannot decrypt and writes the rest, and says in one sentence what is wrong', async () => {
  await test.db.query(`update kyc_submission set details = 'x' where developer_id = $1`, [shop.id]);
  const directory = newDirectory();
  expect(await developer('export', `dev_${shop.id}`, directory)).toEqual({
    code: 1,
    said: expect.stringMatching(
      /^Written files: \d+\.[^\n]+\n1 values could not be decrypted\. index.json lists them\.\n$/,
    ),
  });
  const { unreadable, files } = JSON.parse(readFileSync(path.join(directory, 'index.json'), 'utf8'));
  const [{ id }] = (await test.db.query('select id from kyc_submission where developer_id = $1', [shop.id])) as [
    { id: string },
  ];
  expect(unreadable).toEqual([{ file: 'kyc-submissions.jsonl', values: 1, rows: [`${id} details`] }]);
  expect(linesIn(directory, 'kyc-submissions.jsonl')).toMatchObject([{ id, details: null }]);
  expect(files.length).toBeGreaterThan(20);

  const file = path.join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  for (const [args, sentence] of [
    [['export', shop.id, directory], 'The directory is not empty. Use a new directory.'],
    [['export', shop.id, file], 'A file with the name of the directory exists.'],
    [['export', shop.id, path.join(file, 'x')], 'The directory cannot be created (ENOTDIR).'],
    [['export', '999999999', newDirectory()], 'Unknown developer.'],
    [['export', 'Shop', newDirectory()], 'The developer must be an ID such as dev_0199…, or an account number.'],
    [['close', '--all', '--reason', 'x'], 'Use --all only with export. See "gateway developer --help".'],
    [['export', '--all', file], 'A file with the name of the directory exists.'],
    [['export', '--all'], 'Enter a directory. See "gateway developer --help".'],
    [['export', shop.id], 'Enter a directory. See "gateway developer --help".'],
    [['export', shop.id, 'x', '--dry-run'], 'Use --dry-run only with close. See "gateway developer --help".'],
    [['erase', shop.id], 'Enter a subcommand: export, close or credit. See "gateway developer --help".'],
    [['close'], 'Enter the developer to close. See "gateway developer --help".'],
    [['close', shop.id, 'now'], 'Too many arguments. See "gateway developer --help".'],
    [['close', shop.id, '--reason', ' '], '--reason must have 1 to 500 characters. See "gateway developer --help".'],
  ] as const)
    expect(await developer(...args)).toEqual({ code: sentence, said: '' });
  expect(existsSync(newDirectory())).toBe(false);
});

it('credits without a UTR, with a reason, where only one active user can credit', async () => {
  const { id } = await test.developer({ liveRupees: 0 });
  const balance = async () => (await test.app.ledger.wallet(id, 'production')).balancePaise;
  const credit = (...more: string[]) =>
    developer('credit', id, '--amount', '499.50', '--reference', 'Cash, 3 March', '--reason', 'Receipt 17', ...more);
  expect(await credit()).toEqual({
    code: expect.stringMatching(/^\d+ active users can credit\. Request/),
    said: '',
  });
  expect(await balance()).toBe(0n);
  const others = await test.db.query<{ id: string }>(
    `update app_user set disabled_at = now() where role in ('admin', 'finance') and disabled_at is null and email <> 'admin@test.example' returning id`,
  );
  try {
    expect(await credit()).toEqual({ code: 0, said: 'Credited 499.50 rupees. The balance is 499.50 rupees.\n' });
    expect(await credit()).toEqual({ code: 'This reference was already credited.', said: '' });
    const used = await developer('credit', id, '--amount', '1', '--reference', 'CASH of bank HDFC', '--reason', ' ');
    expect(used.code).toMatch(/^--reason must have 1 to 500 characters/);
    const transfer = ['--amount', '1', '--reason', 'Late', '--reference'];
    expect((await developer('credit', id, ...transfer, 'KKBKN52026030377')).code).toBe(0);
    const again = await developer('credit', id, ...transfer, 'kkbk n5 2026 0303 77');
    expect(again.code).toMatch(/^This bank transfer was already credited/);
  } finally {
    await test.db.query('update app_user set disabled_at = null where id = any($1)', [others.map((one) => one.id)]);
  }
  expect(await balance()).toBe(50_050n);
  const entries = await test.db.query(
    `select actor, reason, after ->> 'reference' as reference from audit_entry where action = 'wallet.credit' and subject = $1 order by audit_entry.id limit 1`,
    [`developer:${id}/production`],
  );
  expect(entries).toEqual([{ actor: 'system:developer', reason: 'Receipt 17', reference: 'Cash, 3 March' }]);
});

it('closes nothing while real money or a decision is left, and names all of it', async () => {
  await place(test, shop, { account_number: '9876540004', amount: 30 }, 'production', { prefer: 'wait=0' });
  const requested = await on.call(
    on.staff.admin,
    `mutation($in: CreditWalletInput!) { creditWallet(input: $in) { outcome { ... on ApprovalRequestCreated { approvalRequest { id } } } } }`,
    {
      in: {
        developerId: shop.id,
        environment: 'PRODUCTION',
        amount: 60_000,
        reference: 'Late',
        utr: 'HDFCR52026112499',
      },
    },
  );
  const approvalRequest = requested.body.data.creditWallet.outcome.approvalRequest.id;
  const close = () => developer('close', shop.id, '--reason', 'Asked for');
  const { code, said } = await close();
  expect([code, said.split('\n')]).toEqual([
    1,
    [
      'The account cannot be closed now, and nothing was changed:',
      '- The Production wallet has a balance of ₹60.00. Pay it out, then debit the wallet.',
      '- 1 recharge is open, with ₹30.00 held. Wait for the outcome.',
      expect.stringMatching(
        /^- 1 resolved order is rechecked until 20\S+Z, because the provider may still reverse the payment\.$/,
      ),
      `- 1 approval request is pending: ${approvalRequest} (wallet.credit).`,
      '',
    ],
  ]);
  const [{ id }] = (await test.db.query(`select id from orders where developer_id = $1 and state = 'open'`, [
    shop.id,
  ])) as [{ id: string }];
  await putInReview(test.db, id);
  expect((await close()).said).toContain('\n- 1 order needs review. Resolve it first.\n');
  expect(await test.db.query('select closed_at from developer where id = $1', [shop.id])).toEqual([
    { closed_at: null },
  ]);
});

const THEIRS = 'developer_id = $1';
const OF_PEOPLE = 'user_id in (select id from app_user where developer_id = $1)';

it('exports every account into a directory of its own, and continues an export that was interrupted', async () => {
  const directory = newDirectory();
  const ids = (await test.db.query<{ id: string }>('select id from developer order by id')).map(
    ({ id }) => `dev_${id}`,
  );
  expect(ids.length).toBeGreaterThan(1);
  const [first, second] = ids.map((id) => path.join(directory, id));
  await developer('export', '--all', directory);
  const changedAt = (of: string): number => statSync(path.join(of, 'index.json')).mtimeMs;
  const before = changedAt(first!);
  rmSync(path.join(second!, 'index.json'));
  expect((await developer('export', '--all', directory)).said).toMatch(
    new RegExp(`^${ids[1]}:\nWritten files: \\d+\\.[^]*\nExported accounts: ${ids.length}\\.\n$`),
  );
  expect([changedAt(first!), linesIn(second!, 'account.jsonl').length]).toEqual([before, 1]);
  expect(readdirSync(directory).toSorted()).toEqual(ids);
});

/** What docs/personal-data.md says of the data of an account that is closed: this is gone, or lets nobody in any more. */
const ERASED = [
  `app_user where ${THEIRS} and mobile is not null`,
  `developer_contact where ${THEIRS}`,
  `second_factor where ${OF_PEOPLE}`,
  `known_device where ${OF_PEOPLE}`,
  `password_reset where ${OF_PEOPLE}`,
  `email_change where ${OF_PEOPLE}`,
  `invitation where ${THEIRS}`,
  `kyc_draft where ${THEIRS}`,
  `kyc_document where ${THEIRS} and submitted_at is null`,
  `lead_profile where ${THEIRS}`,
  `lead_customer where ${THEIRS}`,
  `lead where ${THEIRS} and mobile_hash is not null`,
  `webhook_endpoint where ${THEIRS}`,
  `webhook_delivery where ${THEIRS}`,
  `session where ${OF_PEOPLE} and revoked_at is null`,
  `access_token where ${THEIRS} and revoked_at is null`,
  `client_token where ${THEIRS} and parent_hash in (select token_hash from access_token where revoked_at is null)`,
  `service_access where ${THEIRS} and enabled`,
];
/** And this stays. */
const KEPT = [
  `kyc_submission where ${THEIRS}`,
  `kyc_document where ${THEIRS} and submitted_at is not null`,
  `developer_note where ${THEIRS}`,
  `developer where id = $1`,
  `app_user where ${THEIRS}`,
  `credential where ${THEIRS}`,
  `orders where ${THEIRS}`,
  `transfer where ${THEIRS}`,
  `wallet where ${THEIRS}`,
  `lead where ${THEIRS}`,
  `audit_entry where ${THEIRS} and action = 'developer.approve'`,
  `security_event where ${OF_PEOPLE}`,
  `rejected_call where ${THEIRS}`,
];

it('erases and keeps what the document for operators says, table by table', () => {
  const [, section = ''] = readFileSync('docs/personal-data.md', 'utf8').split('## Close an account\n');
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const unproven = (became: RegExp, proven: readonly string[]) =>
    rows
      .map((row) => row.split('|'))
      .filter(([, , at]) => became.test(at!))
      .flatMap(([, data]) => [...data!.matchAll(/`(\w+)`/g)].map(([, table]) => table!))
      .filter((table) => !proven.some((from) => from.startsWith(`${table} `)));
  expect(rows.length).toBeGreaterThan(5);
  expect([unproven(/erased|ended/, ERASED), unproven(/kept/, KEPT)]).toEqual([[], []]);
});

it('closes an account for good: nobody gets in, what no law wants is erased, and the audit log explains every row', async () => {
  const leaving = await test.developer({ liveRupees: 0 });
  const { email, number, session } = await fillAccount(on, leaving);
  const rowsOf = async (froms: readonly string[]) =>
    Promise.all(
      froms.map(async (from) => [from, (await test.db.query(`select from ${from}`, [leaving.id])).length] as const),
    );
  const kept = await rowsOf(KEPT);
  for (const [from, rows] of [...kept, ...(await rowsOf(ERASED))]) expect([from, rows > 0]).toEqual([from, true]);

  const tried = await developer('close', `dev_${leaving.id}`, '--reason', 'Requested by letter', '--dry-run');
  expect(tried).toEqual({
    code: 0,
    said: `The account can be closed. Nothing was changed.
Would end: 1 people, 2 keys, 1 webhook endpoints, ${SERVICES} services.
Would erase: 1 contacts, 1 KYC drafts, 1 documents that were not handed in, 1 lead profiles, 1 customers of leads, 1 hashed numbers of leads, 1 second factors, 1 known devices.
`,
  });
  for (const [from, rows] of await rowsOf(ERASED)) expect([from, rows > 0]).toEqual([from, true]);
  expect((await test.rest('uat', 'GET', '/api/v1/auth/me', leaving.tokens.uat)).status).toBe(200);

  const env = testEnvironment(test.db.url, 'http://127.0.0.1:9', [1, 2, 3]);
  const ended = await runProgram('cli/gateway.js', env, [
    'developer',
    'close',
    String(number),
    '--reason',
    'Requested by letter',
  ]);
  expect(ended).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^The account is permanently closed\.\nEnded: 1 people,/),
  });

  for (const environment of ['uat', 'production'] as const)
    expect((await test.rest(environment, 'GET', '/api/v1/auth/me', leaving.tokens[environment])).status).toBe(401);
  expect((await on.call(session, '{ viewer { user { id } } }')).status).toBe(401);
  await expect(test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  });
  expect(await rowsOf(ERASED)).toEqual(ERASED.map((from) => [from, 0]));
  expect(await rowsOf(KEPT)).toEqual(kept);

  const { admin } = on.staff;
  const developerId = leaving.id;
  const { body } = await on.call(
    admin,
    'query($id: ID!) { developer(id: $id) { closedAt suspensionReason productionUnlocked users { id } } }',
    { id: developerId },
  );
  expect(body.data.developer).toEqual({
    closedAt: expect.any(String),
    suspensionReason: 'Requested by letter',
    productionUnlocked: false,
    users: [],
  });
  const listed = async (filter: object) => {
    const found = await on.call(
      admin,
      'query($filter: DeveloperFilter) { developers(first: 200, filter: $filter) { edges { node { id } } } }',
      { filter: { search: developerId, ...filter } },
    );
    return found.body.data.developers.edges.length;
  };
  expect([await listed({ closed: true }), await listed({ closed: false }), await listed({ suspended: true })]).toEqual([
    1, 0, 1,
  ]);
  for (const mutation of [
    'reinstateDeveloper(input: { developerId: $id }) { developer { id } }',
    'unlockProduction(input: { developerId: $id }) { developer { id } }',
    'setServiceAccess(input: { developerId: $id, service: DTH_INFO, enabled: true }) { developer { id } }',
    'creditWallet(input: { developerId: $id, environment: UAT, amount: 1, reference: "x" }) { outcome { __typename } }',
    'inviteUser(input: { developerId: $id, email: "new@test.example", name: "N", role: DEVELOPER, teamRole: OWNER }) { user { id } }',
  ])
    expect([mutation, await on.codes(admin, `mutation($id: ID!) { ${mutation} }`, { id: developerId })]).toEqual([
      mutation,
      ['CONFLICT'],
    ]);

  const late = {
    email: 'late@test.example',
    name: 'Late',
    password: PASSWORD,
    role: 'developer',
    developerId,
  } as const;
  await expect(test.app.users.create(late, seed)).rejects.toMatchObject({ code: 'CONFLICT' });

  // the program only queues it; the other one told of the endpoint
  const mails = await mailsTo(mailboxOf(test.db.url), email, 2);
  expect(mails.join()).toContain('Subject: Your account was closed');
  expect((await developer('close', developerId, '--reason', 'Again')).said).toMatch(
    /^The account was already closed at 20\S+Z\.\n$/,
  );
  const actions = await test.db.query<{ action: string; n: number }>(
    `select action, count(*)::integer as n from audit_entry where developer_id = $1 and actor = 'system:developer' group by 1 order by 1`,
    [developerId],
  );
  expect(actions.map(({ action, n }) => [action, n])).toEqual([
    ['credential.revoke', 2],
    ['developer.close', 1],
    ['service_access.set', SERVICES],
    ['user.remove', 1],
    ['webhook.delete', 1],
  ]);
  // the person may come back with the same address
  expect(await test.app.developers.register({ name: 'Again', email }, seed)).not.toBe(developerId);
  const directory = newDirectory();
  expect((await developer('export', developerId, directory)).code).toBe(0);
  expect(linesIn(directory, 'activity.jsonl').map(({ action }) => action)).toContain('developer.close');
});

it('erases nothing of an account that is open', async () => {
  await expect(test.app.pool.query('select * from erase_closed($1)', [shop.id])).rejects.toThrow('is not closed');
});
