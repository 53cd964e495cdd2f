import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { PrincipalReader } from '../../src/accounts/principal.reader.js';
import { FactorRequirements } from '../../src/accounts/second-factors/requirement.js';
import { createLogger } from '../../src/core/log.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { hasChecksum, randomToken } from '../../src/core/secret.js';
import { codesOf, fieldsOf, PASSWORD } from '../console/console.fixture.js';
import { FROM_TEST, seed, startTestApp, type TestApp, type TestDeveloper } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { accessTokenHash, rowKeys } from '../support/row-keys.js';
import { until } from '../support/until.js';

let test: TestApp;
let developer: TestDeveloper;
const lines: string[] = [];
beforeAll(async () => {
  const log = createLogger('warn', { write: (line) => void lines.push(line) });
  test = await startTestApp({ TOKENS_PER_CREDENTIAL: '3', RATE_LIMIT_PER_MINUTE: '1000' }, log);
  developer = await test.developer();
});
afterAll(() => test.close());
afterEach(() => test.db.query('delete from rate_limit'));

const exchange = async ({ keys }: TestDeveloper = developer): Promise<{ token: string; expires_at: string }> => {
  const { clientId: client_id, apiSecret: api_secret } = keys.uat;
  const body = { client_id, api_secret, environment: 'uat' };
  return (await test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, body)).body;
};
const statusOf = async (token: string) => (await test.rest('uat', 'GET', '/api/v1/auth/me', token)).status;
const set = (token: string, change: string) =>
  test.db.query(`update access_token set ${change} where token_hash = $1`, [accessTokenHash(token)]);
const rowOf = async (token: string) =>
  (
    await test.db.query<{ days: number; version: string }>(
      `select round(extract(epoch from expires_at - now()) / 86400)::int as days, xmin::text as version
        from access_token where token_hash = $1`,
      [accessTokenHash(token)],
    )
  )[0];
const ageOf = async (token: string) =>
  (
    await test.db.query<{ ago: number }>(
      'select extract(epoch from now() - last_used_at)::float8 as ago from access_token where token_hash = $1',
      [accessTokenHash(token)],
    )
  )[0]!.ago;

describe('an access token', () => {
  it('expires after 30 days without use', async () => {
    const { token, expires_at } = await exchange();
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000)).toBe(30);
    await set(token, `expires_at = now() - interval '1 second'`);
    expect(await statusOf(token)).toBe(401);
  });

  it('stays valid while it is used, for at most a year', async () => {
    const { token } = await exchange();
    await set(token, `last_used_at = now() - interval '2 hours', expires_at = now() + interval '1 day'`);
    expect(await statusOf(token)).toBe(200);
    await vi.waitFor(async () => expect((await rowOf(token))!.days).toBe(30), { timeout: 300_000, interval: 20 });
    await set(token, `last_used_at = now() - interval '2 hours', created_at = now() - interval '363 days'`);
    expect(await statusOf(token)).toBe(200);
    await vi.waitFor(async () => expect((await rowOf(token))!.days).toBe(2), { timeout: 300_000, interval: 20 });
  });

  it('is updated at most once an hour, and once a minute if its key has more than half of the allowed tokens', async () => {
    const account = await test.developer();
    const token = account.tokens.uat;
    const isWritten = async (lastUsedAgo: string, createdAgo: string) => {
      await set(
        token,
        `last_used_at = now() - interval '${lastUsedAgo}', created_at = now() - interval '${createdAgo}'`,
      );
      const rowBefore = await rowOf(token);
      for (let n = 0; n < 3; n++) expect(await statusOf(token)).toBe(200);
      // The use of this token is recorded before a later use of the other.
      await set(other, `last_used_at = now() - interval '2 hours'`);
      expect(await statusOf(other)).toBe(200);
      await until('the use of the other is recorded', async () => (await ageOf(other)) < 60);
      return (await rowOf(token))!.version !== rowBefore!.version;
    };
    const other = developer.tokens.uat;
    expect(await isWritten('59 minutes', '1 day')).toBe(false);
    await exchange(account);
    expect(await isWritten('59 seconds', '1 day')).toBe(false);
    expect(await isWritten('61 seconds', '1 day')).toBe(true);
    expect(await isWritten('2 seconds', '2 seconds')).toBe(true);
  });
});

