import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { encryptedTables } from '../../src/cli/encrypted-tables.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { createLogger } from '../../src/core/log.js';
import { keyedHash, Secret } from '../../src/core/secret.js';
import { rotateTable } from '../../src/db/key-rotation.js';
import { createPool } from '../../src/db/pool.js';
import {
  applicant,
  documentOf,
  kyc,
  PASSWORD,
  SIGN_IN,
  SIGN_UP,
  SUBMIT,
  useOnboarding,
  VERIFY,
} from './onboarding.fixture.js';

let lines = '';
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines += chunk.toString();
    done();
  },
});
const on = useOnboarding({}, createLogger('trace', sink));
const email = 'asha@journey.example';
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const keyOf = (id: string, fill: number) => ({ id, key: new Secret(Buffer.alloc(32, fill).toString('base64')) });
/** The encryption key of the test settings. */
const encryption = new FieldEncryption([keyOf('test-1', 7)]);

/** The encrypted values of a table, decrypted. */
async function opened(table: string, column?: string): Promise<unknown[]> {
  const { columns, contextOf } = encryptedTables.find((row) => row.table === table)!;
  const rows = await on.test.db.query(`select * from ${table} order by created_at`);
  return rows.map((row) => encryption.decrypt(contextOf(row), row[column ?? columns[0]!] as Buffer));
}

it('leads from sign-up through KYC and approval to an API call', async () => {
  const signedUp = await on.call(undefined, SIGN_UP, { input: { ...applicant, email: ` ${email.toUpperCase()} ` } });
  expect(signedUp.body).toEqual({ data: { signUp: { accepted: true } } });
  const [message] = await on.emailsTo(email, 1);
  expect(message).toContain(`\n${on.test.urls.console}/verify#token=`);
  expect(message).not.toContain(applicant.name);

  const verified = await on.call(undefined, VERIFY, { input: { token: on.tokenIn(message!), password: PASSWORD } });
  expect(verified.body.data.verifyEmail.viewer.user).toMatchObject({ name: applicant.name, email, role: 'DEVELOPER' });
  const { id, onboardingStatus } = verified.body.data.verifyEmail.viewer.developer;
  expect(id).toMatch(new RegExp(`^dev_${UUID}$`));
  expect(onboardingStatus).toBe('EMAIL_VERIFIED');

  const { token: session } = (await on.call(undefined, SIGN_IN, { input: { email, password: PASSWORD } })).body.data
    .signIn;
  const documents = [
    await on.upload(session, { ...documentOf('application/pdf'), fileName: 'C:\\scans\\..\\my pan?.exe' }),
    await on.upload(session, documentOf('image/jpeg')),
    await on.upload(session, documentOf('image/png')),
  ];
  for (const document of documents) expect(document).toMatch(new RegExp(`^doc_${id.slice(4)}_${UUID}$`));
  const submitted = await on.call(session, SUBMIT, { input: { ...kyc, documentIds: documents } });
  expect(submitted.body.data.submitKyc).toEqual({ developer: { email, onboardingStatus: 'KYC_SUBMITTED' } });

  const approved = await on.call(
    on.staff.admin,
    'mutation($id: ID!) { approveDeveloper(input: {developerId: $id}) { developer { onboardingStatus } } }',
    { id },
  );
  expect(approved.body.data.approveDeveloper.developer.onboardingStatus).toBe('APPROVED');
  const created = await on.call(
    session,
    'mutation { createCredential(input: {environment: UAT}) { credential { clientId } apiSecret developer { id } } }',
  );
  const { credential, apiSecret: api_secret, developer } = created.body.data.createCredential;
  expect(developer).toEqual({ id });
  const { clientId: client_id } = credential;
  const exchange = await on.test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
    client_id,
    api_secret,
    environment: 'uat',
  });
  const me = await on.test.rest('uat', 'GET', '/api/v1/auth/me', exchange.body.token);
  expect(me.body).toMatchObject({ email, name: applicant.name });
});

