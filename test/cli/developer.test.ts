import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ClosingService } from '../../src/accounts/developers/closing.service.js';
import { runDeveloperCommand } from '../../src/cli/developer-commands.js';
import { developerOptions } from '../../src/cli/developer-options.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { Secret } from '../../src/core/secret.js';
import { services } from '../../src/core/services.js';
import { inTransaction } from '../../src/db/orm.js';
import { ProfileStore } from '../../src/leads/profile.store.js';
import { KycStore } from '../../src/onboarding/kyc.store.js';
import { SignUpStore } from '../../src/onboarding/sign-up.store.js';
import { expectExplained, PASSWORD, useConsole } from '../console/console.fixture.js';
import { documentOf, kyc } from '../onboarding/onboarding.fixture.js';
import { FROM_TEST, mailboxOf, seed, type TestDeveloper, testEnvironment } from '../support/app.js';
import { mailsTo } from '../support/mailbox.js';
import { putInReview } from '../support/orders.js';
import { runProgram } from '../support/program.js';
import { place } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const on = useConsole();
expectExplained(on);
const { test } = on;

const keys = [{ id: 'test-1', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }];
const encryption = new FieldEncryption(keys);
const pepper = new Secret('a pepper for tests only');
const document = documentOf();
const SERVICES = services.length;
const CUSTOMER = '9812345601';

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

/** What a person gives: a mobile number, KYC with a document that was handed in and one that was not, a customer of a lead. */
async function givePersonalData({ id }: TestDeveloper): Promise<{ handedIn: string; waiting: string }> {
  const store = new KycStore(encryption, pepper);
  const details = { kind: 'pan_card', fileName: 'pan.pdf', contentType: 'application/pdf' } as const;
  const sealed = () => ({ ...store.encrypt(id, details, document.content), sizeBytes: document.content.length });
  const [handedIn, waiting] = [sealed(), sealed()];
  await inTransaction(test.app.orm, async (tx) => {
    await new SignUpStore(encryption, pepper).saveContact(id, '9812345670', tx);
    for (const one of [handedIn, waiting]) await store.addDocument(id, one, tx);
    await store.submitDocuments(id, [handedIn.id], tx);
    await store.addSubmission(id, kyc, [handedIn.id], tx);
  });
  await new ProfileStore(test.app.pool, encryption, pepper).save(
    { developerId: id, environment: 'uat' },
    {
      firstName: 'Ravi',
      lastName: 'Rao',
      mobileNo: CUSTOMER,
      email: 'ravi@customer.example',
      dob: '1990-01-01',
      company: 1,
      occupation: 1,
      monthlySalaryPaise: 100n as never,
      itrAmountPaise: 100n as never,
      gender: 'Male',
      pincode: 411001,
      address: 'Pune',
      category: 'Individual',
      categoryId: 1,
      pan: 'ABCPV1234K',
      customerId: 'customer-1',
    },
  );
  return { handedIn: handedIn.id, waiting: waiting.id };
}

const linesIn = (directory: string, name: string): Record<string, unknown>[] =>
  readFileSync(path.join(directory, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const newDirectory = (): string => path.join(temporaryDirectory(), 'export');

let shop: TestDeveloper;
let documents: { handedIn: string; waiting: string };
beforeAll(async () => {
  shop = await test.developer({ liveRupees: 100 });
  documents = await givePersonalData(shop);
});

it('writes what is kept of an account into files that only their owner reads, and names each', async () => {
  await on.userOf(shop.id, `owner-${shop.id}@test.example`);
  await place(test, shop);
  await place(test, shop, { account_number: '9876540001', amount: 20 }, 'uat');
  const directory = newDirectory();
  const env = testEnvironment(test.db.url, 'http://127.0.0.1:9', [1, 2, 3]);
  const [{ account_number: number }] = (await test.db.query('select account_number from developer where id = $1', [
    shop.id,
  ])) as [{ account_number: number }];
  const ended = await runProgram('cli/gateway.js', env, ['developer', 'export', String(number), directory]);
  expect(ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+ files are written;/) });

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

  expect(linesIn(directory, 'account.jsonl')).toMatchObject([
    { id: account, accountNumber: number, mobile: '9812345670' },
  ]);
  expect(linesIn(directory, 'people.jsonl')).toMatchObject([{ email: `owner-${shop.id}@test.example`, mobile: null }]);
  expect(linesIn(directory, 'sessions.jsonl')).toHaveLength(1);
  expect(linesIn(directory, 'keys.jsonl')).toHaveLength(2);
  expect(linesIn(directory, 'tokens.jsonl')).toHaveLength(2);
  expect(linesIn(directory, 'kyc-submissions.jsonl')).toMatchObject([
    { details: kyc, documentIds: [documents.handedIn] },
  ]);
  expect(linesIn(directory, 'kyc-documents.jsonl')).toHaveLength(2);
  expect(readFileSync(path.join(directory, `kyc-documents/${documents.waiting}-pan.pdf`))).toEqual(document.content);
  expect(linesIn(directory, 'lead-profiles.jsonl')).toMatchObject([
    { profile: { mobileNo: CUSTOMER, firstName: 'Ravi' } },
  ]);
  expect(linesIn(directory, 'orders.jsonl')).toMatchObject([
    { environment: 'production', amount: '10.00', state: 'success', request: { accountNumber: '9876543210' } },
    { environment: 'uat', amount: '20.00', request: { accountNumber: '9876540001' } },
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
    said: expect.stringMatching(/written;[^\n]+\n1 values could not be decrypted; index.json names them\.\n$/),
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
    [['export', shop.id, directory], 'The directory is not empty: name a new one.'],
    [['export', shop.id, file], 'There is a file where the directory is to be made.'],
    [['export', shop.id, path.join(file, 'x')], 'The directory cannot be made (ENOTDIR).'],
    [['export', '999999999', newDirectory()], 'There is no such developer.'],
    [['export', 'Shop', newDirectory()], 'The developer must be an id such as dev_0199…, or an account number.'],
    [['export', shop.id], 'Say into which directory. See "gateway developer --help".'],
    [['export', shop.id, 'x', '--dry-run'], '--reason and --dry-run are for close. See "gateway developer --help".'],
    [['erase', shop.id], 'Say what to do: export or close. See "gateway developer --help".'],
    [['close'], 'Say which developer to close. See "gateway developer --help".'],
    [['close', shop.id, 'now'], 'There is an argument too many. See "gateway developer --help".'],
    [
      ['close', shop.id, '--reason', ' '],
      '--reason must say why, in at most 500 characters. See "gateway developer --help".',
    ],
  ] as const)
    expect(await developer(...args)).toEqual({ code: sentence, said: '' });
  expect(existsSync(newDirectory())).toBe(false);
});