describe('the token limit of a client ID', () => {
  const LOCK_WAITS = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const key = ({ keys }: TestDeveloper) => keys.uat.clientId;
  const liveOf = async (account: TestDeveloper) =>
    (await test.db.query('select from access_token where client_id = $1 and revoked_at is null', [key(account)]))
      .length;
  /** Uses of the key have been recorded by the minute since then. */
  const manySince = (account: TestDeveloper, ago: string) =>
    test.db.query(`update credential set many_tokens_since = now() - $1::interval where client_id = $2`, [
      ago,
      key(account),
    ]);

  const connection = async () => {
    const client = new Client({ connectionString: test.db.url });
    await client.connect();
    await client.query('begin');
    return client;
  };
  const waitForLock = () => until('an exchange waits', async () => (await test.db.query(LOCK_WAITS)).length > 0);

  it('revokes the least recently used token of the same client ID only', async () => {
    const otherAccount = await test.developer();
    const account = await test.developer();
    const [first, second] = [account.tokens.uat, (await exchange(account)).token];
    const third = (await exchange(account)).token;
    await manySince(account, '3 minutes');
    await set(first, `last_used_at = now() - interval '3 minutes'`);
    await set(second, `last_used_at = now() - interval '3 hours', created_at = now() - interval '1 day'`);
    const fourth = (await exchange(account)).token;
    expect(await Promise.all([first, second, third, fourth, otherAccount.tokens.uat].map(statusOf))).toEqual([
      200, 401, 200, 200, 200,
    ]);
  });

  it('revokes no token that may have been used within a minute, until there are ten times as many', async () => {
    const account = await test.developer();
    const inUse = account.tokens.uat;
    // Recorded by the hour while there were few tokens.
    await set(inUse, `last_used_at = now() - interval '50 minutes', created_at = now() - interval '50 minutes'`);
    for (let n = 1; n <= 40; n++) {
      await exchange(account);
      expect([n, await statusOf(inUse)]).toEqual([n, 200]);
    }
    expect(await liveOf(account)).toBe(30);
    await test.db.query(`update access_token set last_used_at = now() - interval '119 seconds' where client_id = $1`, [
      key(account),
    ]);
    await manySince(account, '3 minutes');
    await exchange(account);
    expect(await liveOf(account)).toBe(30);
    await test.db.query(`update access_token set last_used_at = now() - interval '2 minutes' where client_id = $1`, [
      key(account),
    ]);
    await exchange(account);
    expect(await liveOf(account)).toBe(3);
  });

  it('makes an exchange wait for its own key only, without other locks, so deadlocks are impossible', async () => {
    const account = await test.developer();
    await Promise.all([exchange(account), exchange(account)]);
    await manySince(account, '3 minutes');
    await test.db.query(`update access_token set last_used_at = now() - interval '1 hour' where client_id = $1`, [
      key(account),
    ]);
    const client = await connection();
    const lock = (table: string) =>
      client.query(`select from ${table} where client_id = $1 for update nowait`, [key(account)]);
    await lock('access_token');
    expect(await statusOf((await exchange(account)).token)).toBe(200);
    await client.query('commit; begin');
    await lock('credential');
    const waiting = exchange(account);
    await waitForLock();
    await lock('access_token');
    await client.query('commit');
    expect(await statusOf((await waiting).token)).toBe(200);
    await client.end();
  });

  it('does not revoke a token right after an exchange that waited while others were created', async () => {
    const account = await test.developer();
    const client = await connection();
    await client.query('select from credential where client_id = $1 for no key update', [key(account)]);
    const waiting = exchange(account);
    await waitForLock();
    await client.query(
      `insert into access_token (token_hash, developer_id, client_id, environment, created_at, last_used_at, expires_at, latest_expiry, mac)
        select sha256(n::text::bytea), $1, $2, 'uat', t, t, t + interval '1 day', t + interval '1 day', sha256('none') from generate_series(1, 30) n, clock_timestamp() t`,
      [account.id, key(account)],
    );
    await client.query('commit');
    await client.end();
    const { token } = await waiting;
    await exchange(account);
    expect(await statusOf(token)).toBe(200);
  });

  it('holds for simultaneous exchanges without a deadlock, while its tokens are in use', async () => {
    const account = await test.developer();
    const request = { ...account.keys.uat, environment: 'uat' } as const;
    await manySince(account, '3 minutes');
    lines.length = 0;
    const exchangeFrom = async (address: number) => {
      for (let n = 0; n < 8; n++) {
        const origin = { addressKey: `10.0.0.${address}`, requestId: 'test' };
        const { token } = await test.app.tokens.issue(request, 'uat', origin);
        await set(token, `last_used_at = now() - interval '3 minutes'`);
        await test.app.principals.ofToken(token);
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, address) => exchangeFrom(address)));
    expect(lines.filter((line) => line.includes('40P01'))).toEqual([]);
    expect(await liveOf(account)).toBeLessThanOrEqual(30);
  });
});

