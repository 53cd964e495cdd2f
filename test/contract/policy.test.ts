import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../src/core/context.js';
import type { DeveloperPrincipal, SessionPrincipal } from '../../src/core/principal.js';
import { KnownKeys } from '../../src/graphql/known-keys.js';
import { createLimitStores, RateLimits } from '../../src/graphql/limits.js';
import { forbidden, type PolicyRow, policy, unauthenticated } from '../../src/graphql/policy.js';
import { secureSchema } from '../../src/graphql/schema.js';

const rows = (type: string): [string, PolicyRow][] => Object.entries(policy[type] ?? {});
const roots = [...rows('Query'), ...rows('Mutation')];

describe('the policy table', () => {
  it('opens without credentials only what starts a relation', () => {
    const open = roots.flatMap(([field, row]) => (row.access.kind === 'public' ? [field] : []));
    expect(open.toSorted()).toEqual([
      'issueToken',
      'requestPasswordReset',
      'resetPassword',
      'signIn',
      'signUp',
      'verifyEmail',
    ]);
  });

  it('keeps tokens on the API hosts and sessions on the console', () => {
    for (const [field, { hosts, access }] of roots) {
      if (access.kind === 'token') expect([field, hosts]).toEqual([field, ['uat', 'production']]);
      if (access.kind === 'session') expect([field, hosts]).toEqual([field, ['console']]);
      expect([field, access.kind]).not.toEqual([field, 'parent']);
    }
  });

  it('lets support change nothing but its own password and sessions', () => {
    const open = rows('Mutation').flatMap(([field, { access }]) =>
      access.kind === 'session' && access.roles.includes('support') ? [field] : [],
    );
    expect(open.toSorted()).toEqual(['changePassword', 'endSessions', 'signOut']);
  });

  it('marks what moves money, and only mutations do', () => {
    expect(rows('Query').filter(([, row]) => row.money)).toEqual([]);
    const money = rows('Mutation').flatMap(([field, row]) => (row.money ? [field] : []));
    expect(money.toSorted()).toEqual([
      'approveProposal',
      'chargeAgain',
      'creditWallet',
      'debitWallet',
      'payCardBill',
      'recharge',
      'resolveOrder',
      'resolveOrders',
      'reverseOrder',
    ]);
  });

  it('gives every field a counter of its own, but REST and nested calls share their endpoint’s', () => {
    const endpoints = roots.map(([, { endpoint }]) => endpoint);
    expect(new Set(endpoints).size).toBe(endpoints.length);
  });
});

describe('building the schema', () => {
  const limits = new RateLimits(createLimitStores(undefined).rate, 60);
  const schemaWith = (fields: Record<string, boolean>) =>
    new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: Object.fromEntries(
          Object.entries(fields).map(([name, resolved]) => [
            name,
            { type: GraphQLString, ...(resolved ? { resolve: () => 'x' } : {}) },
          ]),
        ),
      }),
    });

  it('fails for a field that resolves and has no row', () => {
    expect(() => secureSchema(schemaWith({ backDoor: true }), limits, new KnownKeys(limits, {}))).toThrow(
      'Query.backDoor has a resolver but no policy row.',
    );
  });

  it('fails for a row whose field does not resolve', () => {
    expect(() => secureSchema(schemaWith({ me: false }), limits, new KnownKeys(limits, {}))).toThrow(
      /^The policy row Query\.\w+ has no resolver\.$/,
    );
  });
});

describe('the order of refusals', () => {
  const developer: DeveloperPrincipal = {
    kind: 'developer',
    environment: 'production',
    developerId: 1 as never,
    accountNumber: 1,
    name: 'D',
    email: 'd@test.example',
    onboardingStatus: 'approved',
    productionUnlocked: true,
    suspended: false,
    services: new Map([['dth_info', { enabled: true, feePaise: 0n as never }]]),
    rechargeProvider: 'ROUNDPAY',
    rateLimitPerMinute: undefined,
  };
  const session: SessionPrincipal = {
    kind: 'session',
    userId: 1 as never,
    role: 'support',
    name: 'S',
    email: 's@test.example',
    developerId: undefined,
    sessionHash: Buffer.alloc(32),
  };
  const by = (principal: RequestContext['principal']): RequestContext => ({
    requestId: 'r',
    host: 'production',
    addressKey: '127.0.0.1',
    principal,
    refusal: undefined,
  });
  const flagged: PolicyRow = {
    hosts: ['uat', 'production'],
    access: { kind: 'token', service: 'dth_info' },
    endpoint: 'x',
  };
  const admin: PolicyRow = { hosts: ['console'], access: { kind: 'session', roles: ['admin'] }, endpoint: 'x' };

  it.each([
    ['nobody', flagged, undefined, 'UNAUTHENTICATED'],
    ['a session where a token is needed', flagged, session, 'UNAUTHENTICATED'],
    ['a token where a session is needed', admin, developer, 'UNAUTHENTICATED'],
    ['everything in order', flagged, developer, undefined],
    ['the flag off', flagged, { ...developer, services: new Map() }, 'ACCESS_DISABLED'],
    [
      'live access locked',
      flagged,
      { ...developer, productionUnlocked: false, services: new Map() },
      'PRODUCTION_LOCKED',
    ],
    [
      'not approved',
      flagged,
      { ...developer, onboardingStatus: 'rejected', productionUnlocked: false },
      'ONBOARDING_INCOMPLETE',
    ],
    [
      'suspended before all else',
      flagged,
      { ...developer, suspended: true, onboardingStatus: 'rejected' },
      'SUSPENDED',
    ],
    ['the wrong role', admin, session, 'FORBIDDEN'],
    ['the right role', admin, { ...session, role: 'admin' }, undefined],
  ] as const)('%s', (_name, row, principal, code) => {
    expect(forbidden(row, by(principal))?.code).toBe(code);
    expect(unauthenticated(row, by(principal))?.code).toBe(code === 'UNAUTHENTICATED' ? code : undefined);
  });

  it('locked live access does not close UAT', () => {
    expect(forbidden(flagged, by({ ...developer, environment: 'uat', productionUnlocked: false }))).toBeUndefined();
  });
});
