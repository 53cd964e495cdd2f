import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Role } from '../../src/core/principal.js';
import { codesOf, fieldsOf } from '../console/console.fixture.js';
import { useOnboarding } from '../onboarding/onboarding.fixture.js';
import { FROM_TEST, seed } from '../support/app.js';
import { makeReal } from '../support/quick-passwords.js';

const on = useOnboarding();
// Real hashing takes long enough to test simultaneous calls.
beforeAll(() => makeReal(on.test.app.passwords));
const OLD = 'the password of before';
const NEW = 'a password of our days';
const REQUEST = 'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }';
const RESET = 'mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { viewer { user { email } } } }';
const CHANGE =
  'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { viewer { user { email } } revokedSessions } }';

async function person(email: string, role: Role = 'support') {
  const id = await on.test.app.users.create({ email, name: 'Person', password: OLD, role }, seed);
  const session = async () => (await on.test.app.sessions.signIn({ email, password: OLD }, FROM_TEST)).token;
  return { id, session };
}
const request = (email: string) => on.call(undefined, REQUEST, { input: { email } });
const reset = (token: string, newPassword = NEW) => on.call(undefined, RESET, { input: { token, newPassword } });
const change = (session: string, currentPassword: string, newPassword = NEW) =>
  on.call(session, CHANGE, { input: { currentPassword, newPassword } });
const linkIn = (message: string) => /\/reset-password#token=([0-9a-f]{64})\n/.exec(message)![1]!;
const signsIn = async (email: string, password: string) =>
  on.test.app.sessions.signIn({ email, password }, FROM_TEST).then(
    () => true,
    () => false,
  );
const isSignedIn = async (session: string) => (await on.codes(session, '{ viewer { user { id } } }')).length === 0;

describe('changing a password', () => {
  it('requires the current one, revokes other sessions and sends an email', async () => {
    const email = 'change@passwords.example';
    const { session } = await person(email);
    const [current, other] = [await session(), await session()];
    expect(codesOf(await change(current, 'not the present one'))).toEqual(['INVALID_CREDENTIALS']);
    expect(await isSignedIn(other)).toBe(true);
    const { body } = await change(current, OLD);
    expect(body.data.changePassword).toEqual({ viewer: { user: { email } }, revokedSessions: 1 });
    expect([await isSignedIn(current), await isSignedIn(other)]).toEqual([true, false]);
    expect([await signsIn(email, OLD), await signsIn(email, NEW)]).toEqual([false, true]);
    expect((await on.emailsTo(email, 1))[0]).toContain('Your password was changed');
  });

  it('allows ten wrong guesses of the current one', async () => {
    const { session } = await person('guessing@passwords.example');
    const token = await session();
    const verifications = vi.spyOn(on.test.app.passwords, 'verify');
    const responses = await Promise.all(Array.from({ length: 15 }, (_, n) => change(token, `guess ${n}`)));
    expect(verifications).toHaveBeenCalledTimes(10);
    verifications.mockRestore();
    expect(responses.flatMap(codesOf).filter((code) => code === 'TOO_MANY_FAILED_EXCHANGES')).toHaveLength(5);
    expect(codesOf(await change(token, OLD))).toEqual(['TOO_MANY_FAILED_EXCHANGES']);
  });

  it('rejects a short one', async () => {
    const { session } = await person('short@passwords.example');
    expect(fieldsOf(await change(await session(), OLD, 'short'))).toEqual(['input.newPassword']);
  });
});

