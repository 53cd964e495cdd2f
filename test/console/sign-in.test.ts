import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/app.js';
import { codesOf, expectExplained, PASSWORD, useConsole } from './console.fixture.js';

const SIGN_IN =
  'mutation($input: SignInInput!) { signIn(input: $input) { token expiresAt viewer { user { id email role } developer { id } } } }';
const console = useConsole();
expectExplained(console);

const signIn = (email: string, password = PASSWORD) => console.call(undefined, SIGN_IN, { input: { email, password } });
const tokenOf = async (email = 'admin@test.example') => (await signIn(email)).body.data.signIn.token as string;
/** Sends a request as a browser does. */
const withCookie = (
  token: string,
  headers: Record<string, string> = {},
  query = '{ viewer { user { email } } }',
): Promise<TestResponse> =>
  console.test.rest(
    'console' as never,
    'POST',
    '/graphql',
    undefined,
    { query },
    { cookie: `session=${token}`, ...headers },
  );

describe('signIn', () => {
  it('returns a session and sets it as a cookie that scripts and other sites cannot use', async () => {
    const { status, body, headers } = await signIn(' ADMIN@test.example ');
    expect(status).toBe(200);
    const { token, expiresAt, viewer } = body.data.signIn;
    expect(viewer).toEqual({
      user: { id: expect.stringMatching(/^usr_[0-9a-f-]{36}$/), email: 'admin@test.example', role: 'ADMIN' },
      developer: null,
    });
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
    const cookie = headers.get('set-cookie')!;
    expect(cookie).toMatch(/^session=ses_[\w-]{49}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43\d{3}$/);
    expect(cookie).toContain(`session=${token};`);
  });

  it('opens the console with a cookie or a Bearer token', async () => {
    const token = await tokenOf();
    expect((await withCookie(token)).body.data.viewer).toEqual({ user: { email: 'admin@test.example' } });
    expect((await console.call(token, '{ viewer { user { email } } }')).body.data.viewer).toEqual({
      user: { email: 'admin@test.example' },
    });
  });

  it('starts a new session in a browser that already has one, whether invalid or of another user', async () => {
    const { id } = await console.test.developer();
    const otherSession = await console.userOf(id, 'somebody@test.example');
    const input = JSON.stringify({ email: 'admin@test.example', password: PASSWORD });
    const document = `mutation { signIn(input: ${input.replace(/"(\w+)":/g, '$1: ')}) { token } }`;
    for (const oldSession of [`ses_${'A'.repeat(49)}`, otherSession]) {
      const { body, headers } = await withCookie(oldSession, { origin: console.test.urls.console }, document);
      const { token } = body.data.signIn;
      expect(headers.get('set-cookie')).toContain(`session=${token};`);
      expect(token).not.toBe(oldSession);
      expect((await withCookie(token)).body.data.viewer.user.email).toBe('admin@test.example');
      // The owner of the planted session has the same access as before.
      const { body: currentBody } = await withCookie(oldSession);
      expect(currentBody.data?.viewer?.user.email).toBe(
        oldSession === otherSession ? 'somebody@test.example' : undefined,
      );
    }
  });

  it('returns the account of a user who belongs to a developer', async () => {
    const developer = await console.test.developer();
    await console.userOf(developer.id, 'own@test.example');
    const { body } = await signIn('own@test.example');
    expect(body.data.signIn.viewer).toMatchObject({
      user: { role: 'DEVELOPER' },
      developer: { id: `dev_${developer.id}` },
    });
  });

  it('returns the same error for an unknown address and a wrong password, and sets no cookie', async () => {
    const responses = [await signIn('nobody@test.example'), await signIn('support@test.example', 'wrong')];
    for (const { body, headers } of responses) {
      expect(body.errors[0]).toMatchObject({
        message: 'The credentials are not valid.',
        extensions: { code: 'INVALID_CREDENTIALS' },
      });
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  it('rejects the eleventh attempt, even with the right password, and includes the time to retry', async () => {
    await console.test.app.users.create(
      { email: 'victim@test.example', name: 'V', password: PASSWORD, role: 'support' },
      { actor: 'system:test', requestId: 'test' },
    );
    for (let n = 0; n < 10; n++)
      expect(codesOf(await signIn('victim@test.example', `guess ${n}`))).toEqual(['INVALID_CREDENTIALS']);
    const { body, headers } = await signIn('victim@test.example');
    expect(body.errors[0].extensions).toMatchObject({ code: 'TOO_MANY_FAILED_EXCHANGES' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
    // Other users at the same address are not locked out.
    expect(codesOf(await signIn('support@test.example'))).toEqual([]);
  });

  it('names the path of invalid input without quoting the value', async () => {
    const { status, body } = await console.call(undefined, SIGN_IN, {
      input: { email: '', password: 'x'.repeat(201), extra: 1 },
    });
    expect(status).toBe(400);
    expect(body.errors[0].extensions.fields.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'input.email',
      'input.extra',
      'input.password',
    ]);
    expect(JSON.stringify(body)).not.toContain('xxx');
  });
});

describe('a session', () => {
  it('has a higher rate limit than an API token', async () => {
    const { headers } = await console.call(console.staff.support, '{ whiteLabels { id } }');
    expect(headers.get('x-ratelimit-limit')).toBe('600');
  });

  it('ends with signOut in every process immediately, and its cookie is cleared', async () => {
    const token = await tokenOf();
    const { body, headers } = await withCookie(token, {}, 'mutation { signOut { signedOut } }');
    expect(body.data).toEqual({ signOut: { signedOut: true } });
    expect(headers.get('set-cookie')).toBe('session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
    expect((await withCookie(token)).status).toBe(401);
    expect((await console.call(token, '{ viewer { user { id } } }')).status).toBe(401);
  });

  it('of the same user stays open when another signs out', async () => {
    const [first, second] = [await tokenOf(), await tokenOf()];
    await console.call(first, 'mutation { signOut { signedOut } }');
    expect(await console.codes(second, '{ viewer { user { id } } }')).toEqual([]);
  });

  it.each([
    ['has ended', `update session set expires_at = now() - interval '1 s' where user_id = $1`],
    ['belongs to a disabled user', 'update app_user set disabled_at = now() where id = $1'],
  ])('that %s is rejected', async (name, statement) => {
    const email = `${name.replaceAll(' ', '-')}@test.example`;
    const id = await console.test.app.users.create(
      { email, name, password: PASSWORD, role: 'support' },
      { actor: 'system:test', requestId: 't' },
    );
    const token = await tokenOf(email);
    expect(await console.codes(token, '{ viewer { user { id } } }')).toEqual([]);
    await console.test.db.query(statement, [id]);
    expect((await console.call(token, '{ viewer { user { id } } }')).status).toBe(401);
    await console.test.db.query('update app_user set disabled_at = null where id = $1', [id]);
  });

  it('in a cookie is rejected for cross-origin pages and accepted for those of the console', async () => {
    const token = await tokenOf();
    for (const origin of ['https://evil.example', 'null', `${console.test.urls.console}.evil.example`]) {
      const { status, body } = await withCookie(token, { origin });
      expect([origin, status, codesOf({ body } as TestResponse)]).toEqual([origin, 401, ['UNAUTHENTICATED']]);
    }
    expect((await withCookie(token, { origin: console.test.urls.console })).status).toBe(200);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'in a cookie cannot be used by a form: a body of type "%s" is rejected',
    async (type) => {
      const { status } = await withCookie(
        await tokenOf(),
        { 'content-type': type },
        'mutation { signOut { signedOut } }',
      );
      expect([400, 415]).toContain(status);
    },
  );

  it.each(['uat', 'production'] as const)('never works on the %s host', async (host) => {
    const { status, body } = await console.test.graphql(host, console.staff.admin, '{ me { id } }');
    expect([status, body.errors[0].extensions.code]).toEqual([401, 'WRONG_HOST']);
    expect(body.errors[0].message).toContain(console.test.urls.console);
    const cookie = await console.test.rest(host, 'GET', '/api/v1/auth/me', undefined, undefined, {
      cookie: `session=${console.staff.admin}`,
    });
    expect(cookie.status).toBe(401);
  });
});

it('an API token never works on the console host, and the error names the right host', async () => {
  const { tokens } = await console.test.developer();
  for (const host of ['uat', 'production'] as const) {
    const { status, body } = await console.call(tokens[host], '{ viewer { user { id } } }');
    expect([status, body.errors[0].extensions.code]).toEqual([401, 'WRONG_HOST']);
    expect(body.errors[0].message).toContain(console.test.urls[host]);
  }
});

it('sign-in and sign-out are in the audit log, without the session', async () => {
  const token = await tokenOf('second@test.example');
  await console.call(token, 'mutation { signOut { signedOut } }');
  const entries = await console.test.db.query<{ action: string; row: string }>(
    `select action, to_json(a)::text as row from audit_entry a where actor = (select 'user:' || id from app_user where email = 'second@test.example') order by id`,
  );
  expect(entries.slice(-2).map(({ action }) => action)).toEqual(['user.sign_in', 'user.sign_out']);
  for (const { row } of entries) expect(row).not.toContain(token);
});
