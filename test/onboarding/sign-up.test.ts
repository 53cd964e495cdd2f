import { describe, expect, it, vi } from 'vitest';
import { codesOf, fieldsOf } from '../console/console.fixture.js';
import { applicant, PASSWORD, SIGN_IN, SIGN_UP, useOnboarding, VERIFY } from './onboarding.fixture.js';

const on = useOnboarding();
const signUp = (input: object) => on.call(undefined, SIGN_UP, { input: { ...applicant, ...input } });
const verify = (token: string, password = PASSWORD) => on.call(undefined, VERIFY, { input: { token, password } });
const signIn = async (email: string, password = PASSWORD) =>
  codesOf(await on.call(undefined, SIGN_IN, { input: { email, password } }));
const count = async (table: string) =>
  (await on.test.db.query<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n;
const statusOf = async (email: string) =>
  (await on.test.db.query<{ s: string }>('select onboarding_status as s from developer where email = $1', [email]))[0]
    ?.s;
/** A failed attempt is audited after its response, which may be that of an earlier test. */
const AUDITED = 'audit_entry';
const LASTING = ['developer', 'app_user', 'session', AUDITED, 'developer_contact'];
const ACCEPTED = { data: { signUp: { accepted: true } } };

describe('before the address is confirmed', () => {
  it('only the sign-up exists, without account, user or audit entry, and expires after a day', async () => {
    const countsBefore = await Promise.all(LASTING.map(count));
    expect((await signUp({ email: 'nothing@sign-up.example' })).body).toEqual(ACCEPTED);
    await on.emailsTo('nothing@sign-up.example', 1);
    expect(await Promise.all(LASTING.map(count))).toEqual(countsBefore);
    expect(
      await on.test.db.query(
        `select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from sign_up`,
      ),
    ).toEqual([{ hours: 24 }]);
  });

  it('signing in returns the same error as for an unknown address', async () => {
    await signUp({ email: 'unconfirmed@sign-up.example' });
    const responses = await Promise.all(
      ['unconfirmed@sign-up.example', 'nobody@sign-up.example'].map((email) =>
        on.call(undefined, SIGN_IN, { input: { email, password: PASSWORD } }),
      ),
    );
    const [unconfirmed, unknown] = responses.map(({ status, body }) => {
      const { message, extensions } = body.errors[0];
      return { status, data: body.data, message, extensions: { ...extensions, requestId: 'differs' } };
    });
    expect(unconfirmed).toEqual(unknown);
    expect(unconfirmed!.extensions.code).toBe('INVALID_CREDENTIALS');
  });
});

describe('signing up with a known address', () => {
  it('gets the same response as a new one, changes nothing and notifies its owner', async () => {
    const email = 'known@sign-up.example';
    await on.verified(email);
    const countsBefore = await Promise.all([...LASTING, 'sign_up'].map(count));
    const known = await signUp({ email, name: 'Someone else', password: 'another long password' });
    expect([known.status, known.body]).toEqual([200, ACCEPTED]);
    const [, second] = await on.emailsTo(email, 2);
    expect(second).toContain('already has an account');
    expect(second).not.toContain('token');
    expect(await Promise.all([...LASTING, 'sign_up'].map(count))).toEqual(countsBefore);
    expect(await signIn(email)).toEqual([]);
    expect(await signIn(email, 'another long password')).toEqual(['INVALID_CREDENTIALS']);
  });

  it.each([
    ['of staff', 'support@test.example'],
    ['of an account created by an administrator', 'operator-made@sign-up.example'],
  ])('%s creates no link and no second account', async (_name, email) => {
    if (email.startsWith('operator'))
      await on.test.app.developers.register({ name: 'Made', email }, { actor: 'system:test', requestId: 'test' });
    const countsBefore = await Promise.all([...LASTING, 'sign_up'].map(count));
    expect((await signUp({ email })).body).toEqual(ACCEPTED);
    expect((await on.emailsTo(email, 1))[0]).toContain('already has an account');
    expect(await Promise.all([...LASTING, 'sign_up'].map(count))).toEqual(countsBefore);
  });

  it('takes at least a fixed time, as with a new one', async () => {
    for (const email of ['slow@sign-up.example', 'slow@sign-up.example']) {
      const started = performance.now();
      await signUp({ email });
      expect(performance.now() - started).toBeGreaterThan(245);
    }
  });
});

it('creates one account when several links of one address are used at the same time', async () => {
  const email = 'at-once@sign-up.example';
  const responses = await Promise.all(Array.from({ length: 3 }, () => signUp({ email })));
  expect(responses.map(({ body }) => body)).toEqual(responses.map(() => ACCEPTED));
  const emails = await on.emailsTo(email, 3);
  const codes = (await Promise.all(emails.map((message) => verify(on.tokenIn(message))))).map(codesOf);
  expect(codes.flat()).toEqual(Array(2).fill('VALIDATION_FAILED'));
  expect(await on.test.db.query('select id from developer where email = $1', [email])).toHaveLength(1);
  expect(await signIn(email)).toEqual([]);
});

describe('a sign-up link', () => {
  it('can be used once', async () => {
    const email = 'once@sign-up.example';
    await signUp({ email });
    const token = on.tokenIn((await on.emailsTo(email, 1))[0]!);
    const responses = await Promise.all([verify(token), verify(token)]);
    expect(responses.flatMap(codesOf)).toEqual(['VALIDATION_FAILED']);
    const secondVerification = await verify(token);
    expect([codesOf(secondVerification), fieldsOf(secondVerification)]).toEqual([
      ['VALIDATION_FAILED'],
      ['input.token'],
    ]);
    expect(JSON.stringify(secondVerification.body)).not.toContain(token);
  });

  it('is rejected if it is unknown, empty or older than a day', async () => {
    const email = 'late@sign-up.example';
    await signUp({ email });
    const token = on.tokenIn((await on.emailsTo(email, 1))[0]!);
    await on.test.db.query(`update sign_up set expires_at = now() - interval '1 second'`);
    for (const invalid of [token, 'f'.repeat(64), '', 'none'])
      expect(fieldsOf(await verify(invalid))).toEqual(['input.token']);
    expect(await statusOf(email)).toBeUndefined();
    // A new sign-up is still possible.
    await signUp({ email });
    const emails = await on.emailsTo(email, 2);
    expect(codesOf(await verify(emails.map(on.tokenIn).find((other) => other !== token)!))).toEqual([]);
  });

  it('is rejected as unknown if an administrator created an account for the address in the meantime', async () => {
    const email = 'meanwhile@sign-up.example';
    await signUp({ email });
    const token = on.tokenIn((await on.emailsTo(email, 1))[0]!);
    await on.test.app.developers.register({ name: 'Made', email }, { actor: 'system:test', requestId: 'test' });
    const unknown = await verify('f'.repeat(64));
    const rejection = await verify(token);
    expect(rejection.body.errors[0].message).toBe(unknown.body.errors[0].message);
    expect(await on.test.db.query('select id from app_user where email = $1', [email])).toEqual([]);
  });

  it('works only with the password of its own sign-up, whichever email the owner opens', async () => {
    const email = 'owner@sign-up.example';
    const ATTACKER_PASSWORD = 'the password of a thief';
    await signUp({ email, name: 'Owner' });
    const owners = on.tokenIn((await on.emailsTo(email, 1))[0]!);
    await signUp({ email, name: 'Thief', password: ATTACKER_PASSWORD, mobile: '9000000001' });
    const attackerToken = (await on.emailsTo(email, 2)).map(on.tokenIn).find((token) => token !== owners)!;
    // The newest email comes from the attacker's sign-up.
    expect(codesOf(await verify(attackerToken))).toEqual(['INVALID_CREDENTIALS']);
    expect(await statusOf(email)).toBeUndefined();
    // A wrong password does not invalidate the link.
    expect(codesOf(await verify(owners, 'mistyped'))).toEqual(['INVALID_CREDENTIALS']);
    const verified = await verify(owners);
    expect(verified.body.data.verifyEmail.viewer.user).toMatchObject({ name: 'Owner', role: 'DEVELOPER' });
    expect(await signIn(email, ATTACKER_PASSWORD)).toEqual(['INVALID_CREDENTIALS']);
    expect(await signIn(email)).toEqual([]);
    // The attacker's link is invalid after the confirmation.
    expect(codesOf(await verify(attackerToken, ATTACKER_PASSWORD))).toEqual(['VALIDATION_FAILED']);
    expect(await on.test.db.query('select name from developer where email = $1', [email])).toEqual([{ name: 'Owner' }]);
  });

  it('accepts ten wrong passwords, and then rejects even the correct one for a while', async () => {
    const email = 'guessed@sign-up.example';
    await signUp({ email });
    const token = on.tokenIn((await on.emailsTo(email, 1))[0]!);
    const verifications = vi.spyOn(on.test.app.passwords, 'verify');
    const responses = await Promise.all(Array.from({ length: 25 }, (_, n) => verify(token, `guess ${n}`)));
    expect(verifications).toHaveBeenCalledTimes(10);
    verifications.mockRestore();
    expect(responses.flatMap(codesOf).toSorted()).toEqual([
      ...Array(10).fill('INVALID_CREDENTIALS'),
      ...Array(15).fill('TOO_MANY_FAILED_EXCHANGES'),
    ]);
    expect(codesOf(await verify(token))).toEqual(['TOO_MANY_FAILED_EXCHANGES']);
  });
});

it.each([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['email', { email: 'nobody' }],
  ['email', { email: '\uff41sha@sign-up.example' }],
  ['email', { email: '"a\r\nBcc: victim@sign-up.example"@sign-up.example' }],
  ['password', { password: 'too short' }],
  ['password', { password: 'x'.repeat(201) }],
  ['mobile', { mobile: '5812345670' }],
  ['mobile', { mobile: '+919812345670' }],
])('names an invalid %s', async (field, invalid) => {
  const response = await signUp({ email: 'wrong@sign-up.example', ...invalid });
  expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], [`input.${field}`]]);
  expect(await statusOf('wrong@sign-up.example')).toBeUndefined();
});

it('is limited to ten from one IP address, and to three for one email address', async () => {
  const codes = await Promise.all(
    Array.from({ length: 11 }, async (_, n) => codesOf(await signUp({ email: `many-${n}@sign-up.example` }))),
  );
  expect(codes.flat()).toEqual(['RATE_LIMITED']);
  await on.test.db.query('delete from rate_limit');
  const spellings = ['same@sign-up.example', 'SAME+1@sign-up.example', 'same+shop@sign-up.example'];
  for (const email of spellings) expect(codesOf(await signUp({ email }))).toEqual([]);
  const response = await signUp({ email: 'same@sign-up.example' });
  expect(codesOf(response)).toEqual(['RATE_LIMITED']);
  expect(response.body.errors[0].extensions.retryAfterMs).toBeGreaterThan(0);
});
