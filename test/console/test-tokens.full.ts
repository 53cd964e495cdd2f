import { beforeAll, describe, expect, it } from 'vitest';
import { seed, type TestDeveloper } from '../support/app.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import { accessTokenHash } from '../support/row-keys.js';
import { until } from '../support/until.js';
import { codesOf, expectExplained, fieldsOf, PASSWORD, useConsole } from './console.fixture.js';

const CREATE = 'mutation($input: CreateTestTokenInput!) { createTestToken(input: $input) { token expiresAt baseUrl } }';

const console = useConsole();
expectExplained(console);
const { test } = console;

let developer: TestDeveloper;
let owner: string;
beforeAll(async () => {
  developer = await test.developer({ liveRupees: 0, rateLimitPerMinute: 1_000 });
  owner = await console.userOf(developer.id);
});

const create = (session: string, input: object = {}) => console.call(session, CREATE, { input });
const tokenOf = async (session: string, input?: object): Promise<string> =>
  (await create(session, input)).body.data.createTestToken.token;
const me = async (token: string, host: 'uat' | 'production' = 'uat'): Promise<string> => {
  const { status, body } = await test.rest(host, 'GET', '/api/v1/auth/me', token);
  return status === 200 ? 'served' : body.code;
};
/** A session of a user of the account who is not its owner. */
async function colleague(teamRole: 'builder' | 'finance' | 'reader') {
  const email = `${teamRole}-${crypto.randomUUID()}@test.example`;
  const user = { email, name: 'Ravi', password: PASSWORD, role: 'developer', developerId: developer.id } as const;
  const id = await test.app.users.create({ ...user, teamRole }, seed);
  const signIn = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
  const session = (await console.call(undefined, signIn, { input: { email, password: PASSWORD } })).body.data.signIn;
  const change = (field: string, result: string, input: object) =>
    console.call(
      owner,
      `mutation($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${result} } }`,
      { input: { userId: `usr_${id}`, ...input } },
    );
  return { session: session.token as string, change };
}