it('leaves an audit entry for every step, with the actor and without personal data', async () => {
  const auditLog = await on.test.db.query<{ actor: string; action: string }>(
    `select actor, action, before, after, reason, subject from audit_entry
      where actor not like 'system:%' and action not like 'user.sign_%' order by audit_entry.id`,
  );
  const [user] = await on.test.db.query<{ id: string }>('select id from app_user where email = $1', [email]);
  const [admin] = await on.test.db.query<{ id: string }>(`select id from app_user where email = 'admin@test.example'`);
  const own = `user:${user!.id}`;
  expect(auditLog.map(({ actor, action }) => [actor, action])).toEqual([
    ['anonymous', 'developer.register'],
    ['anonymous', 'user.create'],
    [own, 'developer.verify_email'],
    [own, 'kyc.upload_document'],
    [own, 'kyc.upload_document'],
    [own, 'kyc.upload_document'],
    [own, 'developer.submit_kyc'],
    [own, 'kyc.submit'],
    [`user:${admin!.id}`, 'wallet.credit'],
    [`user:${admin!.id}`, 'developer.approve'],
    [own, 'credential.create'],
  ]);
  for (const personal of [email, applicant.name, applicant.mobile, kyc.pan.toUpperCase(), kyc.legalName, 'pan.pdf'])
    expect(JSON.stringify(auditLog)).not.toContain(personal);
});

it('stores the submission encrypted', async () => {
  const types = ['application/pdf', 'image/jpeg', 'image/png'] as const;
  expect(await opened('kyc_document')).toEqual([
    { kind: 'pan_card', contentType: types[0], fileName: 'my pan_.pdf' },
    { kind: 'pan_card', contentType: types[1], fileName: 'pan.jpg' },
    { kind: 'pan_card', contentType: types[2], fileName: 'pan.png' },
  ]);
  expect(await opened('kyc_document', 'content')).toEqual(types.map((type) => documentOf(type).content));
  expect(await opened('kyc_submission')).toEqual([{ ...kyc, pan: kyc.pan.toUpperCase() }]);
  const [contact] = await on.test.db.query<{ developer_id: string; contact: Buffer }>(
    'select * from developer_contact',
  );
  expect(encryption.decrypt(`developer_contact:${contact!.developer_id}`, contact!.contact)).toEqual({
    mobile: applicant.mobile,
  });
  const [submission] = await on.test.db.query<{ pan_hash: Buffer }>('select pan_hash from kyc_submission');
  expect(submission!.pan_hash).toEqual(keyedHash(new Secret('a pepper for tests only'), 'kyc-pan', 'ABCPV1234K'));

  const tables = await on.test.db.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  );
  const secrets = [
    applicant.mobile,
    'ABCPV1234K',
    kyc.pan,
    kyc.legalName,
    kyc.address,
    'KYC-CANARY',
    PASSWORD,
    'verify#token',
  ];
  for (const { name } of tables) {
    const rows = await on.test.db.query<{ text: string }>(`select t::text as text from ${name} t`);
    const text = rows
      .map((row) => row.text.replace(/\\x[0-9a-f]+/g, (hex) => Buffer.from(hex.slice(2), 'hex').toString('latin1')))
      .join('\n');
    for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false]);
  }
});

it('keeps no sent email and no used link', async () => {
  expect(await on.test.db.query('select id from email')).toEqual([]);
  expect(await on.test.db.query('select token_hash from sign_up')).toEqual([]);
});

it('can be encrypted with another key, after which the first is no longer required', async () => {
  await on.call(undefined, SIGN_UP, { input: { ...applicant, email: 'later@journey.example' } });
  const renewed = new FieldEncryption([keyOf('test-2', 8), keyOf('test-1', 7)]);
  const newKeyOnly = new FieldEncryption([keyOf('test-2', 8)]);
  const pool = createPool(on.test.db.url, { max: 1, asOwner: true });
  try {
    for (const name of ['kyc_document', 'kyc_submission', 'developer_contact', 'sign_up']) {
      const table = encryptedTables.find((row) => row.table === name)!;
      expect(await rotateTable(pool, renewed, table)).toMatchObject({ unreadable: 0, current: 0, changed: 0 });
      const rows = await on.test.db.query(`select * from ${name}`);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows)
        for (const column of table.columns) newKeyOnly.decrypt(table.contextOf(row), row[column] as Buffer);
    }
  } finally {
    await pool.end();
  }
});

it('writes no personal data to the log', () => {
  expect(lines).toContain('email stored in the local mailbox');
  const secrets = [
    email,
    applicant.mobile,
    kyc.pan,
    'ABCPV1234K',
    kyc.legalName,
    kyc.address,
    PASSWORD,
    'verify#token',
  ];
  for (const secret of [...secrets, 'KYC-CANARY', 'pan.pdf']) expect(lines).not.toContain(secret);
});
