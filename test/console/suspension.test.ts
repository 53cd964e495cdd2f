import { beforeAll, describe, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { place } from '../support/recharges.js';
import { codesOf, expectExplained, fieldsOf, PASSWORD, type Staff, useOwnConsole } from './console.fixture.js';

const ACCOUNT = 'developer { id productionUnlocked suspendedAt suspensionReason } approvalRequest { id }';
const mutation = (field: string, type: string, result: string) =>
  `mutation($input: ${type}!) { ${field}(input: $input) { ${result} } }`;
const SUSPEND = mutation('suspendDeveloper', 'SuspendDeveloperInput', ACCOUNT);
const REINSTATE = mutation('reinstateDeveloper', 'ReinstateDeveloperInput', ACCOUNT);
const LOCK = mutation('lockProduction', 'LockProductionInput', ACCOUNT);
const KEY = 'credential { clientId suspendedAt suspensionReason } developer { id }';
const SUSPEND_KEY = mutation('suspendCredential', 'SuspendCredentialInput', KEY);
const REINSTATE_KEY = mutation('reinstateCredential', 'ReinstateCredentialInput', KEY);
const USER = 'user { id email role developer { id } suspendedAt }';
const SUSPEND_USER = mutation('suspendUser', 'SuspendUserInput', USER);
const REINSTATE_USER = mutation('reinstateUser', 'ReinstateUserInput', USER);
const VIEWER = '{ viewer { user { id } } }';
const CREATE_KEY =
  'mutation($environment: Environment!) { createCredential(input: {environment: $environment}) { apiSecret } }';

const console = useOwnConsole();
expectExplained(console);
const as = (actor: Staff, query: string, input: object) => console.call(console.staff[actor], query, { input });
const reason = 'Reported as stolen';

const me = async (environment: 'uat' | 'production', token: string): Promise<string> => {
  const { status, body } = await console.test.rest(environment, 'GET', '/api/v1/auth/me', token);
  return status === 200 ? 'served' : body.code;
};
const exchange = async (
  { keys }: TestDeveloper,
  environment: 'uat' | 'production',
  secret?: string,
): Promise<string> => {
  const { clientId, apiSecret } = keys[environment];
  const body = { client_id: clientId, api_secret: secret ?? apiSecret, environment };
  const response = await console.test.rest(environment, 'POST', '/api/v1/auth/client-credentials', undefined, body);
  return response.status === 200 ? 'served' : response.body.code;
};
const lastEntry = async (action: string) => {
  const [entry] = await console.test.db.query(
    'select actor, subject, before, after, reason from audit_entry where action = $1 order by audit_entry.id desc limit 1',
    [action],
  );
  return entry;
};

describe('a suspended account', () => {
  it('has no valid key or token in either environment until it is reinstated', async () => {
    const developer = await console.test.developer({ liveRupees: 100 });
    const user = await console.userOf(developer.id);
    const { body } = await as('admin', SUSPEND, { developerId: developer.id, reason });
    expect(body.data.suspendDeveloper).toMatchObject({
      developer: { id: `dev_${developer.id}`, suspensionReason: reason, suspendedAt: expect.any(String) },
      approvalRequest: null,
    });
    for (const environment of ['uat', 'production'] as const) {
      expect(await me(environment, developer.tokens[environment])).toBe('SUSPENDED');
      expect(await exchange(developer, environment)).toBe('SUSPENDED');
      expect(await exchange(developer, environment, 'sk_wrong')).toBe('INVALID_CREDENTIALS');
      expect(await console.codes(user, CREATE_KEY, { environment: environment.toUpperCase() })).toEqual(['SUSPENDED']);
    }
    const rejection = await place(console.test, developer);
    expect([rejection.status, rejection.body.code]).toEqual([403, 'SUSPENDED']);
    expect(await console.test.balance(developer, 'production')).toBe(100);

    const after = await as('second', REINSTATE, { developerId: developer.id, reason: 'Found again' });
    expect(after.body.data.reinstateDeveloper.developer).toMatchObject({ suspendedAt: null, suspensionReason: null });
    for (const environment of ['uat', 'production'] as const) {
      expect(await me(environment, developer.tokens[environment])).toBe('served');
      expect(await exchange(developer, environment)).toBe('served');
    }
  });

  it('is still readable by its users', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const user = await console.userOf(id);
    await as('admin', SUSPEND, { developerId: id, reason });
    const { body } = await console.call(
      user,
      '{ viewer { developer { suspensionReason wallets { balance } credentials { clientId } } } }',
    );
    expect(body.data.viewer.developer).toMatchObject({ suspensionReason: reason, credentials: [{}, {}] });
  });

  it('is suspended once, with author and reason in the audit log', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const input = { developerId: id, reason };
    expect(codesOf(await as('admin', REINSTATE, { developerId: id }))).toEqual(['CONFLICT']);
    const responses = await Promise.all([as('admin', SUSPEND, input), as('second', SUSPEND, input)]);
    expect(responses.flatMap(codesOf)).toEqual(['CONFLICT']);
    expect(await lastEntry('developer.suspend')).toMatchObject({
      actor: expect.stringMatching(/^user:[0-9a-f-]{36}$/),
      subject: `developer:${id}`,
      before: { suspended: false },
      after: { suspended: true },
      reason,
    });
    expect(codesOf(await as('admin', REINSTATE, { developerId: id, reason: 'Cleared' }))).toEqual([]);
    expect(await lastEntry('developer.reinstate')).toMatchObject({ before: { suspended: true }, reason: 'Cleared' });
  });

  it('is found by the filter', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    await as('admin', SUSPEND, { developerId: id, reason });
    const page = (suspended: boolean) =>
      console.call(
        console.staff.support,
        `{ developers(first: 200, filter: {suspended: ${suspended}}) { edges { node { id } } } }`,
      );
    const idsOf = ({ body }: Awaited<ReturnType<typeof page>>) =>
      body.data.developers.edges.map(({ node }: { node: { id: string } }) => node.id);
    expect(idsOf(await page(true))).toContain(`dev_${id}`);
    expect(idsOf(await page(false))).not.toContain(`dev_${id}`);
  });
});

