import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/core/principal.js';
import { codesOf, fieldsOf, PASSWORD, useConsole } from '../console/console.fixture.js';
import { FROM_TEST, mailboxOf, seed, type TestResponse } from '../support/app.js';
import { codeOf, SoftwareAuthenticator } from '../support/authenticator.js';
import { emailsTo } from '../support/mailbox.js';
import { OUTCOME } from '../support/outcomes.js';
import { confirmSessionsAgo } from '../support/row-keys.js';

const on = useConsole();
const SIGN_IN = `mutation($input: SignInInput!) {
  signIn(input: $input) { token mustEnroll viewer { user { email secondFactors { id } } developer { id } } } }`;
const START_TOTP = 'mutation($input: StartTotpInput!) { startTotp(input: $input) { secret uri } }';
const ADDED = '{ viewer { user { email } } recoveryCodes token }';
const CONFIRM_TOTP = `mutation($input: ConfirmTotpInput!) { confirmTotp(input: $input) ${ADDED} }`;
const START_PASSKEY = 'mutation($input: StartPasskeyInput!) { startPasskey(input: $input) { options } }';
const CONFIRM_PASSKEY = `mutation($input: ConfirmPasskeyInput!) { confirmPasskey(input: $input) ${ADDED} }`;
const SHOW_PASSKEY = 'mutation($input: StartPasskeySignInInput!) { startPasskeySignIn(input: $input) { options } }';
const CONFIRM = `mutation($input: ConfirmSecondFactorInput!) {
  confirmSecondFactor(input: $input) { confirmedUntil recoveryCodes } }`;
const REMOVE = `mutation($input: RemoveSecondFactorInput!) {
  removeSecondFactor(input: $input) { viewer { user { secondFactors { kind } } } } }`;
const FACTORS = '{ viewer { user { secondFactors { id kind name lastUsedAt } } } }';

