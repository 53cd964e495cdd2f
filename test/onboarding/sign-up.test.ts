import { describe, expect, it } from 'vitest';
import { codesOf, fieldsOf } from '../console/console.fixture.js';
import { applicant, PASSWORD, SIGN_IN, SIGN_UP, useOnboarding, VERIFY } from './onboarding.fixture.js';

const on = useOnboarding();
const signUp = (input: object) => on.call(undefined, SIGN_UP, { input: { ...applicant, ...input } });
const verify = (token: string) => on.call(undefined, VERIFY, { token });
const signIn = async (email: string, password: string) =>
  codesOf(await on.call(undefined, SIGN_IN, { input: { email, password } }));
const count = async (table: string) =>
  (await on.test.db.query<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n;
const statusOf = async (email: string) =>
  (await on.test.db.query<{ s: string }>('select onboarding_status as s from developer where email = $1', [email]))[0]
    ?.s;

describe('signing up with a known address', () => {
  it('answers as with a new one, changes nothing and tells its owner', async () => {
    const email = 'known@sign-up.example';
    await on.verified(email);
    const before = await Promise.all(['developer', 'app_user', 'sign_up'].map(count));
    const known = await signUp({ email, name: 'Someone else', password: 'another long password' });
    expect([known.status, known.body]).toEqual([200, { data: { signUp: true } }]);
    const [, second] = await on.mailsTo(email, 2);
    expect(second).toContain('has an account already');
    expect(second).not.toContain('token');
    expect(await Promise.all(['developer', 'app_user', 'sign_up'].map(count))).toEqual(before);
    expect(await signIn(email, PASSWORD)).toEqual([]);
    expect(await signIn(email, 'another long password')).toEqual(['INVALID_CREDENTIALS']);
  });

  it.each([
    ['of the staff', 'support@test.example'],
    ['of an account that the operator made', 'operator-made@sign-up.example'],
  ])('%s makes no link and no second account', async (_whose, email) => {
    if (email.startsWith('operator'))
      await on.test.app.developers.register({ name: 'Made', email }, { actor: 'system:test', requestId: 'test' });
    const before = await Promise.all(['developer', 'app_user', 'sign_up'].map(count));
    expect((await signUp({ email })).body).toEqual({ data: { signUp: true } });
    expect((await on.mailsTo(email, 1))[0]).toContain('has an account already');
    expect(await Promise.all(['developer', 'app_user', 'sign_up'].map(count))).toEqual(before);
  });

  it('takes a full step of time, as with a new one', async () => {
    for (const email of ['slow@sign-up.example', 'slow@sign-up.example']) {
      const started = performance.now();
      await signUp({ email });
      expect(performance.now() - started).toBeGreaterThan(245);
    }
  });
});

it('makes one account when the same address signs up several times at once', async () => {
  const email = 'at-once@sign-up.example';
  const answers = await Promise.all(Array.from({ length: 4 }, () => signUp({ email })));
  expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ data: { signUp: true } })));
  const mails = await on.mailsTo(email, 4);
  expect(await on.test.db.query('select id from developer where email = $1', [email])).toHaveLength(1);
  const codes = (await Promise.all(mails.map((mail) => verify(on.tokenIn(mail))))).map(codesOf);
  expect(codes.flat()).toEqual(Array(3).fill('VALIDATION_FAILED'));
});

describe('a link', () => {
  it('works once', async () => {
    const email = 'once@sign-up.example';
    await signUp({ email });
    const token = on.tokenIn((await on.mailsTo(email, 1))[0]!);
    const answers = await Promise.all([verify(token), verify(token)]);
    expect(answers.flatMap(codesOf)).toEqual(['VALIDATION_FAILED']);
    const again = await verify(token);
    expect([codesOf(again), fieldsOf(again)]).toEqual([['VALIDATION_FAILED'], ['token']]);
    expect(JSON.stringify(again.body)).not.toContain(token);
  });

  it('is refused when it is unknown, empty or older than a day', async () => {
    const email = 'late@sign-up.example';
    await signUp({ email });
    const token = on.tokenIn((await on.mailsTo(email, 1))[0]!);
    const [{ hours }] = (await on.test.db.query<{ hours: number }>(
      'select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from sign_up order by created_at desc limit 1',
    )) as [{ hours: number }];
    expect(hours).toBe(24);
    await on.test.db.query(`update sign_up set expires_at = now() - interval '1 second'`);
    for (const wrong of [token, 'f'.repeat(64), '', 'none']) expect(fieldsOf(await verify(wrong))).toEqual(['token']);
    expect(await statusOf(email)).toBe('registered');
    // and there is a way on
    await signUp({ email });
    const mails = await on.mailsTo(email, 2);
    expect(codesOf(await verify(mails.map(on.tokenIn).find((other) => other !== token)!))).toEqual([]);
  });

  it('gives the account to whoever confirms the address, not to whoever was there first', async () => {
    const email = 'owner@sign-up.example';
    await signUp({ email, name: 'Thief', password: 'the password of a thief', mobile: '9000000001' });
    const { body } = await on.call(undefined, SIGN_IN, { input: { email, password: 'the password of a thief' } });
    const early = body.data.signIn.token;
    const thiefs = on.tokenIn((await on.mailsTo(email, 1))[0]!);
    await signUp({ email, name: 'Owner' });
    const owners = (await on.mailsTo(email, 2)).map(on.tokenIn).find((token) => token !== thiefs)!;
    const verified = await verify(owners);
    expect(verified.body.data.verifyEmail.name).toBe('Owner');
    expect(await signIn(email, 'the password of a thief')).toEqual(['INVALID_CREDENTIALS']);
    expect(await signIn(email, PASSWORD)).toEqual([]);
    expect(await on.codes(early, '{ viewer { id } }')).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await verify(thiefs))).toEqual(['VALIDATION_FAILED']);
    expect(await on.test.db.query('select name from developer where email = $1', [email])).toEqual([{ name: 'Owner' }]);
  });
});

it.each([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['email', { email: 'nobody' }],
  ['email', { email: '"a\r\nBcc: victim@sign-up.example"@sign-up.example' }],
  ['password', { password: 'too short' }],
  ['password', { password: 'x'.repeat(201) }],
  ['mobile', { mobile: '5812345670' }],
  ['mobile', { mobile: '+919812345670' }],
])('names a wrong %s', async (field, wrong) => {
  const answer = await signUp({ email: 'wrong@sign-up.example', ...wrong });
  expect([codesOf(answer), fieldsOf(answer)]).toEqual([['VALIDATION_FAILED'], [`input.${field}`]]);
  expect(await statusOf('wrong@sign-up.example')).toBeUndefined();
});

it('stops after ten sign-ups from one place, and after ten with one address', async () => {
  const codes = await Promise.all(
    Array.from({ length: 11 }, async (_, n) => codesOf(await signUp({ email: `many-${n}@sign-up.example` }))),
  );
  expect(codes.flat()).toEqual(['RATE_LIMITED']);
  await on.test.db.query(`delete from rate_limit where key like '%sign-up-from%'`);
  await on.test.db.query(`update rate_limit set points = 10 where key like 'attempts:sign-up:%'`);
  const answer = await signUp({ email: 'many-3@sign-up.example' });
  expect(codesOf(answer)).toEqual(['RATE_LIMITED']);
  expect(answer.body.errors[0].extensions.retryAfterMs).toBeGreaterThan(0);
});
