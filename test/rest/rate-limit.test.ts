import { describe, expect, it } from 'vitest';
import { useConsole } from '../console/console.fixture.js';
import { place } from '../support/recharges.js';

/** Default limit of the service. */
const service = useConsole({ RATE_LIMIT_PER_MINUTE: '' });
const { test } = service;

const ME = '/api/v1/auth/me';

describe('the limit of 60 per minute', () => {
  it('counts REST, GraphQL aliases and all tokens of a developer together, and returns the remaining requests', async () => {
    const developer = await test.developer();
    const { clientId: client_id, apiSecret: api_secret } = developer.keys.uat;
    const second = (
      await test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
        client_id,
        api_secret,
        environment: 'uat',
      })
    ).body.token as string;
    for (let n = 0; n < 20; n++)
      expect((await test.rest('uat', 'GET', ME, n % 2 ? second : developer.tokens.uat)).status).toBe(200);
    const aliases = (count: number) => `{ ${Array.from({ length: count }, (_, n) => `a${n}: me { id }`).join(' ')} }`;
    for (const count of [15, 15, 9]) {
      const { body } = await test.graphql('uat', developer.tokens.uat, aliases(count));
      expect(body.errors).toBeUndefined();
    }
    const sixtieth = await test.rest('uat', 'GET', ME, second);
    expect(sixtieth.status).toBe(200);
    expect(sixtieth.headers.get('x-ratelimit-remaining')).toBe('0');
    const rejection = await test.rest('uat', 'GET', ME, developer.tokens.uat);
    expect([rejection.status, rejection.body.code, rejection.body.status]).toEqual([429, 'RATE_LIMITED', 'error']);
    expect(Number(rejection.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rejection.headers.get('ratelimit')).toMatch(/^"auth\/me";r=0;t=\d+$/);
    expect(rejection.headers.get('ratelimit-policy')).toBe('"auth/me";q=60;w=60');
    // all protocols are limited, also for names that a compiled query could confuse
    const { body } = await test.graphql('uat', second, '{ me { id } Query_me: me { id } ok: wallet { balance } }');
    expect(body.data).toMatchObject({ me: null, Query_me: null, ok: { balance: 200_000 } });
    expect(body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
    ]);
    expect(body.errors[0].extensions.retryAfterMs).toBeGreaterThan(0);
    // other endpoints, the other environment and other developers have their own counters
    expect((await test.rest('production', 'GET', ME, developer.tokens.production)).status).toBe(200);
  });

  it('allows exactly 60 of 90 simultaneous calls', async () => {
    const developer = await test.developer();
    const responses = await Promise.all(
      Array.from({ length: 90 }, () => test.rest('uat', 'GET', ME, developer.tokens.uat)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('counts a request whose body fails validation, over REST and in GraphQL variables and literals', async () => {
    const developer = await test.developer();
    await test.rest('uat', 'POST', '/api/v1/recharge', developer.tokens.uat, {});
    const document = 'mutation($i: RechargeInput!) { recharge(input: $i) { order { status } } }';
    await test.graphql('uat', developer.tokens.uat, document, { i: {} });
    const { headers } = await test.graphql(
      'uat',
      developer.tokens.uat,
      'mutation { recharge(input: {amount: "x"}) { order { status } } }',
    );
    expect(headers.get('x-ratelimit-remaining')).toBe('57');
  });

  it('returns 429 before 403 and before validation errors', async () => {
    const developer = await test.developer({ rateLimitPerMinute: 1 });
    await test.rest('uat', 'GET', ME, developer.tokens.uat);
    await test.rest('uat', 'POST', '/api/v1/recharge', developer.tokens.uat, {});
    await test.db.query('update developer set suspended_at = now() where id = $1', [developer.id]);
    expect((await test.rest('uat', 'GET', ME, developer.tokens.uat)).status).toBe(429);
    expect((await test.rest('uat', 'POST', '/api/v1/recharge', developer.tokens.uat, {})).status).toBe(429);
  });

  it('uses a changed account limit from the next request', async () => {
    const developer = await test.developer({ rateLimitPerMinute: 2 });
    const call = () => test.rest('uat', 'GET', ME, developer.tokens.uat);
    expect([(await call()).status, (await call()).status, (await call()).status]).toEqual([200, 200, 429]);
    await test.db.query('update developer set rate_limit_per_minute = 100 where id = $1', [developer.id]);
    const raised = await call();
    expect([raised.status, raised.headers.get('x-ratelimit-limit')]).toEqual([200, '100']);
  });

  it('counts token exchanges per client ID and address', async () => {
    const { keys } = await test.developer();
    const exchange = () =>
      test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
        client_id: keys.uat.clientId,
        api_secret: keys.uat.apiSecret,
        environment: 'uat',
      });
    for (let n = 0; n < 60; n++) expect((await exchange()).status).toBe(200);
    expect((await exchange()).body.code).toBe('RATE_LIMITED');
  });

  it('allows one token per request: exchanges use the account limit, wrong secrets the default', async () => {
    const [raised, lowered] = [
      await test.developer({ rateLimitPerMinute: 65 }),
      await test.developer({ rateLimitPerMinute: 2 }),
    ];
    const exchange = (client_id: string, api_secret: string) =>
      test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
        client_id,
        api_secret,
        environment: 'uat',
      });
    const { clientId, apiSecret } = raised.keys.uat;
    const first = await exchange(clientId, apiSecret);
    expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([200, '"auth/client-credentials";q=65;w=60']);
    for (let n = 1; n < 65; n++) expect((await exchange(clientId, apiSecret)).status).toBe(200);
    const rejection = await exchange(clientId, apiSecret);
    expect([rejection.body.code, rejection.headers.get('x-ratelimit-limit')]).toEqual(['RATE_LIMITED', '65']);
    // an account limit below the default does not apply to exchanges
    const { uat } = lowered.keys;
    for (let n = 0; n < 3; n++) expect((await exchange(uat.clientId, uat.apiSecret)).status).toBe(200);
    // the header of a wrong secret does not reveal that the account has a custom limit
    const rejected = await exchange(clientId, uat.apiSecret);
    expect([rejected.body.code, rejected.headers.get('x-ratelimit-limit')]).toEqual(['RATE_LIMITED', '60']);
    // rate limits are checked before input validation
    const unreadable = await exchange('cid_uat_\0', apiSecret);
    expect([unreadable.status, Object.keys(unreadable.body.errors)]).toEqual([422, ['client_id']]);
  });
});