let sequence = 0;
async function person(role: Role = 'admin') {
  const email = `factor-${++sequence}@test.example`;
  const id = await on.test.app.users.create({ email, name: 'Somebody', password: PASSWORD, role }, seed);
  return { id, email, token: (await on.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token };
}
const SWITCH_OFF =
  'mutation { setProviderAvailability(input: { provider: SANDBOX, environment: UAT, available: false, reason: "r" }) { health { available } } }';
const signIn = (input: object) => on.call(undefined, SIGN_IN, { input });
const isOpen = async (token: string) => (await on.call(token, '{ viewer { user { id } } }')).status === 200;
const emails = (email: string, count: number) => emailsTo(mailboxOf(on.test.db.url), email, count);
/** Makes the code of the current period valid again, as if a day had passed. */
const forgetCodes = (id: string) =>
  on.test.db.query('update second_factor set last_period = 0 where user_id = $1 and secret is not null', [id]);
/** Moves the last verification into the past. */
const verifiedBefore = (id: string, interval: string) => confirmSessionsAgo(on.test.db, id, interval);

async function startTotp(token: string): Promise<string> {
  return (await on.call(token, START_TOTP, { input: { currentPassword: PASSWORD } })).body.data.startTotp.secret;
}
/** A user with an authenticator app, and the session opened by adding it. */
async function withTotp(role: Role = 'admin') {
  const newUser = await person(role);
  const secret = await startTotp(newUser.token);
  const code = codeOf(secret);
  const { body } = await on.call(newUser.token, CONFIRM_TOTP, { input: { code } });
  const { token, recoveryCodes } = body.data.confirmTotp as { token: string; recoveryCodes: string[] };
  return { ...newUser, before: newUser.token, token, secret, code, recoveryCodes };
}
async function optionsFor(use: 'SIGN_IN' | 'CONFIRM', token?: string): Promise<string> {
  return (await on.call(token, SHOW_PASSKEY, { input: { use } })).body.data.startPasskeySignIn.options;
}
const startPasskey = async (token: string): Promise<string> =>
  (await on.call(token, START_PASSKEY, { input: { currentPassword: PASSWORD } })).body.data.startPasskey.options;
async function withPasskey() {
  const newUser = await person();
  const passkey = new SoftwareAuthenticator(on.test.urls.console);
  const attestation = passkey.create(await startPasskey(newUser.token));
  const { body } = await on.call(newUser.token, CONFIRM_PASSKEY, { input: { passkey: attestation, name: 'My key' } });
  return { ...newUser, passkey, token: body.data.confirmPasskey.token as string };
}

describe('an authenticator app', () => {
  it('is added with the password and a first code, which opens a new session and revokes the others', async () => {
    const { email, token } = await person('support');
    const other = (await on.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token;
    const rejection = await on.call(token, START_TOTP, { input: { currentPassword: 'not the password' } });
    expect(codesOf(rejection)).toEqual(['INVALID_CREDENTIALS']);
    expect(codesOf(await on.call(token, CONFIRM_TOTP, { input: { code: '123456' } }))).toEqual(['CONFLICT']);

    const started = await on.call(token, START_TOTP, { input: { currentPassword: PASSWORD } });
    const { secret, uri } = started.body.data.startTotp;
    expect(uri).toContain(`secret=${secret}`);
    const rejectedCode = await on.call(token, CONFIRM_TOTP, { input: { code: codeOf(secret, 20) } });
    expect([codesOf(rejectedCode), fieldsOf(rejectedCode)]).toEqual([['VALIDATION_FAILED'], ['input.code']]);
    // An unconfirmed one has no effect.
    expect((await signIn({ email, password: PASSWORD })).status).toBe(200);

    const usedCode = codeOf(secret);
    // Users copy it with a hyphen, and input methods write full-width digits.
    const fullWidth = (digit: string): string => String.fromCodePoint(digit.codePointAt(0)! + 0xfee0);
    const code = `${usedCode.slice(0, 2)} ${usedCode[2]}-${usedCode.slice(3).replaceAll(/\d/g, fullWidth)}`;
    const { body, headers } = await on.call(token, CONFIRM_TOTP, { input: { code, name: 'Phone' } });
    const added = body.data.confirmTotp;
    expect(added.recoveryCodes).toHaveLength(10);
    expect(headers.get('set-cookie')).toContain(`session=${added.token};`);
    expect([await isOpen(token), await isOpen(other), await isOpen(added.token)]).toEqual([false, false, true]);
    const { secondFactors } = (await on.call(added.token, FACTORS)).body.data.viewer.user;
    expect(secondFactors).toEqual([
      { id: expect.any(String), kind: 'TOTP', name: 'Phone', lastUsedAt: null },
      { id: expect.any(String), kind: 'RECOVERY_CODES', name: '10 of 10 codes left', lastUsedAt: null },
    ]);
    expect((await emails(email, 2)).join()).toContain('A second factor was added');
  });

  it('is required at every sign-in, and each code is valid once, also for simultaneous requests', async () => {
    const { id, email, secret, code: added } = await withTotp();
    const firstStep = await signIn({ email, password: PASSWORD });
    expect(codesOf(firstStep)).toEqual(['SECOND_FACTOR_REQUIRED']);
    expect(firstStep.headers.get('set-cookie')).toBeNull();
    expect(codesOf(await signIn({ email, password: 'not it', code: codeOf(secret, 1) }))).toEqual([
      'INVALID_CREDENTIALS',
    ]);
    expect(codesOf(await signIn({ email, password: PASSWORD, code: added }))).toEqual(['INVALID_CREDENTIALS']);
    await forgetCodes(id);
    const code = codeOf(secret);
    const from = (n: number) => ({ addressKey: `10.1.0.${n}`, requestId: 'test' });
    const attempts = await Promise.allSettled(
      Array.from({ length: 4 }, (_, n) => on.test.app.sessions.signIn({ email, password: PASSWORD, code }, from(n))),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('allows 30 wrong codes a day and notifies the owner; only a caller with the password can use them up', async () => {
    const { id, email, secret, recoveryCodes } = await withTotp();
    const guess = (n: number, input: object) =>
      on.test.app.sessions.signIn({ email, ...input }, { addressKey: `10.2.0.${n}`, requestId: 'test' }).then(
        () => 'in',
        (error: { code: string }) => error.code,
      );
    for (let n = 0; n < 12; n++)
      expect(await guess(n, { password: 'not it', code: '000000' })).toBe('INVALID_CREDENTIALS');
    const wrongCode = (n: number) => guess(n, { password: PASSWORD, code: codeOf(secret, 100 + n) });
    for (let n = 0; n < 6; n++) expect(await wrongCode(n)).toBe('INVALID_CREDENTIALS');
    // Hashing is slow, so 29 wrong codes are inserted.
    const counted = await on.test.db.query(
      `update rate_limit set points = 29 where key like '%wrong-codes:' || $1 and points = 6 returning key`,
      [id],
    );
    expect(counted).toHaveLength(1);
    expect([await wrongCode(7), await wrongCode(8)]).toEqual(['INVALID_CREDENTIALS', 'TOO_MANY_FAILED_EXCHANGES']);
    await forgetCodes(id);
    expect(await guess(50, { password: PASSWORD, code: codeOf(secret) })).toBe('TOO_MANY_FAILED_EXCHANGES');
    expect(await guess(51, { password: PASSWORD, code: recoveryCodes[0] })).toBe('in');
    const notices = (await emails(email, 5)).filter((message) => message.includes('Your password may be compromised'));
    expect(notices).toHaveLength(1);
  });

  it('has recovery codes, each valid once in any notation', async () => {
    const { email, token, recoveryCodes } = await withTotp();
    const code = ` ${recoveryCodes[3]!.toUpperCase().replace('-', ' ')}`;
    expect((await signIn({ email, password: PASSWORD, code })).status).toBe(200);
    expect(codesOf(await signIn({ email, password: PASSWORD, code }))).toEqual(['INVALID_CREDENTIALS']);
    const { secondFactors } = (await on.call(token, FACTORS)).body.data.viewer.user;
    expect(secondFactors[1].name).toBe('9 of 10 codes left');
    const renewed = await on.call(token, CONFIRM, { input: { code: recoveryCodes[4], newRecoveryCodes: true } });
    const { recoveryCodes: fresh } = renewed.body.data.confirmSecondFactor;
    expect(fresh).toHaveLength(10);
    expect(codesOf(await signIn({ email, password: PASSWORD, code: recoveryCodes[5] }))).toEqual([
      'INVALID_CREDENTIALS',
    ]);
    expect((await signIn({ email, password: PASSWORD, code: fresh[0] })).status).toBe(200);
  });
});

describe('a passkey', () => {
  it('is sufficient to sign in, also in addition to a password', async () => {
    const { email, passkey, token } = await withPasskey();
    const passkeyOnly = await signIn({ passkey: passkey.show(await optionsFor('SIGN_IN')) });
    expect(passkeyOnly.body.data.signIn.viewer.user.email).toBe(email);
    expect(codesOf(await signIn({ email, password: PASSWORD }))).toEqual(['SECOND_FACTOR_REQUIRED']);
    const withPassword = await signIn({
      email,
      password: PASSWORD,
      passkey: passkey.show(await optionsFor('SIGN_IN')),
    });
    expect(withPassword.status).toBe(200);
    const { secondFactors } = (await on.call(token, FACTORS)).body.data.viewer.user;
    expect(secondFactors[0]).toMatchObject({ kind: 'PASSKEY', name: 'My key', lastUsedAt: expect.any(String) });
  });

  it.each<[string, (own: Awaited<ReturnType<typeof withPasskey>>) => Promise<string>]>([
    [
      'whose response is sent twice',
      async ({ passkey }) => {
        const assertion = passkey.show(await optionsFor('SIGN_IN'));
        expect((await signIn({ passkey: assertion })).status).toBe(200);
        return assertion;
      },
    ],
    [
      'of another origin',
      async ({ passkey }) => passkey.show(await optionsFor('SIGN_IN'), { origin: 'http://evil.example' }),
    ],
    ['without user verification', async ({ passkey }) => passkey.show(await optionsFor('SIGN_IN'), { flags: 1 })],
    [
      'whose counter decreased, as for a copy',
      async ({ passkey }) => {
        expect((await signIn({ passkey: passkey.show(await optionsFor('SIGN_IN'), { count: 9 }) })).status).toBe(200);
        return passkey.show(await optionsFor('SIGN_IN'), { count: 9 });
      },
    ],
    [
      'with the challenge of another session',
      async ({ passkey, token }) => passkey.show(await optionsFor('CONFIRM', token)),
    ],
    [
      'with a challenge that is five minutes old',
      async ({ passkey }) => {
        const options = JSON.parse(await optionsFor('SIGN_IN')) as { challenge: string };
        const bytes = Buffer.from(options.challenge, 'base64url');
        bytes.writeUIntBE(bytes.readUIntBE(0, 6) - 300_001, 0, 6);
        return passkey.show(JSON.stringify({ ...options, challenge: bytes.toString('base64url') }));
      },
    ],
    [
      'that is not registered',
      async () => new SoftwareAuthenticator(on.test.urls.console).show(await optionsFor('SIGN_IN')),
    ],
  ])('%s is rejected', async (_, assertionOf) => {
    const own = await withPasskey();
    expect(codesOf(await signIn({ passkey: await assertionOf(own) }))).toEqual(['INVALID_CREDENTIALS']);
  });

  it('of another user is rejected in addition to a password', async () => {
    const [own, other] = [await withPasskey(), await withPasskey()];
    const passkey = other.passkey.show(await optionsFor('SIGN_IN'));
    expect(codesOf(await signIn({ email: own.email, password: PASSWORD, passkey }))).toEqual(['INVALID_CREDENTIALS']);
  });

  it('is added only with the challenge of this user and session, once', async () => {
    const [{ token }, outsider] = [await person(), await person()];
    const confirm = async (passkey: string) => {
      const response = await on.call(token, CONFIRM_PASSKEY, { input: { passkey } });
      return [...codesOf(response), ...fieldsOf(response)];
    };
    const passkey = new SoftwareAuthenticator(on.test.urls.console);
    const passkeyError = ['VALIDATION_FAILED', 'input.passkey'];
    expect(await confirm('not JSON')).toEqual(passkeyError);
    expect(await confirm('{"id":"x"}')).toEqual(passkeyError);
    expect(await confirm(passkey.create(await startPasskey(token), { origin: 'http://evil.example' }))).toEqual(
      passkeyError,
    );
    expect(await confirm(passkey.create(await startPasskey(outsider.token)))).toEqual(passkeyError);
    expect(await confirm(passkey.create(await startPasskey(token), { flags: 1 }))).toEqual(passkeyError);
  });

  it('requires a readable response and exactly one sign-in method', async () => {
    const tried = async (input: object) => {
      const response: TestResponse = await signIn(input);
      return [...codesOf(response), ...fieldsOf(response)];
    };
    expect(await tried({ passkey: '[]' })).toEqual(['VALIDATION_FAILED', 'input.passkey']);
    expect(await tried({})).toEqual(['VALIDATION_FAILED', 'input.email']);
    expect(await tried({ email: 'a@test.example' })).toEqual(['VALIDATION_FAILED', 'input.password']);
    const { email, passkey, recoveryCodes } = { ...(await withPasskey()), recoveryCodes: ['23456-789ab'] };
    const bothFactors = { passkey: passkey.show(await optionsFor('SIGN_IN')), code: recoveryCodes[0] };
    expect(await tried({ email, password: PASSWORD, ...bothFactors })).toEqual(['VALIDATION_FAILED', 'input.code']);
  });
});

describe('an action that requires a recent verification', () => {
  const CREDIT = `mutation($input: CreditWalletInput!) { creditWallet(input: $input) ${OUTCOME} }`;
  const credit = async (token: string, developerId: string) =>
    on.codes(token, CREDIT, { input: { developerId, environment: 'UAT', amount: 1, reference: `step-${++sequence}` } });

  it('is rejected five minutes after the last verification, until the next', async () => {
    const { id: developerId } = await on.test.developer();
    const { id, token, secret } = await withTotp();
    expect(await credit(token, developerId)).toEqual([]);
    await verifiedBefore(id, '4 minutes 50 seconds');
    expect(await credit(token, developerId)).toEqual([]);
    await verifiedBefore(id, '5 minutes 10 seconds');
    expect(await credit(token, developerId)).toEqual(['STEP_UP_REQUIRED']);
    expect(await on.codes(token, SWITCH_OFF)).toEqual(['STEP_UP_REQUIRED']);
    // Reading is still allowed.
    expect(await on.codes(token, '{ developers(first: 1) { edges { node { id } } } }')).toEqual([]);
    await forgetCodes(id);
    expect(codesOf(await on.call(token, CONFIRM, { input: { code: codeOf(secret, 50) } }))).toEqual([
      'INVALID_CREDENTIALS',
    ]);
    expect(await credit(token, developerId)).toEqual(['STEP_UP_REQUIRED']);
    const code = codeOf(secret);
    const responses = await Promise.all(Array.from({ length: 6 }, () => on.codes(token, CONFIRM, { input: { code } })));
    expect(responses.flat().filter((errorCode) => errorCode === 'INVALID_CREDENTIALS')).toHaveLength(5);
    expect(await credit(token, developerId)).toEqual([]);
  });

  it('accepts a passkey challenge of this session only', async () => {
    const { id, email, passkey, token } = await withPasskey();
    const signedIn = await signIn({ passkey: passkey.show(await optionsFor('SIGN_IN')) });
    const other = signedIn.body.data.signIn.token as string;
    await verifiedBefore(id, '6 minutes');
    const { id: developerId } = await on.test.developer();
    const assertion = passkey.show(await optionsFor('CONFIRM', other));
    expect(codesOf(await on.call(token, CONFIRM, { input: { passkey: assertion } }))).toEqual(['INVALID_CREDENTIALS']);
    expect(codesOf(await on.call(other, CONFIRM, { input: { passkey: assertion } }))).toEqual([]);
    expect(await credit(other, developerId)).toEqual([]);
    expect(await credit(token, developerId)).toEqual(['STEP_UP_REQUIRED']);
    expect(codesOf(await on.call(token, CONFIRM, { input: {} }))).toEqual(['VALIDATION_FAILED']);
    expect(email).toContain('factor-');
  });

  it('is allowed for users without a second factor, who have nothing to verify', async () => {
    const { token } = await person();
    const { id: developerId } = await on.test.developer();
    expect(await credit(token, developerId)).toEqual([]);
    expect(await on.codes(token, CONFIRM, { input: { code: '123456' } })).toEqual(['CONFLICT']);
  });
});

describe('second factors', () => {
  it('are removed by their owner, recovery codes with the last factor; not without a recent verification', async () => {
    const { id, token } = await withTotp();
    const { secondFactors } = (await on.call(token, FACTORS)).body.data.viewer.user;
    const totp = secondFactors[0].id as string;
    await verifiedBefore(id, '6 minutes');
    expect(await on.codes(token, REMOVE, { input: { id: totp } })).toEqual(['STEP_UP_REQUIRED']);
    await verifiedBefore(id, '1 minute');
    const outsider = await withTotp();
    expect(await on.codes(outsider.token, REMOVE, { input: { id: totp } })).toEqual(['RECORD_NOT_FOUND']);
    const { body } = await on.call(token, REMOVE, { input: { id: totp } });
    expect(body.data.removeSecondFactor.viewer.user.secondFactors).toEqual([]);
    expect(await isOpen(token)).toBe(true);
  });

  it('are limited to ten', async () => {
    const { id, token } = await withTotp();
    await on.test.db.query(
      `insert into second_factor (user_id, kind, name, confirmed_at, credential_id, public_key, sign_count, mac)
       select $1, 'passkey', 'n', now(), 'c-' || n, '\\x00', 0, sha256('none') from generate_series(1, 9) n`,
      [id],
    );
    expect(await on.codes(token, START_TOTP, { input: { currentPassword: PASSWORD } })).toEqual(['CONFLICT']);
    expect(await on.codes(token, START_PASSKEY, { input: { currentPassword: PASSWORD } })).toEqual(['CONFLICT']);
  });

  it('are visible to their user and admins only', async () => {
    const { id } = await withTotp();
    const read = async (token: string) =>
      (
        await on.call(token, 'query($id: ID!) { node(id: $id) { ... on User { secondFactors { kind } } } }', {
          id: `usr_${id}`,
        })
      ).body.data.node.secondFactors;
    expect(await read(on.staff.admin)).toHaveLength(2);
    expect(await read(on.staff.support)).toBeNull();
  });

  it('that were lost are reset by another admin, with an email; sessions are revoked', async () => {
    const RESET = `mutation($input: ResetSecondFactorsInput!) {
      resetSecondFactors(input: $input) { user { secondFactors { id } } } }`;
    const { id, email, token } = await withTotp();
    // One admin can do this until two administrators have had a factor.
    await on.test.db.query(`delete from setting where name = 'two_admins_since'`);
    const input = { userId: `usr_${id}`, reason: 'Lost the telephone; seen in person' };
    expect(await on.codes(token, RESET, { input })).toEqual(['FORBIDDEN']);
    expect(await on.codes(on.staff.support, RESET, { input })).toEqual(['FORBIDDEN']);
    const { body } = await on.call(on.staff.admin, RESET, { input });
    expect(body.data.resetSecondFactors.user.secondFactors).toEqual([]);
    expect(await isOpen(token)).toBe(false);
    expect(codesOf(await signIn({ email, password: PASSWORD }))).toEqual([]);
    expect(await on.codes(on.staff.admin, RESET, { input })).toEqual(['CONFLICT']);
    expect((await emails(email, 3)).join()).toContain('Your second factors were reset');
  });
});

describe('sessions', () => {
  const SESSIONS = '{ viewer { sessions { id userAgent address current expiresAt } } }';
  const END = 'mutation($input: RevokeSessionInput!) { revokeSession(input: $input) { revokedSessions } }';

  it('are listed and revoked one by one, by their own user only', async () => {
    const { email, token } = await person('support');
    const from = { addressKey: '203.0.113.7', agent: 'A browser', requestId: 'test' };
    const other = (await on.test.app.sessions.signIn({ email, password: PASSWORD }, from)).token;
    const { sessions } = (await on.call(token, SESSIONS)).body.data.viewer;
    expect(sessions).toMatchObject([
      { userAgent: 'A browser', address: '203.0.113.7', current: false },
      { userAgent: null, address: '127.0.0.1', current: true },
    ]);
    const input = { sessionId: sessions[0].id };
    const found = await on.call(other, 'query($id: ID!) { node(id: $id) { id ... on Session { current } } }', {
      id: input.sessionId,
    });
    expect(found.body.data.node).toEqual({ id: input.sessionId, current: true });
    expect(await on.codes(on.staff.admin, END, { input })).toEqual(['RECORD_NOT_FOUND']);
    expect(await on.codes(token, END, { input })).toEqual([]);
    expect([await isOpen(other), await isOpen(token)]).toEqual([false, true]);
    expect(await on.codes(token, END, { input })).toEqual(['RECORD_NOT_FOUND']);
  });

  it('from a new browser or network are reported by email, except the first and known ones', async () => {
    const { email } = await person('support');
    const from = (addressKey: string, agent?: string) =>
      on.test.app.sessions.signIn({ email, password: PASSWORD }, { addressKey, agent, requestId: 'test' });
    await from('127.0.77.1');
    await from('198.51.100.1');
    await from('198.51.9.9');
    await from('127.0.0.1', 'A browser');
    const notices = await emails(email, 2);
    expect(notices.every((message) => message.includes('New sign-in to your account'))).toBe(true);
    expect(notices[0]).toContain('198.51.100.1');
    expect(notices.join()).not.toContain('A browser');
  });
});