describe('a test token', () => {
  it('works in UAT like the token of a key, for 15 minutes or the requested time, with an audit entry', async () => {
    const { token, expiresAt, baseUrl } = (await create(owner)).body.data.createTestToken;
    expect(baseUrl).toBe(test.urls.uat);
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 60_000)).toBe(15);
    const { body } = await test.graphql('uat', token, '{ me { developerId: id environment } wallet { balance } }');
    expect(body.data).toEqual({
      me: { developerId: expect.any(String), environment: 'UAT' },
      wallet: { balance: 200_000 },
    });
    const recharged = await test.rest('uat', 'POST', RECHARGE, token, rechargeBody());
    expect([recharged.status, recharged.body.status]).toEqual([200, 'success']);
    const longer = (await create(owner, { expiresInSeconds: 3_600 })).body.data.createTestToken;
    expect(Math.round((Date.parse(longer.expiresAt) - Date.now()) / 60_000)).toBe(60);
    const [entry] = await test.db.query(
      `select actor, subject, after from audit_entry where action = 'credential.create_test_token' order by audit_entry.id desc limit 1`,
    );
    expect(entry).toEqual({
      actor: expect.stringMatching(/^user:/),
      subject: `developer:${developer.id}/uat`,
      after: { expiresAt: new Date(longer.expiresAt).toISOString() },
    });
    const stored = await test.db.query(
      `select to_jsonb(t)::text as row from access_token t where session_hash is not null`,
    );
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('works only in UAT, creates no client tokens, and is not extended by use', async () => {
    const token = await tokenOf(owner, { expiresInSeconds: 60 });
    expect(await me(token, 'production')).toBe('WRONG_HOST');
    const client = await test.graphql(
      'uat',
      token,
      'mutation { createClientToken(input: { scopes: [LOOKUPS] }) { token } }',
    );
    expect(codesOf(client)).toEqual(['FORBIDDEN']);
    const age = `update access_token set last_used_at = now() - interval '2 hours', expires_at = now() + interval '1 second'
      where session_hash is not null and developer_id = $1`;
    await test.db.query(age, [developer.id]);
    expect(await me(token)).toBe('served');
    // Uses are recorded in order: once a later use of another token is written, this one is.
    await test.db.query(`update access_token set last_used_at = now() - interval '2 hours' where token_hash = $1`, [
      accessTokenHash(developer.tokens.uat),
    ]);
    expect(await me(developer.tokens.uat)).toBe('served');
    await until('the use of the other token is recorded', async () => {
      const [row] = await test.db.query<{ isNew: boolean }>(
        `select last_used_at > now() - interval '1 hour' as "isNew" from access_token where token_hash = $1`,
        [accessTokenHash(developer.tokens.uat)],
      );
      return row!.isNew;
    });
    const [latest] = await test.db.query<{ longest: Date }>(
      'select max(expires_at) as longest from access_token where session_hash is not null and developer_id = $1',
      [developer.id],
    );
    expect(latest!.longest.getTime()).toBeLessThan(Date.now() + 2_000);
  });

  it('is included in the rate limit of the account, whichever user created it', async () => {
    const limited = await test.developer({ liveRupees: 0, rateLimitPerMinute: 2 });
    const [first, second] = [
      await tokenOf(await console.userOf(limited.id)),
      await tokenOf(await console.userOf(limited.id)),
    ];
    expect([await me(first), await me(second), await me(limited.tokens.uat)]).toEqual([
      'served',
      'served',
      'RATE_LIMITED',
    ]);
  });

  it.each<[string, (of: Awaited<ReturnType<typeof colleague>>) => Promise<unknown>]>([
    ['their session', ({ session }) => console.call(session, 'mutation { signOut { signedOut } }')],
    ['their place in the team', ({ change }) => change('removeUser', 'removedUserId', { reason: 'left' })],
    ['their role in the team', ({ change }) => change('setUserRole', 'user { id }', { teamRole: 'READER' })],
  ])('expires with %s of its creator', async (_name, end) => {
    const person = await colleague('builder');
    const token = await tokenOf(person.session);
    expect(await me(token)).toBe('served');
    expect(codesOf((await end(person)) as never)).toEqual([]);
    expect(await me(token)).toBe('UNAUTHENTICATED');
  });

  it('is limited to five per session: a new one invalidates the oldest', async () => {
    const created: string[] = [];
    for (let n = 0; n < 6; n++) created.push(await tokenOf(owner));
    expect(await Promise.all(created.map((token) => me(token)))).toEqual([
      'UNAUTHENTICATED',
      ...Array(5).fill('served'),
    ]);
  });
});

describe('a test token is not created', () => {
  it('for a time that is too short, too long or not a number: the error names the field', async () => {
    for (const expiresInSeconds of [59, 3_601, -1])
      expect(fieldsOf(await create(owner, { expiresInSeconds }))).toEqual(['input.expiresInSeconds']);
    expect(codesOf(await create(owner, { expiresInSeconds: 'soon' }))).toEqual(['VALIDATION_FAILED']);
    expect((await create(owner, { expiresInSeconds: null })).body.data.createTestToken.token).toMatch(/^at_uat_/);
  });

  it('before KYC is approved, for a suspended account, and for the READER and FINANCE roles, as for keys', async () => {
    const applicant = await console.applicant('Not yet');
    expect(codesOf(await create(await console.userOf(applicant)))).toEqual(['ONBOARDING_INCOMPLETE']);
    for (const role of ['finance', 'reader'] as const)
      expect(codesOf(await create((await colleague(role)).session))).toEqual(['FORBIDDEN']);
    expect(codesOf(await create(console.staff.admin))).toEqual(['FORBIDDEN']);
    const stopped = await test.developer({ liveRupees: 0 });
    const session = await console.userOf(stopped.id);
    const token = await tokenOf(session);
    await test.app.developers.change('suspendDeveloper', { developerId: stopped.id, reason: 'stolen' }, seed);
    expect(await me(token)).toBe('SUSPENDED');
    expect(codesOf(await create(session))).toEqual(['SUSPENDED']);
  });
});