describe('the field rateLimit', () => {
  const LIMITS = 'rateLimit { cost limit remaining resetAt endpoints { endpoint cost limit remaining resetAt } }';
  const read = async (token: string, query: string, variables?: object) =>
    (await test.graphql('uat', token, query, variables)).body.data.rateLimit;
  const endpoint = (name: string, cost: number, limit: number, remaining: number) => ({
    endpoint: name,
    cost,
    limit,
    remaining,
    resetAt: expect.any(String),
  });

  it('includes every endpoint of its document, also nested ones, and has no cost', async () => {
    const { tokens } = await test.developer({ rateLimitPerMinute: 7 });
    const unused = { cost: 0, limit: 7, remaining: null, resetAt: null, endpoints: [] };
    for (let n = 0; n < 9; n++) expect(await read(tokens.uat, `{ ${LIMITS} }`)).toEqual(unused);
    await test.graphql('uat', tokens.uat, '{ me { id } }');
    // listed first, but resolved after its sibling fields and fields nested in a lookup
    const query = `{
      ${LIMITS}
      a: me { id } b: me { id }
      operatorFind(input: { mobile: "9876543210" }) { plans { fee } }
      wallet { statement(first: 1) { nodes { id } } }
    }`;
    for (const remainingCount of [4, 2]) {
      const startedMs = Date.now();
      const limits = await read(tokens.uat, query);
      expect(limits).toEqual({
        cost: 6,
        limit: 7,
        remaining: remainingCount,
        resetAt: limits.endpoints[0].resetAt,
        endpoints: [
          endpoint('auth/me', 2, 7, remainingCount),
          ...['plan/operator-fetch', 'plan/operator-plan-fetch', 'wallet', 'wallet/statement'].map((name) =>
            endpoint(name, 1, 7, remainingCount === 4 ? 6 : 5),
          ),
        ],
      });
      expect(Date.parse(limits.resetAt)).toBeGreaterThan(startedMs);
      expect(Date.parse(limits.resetAt)).toBeLessThanOrEqual(Date.now() + 60_000);
    }
  });

  it('matches the headers of the strictest limit, also after a rejected use', async () => {
    const { tokens } = await test.developer({ rateLimitPerMinute: 2 });
    const { body, headers } = await test.graphql(
      'uat',
      tokens.uat,
      `{ a: me { id } b: me { id } c: me { id } wallet { id } ${LIMITS} }`,
    );
    expect(body.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    expect(body.data.rateLimit).toMatchObject({
      cost: 4,
      limit: 2,
      remaining: 0,
      endpoints: [endpoint('auth/me', 3, 2, 0), endpoint('wallet', 1, 2, 1)],
    });
    expect(headers.get('ratelimit-policy')).toBe('"auth/me";q=2;w=60');
  });

  it('counts a nested field of a list once, and follows aliases, fragments and conditions', async () => {
    const developer = await test.developer({ rateLimitPerMinute: 9 });
    const { tokens } = developer;
    for (const amount of [11, 12]) await place(test, developer, { client_request_id: `of ${amount}`, amount }, 'uat');
    const query = `query($yes: Boolean!, $no: Boolean!) {
      orders { nodes { timeline { at } } }
      ...Limits @include(if: $yes)
      hidden: rateLimit @include(if: $no) { cost }
    }
    fragment Limits on Query { limits: rateLimit { used: cost endpoints { endpoint cost } } }`;
    // interpreted at first, compiled from the third use
    for (let use = 0; use < 4; use++) {
      const { body } = await test.graphql('uat', tokens.uat, query, { yes: true, no: false });
      expect(body.errors).toBeUndefined();
      expect(Object.keys(body.data)).toEqual(['orders', 'limits']);
      expect(body.data.orders.nodes).toHaveLength(2);
      expect(body.data.limits.used).toBe(2);
      expect(body.data.limits.endpoints).toEqual(
        expect.arrayContaining([
          { endpoint: 'orders', cost: 1 },
          { endpoint: 'order/timeline', cost: 1 },
        ]),
      );
    }
  });

  it('has no cost in a document with invalid values', async () => {
    const { tokens } = await test.developer({ rateLimitPerMinute: 3 });
    const { body } = await test.graphql(
      'uat',
      tokens.uat,
      '{ rateLimit { cost } orders(first: "x") { nodes { id } } }',
    );
    expect(body.errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    const { endpoints } = await read(tokens.uat, `{ orders { nodes { id } } ${LIMITS} }`);
    expect(endpoints).toEqual([endpoint('orders', 1, 3, 1)]);
  });

  it('shows the limit of a client token', async () => {
    const { tokens } = await test.developer({ rateLimitPerMinute: 100 });
    const create = 'mutation { createClientToken(input: { scopes: [LOOKUPS] }) { token } }';
    const { token } = (await test.graphql('uat', tokens.uat, create)).body.data.createClientToken;
    expect((await read(token, `{ ${LIMITS} }`)).limit).toBe(60);
    expect((await read(token, `{ circles { name } ${LIMITS} }`)).endpoints).toEqual([endpoint('circles', 1, 60, 59)]);
  });

  it('shows the console limit of a session', async () => {
    const user = await service.userOf((await test.developer()).id);
    const { body } = await service.call(user, `{ viewer { user { id } } ${LIMITS} }`);
    expect(body.data.rateLimit).toMatchObject({ cost: 1, limit: 600, endpoints: [endpoint('viewer', 1, 600, 599)] });
  });
});
