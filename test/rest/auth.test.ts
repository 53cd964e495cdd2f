import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { currentUser, tokenResponse } from './schemas/auth.schemas.js';
import { failure, mismatches } from './schemas/common.js';

const EXCHANGE = '/api/v1/auth/client-credentials';
const ME = '/api/v1/auth/me';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

const credentials = (environment: 'uat' | 'production', more: object = {}) => ({
  client_id: developer.keys[environment].clientId,
  api_secret: developer.keys[environment].apiSecret,
  environment,
  ...more,
});
const exchange = (environment: 'uat' | 'production', body: unknown) =>
  test.rest(environment, 'POST', EXCHANGE, undefined, body);

describe('auth/client-credentials', () => {
  it.each(['uat', 'production'] as const)('returns the token object in %s', async (environment) => {
    const { status, body, headers } = await exchange(environment, credentials(environment, { device_name: 'till 4' }));
    expect(status).toBe(200);
    expect(mismatches(tokenResponse(environment), body)).toEqual([]);
    expect(body.base_url).toBe(test.urls[environment]);
    const [account] = await test.db.query('select account_number from developer where id = $1', [developer.id]);
    expect(account).toEqual({ account_number: body.user.id });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(86_000_000);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('accepts the environment in any case and ignores unknown fields and empty options', async () => {
    const { status } = await exchange(
      'uat',
      credentials('uat', { environment: ' UAT ', device_name: '', colour: 'blue' }),
    );
    expect(status).toBe(200);
  });

  it.each([
    ['a missing secret', (body: Record<string, unknown>) => ({ ...body, api_secret: undefined }), 'api_secret'],
    ['a secret that is a number', (body: Record<string, unknown>) => ({ ...body, api_secret: 12345678 }), 'api_secret'],
    ['a secret that is null', (body: Record<string, unknown>) => ({ ...body, api_secret: null }), 'api_secret'],
    ['an empty client ID', (body: Record<string, unknown>) => ({ ...body, client_id: '  ' }), 'client_id'],
    ['an unknown environment', (body: Record<string, unknown>) => ({ ...body, environment: 'staging' }), 'environment'],
    [
      'a label of 256 characters',
      (body: Record<string, unknown>) => ({ ...body, device_name: 'x'.repeat(256) }),
      'device_name',
    ],
  ])('names the field for %s', async (_name, change, field) => {
    const { status, body } = await exchange('uat', change(credentials('uat')));
    expect(status).toBe(422);
    expect(mismatches(failure('error'), body)).toEqual([]);
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(body.message).toContain(field);
    expect(JSON.stringify(body)).not.toContain(developer.keys.uat.apiSecret);
  });

  it('returns one message for every kind of wrong credentials', async () => {
    const invalid = [
      await exchange('uat', credentials('uat', { api_secret: 'sk_uat_wrong' })),
      await exchange('uat', credentials('uat', { client_id: 'cid_uat_unknown' })),
      await exchange('uat', credentials('uat', { client_id: 'something else' })),
    ];
    for (const { status, body } of invalid) {
      expect(status).toBe(401);
      expect(body).toEqual({
        status: 'error',
        message: 'The credentials are not valid.',
        code: 'INVALID_CREDENTIALS',
        doc_url: `${test.urls.uat}/docs/errors#INVALID_CREDENTIALS`,
        request_id: expect.any(String),
      });
    }
  });

  it('names the correct host for credentials of the other environment without counting a failed attempt', async () => {
    for (let n = 0; n < 12; n++) {
      const { status, body } = await exchange('production', { ...credentials('uat'), environment: 'uat' });
      expect(status).toBe(401);
      expect(body.code).toBe('WRONG_HOST');
      expect(body.message).toContain(test.urls.uat);
    }
    expect((await exchange('production', credentials('uat', { environment: 'production' }))).body.code).toBe(
      'WRONG_HOST',
    );
    expect((await exchange('production', credentials('production'))).status).toBe(200);
  });

  it.each([
    // environment of the key, host, requested environment, status, expected text of the response
    ['uat', 'uat', 'uat', 200, 'uat'],
    ['uat', 'uat', 'production', 422, 'This API key is for the uat environment. Send "uat".'],
    ['uat', 'uat', 'live', 422, 'This API key is for the uat environment. Send "uat".'],
    ['uat', 'production', 'uat', 401, 'uat'],
    ['uat', 'production', 'production', 401, 'uat'],
    ['production', 'production', 'production', 200, 'production'],
    ['production', 'production', 'live', 200, 'production'],
    ['production', 'production', ' Prod ', 200, 'production'],
    ['production', 'production', 'uat', 422, 'This API key is for the production environment. Send "production".'],
    ['production', 'uat', 'uat', 401, 'production'],
    ['production', 'uat', 'production', 401, 'production'],
    ['production', 'uat', 'prod', 401, 'production'],
  ] as const)(
    '%s keys on the %s host with the environment %j return %i',
    async (keys, host, word, expected, expectedValue) => {
      const { status, body } = await exchange(host, credentials(keys, { environment: word }));
      expect(status).toBe(expected);
      if (expected === 200) expect(body.environment).toBe(expectedValue);
      else if (expected === 422) expect(body.errors).toEqual({ environment: [expectedValue] });
      else expect([body.code, body.message]).toEqual(['WRONG_HOST', expect.stringContaining(test.urls[expectedValue])]);
    },
  );

  it('returns the same error over GraphQL', async () => {
    const { clientId, apiSecret } = developer.keys.production;
    const { body } = await test.graphql(
      'production',
      undefined,
      'mutation($input: IssueTokenInput!) { issueToken(input: $input) { token } }',
      { input: { clientId, apiSecret, environment: 'UAT' } },
    );
    const message = 'This API key is for the production environment. Send "production".';
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: [{ path: 'input.environment', rule: 'COMBINATION', message }],
    });
  });

  it('does not reveal the environment after a wrong secret, and lists only the two valid values for an unknown environment', async () => {
    const otherAccount = await test.developer();
    const { clientId } = otherAccount.keys.production;
    const { status, body } = await exchange('production', {
      client_id: clientId,
      api_secret: developer.keys.production.apiSecret,
      environment: 'uat',
    });
    expect([status, body.code, body.errors]).toEqual([401, 'INVALID_CREDENTIALS', undefined]);
    const unknown = await exchange('uat', credentials('uat', { environment: 'test' }));
    expect(unknown.body.errors).toEqual({ environment: ['Must be one of uat, production.'] });
  });

  it('returns a retry time after ten wrong secrets, and never rejects a correct one', async () => {
    const other = await test.developer();
    for (let n = 0; n < 10; n++)
      expect(
        (await exchange('uat', credentials('uat', { client_id: other.keys.uat.clientId, api_secret: `guess ${n}` })))
          .status,
      ).toBe(401);
    const { status, body, headers } = await exchange(
      'uat',
      credentials('uat', { client_id: other.keys.uat.clientId, api_secret: 'another guess' }),
    );
    expect(status).toBe(429);
    expect(body.code).toBe('TOO_MANY_FAILED_EXCHANGES');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
    for (const { keys } of [other, developer]) {
      const { clientId: client_id, apiSecret: api_secret } = keys.uat;
      expect((await exchange('uat', credentials('uat', { client_id, api_secret }))).status).toBe(200);
    }
  });
});

