import { createHash, randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserId } from '../../src/core/principal.js';
import { randomToken } from '../../src/core/secret.js';
import { PASSWORD, useOwnConsole } from '../console/console.fixture.js';
import { FROM_TEST, mailboxOf, seed, type TestDeveloper } from '../support/app.js';
import { codeOf, SoftwareAuthenticator } from '../support/authenticator.js';
import { emailsTo } from '../support/mailbox.js';
import { validateAccessTokens } from '../support/row-keys.js';

/**
 * The attacker has the application's database role, knows the source code and has an account of their own, but has none of
 * the keys. Rows that they write or change must not grant access.
 */
const on = useOwnConsole();
let attacker: Client;
let own: TestDeveloper;
let victim: TestDeveloper;

beforeAll(async () => {
  attacker = new Client({ connectionString: on.test.db.url });
  await attacker.connect();
  await attacker.query('set role gateway_app');
  [own, victim] = [await on.test.developer(), await on.test.developer()];
});
afterAll(() => attacker.end());

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Without the key, a guess is as good as any other value. */
const GUESSED = { mac: sha256('a guess') };

async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const all = { ...row, ...GUESSED };
  const columns = Object.keys(all);
  const places = columns.map((_, index) => `$${index + 1}`);
  await attacker.query(
    `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`,
    Object.values(all),
  );
}
const change = (sql: string, values: unknown[]) => attacker.query(sql, values);
/** Deletes a row and inserts it with other values, where the role has no UPDATE permission. */
async function replace(table: string, key: Buffer, values: Readonly<Record<string, unknown>>): Promise<void> {
  const { rows } = await attacker.query(`delete from ${table} where token_hash = $1 returning *`, [key]);
  expect(rows).toHaveLength(1);
  const row: Record<string, unknown> = { ...rows[0], ...values };
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  await attacker.query(
    `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  );
}
const oneHourFromNow = () => new Date(Date.now() + 3_600_000);

let sequence = 0;
const newEmail = () => `forged-${++sequence}@test.example`;
async function person(role: 'admin' | 'developer' = 'admin') {
  const email = newEmail();
  const account = role === 'developer' ? { developerId: victim.id } : {};
  const id = await on.test.app.users.create({ email, name: 'Somebody', password: PASSWORD, role, ...account }, seed);
  return { id, email };
}
const opened = async (email: string, more: object = {}) =>
  (await on.test.app.sessions.signIn({ email, password: PASSWORD, ...more }, FROM_TEST)).token;
/** Returns "open" or the code of the error. */
const signIn = (credentials: object) =>
  on.test.app.sessions.signIn(credentials, FROM_TEST).then(
    () => 'open',
    (error: { code?: string }) => error.code ?? String(error),
  );
const isSession = async (token: string) => (await on.call(token, '{ viewer { user { id } } }')).status === 200;
const wallet = async (token: string) =>
  (await on.test.rest('production', 'GET', '/api/v1/wallet/balance', token)).status;
const circles = async (token: string) => {
  const { body } = await on.test.graphql('production', token, '{ circles { name } }');
  return body.errors?.[0].extensions.code ?? 'open';
};
const linkOf = async (email: string, page: string, emailCount = 1) => {
  const found = await emailsTo(mailboxOf(on.test.db.url), email, emailCount);
  return new RegExp(`/${page}#token=([0-9a-f]{64})`).exec(found.at(-1)!)![1]!;
};
const onlyHash = async (table: string, condition: string, values: unknown[]): Promise<Buffer> => {
  const rows = await on.test.db.query<{ token_hash: Buffer }>(
    `select token_hash from ${table} where ${condition}`,
    values,
  );
  expect(rows).toHaveLength(1);
  return rows[0]!.token_hash;
};

/** A user with an authenticator app, and the session confirmed with it. */
async function withTotp(of: { id: UserId; email: string }) {
  const token = await opened(of.email);
  const principal = (await on.test.app.principals.ofSession(token))!;
  const { secret } = await on.test.app.factors.startTotp(principal, PASSWORD, FROM_TEST);
  const added = await on.test.app.factors.confirmTotp(principal, codeOf(secret), undefined, FROM_TEST);
  return { ...of, secret, token: added.opened!.token, recoveryCodes: added.recoveryCodes };
}

describe('a row inserted with the database role of the application', () => {
  it('is not a valid session', async () => {
    const { id } = await person();
    const token = randomToken('ses_');
    await insert('session', {
      session_hash: sha256(token),
      user_id: id,
      expires_at: oneHourFromNow(),
      confirmed_at: new Date(),
    });
    expect(await isSession(token)).toBe(false);
  });

  it('is not a valid access token', async () => {
    const token = randomToken('at_live_');
    await insert('access_token', {
      token_hash: sha256(token),
      developer_id: victim.id,
      client_id: victim.keys.production.clientId,
      environment: 'production',
      expires_at: oneHourFromNow(),
      latest_expiry: oneHourFromNow(),
    });
    expect(await wallet(token)).toBe(401);
  });

  it('is not a valid access token if the function that issues tokens inserted it', async () => {
    const token = randomToken('at_live_');
    const values = [
      sha256(token),
      victim.id,
      victim.keys.production.clientId,
      'production',
      null,
      oneHourFromNow(),
      100,
    ];
    const placeholders = [...values, GUESSED.mac].map((_, index) => `$${index + 1}`);
    await attacker.query(`select token_issue(${placeholders.join()})`, [...values, GUESSED.mac]);
    expect(await wallet(token)).toBe(401);
  });

  it('is not a valid client token', async () => {
    const { keys } = await on.test.developer();
    const parent = await onlyHash('access_token', 'client_id = $1', [keys.production.clientId]);
    const token = randomToken('ct_live_');
    const values = [sha256(token), parent, ['lookups'], null, 0, oneHourFromNow(), 60, 10, GUESSED.mac];
    const placeholders = values.map((_, index) => `$${index + 1}`);
    const { rows } = await attacker.query(`select r_id from client_token_issue(${placeholders.join()})`, values);
    expect(rows[0].r_id).not.toBeNull();
    expect(await circles(token)).toBe('UNAUTHENTICATED');
  });

  it('is not a valid link to set a password', async () => {
    const { id, email } = await person();
    await insert('password_reset', { token_hash: sha256('reset'), user_id: id, expires_at: oneHourFromNow() });
    const input = { token: 'reset', newPassword: 'the password of an attacker' };
    const RESET = 'mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { viewer { user { id } } } }';
    expect(await on.codes(undefined, RESET, { input })).toEqual(['VALIDATION_FAILED']);
    expect(await signIn({ email, password: PASSWORD })).toBe('open');
  });

  it('is not a valid invitation', async () => {
    const { id } = await person();
    await insert('invitation', {
      id: randomUUID(),
      token_hash: sha256('invited'),
      email: newEmail(),
      name: 'An attacker',
      role: 'admin',
      invited_by: id,
      expires_at: oneHourFromNow(),
    });
    const ACCEPT =
      'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { viewer { user { id } } } }';
    expect(await on.codes(undefined, ACCEPT, { input: { token: 'invited', password: PASSWORD } })).toEqual([
      'VALIDATION_FAILED',
    ]);
  });

  it('is not a valid passkey', async () => {
    const { id, email } = await withTotp(await person());
    const passkey = new SoftwareAuthenticator(on.test.urls.console);
    // The attacker adds the passkey to their own account and copies the row.
    const user = await person();
    const session = (await on.test.app.principals.ofSession(await opened(user.email)))!;
    const options = await on.test.app.factors.startPasskey(session, PASSWORD, FROM_TEST);
    await on.test.app.factors.confirmPasskey(session, passkey.create(options), undefined, FROM_TEST);
    const { rows } = await attacker.query<Record<string, unknown>>(
      `delete from second_factor where user_id = $1 and kind = 'passkey'
        returning kind, name, confirmed_at, credential_id, public_key, sign_count`,
      [user.id],
    );
    await insert('second_factor', { ...rows[0], user_id: id });
    const show = async (): Promise<string> => passkey.show(await on.test.app.factors.toShow('sign-in'));
    expect(await signIn({ passkey: await show() })).toBe('INVALID_CREDENTIALS');
    expect(await signIn({ email, password: PASSWORD, passkey: await show() })).toBe('INVALID_CREDENTIALS');
  });

  it('is not a valid API key: the hash of a secret belongs to one client ID and account', async () => {
    const { clientId, apiSecret } = own.keys.production;
    const copied = randomToken('cid_live_').slice(0, 29);
    await change(
      `insert into credential (client_id, developer_id, environment, secret_hash, secret_last4)
        select $1, $2, environment, secret_hash, secret_last4 from credential where client_id = $3`,
      [copied, victim.id, clientId],
    );
    const request = { clientId: copied, apiSecret, environment: 'production' } as const;
    await expect(on.test.app.tokens.issue(request, 'production', FROM_TEST)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });
});

describe('a password hash', () => {
  it('computed without the pepper matches no password', async () => {
    const { id, email } = await person();
    await change('update app_user set password_hash = $2 where id = $1', [id, await hash('a password of mine')]);
    expect(await signIn({ email, password: 'a password of mine' })).toBe('INVALID_CREDENTIALS');
  });

  it('copied from another user matches no password', async () => {
    const { id, email } = await person();
    const user = await person('developer');
    await on.test.app.users.setPassword(user.email, 'a password of mine', seed);
    await change(
      'update app_user set password_hash = (select password_hash from app_user where id = $2) where id = $1',
      [id, user.id],
    );
    expect(await signIn({ email: user.email, password: 'a password of mine' })).toBe('open');
    expect(await signIn({ email, password: 'a password of mine' })).toBe('INVALID_CREDENTIALS');
  });
});

describe('a row of the service, changed with the database role of the application,', () => {
  it.each([
    ['another user', `user_id = (select id from app_user where email = 'admin@test.example')`],
    ['a later expiry time', `expires_at = expires_at + interval '1 hour'`],
    ['a confirmation time', 'confirmed_at = now()'],
  ])('is no longer a valid session: %s', async (_, set) => {
    const { id, email } = await person('developer');
    const token = await opened(email);
    expect(await isSession(token)).toBe(true);
    await change(`update session set ${set} where user_id = $1`, [id]);
    expect(await isSession(token)).toBe(false);
  });

  it('is no longer a session that can confirm a second factor', async () => {
    const { id, token } = await withTotp(await person());
    expect(await isSession(token)).toBe(true);
    await change("update session set confirmed_at = confirmed_at + interval '1 second' where user_id = $1", [id]);
    expect(await isSession(token)).toBe(false);
  });

  it.each([
    ['another account', () => ({ developer_id: victim.id })],
    ['another environment', () => ({ environment: 'uat' })],
    ['another API key', () => ({ client_id: victim.keys.production.clientId })],
    ['a later expiry time', () => ({ latest_expiry: new Date(Date.now() + 400 * 86_400_000) })],
  ])('is no longer a valid access token: %s', async (_, values) => {
    const developer = await on.test.developer();
    const token = developer.tokens.production;
    expect(await wallet(token)).toBe(200);
    const [[column, value]] = Object.entries(values()) as [[string, unknown]];
    await change(`update access_token set ${column} = $2 where client_id = $1`, [
      developer.keys.production.clientId,
      value,
    ]);
    expect(await on.test.app.principals.ofToken(token)).toBeUndefined();
    expect(await wallet(token)).toBe(401);
  });

  it.each([
    ['more scopes', `scopes = array['lookups', 'products']`],
    ['a higher spending limit', 'max_spend_paise = 1000000'],
    ['a later expiry time', `expires_at = expires_at + interval '1 minute'`],
    ['another order', `scopes = array['order'], order_id = gen_random_uuid()`],
    ['another account', `developer_id = (select id from developer where name = 'Developer 2')`],
    [
      'another access token',
      'parent_hash = (select token_hash from access_token where developer_id <> c.developer_id and environment = c.environment limit 1)',
    ],
  ])('is no longer a valid client token: %s', async (_, set) => {
    const developer = await on.test.developer();
    const CREATE = 'mutation($input: CreateClientTokenInput!) { createClientToken(input: $input) { token } }';
    const input = { scopes: ['LOOKUPS'], expiresInSeconds: 600 };
    const { body } = await on.test.graphql('production', developer.tokens.production, CREATE, { input });
    const { token } = body.data.createClientToken;
    expect(await circles(token)).toBe('open');
    await change(`update client_token c set ${set} where developer_id = $1`, [developer.id]);
    expect(await circles(token)).toBe('UNAUTHENTICATED');
  });

  it('is not a valid token or session if its revocation was undone', async () => {
    const developer = await on.test.developer();
    const { id, email } = await person('developer');
    const session = await opened(email);
    const CREATE = 'mutation { createClientToken(input: { scopes: [LOOKUPS] }) { token clientToken { id } } }';
    const { body } = await on.test.graphql('production', developer.tokens.production, CREATE);
    const { token: client, clientToken } = body.data.createClientToken;
    const REVOKE =
      'mutation($input: RevokeClientTokenInput!) { revokeClientToken(input: $input) { clientToken { id } } }';
    const revoked = await on.test.graphql('production', developer.tokens.production, REVOKE, {
      input: { clientTokenId: clientToken.id },
    });
    expect(revoked.body.errors).toBeUndefined();
    await on.call(session, 'mutation { signOut { signedOut } }');
    await change('update access_token set revoked_at = now() where developer_id = $1', [developer.id]);
    for (const [table, column, of] of [
      ['access_token', 'developer_id', developer.id],
      ['client_token', 'developer_id', developer.id],
      ['session', 'user_id', id],
    ])
      await change(`update ${table} set revoked_at = null where ${column} = $1`, [of]);
    expect(await isSession(session)).toBe(false);
    expect(await wallet(developer.tokens.production)).toBe(401);
    await validateAccessTokens(on.test.db, 'developer_id = $1', [developer.id]);
    expect(await wallet(developer.tokens.production)).toBe(200);
    expect(await circles(client)).toBe('UNAUTHENTICATED');
  });

  it('is not a valid token if its expiry time was moved into the future', async () => {
    const developer = await on.test.developer();
    await on.test.db.query(
      `update access_token set expires_at = now() - interval '1 minute', latest_expiry = date_trunc('milliseconds', now())
        where developer_id = $1`,
      [developer.id],
    );
    await validateAccessTokens(on.test.db, 'developer_id = $1', [developer.id]);
    expect(await wallet(developer.tokens.production)).toBe(401);
    const extendExpiry = `expires_at = now() + interval '1 day'`;
    await expect(
      change(`update access_token set ${extendExpiry} where developer_id = $1`, [developer.id]),
    ).rejects.toThrow('violates check constraint');
    await change(
      `update access_token set ${extendExpiry}, latest_expiry = now() + interval '1 day' where developer_id = $1`,
      [developer.id],
    );
    expect(await wallet(developer.tokens.production)).toBe(401);
  });

  it('is included in a metric by table, for an alert', async () => {
    const mismatches = async () => {
      const text = await (await fetch(`${on.test.urls.uat}/metrics`)).text();
      return Number(/^gateway_row_mac_mismatches_total\{table="session"\} (\d+)$/m.exec(text)![1]);
    };
    const { id, email } = await person('developer');
    const token = await opened(email);
    const mismatchesBefore = await mismatches();
    expect(await isSession(token)).toBe(true);
    expect(await mismatches()).toBe(mismatchesBefore);
    await change(`update session set expires_at = expires_at + interval '1 hour' where user_id = $1`, [id]);
    expect(await isSession(token)).toBe(false);
    expect(await mismatches()).toBe(mismatchesBefore + 1);
  });

  it('is no longer a valid link to set a password: another user', async () => {
    const [user, admin] = [await person('developer'), await person()];
    const REQUEST = 'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }';
    await on.call(undefined, REQUEST, { input: { email: user.email } });
    const token = await linkOf(user.email, 'reset-password');
    await replace('password_reset', await onlyHash('password_reset', 'user_id = $1', [user.id]), {
      user_id: admin.id,
    });
    const input = { token, newPassword: 'the password of an attacker' };
    const RESET = 'mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { viewer { user { id } } } }';
    expect(await on.codes(undefined, RESET, { input })).toEqual(['VALIDATION_FAILED']);
  });

  it('is no longer a valid link to confirm an address: another user', async () => {
    const [user, admin] = [await person('developer'), await person()];
    const [email, session] = [newEmail(), await opened(user.email)];
    const CHANGE = 'mutation($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }';
    expect(await on.codes(session, CHANGE, { input: { email, currentPassword: PASSWORD } })).toEqual([]);
    const token = await linkOf(email, 'confirm-email');
    await replace('email_change', await onlyHash('email_change', 'user_id = $1', [user.id]), { user_id: admin.id });
    const CONFIRM = 'mutation($input: ConfirmEmailInput!) { confirmEmail(input: $input) { viewer { user { id } } } }';
    expect(await on.codes(session, CONFIRM, { input: { token } })).toEqual(['VALIDATION_FAILED']);
    expect(await signIn({ email: admin.email, password: PASSWORD })).toBe('open');
  });

  it('is no longer a valid invitation: another role', async () => {
    const owner = await person('developer');
    const email = newEmail();
    const INVITE = 'mutation($input: InviteUserInput!) { inviteUser(input: $input) { user { id } } }';
    const input = { email, name: 'Mine', role: 'DEVELOPER', teamRole: 'READER' };
    expect(await on.codes(await opened(owner.email), INVITE, { input })).toEqual([]);
    const token = await linkOf(email, 'accept-invitation');
    await change(
      `update invitation set role = 'admin', team_role = null, developer_id = null,
        invited_by = (select id from app_user where email = 'admin@test.example') where email = $1`,
      [email],
    );
    const ACCEPT =
      'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { viewer { user { id } } } }';
    expect(await on.codes(undefined, ACCEPT, { input: { token, password: PASSWORD } })).toEqual(['VALIDATION_FAILED']);
  });

  it('is no longer a valid sign-up link: a later expiry time', async () => {
    const email = newEmail();
    const SIGN_UP = 'mutation($input: SignUpInput!) { signUp(input: $input) { accepted } }';
    const input = { email, name: 'New', mobile: '9812345670', password: PASSWORD };
    expect(await on.codes(undefined, SIGN_UP, { input })).toEqual([]);
    const token = await linkOf(email, 'verify');
    await replace('sign_up', await onlyHash('sign_up', 'true', []), {
      expires_at: new Date(Date.now() + 48 * 3_600_000),
    });
    const VERIFY = 'mutation($input: VerifyEmailInput!) { verifyEmail(input: $input) { viewer { user { id } } } }';
    expect(await on.codes(undefined, VERIFY, { input: { token, password: PASSWORD } })).toEqual(['VALIDATION_FAILED']);
  });

  it('is no longer a valid second factor: another user; and the original user must still verify one', async () => {
    const [user, admin] = [await withTotp(await person()), await withTotp(await person())];
    await change("delete from second_factor where user_id = $1 and kind = 'totp'", [admin.id]);
    await change("update second_factor set user_id = $1, last_period = 0 where user_id = $2 and kind = 'totp'", [
      admin.id,
      user.id,
    ]);
    expect(await signIn({ email: admin.email, password: PASSWORD, code: codeOf(user.secret) })).toBe(
      'INVALID_CREDENTIALS',
    );
    expect(await signIn({ email: admin.email, password: PASSWORD })).toBe('SECOND_FACTOR_REQUIRED');
  });

  it('is no longer a valid set of recovery codes: another user', async () => {
    const [user, admin] = [await withTotp(await person()), await withTotp(await person())];
    await change("delete from second_factor where user_id = $1 and kind = 'recovery_codes'", [admin.id]);
    await change("update second_factor set user_id = $1 where user_id = $2 and kind = 'recovery_codes'", [
      admin.id,
      user.id,
    ]);
    expect(await signIn({ email: admin.email, password: PASSWORD, code: user.recoveryCodes[0] })).toBe(
      'INVALID_CREDENTIALS',
    );
  });

  it('is not a second factor that can be confirmed: one that another user started to add', async () => {
    const [user, other] = [await person(), await person()];
    const session = (await on.test.app.principals.ofSession(await opened(user.email)))!;
    const { secret } = await on.test.app.factors.startTotp(session, PASSWORD, FROM_TEST);
    await change('update second_factor set user_id = $1 where user_id = $2', [other.id, user.id]);
    const otherPrincipal = (await on.test.app.principals.ofSession(await opened(other.email)))!;
    await expect(
      on.test.app.factors.confirmTotp(otherPrincipal, codeOf(secret), undefined, FROM_TEST),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});
