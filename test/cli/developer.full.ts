import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ClosingService } from '../../src/accounts/developers/closing.service.js';
import { excludedTables, largeFiles, smallFiles } from '../../src/cli/account-files.js';
import { runDeveloperCommand } from '../../src/cli/developer-commands.js';
import { developerOptions } from '../../src/cli/developer-options.js';
import { services } from '../../src/core/services.js';
import { expectExplained, PASSWORD, useConsole } from '../console/console.fixture.js';
import { kyc } from '../onboarding/onboarding.fixture.js';
import { FROM_TEST, mailboxOf, seed, type TestDeveloper, testEnvironment } from '../support/app.js';
import { emailsTo } from '../support/mailbox.js';
import { putInReview } from '../support/orders.js';
import { runProgram } from '../support/program.js';
import { place } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { CUSTOMER, document, encryption, fillAccount } from './account-rows.fixture.js';

const on = useConsole();
expectExplained(on);
const { test } = on;

const SERVICES = services.length;

/** Runs the command in this process. */
async function developer(...args: string[]) {
  let output = '';
  const { pool, orm, audit, users, credentials, mails: emails } = test.app;
  const closing = new ClosingService({
    orm,
    audit,
    users,
    credentials,
    mails: emails,
    endpoints: test.app.webhooks.endpoints,
  });
  const parts = { pool, orm, audit, encryption, closing, print: (line: string) => void (output += `${line}\n`) };
  const code = await Promise.resolve()
    .then(() => runDeveloperCommand(developerOptions(args), parts))
    .catch((error: Error) => error.message);
  return { code, output };
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

/** SQL for the tables that have an account column or refer to such a row. */
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

it('the export contains a file for every table that belongs to an account, or states why not', async () => {
  const read = [...smallFiles, ...largeFiles].flatMap(({ text }) =>
    [...text.matchAll(/\b(?:from|join) (\w+)/g)].map(([, table]) => table!),
  );
  // documents, statement and activity are written by separate functions
  const written = new Set([...read, 'kyc_document', 'transfer', 'audit_entry']);
  const tables = (await test.db.query<{ name: string }>(OF_ACCOUNTS)).map(({ name }) => name);
  expect(Object.values(excludedTables).flat().toSorted()).toEqual(
    tables.filter((name) => !written.has(name)).toSorted(),
  );
});

it('exports the data of an account into files that only their owner can read, and lists each file', async () => {
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

  // the other account has rows in every file, and none of them may appear here
  const otherDirectory = newDirectory();
  expect((await developer('export', other.id, otherDirectory)).code).toBe(0);
  expect(linesOfFiles(otherDirectory).filter(([, lines]) => lines === 0)).toEqual([]);
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
  const exported = files.map(({ name }: { name: string }) => readFileSync(path.join(directory, name))).join();
  for (const secret of [
    ...Object.values(shop.tokens),
    ...Object.values(shop.keys).map(({ apiSecret }) => apiSecret),
    'argon2',
  ])
    expect(exported).not.toContain(secret);
  expect(exported).not.toContain(other.id);
  const entries = await test.db.query(
    `select actor, subject from audit_entry where action = 'developer.export' and developer_id = $1`,
    [shop.id],
  );
  expect(entries).toEqual([{ actor: 'system:developer', subject: `developer:${shop.id}` }]);
});

it('reports data that it cannot decrypt, exports all other data and states each error in one sentence', async () => {
  await test.db.query(`update kyc_submission set details = 'x' where developer_id = $1`, [shop.id]);
  const directory = newDirectory();
  expect(await developer('export', `dev_${shop.id}`, directory)).toEqual({
    code: 1,
    output: expect.stringMatching(
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
    expect(await developer(...args)).toEqual({ code: sentence, output: '' });
  expect(existsSync(newDirectory())).toBe(false);
});

it('credits without a UTR, with a reason, if only one active user can credit', async () => {
  const { id } = await test.developer({ liveRupees: 0 });
  const balance = async () => (await test.app.ledger.wallet(id, 'production')).balancePaise;
  const credit = (...more: string[]) =>
    developer('credit', id, '--amount', '499.50', '--reference', 'Cash, 3 March', '--reason', 'Receipt 17', ...more);
  expect(await credit()).toEqual({
    code: expect.stringMatching(/^\d+ active users can credit\. Request/),
    output: '',
  });
  expect(await balance()).toBe(0n);
  const disabledUsers = await test.db.query<{ id: string }>(
    `update app_user set disabled_at = now() where role in ('admin', 'finance') and disabled_at is null and email <> 'admin@test.example' returning id`,
  );
  try {
    expect(await credit()).toEqual({ code: 0, output: 'Credited 499.50 rupees. The balance is 499.50 rupees.\n' });
    expect(await credit()).toEqual({ code: 'This reference was already credited.', output: '' });
    const used = await developer('credit', id, '--amount', '1', '--reference', 'CASH of bank HDFC', '--reason', ' ');
    expect(used.code).toMatch(/^--reason must have 1 to 500 characters/);
    const transfer = ['--amount', '1', '--reason', 'Late', '--reference'];
    expect((await developer('credit', id, ...transfer, 'KKBKN52026030377')).code).toBe(0);
    const duplicate = await developer('credit', id, ...transfer, 'kkbk n5 2026 0303 77');
    expect(duplicate.code).toMatch(/^This bank transfer was already credited/);
  } finally {
    await test.db.query('update app_user set disabled_at = null where id = any($1)', [
      disabledUsers.map((user) => user.id),
    ]);
  }
  expect(await balance()).toBe(50_050n);
  const entries = await test.db.query(
    `select actor, reason, after ->> 'reference' as reference from audit_entry where action = 'wallet.credit' and subject = $1 order by audit_entry.id limit 1`,
    [`developer:${id}/production`],
  );
  expect(entries).toEqual([{ actor: 'system:developer', reason: 'Receipt 17', reference: 'Cash, 3 March' }]);
});

it('rejects a closure while money, open orders or pending approvals are left, and lists all of these', async () => {
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
  const { code, output } = await close();
  expect([code, output.split('\n')]).toEqual([
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
  expect((await close()).output).toContain('\n- 1 order needs review. Resolve it first.\n');
  expect(await test.db.query('select closed_at from developer where id = $1', [shop.id])).toEqual([
    { closed_at: null },
  ]);
});

const BY_DEVELOPER = 'developer_id = $1';
const BY_USERS = 'user_id in (select id from app_user where developer_id = $1)';

it('exports every account into its own directory and resumes an interrupted export', async () => {
  const directory = newDirectory();
  const ids = (await test.db.query<{ id: string }>('select id from developer order by id')).map(
    ({ id }) => `dev_${id}`,
  );
  expect(ids.length).toBeGreaterThan(1);
  const [first, second] = ids.map((id) => path.join(directory, id));
  await developer('export', '--all', directory);
  const changedAt = (of: string): number => statSync(path.join(of, 'index.json')).mtimeMs;
  const changedBefore = changedAt(first!);
  rmSync(path.join(second!, 'index.json'));
  expect((await developer('export', '--all', directory)).output).toMatch(
    new RegExp(`^${ids[1]}:\nWritten files: \\d+\\.[^]*\nExported accounts: ${ids.length}\\.\n$`),
  );
  expect([changedAt(first!), linesIn(second!, 'account.jsonl').length]).toEqual([changedBefore, 1]);
  expect(readdirSync(directory).toSorted()).toEqual(ids);
});

/** Data of a closed account that is erased or disabled according to docs/personal-data.md. */
const ERASED = [
  `app_user where ${BY_DEVELOPER} and mobile is not null`,
  `developer_contact where ${BY_DEVELOPER}`,
  `second_factor where ${BY_USERS}`,
  `known_device where ${BY_USERS}`,
  `password_reset where ${BY_USERS}`,
  `email_change where ${BY_USERS}`,
  `invitation where ${BY_DEVELOPER}`,
  `kyc_draft where ${BY_DEVELOPER}`,
  `kyc_document where ${BY_DEVELOPER} and submitted_at is null`,
  `lead_profile where ${BY_DEVELOPER}`,
  `lead_customer where ${BY_DEVELOPER}`,
  `lead where ${BY_DEVELOPER} and mobile_hash is not null`,
  `webhook_endpoint where ${BY_DEVELOPER}`,
  `webhook_delivery where ${BY_DEVELOPER}`,
  `session where ${BY_USERS} and revoked_at is null`,
  `access_token where ${BY_DEVELOPER} and revoked_at is null`,
  `client_token where ${BY_DEVELOPER} and parent_hash in (select token_hash from access_token where revoked_at is null)`,
  `service_access where ${BY_DEVELOPER} and enabled`,
];
/** Data of a closed account that is kept according to docs/personal-data.md. */
const KEPT = [
  `kyc_submission where ${BY_DEVELOPER}`,
  `kyc_document where ${BY_DEVELOPER} and submitted_at is not null`,
  `developer_note where ${BY_DEVELOPER}`,
  `developer where id = $1`,
  `app_user where ${BY_DEVELOPER}`,
  `credential where ${BY_DEVELOPER}`,
  `orders where ${BY_DEVELOPER}`,
  `transfer where ${BY_DEVELOPER}`,
  `wallet where ${BY_DEVELOPER}`,
  `lead where ${BY_DEVELOPER}`,
  `audit_entry where ${BY_DEVELOPER} and action = 'developer.approve'`,
  `security_event where ${BY_USERS}`,
  `rejected_call where ${BY_DEVELOPER}`,
];

it('the documentation lists the erased and the kept data of every table', () => {
  const [, section = ''] = readFileSync('docs/personal-data.md', 'utf8').split('## Close an account\n');
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const unproven = (treatment: RegExp, proven: readonly string[]) =>
    rows
      .map((row) => row.split('|'))
      .filter(([, , at]) => treatment.test(at!))
      .flatMap(([, data]) => [...data!.matchAll(/`(\w+)`/g)].map(([, table]) => table!))
      .filter((table) => !proven.some((from) => from.startsWith(`${table} `)));
  expect(rows.length).toBeGreaterThan(5);
  expect([unproven(/erased|ended/, ERASED), unproven(/kept/, KEPT)]).toEqual([[], []]);
});

it('closes an account permanently: access ends, data is erased unless the law requires it, and the audit log explains every row', async () => {
  const closedAccount = await test.developer({ liveRupees: 0 });
  const { email, number, session } = await fillAccount(on, closedAccount);
  const rowsOf = async (sources: readonly string[]) =>
    Promise.all(
      sources.map(
        async (from) => [from, (await test.db.query(`select from ${from}`, [closedAccount.id])).length] as const,
      ),
    );
  const kept = await rowsOf(KEPT);
  for (const [from, rows] of [...kept, ...(await rowsOf(ERASED))]) expect([from, rows > 0]).toEqual([from, true]);

  const dryRun = await developer('close', `dev_${closedAccount.id}`, '--reason', 'Requested by letter', '--dry-run');
  expect(dryRun).toEqual({
    code: 0,
    output: `The account can be closed. Nothing was changed.
Would end: 1 people, 2 keys, 1 webhook endpoints, ${SERVICES} services.
Would erase: 1 contacts, 1 KYC drafts, 1 documents that were not handed in, 1 lead profiles, 1 customers of leads, 1 hashed numbers of leads, 1 second factors, 1 known devices.
`,
  });
  for (const [from, rows] of await rowsOf(ERASED)) expect([from, rows > 0]).toEqual([from, true]);
  expect((await test.rest('uat', 'GET', '/api/v1/auth/me', closedAccount.tokens.uat)).status).toBe(200);

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
    expect((await test.rest(environment, 'GET', '/api/v1/auth/me', closedAccount.tokens[environment])).status).toBe(
      401,
    );
  expect((await on.call(session, '{ viewer { user { id } } }')).status).toBe(401);
  await expect(test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  });
  expect(await rowsOf(ERASED)).toEqual(ERASED.map((from) => [from, 0]));
  expect(await rowsOf(KEPT)).toEqual(kept);

  const { admin } = on.staff;
  const developerId = closedAccount.id;
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

  // the command only queues the first email; the second one is about the endpoint
  const emails = await emailsTo(mailboxOf(test.db.url), email, 2);
  expect(emails.join()).toContain('Subject: Your account was closed');
  expect((await developer('close', developerId, '--reason', 'Again')).output).toMatch(
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
  // the developer can sign up again with the same address
  expect(await test.app.developers.register({ name: 'Again', email }, seed)).not.toBe(developerId);
  const directory = newDirectory();
  expect((await developer('export', developerId, directory)).code).toBe(0);
  expect(linesIn(directory, 'activity.jsonl').map(({ action }) => action)).toContain('developer.close');
});

it('rejects the erasure of an account that is not closed', async () => {
  await expect(test.app.pool.query('select * from erase_closed($1)', [shop.id])).rejects.toThrow('is not closed');
});
