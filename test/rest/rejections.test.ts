import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/core/error-catalogue.js';
import { openApiOf } from '../../src/http/hosts.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { type Operation, operationsOf } from './operations.fixture.js';

const test = useSharedApp();
let developer: TestDeveloper;
let operations: Operation[];
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
  operations = operationsOf(openApiOf('production', test.app));
});

type Send = (operation: Operation) => Promise<TestResponse>;

/** An empty request, or one with an invalid page of a list, because access is checked before the input. */
const requesterFor =
  (token: string | undefined, body: unknown = {}, headers: Record<string, string> = {}, query = '?limit=x'): Send =>
  ({ method, path, hasBody }) =>
    test.rest('production', method, `${path}${query}`, token, hasBody ? body : undefined, headers);

async function developerWho(sql: string): Promise<string> {
  const { id, tokens } = await test.developer();
  await test.db.query(sql, [id]);
  return tokens.production;
}

/** invalid tokens, wrong hosts and disabled services are covered by the matrix in test/contract */
const WAYS: Readonly<Partial<Record<ErrorCode, () => Promise<Send>>>> = {
  SUSPENDED: async () => requesterFor(await developerWho('update developer set suspended_at = now() where id = $1')),
  ONBOARDING_INCOMPLETE: async () =>
    requesterFor(
      await developerWho(
        `update developer set onboarding_status = 'kyc_submitted', production_unlocked = false where id = $1`,
      ),
    ),
  PRODUCTION_LOCKED: async () =>
    requesterFor(await developerWho('update developer set production_unlocked = false where id = $1')),
  FORBIDDEN: async () => {
    const document = 'mutation { createClientToken(input: { scopes: [LOOKUPS] }) { token } }';
    const { body } = await test.graphql('production', developer.tokens.production, document);
    return requesterFor(body.data.createClientToken.token);
  },
  RATE_LIMITED: async () => {
    const limited = await test.developer({ rateLimitPerMinute: 1 });
    const send = requesterFor(limited.tokens.production);
    return async (operation) => {
      await send(operation);
      return send(operation);
    };
  },
  MALFORMED_REQUEST: async () => requesterFor(developer.tokens.production, {}, {}, '?x=%FF'),
  PAYLOAD_TOO_LARGE: async () => requesterFor(developer.tokens.production, { note: 'x'.repeat(70_000) }),
  UNSUPPORTED_MEDIA_TYPE: async () => requesterFor(developer.tokens.production, 'x', { 'content-type': 'text/plain' }),
};

/** Failures that depend on the client ID are covered by auth.test.ts and rate-limit.test.ts. */
const BY_CREDENTIALS: readonly (string | undefined)[] = [
  'SUSPENDED',
  'ONBOARDING_INCOMPLETE',
  'PRODUCTION_LOCKED',
  'RATE_LIMITED',
];
const isExchange = ({ path }: Operation): boolean => path === '/api/v1/auth/client-credentials';

describe('requests are rejected as documented for their path with', () => {
  it.each(Object.keys(WAYS) as ErrorCode[])('%s', async (code) => {
    const send = await WAYS[code]!();
    const listing = operations.filter((operation) => operation.codes.includes(code));
    expect(listing.length).toBeGreaterThan(0);
    for (const operation of operations) {
      if (isExchange(operation) && BY_CREDENTIALS.includes(code)) continue;
      const { body } = await send(operation);
      expect([operation.path, body.code === code]).toEqual([operation.path, listing.includes(operation)]);
    }
  });
});

it('every path with a required field rejects an empty request with VALIDATION_FAILED', async () => {
  const send = requesterFor(developer.tokens.production);
  const demanding = operations.filter(({ isDemanding, codes }) => isDemanding && !codes.includes('UAT_ONLY'));
  expect(demanding.length).toBeGreaterThan(10);
  for (const operation of demanding) {
    const { body } = await send(operation);
    expect([operation.path, body.code]).toEqual([operation.path, 'VALIDATION_FAILED']);
  }
});