describe('replacing a password while others sign in with the former one', () => {
  const changed = async (email: string) => {
    const { id, session } = await person(email);
    const own = await session();
    return { id, replace: () => change(own, OLD) };
  };
  const linkTo = async (email: string) => {
    await request(email);
    return linkIn((await on.emailsTo(email, 1))[0]!);
  };
  const prepareReset = async (email: string) => {
    const { id } = await person(email);
    const link = await linkTo(email);
    return { id, replace: () => reset(link) };
  };
  const ways = [
    ['changing it', changed],
    ['resetting it with an emailed link', prepareReset],
  ] as const;
  const signIn = (email: string, n: number) =>
    on.test.app.sessions.signIn({ email, password: OLD }, { ...FROM_TEST, addressKey: `10.0.0.${n}` });
  /** Blocks the next password comparison until it is released. */
  function holdNextVerification() {
    const { promise: verified, resolve: isVerified } = Promise.withResolvers<void>();
    const { promise: comparisonReleased, resolve: release } = Promise.withResolvers<void>();
    const { passwords } = on.test.app;
    const verify = passwords.verify.bind(passwords);
    const spy = vi.spyOn(passwords, 'verify').mockImplementationOnce(async (...args) => {
      const matches = await verify(...args);
      isVerified();
      await comparisonReleased;
      return matches;
    });
    return { verified, release, restore: () => spy.mockRestore() };
  }

  it.each(ways)('by %s: a password verified before the change opens no session after it', async (way, prepare) => {
    const email = `late-${way.length}@passwords.example`;
    const { replace } = await prepare(email);
    const hold = holdNextVerification();
    const lateSignIn = signIn(email, 1);
    await hold.verified;
    expect(codesOf(await replace())).toEqual([]);
    hold.release();
    await expect(lateSignIn).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    hold.restore();
  });

  it.each(ways)('by %s: none of 24 simultaneous sign-ins keeps a session', async (way, prepare) => {
    const email = `crowd-${way.length}@passwords.example`;
    const { id, replace } = await prepare(email);
    const crowd = Array.from({ length: 24 }, (_, n) => signIn(email, n));
    const [response] = await Promise.all([replace(), Promise.allSettled(crowd)]);
    expect(codesOf(response)).toEqual([]);
    const activeSessions = 'select from session where user_id = $1 and revoked_at is null';
    expect(await on.test.db.query(activeSessions, [id])).toHaveLength(way === 'changing it' ? 1 : 0);
  });

  it('is not undone by a caller who used the former one', async () => {
    const email = 'thief@passwords.example';
    const { session } = await person(email);
    const stolen = await session();
    const link = await linkTo(email);
    const hold = holdNextVerification();
    const lateChange = change(stolen, OLD, 'the password of a thief');
    await hold.verified;
    expect(codesOf(await reset(link))).toEqual([]);
    hold.release();
    expect(codesOf(await lateChange)).toEqual(['INVALID_CREDENTIALS']);
    expect(await signsIn(email, NEW)).toBe(true);
    hold.restore();
  });
});

describe('a forgotten password', () => {
  it('gets the same response for known, unknown and disabled addresses; only the first gets an email', async () => {
    const known = 'known@passwords.example';
    await person(known);
    const { id } = await person('disabled@passwords.example');
    await on.test.app.users.disable(id, undefined, seed);
    const responses = await Promise.all(
      [known, 'unknown@passwords.example', 'disabled@passwords.example'].map(request),
    );
    for (const { status, body } of responses)
      expect([status, body]).toEqual([200, { data: { requestPasswordReset: { accepted: true } } }]);
    await on.emailsTo(known, 1);
    expect(await on.test.db.query('select user_id from password_reset')).toHaveLength(1);
  });

  it('is replaced once through the emailed link, and every session is revoked', async () => {
    const email = 'forgot@passwords.example';
    const { session } = await person(email);
    const oldToken = await session();
    await request(email);
    await request(email);
    const links = (await on.emailsTo(email, 2)).map(linkIn);
    const [response, second] = await Promise.all([reset(links[0]!), reset(links[0]!)]);
    const bodies = [response, second].map(({ body }) => body.data.resetPassword);
    expect(bodies).toContainEqual({ viewer: { user: { email } } });
    expect([response, second].flatMap(codesOf)).toEqual(['VALIDATION_FAILED']);
    expect(await isSignedIn(oldToken)).toBe(false);
    expect([await signsIn(email, OLD), await signsIn(email, NEW)]).toEqual([false, true]);
    // The other link of the same user is invalid, too.
    expect(fieldsOf(await reset(links[1]!, 'and yet another one'))).toEqual(['input.token']);
    expect(await on.emailsTo(email, 3)).toContainEqual(expect.stringContaining('Your password was changed'));
  });

  it('is not replaced through a link that is unknown, older than an hour, or for a disabled user', async () => {
    const email = 'late@passwords.example';
    const { id } = await person(email);
    await request(email);
    const link = linkIn((await on.emailsTo(email, 1))[0]!);
    expect(
      await on.test.db.query(
        'select round(extract(epoch from expires_at - created_at) / 60)::int as minutes from password_reset where user_id = $1',
        [id],
      ),
    ).toEqual([{ minutes: 60 }]);
    const [stored] = await on.test.db.query('select expires_at from password_reset where user_id = $1', [id]);
    const end = (at: Date) =>
      on.test.db.query('update password_reset set expires_at = $2 where user_id = $1', [id, at]);
    await end(new Date(Date.now() - 1_000));
    for (const invalid of [link, 'f'.repeat(64), 'none'])
      expect(fieldsOf(await reset(invalid))).toEqual(['input.token']);
    await end(stored!.expires_at);
    await on.test.db.query('update app_user set disabled_at = now() where id = $1', [id]);
    expect(fieldsOf(await reset(link))).toEqual(['input.token']);
    expect(await signsIn(email, NEW)).toBe(false);
  });

  it('leaves only the hash of a link in the database', async () => {
    const email = 'hash@passwords.example';
    await person(email);
    await request(email);
    const link = linkIn((await on.emailsTo(email, 1))[0]!);
    const rows = await on.test.db.query<{ row: string }>('select p::text as row from password_reset p');
    for (const { row } of rows) expect(row).not.toContain(link);
  });
});