describe('revoking Production access', () => {
  it('invalidates Production tokens and keys, but not UAT, until it is granted again', async () => {
    const developer = await console.test.developer({ liveRupees: 0 });
    const input = { developerId: developer.id, reason };
    expect((await as('admin', LOCK, input)).body.data.lockProduction.developer.productionUnlocked).toBe(false);
    expect(await me('production', developer.tokens.production)).toBe('PRODUCTION_LOCKED');
    expect(await exchange(developer, 'production')).toBe('PRODUCTION_LOCKED');
    expect(await me('uat', developer.tokens.uat)).toBe('served');
    expect(codesOf(await as('second', LOCK, input))).toEqual(['CONFLICT']);
    expect(await lastEntry('developer.lock_production')).toMatchObject({
      after: { productionUnlocked: false },
      reason,
    });
    const unlock = `mutation { unlockProduction(input: {developerId: "dev_${developer.id}"}) {
      developer { productionUnlocked } } }`;
    const { body } = await console.call(console.staff.admin, unlock);
    expect(body.data.unlockProduction).toEqual({ developer: { productionUnlocked: true } });
    expect(await me('production', developer.tokens.production)).toBe('served');
  });
});

describe('a suspended API key', () => {
  it('is invalid with its tokens, and the other keys still work', async () => {
    const developer = await console.test.developer({ liveRupees: 0 });
    const { clientId } = developer.keys.production;
    const { body } = await as('admin', SUSPEND_KEY, { clientId, reason });
    expect(body.data.suspendCredential).toMatchObject({
      credential: { clientId, suspendedAt: expect.any(String), suspensionReason: reason },
      developer: { id: `dev_${developer.id}` },
    });
    expect(await me('production', developer.tokens.production)).toBe('SUSPENDED');
    expect(await exchange(developer, 'production')).toBe('SUSPENDED');
    expect(await me('uat', developer.tokens.uat)).toBe('served');
    expect(codesOf(await as('second', SUSPEND_KEY, { clientId, reason }))).toEqual(['CONFLICT']);
    expect(await lastEntry('credential.suspend')).toMatchObject({
      subject: `developer:${developer.id}/production`,
      before: { clientId, suspended: false },
      after: { clientId, suspended: true },
      reason,
    });
    expect(codesOf(await as('admin', REINSTATE_KEY, { clientId }))).toEqual([]);
    expect(await me('production', developer.tokens.production)).toBe('served');
    expect(codesOf(await as('admin', REINSTATE_KEY, { clientId }))).toEqual(['CONFLICT']);
  });

  it('that is revoked stays revoked', async () => {
    const developer = await console.test.developer({ liveRupees: 0 });
    const { clientId } = developer.keys.uat;
    await as('admin', SUSPEND_KEY, { clientId, reason });
    const revoke = mutation('revokeCredential', 'RevokeCredentialInput', 'credential { revokedAt }');
    const revoked = (await as('admin', revoke, { clientId })).body.data.revokeCredential.credential;
    expect(revoked).toEqual({ revokedAt: expect.any(String) });
    expect(codesOf(await as('admin', REINSTATE_KEY, { clientId }))).toEqual(['CONFLICT']);
    expect(await me('uat', developer.tokens.uat)).toBe('UNAUTHENTICATED');
    expect(codesOf(await as('admin', SUSPEND_KEY, { clientId: 'cid_uat_none', reason }))).toEqual(['RECORD_NOT_FOUND']);
  });
});