describe('the token lifetime of a developer', () => {
  const DEVELOPER = 'developer { id tokenIdleDays tokenMaxDays } approvalRequest { id }';
  const SET = `mutation($input: SetTokenLifetimeInput!) { setTokenLifetime(input: $input) { ${DEVELOPER} } }`;
  const RESET = `mutation($input: ResetTokenLifetimeInput!) { resetTokenLifetime(input: $input) { ${DEVELOPER} } }`;
  let admin: string;
  beforeAll(async () => {
    await test.app.users.create({ email: 'life@tokens.example', name: 'L', password: PASSWORD, role: 'admin' }, seed);
    admin = (await test.app.sessions.signIn({ email: 'life@tokens.example', password: PASSWORD }, FROM_TEST)).token;
  });
  const as = (query: string, input: object) => test.graphql('console', admin, query, { input });
  const daysLeft = (at: string) => Math.round((Date.parse(at) - Date.now()) / 86_400_000);

  it('can be shortened by an admin, also for existing tokens, and reset', async () => {
    const account = await test.developer({ liveRupees: 0 });
    const [inUse, unused] = [account.tokens.uat, (await exchange(account)).token];
    await set(unused, `last_used_at = now() - interval '6 days'`);
    const shorter = await as(SET, { developerId: account.id, idleDays: 5, maxDays: 10 });
    expect(shorter.body.data.setTokenLifetime).toEqual({
      developer: { id: `dev_${account.id}`, tokenIdleDays: 5, tokenMaxDays: 10 },
      approvalRequest: null,
    });
    expect([await statusOf(inUse), (await rowOf(inUse))!.days, await statusOf(unused)]).toEqual([200, 5, 401]);
    expect(daysLeft((await exchange(account)).expires_at)).toBe(5);
    expect(daysLeft((await exchange()).expires_at)).toBe(30);
    await set(inUse, `last_used_at = now() - interval '2 hours', created_at = now() - interval '7 days'`);
    expect(await statusOf(inUse)).toBe(200);
    await until('the use is recorded', async () => (await rowOf(inUse))!.days === 3);

    const defaults = await as(RESET, { developerId: account.id });
    expect(defaults.body.data.resetTokenLifetime.developer).toMatchObject({ tokenIdleDays: null, tokenMaxDays: null });
    await set(inUse, `last_used_at = now() - interval '2 hours'`);
    expect(await statusOf(inUse)).toBe(200);
    await until('the use is recorded', async () => (await rowOf(inUse))!.days === 30);
    expect(
      await test.db.query(
        `select action, before->>'tokenIdleDays' as before, after->>'tokenMaxDays' as after from audit_entry
          where subject = $1 and action like '%token_lifetime' order by audit_entry.id`,
        [`developer:${account.id}`],
      ),
    ).toEqual([
      { action: 'developer.set_token_lifetime', before: null, after: '10' },
      { action: 'developer.reset_token_lifetime', before: '5', after: null },
    ]);
  });

  it('cannot be longer than the default, or zero', async () => {
    for (const [lifetime, invalidFields] of [
      [{ idleDays: 31, maxDays: 366 }, ['input.idleDays', 'input.maxDays']],
      [{ idleDays: 30, maxDays: 0 }, ['input.maxDays']],
      [{ idleDays: -1, maxDays: 365 }, ['input.idleDays']],
    ] as const) {
      const response = await as(SET, { developerId: developer.id, ...lifetime });
      expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], invalidFields]);
    }
    expect(codesOf(await as(SET, { developerId: UNKNOWN_ID, idleDays: 1, maxDays: 1 }))).toEqual(['RECORD_NOT_FOUND']);
  });
});