describe('auth/me', () => {
  it.each(['uat', 'production'] as const)('returns the current user in %s', async (environment) => {
    const { status, body } = await test.rest(environment, 'GET', ME, developer.tokens[environment]);
    expect(status).toBe(200);
    expect(mismatches(currentUser, body)).toEqual([]);
    expect(body.permissions).toContain('operator_fetch');
  });

  it.each([
    ['no token', () => undefined],
    ['a truncated token', () => developer.tokens.uat.slice(0, -4)],
    ['a forged token', () => `at_uat_${'A'.repeat(43)}`],
    ['an unrelated token', () => 'eyJhbGciOiJIUzI1NiJ9.e30.x'],
  ])('rejects %s', async (_name, token) => {
    const { status, body } = await test.rest('uat', 'GET', ME, token());
    expect(status).toBe(401);
    expect(body).toEqual({
      status: 'error',
      message: 'The access token is missing, unknown, expired or revoked.',
      code: 'UNAUTHENTICATED',
      doc_url: `${test.urls.uat}/docs/errors#UNAUTHENTICATED`,
      request_id: expect.any(String),
    });
  });

  it('rejects an Authorization header without the Bearer scheme', async () => {
    const { status } = await test.rest('uat', 'GET', ME, undefined, undefined, {
      authorization: `Basic ${developer.tokens.uat}`,
    });
    expect(status).toBe(401);
  });

  it('rejects a token of the other environment and names the correct host', async () => {
    const { status, body } = await test.rest('production', 'GET', ME, developer.tokens.uat);
    expect(status).toBe(401);
    expect(body.code).toBe('WRONG_HOST');
    expect(body.message).toContain(test.urls.uat);
  });

  it('rejects an expired token and a revoked token', async () => {
    const other = await test.developer();
    await test.db.query(
      `update access_token set expires_at = now() - interval '1 s' where developer_id = $1 and environment = 'uat'`,
      [other.id],
    );
    await test.db.query(
      `update access_token set revoked_at = now() where developer_id = $1 and environment = 'production'`,
      [other.id],
    );
    expect((await test.rest('uat', 'GET', ME, other.tokens.uat)).body.code).toBe('UNAUTHENTICATED');
    expect((await test.rest('production', 'GET', ME, other.tokens.production)).body.code).toBe('UNAUTHENTICATED');
  });

  it('rejects a suspended developer on the next request', async () => {
    const other = await test.developer();
    await test.db.query('update developer set suspended_at = now() where id = $1', [other.id]);
    const { status, body } = await test.rest('uat', 'GET', ME, other.tokens.uat);
    expect([status, body.code]).toEqual([403, 'SUSPENDED']);
  });
});

describe('the database', () => {
  it('stores tokens and secrets only as hashes', async () => {
    const rows = await test.db.query<{ everything: string }>(
      `select coalesce(string_agg(t::text, ' '), '') as everything from (select to_jsonb(c) as t from credential c union all select to_jsonb(a) from access_token a) x`,
    );
    for (const secret of [developer.keys.uat.apiSecret, developer.tokens.uat, developer.tokens.production])
      expect(rows[0]!.everything).not.toContain(secret);
  });
});