describe('a suspended user', () => {
  let id: string;
  let developerId: DeveloperId;
  let session: string;
  let email: string;
  beforeAll(async () => {
    ({ id: developerId } = await console.test.developer({ liveRupees: 0 }));
    email = 'stopped@test.example';
    session = await console.userOf(developerId, email);
    const { body } = await console.call(console.staff.support, `{ developer(id: "${developerId}") { users { id } } }`);
    [{ id }] = body.data.developer.users;
  });
  const signIn = (address = email) =>
    console.call(undefined, 'mutation($input: SignInInput!) { signIn(input: $input) { token } }', {
      input: { email: address, password: PASSWORD },
    });

  it('is signed out immediately, cannot sign in, and must sign in again when reinstated', async () => {
    const { body } = await as('admin', SUSPEND_USER, { userId: id, reason });
    expect(id).toMatch(/^usr_[0-9a-f-]{36}$/);
    const account = { role: 'DEVELOPER', developer: { id: `dev_${developerId}` } };
    expect(body.data.suspendUser.user).toEqual({ id, email, ...account, suspendedAt: expect.any(String) });
    expect(await console.codes(session, VIEWER)).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await signIn())).toEqual(['INVALID_CREDENTIALS']);
    expect(codesOf(await as('second', SUSPEND_USER, { userId: id, reason }))).toEqual(['CONFLICT']);
    expect(await lastEntry('user.suspend')).toMatchObject({
      subject: `user:${id.replace('usr_', '')}`,
      after: { disabled: true },
      reason,
    });

    expect((await as('admin', REINSTATE_USER, { userId: id })).body.data.reinstateUser.user.suspendedAt).toBeNull();
    expect(await console.codes(session, VIEWER)).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await signIn())).toEqual([]);
    expect(codesOf(await as('admin', REINSTATE_USER, { userId: id }))).toEqual(['CONFLICT']);
  });

  it('is never the caller or the last admin', async () => {
    const staff = (await console.call(console.staff.admin, '{ users { id email role } }')).body.data.users;
    expect(new Set(staff.map(({ role }: { role: string }) => role))).toEqual(new Set(['ADMIN', 'SUPPORT']));
    const numberOf = (address: string) => staff.find((user: { email: string }) => user.email === address).id;
    const [admin, second] = [numberOf('admin@test.example'), numberOf('second@test.example')];
    expect(codesOf(await as('admin', SUSPEND_USER, { userId: admin, reason }))).toEqual(['FORBIDDEN']);
    // Each suspends the other at the same time: one of them stays active.
    const responses = await Promise.all([
      as('admin', SUSPEND_USER, { userId: second, reason }),
      as('second', SUSPEND_USER, { userId: admin, reason }),
    ]);
    expect(responses.flatMap(codesOf)).toHaveLength(1);
    const [{ n }] = (await console.test.db.query(
      `select count(*)::int as n from app_user where role = 'admin' and disabled_at is null`,
    )) as [{ n: number }];
    expect(n).toBe(1);
    const disabledAdmins = await console.test.db.query<{ id: string }>(
      `select id from app_user where disabled_at is not null and role = 'admin'`,
    );
    for (const user of disabledAdmins) await console.test.app.users.enable(user.id, undefined, seed);
    for (const actor of ['admin', 'second'] as const)
      console.staff[actor] = (await signIn(`${actor}@test.example`)).body.data.signIn.token;
  });

  it('must exist', async () => {
    for (const userId of [UNKNOWN_ID, `usr_${UNKNOWN_ID}`, '0', 'x'])
      expect(codesOf(await as('admin', SUSPEND_USER, { userId, reason }))).toEqual(['RECORD_NOT_FOUND']);
  });
});

it.each([
  ['suspendDeveloper', SUSPEND, { developerId: UNKNOWN_ID }],
  ['lockProduction', LOCK, { developerId: UNKNOWN_ID }],
  ['suspendCredential', SUSPEND_KEY, { clientId: 'none' }],
  ['suspendUser', SUSPEND_USER, { userId: UNKNOWN_ID }],
])('%s requires a reason, an admin and an existing record', async (_name, query, target) => {
  for (const invalid of ['', '  ', 'x'.repeat(501)]) {
    const response = await as('admin', query, { ...target, reason: invalid });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.reason']]);
  }
  expect(codesOf(await as('support', query, { ...target, reason }))).toEqual(['FORBIDDEN']);
  expect(codesOf(await as('admin', query, { ...target, reason }))[0]).toMatch(/RECORD_NOT_FOUND|FORBIDDEN/);
});