it('closes nothing while real money or a decision is left, and names all of it', async () => {
  await place(test, shop, { account_number: '9876540004', amount: 30 }, 'production', { prefer: 'wait=0' });
  const proposed = await on.call(
    on.staff.admin,
    `mutation($in: CreditWalletInput!) { creditWallet(input: $in) { outcome { ... on ProposalMade { proposal { id } } } } }`,
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
  const proposal = proposed.body.data.creditWallet.outcome.proposal.id;
  const close = () => developer('close', shop.id, '--reason', 'Asked for');
  const { code, said } = await close();
  expect([code, said.split('\n')]).toEqual([
    1,
    [
      'The account cannot be closed now, and nothing was changed:',
      '- The wallet of production holds ₹60.00: pay it out, and debit it.',
      '- 1 recharge is open, with ₹30.00 held: wait for the outcome.',
      expect.stringMatching(/^- 1 decided order is asked about again, until 20\S+Z: a provider may take one back\.$/),
      `- 1 proposal waits for a second person: ${proposal} (wallet.credit).`,
      '',
    ],
  ]);
  const [{ id }] = (await test.db.query(`select id from orders where developer_id = $1 and state = 'open'`, [
    shop.id,
  ])) as [{ id: string }];
  await putInReview(test.db, id);
  expect((await close()).said).toContain('\n- 1 order waits for a person who decides.\n');
  expect(await test.db.query('select closed_at from developer where id = $1', [shop.id])).toEqual([
    { closed_at: null },
  ]);
});

it('closes an account for good: nobody gets in, what no law wants is erased, and the trail explains every row', async () => {
  const leaving = await test.developer({ liveRupees: 0 });
  const { waiting, handedIn } = await givePersonalData(leaving);
  const [{ email, account_number: number }] = (await test.db.query(
    'select email, account_number from developer where id = $1',
    [leaving.id],
  )) as [{ email: string; account_number: number }];
  const session = await on.userOf(leaving.id, email);
  const { body: hooked } = await on.call(
    session,
    `mutation { createWebhookEndpoint(input: { environment: UAT, url: "https://shop.example/hook" }) { secret } }`,
  );
  expect(hooked.errors).toBeUndefined();
  const left = (table: string, where = 'developer_id = $1') =>
    test.db.query(`select from ${table} where ${where}`, [leaving.id]).then(({ length }) => length);

  const tried = await developer('close', `dev_${leaving.id}`, '--reason', 'Asked for by letter', '--dry-run');
  expect(tried).toEqual({
    code: 0,
    said: `Nothing stands in the way, and nothing was changed.
Would end: 1 people, 2 keys, 1 webhook endpoints, ${SERVICES} services.
Would erase: 1 contacts, 1 documents that were not handed in, 1 lead profiles, 1 customers of leads, 1 known devices.
`,
  });
  expect([await left('lead_profile'), await left('webhook_endpoint')]).toEqual([1, 1]);
  expect((await test.rest('uat', 'GET', '/api/v1/auth/me', leaving.tokens.uat)).status).toBe(200);

  const env = testEnvironment(test.db.url, 'http://127.0.0.1:9', [1, 2, 3]);
  const ended = await runProgram('cli/gateway.js', env, [
    'developer',
    'close',
    String(number),
    '--reason',
    'Asked for by letter',
  ]);
  expect(ended).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^The account is closed for good\.\nEnded: 1 people,/),
  });

  for (const environment of ['uat', 'production'] as const)
    expect((await test.rest(environment, 'GET', '/api/v1/auth/me', leaving.tokens[environment])).status).toBe(401);
  expect((await on.call(session, '{ viewer { user { id } } }')).status).toBe(401);
  await expect(test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  });
  for (const table of ['developer_contact', 'lead_profile', 'lead_customer', 'webhook_endpoint', 'invitation'])
    expect([table, await left(table)]).toEqual([table, 0]);
  expect(await test.db.query('select id from kyc_document where developer_id = $1', [leaving.id])).toEqual([
    { id: handedIn },
  ]);
  expect(handedIn).not.toBe(waiting);
  expect([
    await left('kyc_submission'),
    await left('transfer'),
    await left('service_access', 'developer_id = $1 and enabled'),
  ]).toEqual([1, 1, 0]);

  const { admin } = on.staff;
  const developerId = leaving.id;
  const { body } = await on.call(
    admin,
    'query($id: ID!) { developer(id: $id) { closedAt suspensionReason productionUnlocked users { id } } }',
    { id: developerId },
  );
  expect(body.data.developer).toEqual({
    closedAt: expect.any(String),
    suspensionReason: 'Asked for by letter',
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
    /^The account was closed at 20\S+Z\.\n$/,
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