describe('the checksum of a secret', () => {
  const database = { query: vi.fn() };
  const reader = new PrincipalReader(database, {
    staffIdleMinutes: 30,
    factorRequirements: new FactorRequirements({ staff: 'optional', owners: 'optional' }),
    tokenIdleDays: 30,
    tokenMaxDays: 365,
    rowKeys,
    log: createLogger('silent'),
  });

  it('is part of tokens, sessions and API secrets', async () => {
    await test.app.users.create({ email: 'sum@tokens.example', name: 'S', password: PASSWORD, role: 'support' }, seed);
    const session = await test.app.sessions.signIn({ email: 'sum@tokens.example', password: PASSWORD }, FROM_TEST);
    for (const secret of [developer.tokens.production, developer.keys.uat.apiSecret, session.token])
      expect([hasChecksum(secret), secret]).toEqual([true, expect.stringMatching(/^(at_live|sk_uat|ses)_[\w-]{49}$/)]);
  });

  it('detects one wrong character in any place, and another prefix, without a database query', async () => {
    const token = randomToken('at_live_');
    const wrongTokens = Array.from(
      { length: token.length },
      (_, n) => token.slice(0, n) + (token[n] === 'x' ? 'y' : 'x') + token.slice(n + 1),
    );
    for (const wrongToken of [
      ...wrongTokens,
      token.replace('live', 'uat'),
      token.slice(0, -1),
      `${token}A`,
      '',
      'A'.repeat(57),
    ]) {
      expect(await reader.ofToken(wrongToken)).toBeUndefined();
      expect(await reader.ofSession(wrongToken)).toBeUndefined();
    }
    expect(database.query).not.toHaveBeenCalled();
  });

  it('detects a mistyped API secret, which gets the same error as a wrong one', async () => {
    const { clientId, apiSecret } = developer.keys.uat;
    const body = { client_id: clientId, api_secret: `${apiSecret.slice(0, -1)}!`, environment: 'uat' };
    const rejection = await test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, body);
    const other = { ...body, api_secret: randomToken('sk_uat_') };
    const valid = await test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, other);
    for (const { status, body: responseBody } of [rejection, valid])
      expect([status, responseBody.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  });
});

describe('an account that is not active', () => {
  const WEBHOOK = `mutation { createWebhookEndpoint(input: {environment: UAT, url: "https://receiver.example/hook"}) {
    endpoint { id }
  } }`;
  const KEY = 'mutation { createCredential(input: {environment: UAT}) { credential { clientId } } }';

  async function codesFor(developerId: DeveloperId): Promise<string[]> {
    const email = `user-${developerId}@tokens.example`;
    await test.app.users.create({ email, name: 'U', password: PASSWORD, role: 'developer', developerId }, seed);
    const { token } = await test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
    const responses = [await test.graphql('console', token, WEBHOOK), await test.graphql('console', token, KEY)];
    expect(await test.db.query('select from webhook_endpoint where developer_id = $1', [developerId])).toEqual([]);
    return responses.flatMap(codesOf);
  }

  it('that is not approved can create neither a webhook endpoint nor a key', async () => {
    const id = await test.app.developers.register({ name: 'New', email: 'new@tokens.example' }, seed);
    await test.app.developers.markEmailVerified(id, seed);
    expect(await codesFor(id)).toEqual(['ONBOARDING_INCOMPLETE', 'ONBOARDING_INCOMPLETE']);
  });

  it('that is suspended can create neither a webhook endpoint nor a key', async () => {
    const { id, keys } = await test.developer();
    await test.app.credentials.revoke({ developerId: id, clientId: keys.uat.clientId }, undefined, seed);
    await test.db.query('update developer set suspended_at = now() where id = $1', [id]);
    expect(await codesFor(id)).toEqual(['SUSPENDED', 'SUSPENDED']);
  });
});
