import { readFile } from 'node:fs/promises';
import {
  buildSchema,
  type ExecutionResult,
  execute,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  getDirectiveValues,
  parse,
  subscribe,
} from 'graphql';
import { type CompiledQuery, compileQuery } from 'graphql-jit';
import { describe, expect, it, vi } from 'vitest';
import type { RequestContext } from '../../src/core/context.js';
import type { Surface } from '../../src/core/environment.js';
import type { AppError } from '../../src/core/errors.js';
import type { DeveloperPrincipal, SessionPrincipal, StaffRole, TeamRole } from '../../src/core/principal.js';
import { MemoryCounters } from '../../src/db/counters/counters.js';
import { forbidden, unauthenticated } from '../../src/graphql/schema/access.js';
import { secureSchema, withRules } from '../../src/graphql/schema/build.js';
import { accessArguments } from '../../src/graphql/schema/documented.js';
import { RateLimits } from '../../src/graphql/schema/limits.js';
import { type PolicyRow, type PolicyTable, policies } from '../../src/graphql/schema/policy.js';
import { factsOf } from '../../src/http/docs/field-facts.js';

const files = [
  ['api', 'schema.graphql'],
  ['console', 'schema.console.graphql'],
] as const;
const surfaces: readonly Surface[] = ['api', 'console'];
const rowsOf = (surface: Surface, ...types: string[]): [string, PolicyRow][] =>
  types.flatMap((type) => Object.entries(policies[surface][type] ?? {}));
const rows = (...types: string[]): [string, PolicyRow][] => surfaces.flatMap((surface) => rowsOf(surface, ...types));
const roots = rows('Query', 'Mutation');

describe('the policy table', () => {
  it('sets a limit in the schema for counted fields, and for no others', async () => {
    for (const [surface, file] of files) {
      const schema = buildSchema(await readFile(file, 'utf8'));
      const hasLimit = (type: string, field: string): boolean => {
        const fields = (schema.getType(type) as GraphQLObjectType).getFields();
        return fields[field]!.astNode!.directives!.some(({ name }) => name.value === 'rateLimit');
      };
      const limited = Object.entries(policies[surface]).flatMap(([type, fields]) =>
        Object.keys(fields).flatMap((field) => (hasLimit(type, field) ? [`${type}.${field}`] : [])),
      );
      const counted = Object.entries(policies[surface]).flatMap(([type, fields]) =>
        Object.entries(fields).flatMap(([field, { counts }]) => (counts === 'never' ? [] : [`${type}.${field}`])),
      );
      expect(limited).toEqual(counted);
    }
  });

  it('describes the permissions of every field in the words of its row', async () => {
    for (const [surface, file] of files) {
      const schema = buildSchema(await readFile(file, 'utf8'));
      const access = schema.getDirective('access')!;
      const descriptions = Object.entries(policies[surface]).flatMap(([type, fields]) =>
        Object.keys(fields).map((field) => {
          const { astNode } = (schema.getType(type) as GraphQLObjectType).getFields()[field]!;
          return [`${type}.${field}`, getDirectiveValues(access, astNode!)];
        }),
      );
      const inGraph = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);
      const declared = Object.entries(policies[surface]).flatMap(([type, fields]) =>
        Object.entries(fields).map(([field, row]) => [
          `${type}.${field}`,
          Object.fromEntries(
            Object.entries(accessArguments(row)).map(([name, value]) => [
              name,
              Array.isArray(value) ? value.map(inGraph) : name === 'stepUpIf' ? value : inGraph(value),
            ]),
          ),
        ]),
      );
      expect(descriptions).toEqual(declared);
      if (surface === 'console')
        expect(Object.fromEntries(descriptions)).toMatchObject({
          'Mutation.createCredential': { team: ['OWNER', 'BUILDER'], stepUp: true },
          'Mutation.setServiceAccess': { roles: ['ADMIN'], stepUpIf: 'a fee changes' },
          'Mutation.inviteUser': { roles: ['ADMIN'], team: ['OWNER'], stepUp: true },
          'Query.viewer': { roles: expect.arrayContaining(['SUPPORT']), team: expect.arrayContaining(['READER']) },
        });
      expect(descriptions.length).toBe(Object.values(policies[surface]).flatMap(Object.keys).length);
    }
  });

  it('is public only for sign-in, sign-up, links from emails, and the check for a session', () => {
    const open = roots.flatMap(([field, row]) => (row.access.kind === 'public' ? [field] : []));
    expect(open.toSorted()).toEqual([
      'acceptInvitation',
      'confirmEmail',
      'isSignedIn',
      'issueToken',
      'requestPasswordReset',
      'resetPassword',
      'signIn',
      'signUp',
      'startPasskeySignIn',
      'verifyEmail',
    ]);
  });

  it('keeps tokens on the API hosts and sessions on the console', () => {
    const allowed = { api: ['public', 'token'], console: ['public', 'session'] };
    for (const surface of surfaces) {
      const own = rowsOf(surface, 'Query', 'Mutation');
      expect(own.filter(([, { access }]) => !allowed[surface].includes(access.kind))).toEqual([]);
    }
  });

  const ownActions = [
    'changePassword',
    'confirmPasskey',
    'confirmSecondFactor',
    'confirmTotp',
    'removeSecondFactor',
    'revokeSession',
    'revokeSessions',
    'signOut',
    'startPasskey',
    'startTotp',
    'updateProfile',
  ];
  const mutationsOf = (role: StaffRole | TeamRole, side: 'roles' | 'team'): string[] =>
    rows('Mutation').flatMap(([field, { access }]) =>
      access.kind === 'session' && (access[side] as readonly string[]).includes(role) ? [field] : [],
    );

  it.each([
    ['support', 'roles', ['addNote']],
    ['reader', 'team', []],
    ['finance', 'team', []],
  ] as const)('lets %s (%s) change only their own user, and staff write notes', (role, side, notes) => {
    expect(mutationsOf(role, side).toSorted()).toEqual([...notes, ...ownActions]);
  });

  it('is described completely in the documentation', () => {
    const allowedCallers = (type: string, field: string) => {
      const policy = policies.console[type]![field];
      return factsOf(type, { name: field, type: GraphQLString, args: [], extensions: { policy } } as never, 'console')
        .who;
    };
    expect(allowedCallers('Mutation', 'unlockProduction')).toBe(
      'a session with the role `ADMIN`; requires a second factor verified within the last 5 minutes',
    );
    expect(allowedCallers('Mutation', 'createCredential')).toBe(
      'a session with the team role `OWNER` or `BUILDER`; requires a second factor verified within the last 5 minutes',
    );
    expect(allowedCallers('Mutation', 'setServiceAccess')).toBe(
      'a session with the role `ADMIN`; requires a second factor verified within the last 5 minutes if a fee changes',
    );
    expect(allowedCallers('Developer', 'kyc')).toBe(
      'a session with the role `ADMIN` or `REVIEWER`, or the team role `OWNER`',
    );
  });

  it('keeps money from KYC reviewers, and accounts, keys, users and providers from finance', () => {
    const own = new Set([...ownActions, 'addNote']);
    const otherMutations = (role: StaffRole) => mutationsOf(role, 'roles').filter((field) => !own.has(field));
    expect(otherMutations('reviewer').toSorted()).toEqual([
      'approveDeveloper',
      'rejectDeveloper',
      'requestKycChanges',
      'resetSecondFactors',
      'revealKycField',
    ]);
    expect(otherMutations('finance').toSorted()).toEqual([
      'approveApprovalRequest',
      'checkOrderStatus',
      'checkOrderStatuses',
      'creditWallet',
      'debitWallet',
      'rejectApprovalRequest',
      'resolveOrder',
      'resolveOrders',
      'resolveStatementDifference',
      'reverseOrder',
      'reverseRefund',
    ]);
  });

  it('marks the fields that move money, all of them mutations', () => {
    expect(rows('Query').filter(([, row]) => row.money)).toEqual([]);
    const money = rows('Mutation').flatMap(([field, row]) => (row.money ? [field] : []));
    expect(money.toSorted()).toEqual([
      'approveApprovalRequest',
      'creditWallet',
      'debitWallet',
      'payCardBill',
      'recharge',
      'refillSandboxWallet',
      'resolveOrder',
      'resolveOrders',
      'reverseOrder',
      'reverseRefund',
    ]);
  });

  it('gives every field a separate counter, except that REST and nested calls share that of their endpoint', () => {
    for (const surface of surfaces) {
      const endpoints = rowsOf(surface, 'Query', 'Mutation').map(([, { endpoint }]) => endpoint);
      expect(new Set(endpoints).size).toBe(endpoints.length);
    }
    // A field in both schemas has one name for its counters.
    expect(new Set(roots.map(([, { endpoint }]) => endpoint)).size).toBe(new Set(roots.map(([field]) => field)).size);
  });
});

const developer: DeveloperPrincipal = {
  kind: 'developer',
  environment: 'production',
  developerId: 1 as never,
  accountNumber: 1,
  clientId: 'client',
  name: 'D',
  email: 'd@test.example',
  onboardingStatus: 'approved',
  productionUnlocked: true,
  suspended: false,
  services: new Map([['dth_info', { enabled: true, feePaise: 0n as never }]]),
  rechargeProvider: 'ROUNDPAY',
  rateLimitPerMinute: undefined,
  duplicateGuardS: 0,
  tokenHash: Buffer.alloc(32),
  hasScenarios: false,
};
const by = (principal: RequestContext['principal']): RequestContext => ({
  requestId: 'r',
  host: 'production',
  addressKey: '127.0.0.1',
  arrivedMs: 0,
  principal,
  refusal: undefined,
});
const flagged: PolicyRow = { access: { kind: 'token', service: 'dth_info' }, endpoint: 'x' };

describe('building the schema', () => {
  const limits = new RateLimits(new MemoryCounters(), 60);
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

  it.each(surfaces)('fails for a field with a resolver and no row: %s', (surface) => {
    expect(() => secureSchema(schemaWith({ backDoor: true }), surface, limits)).toThrow(
      'Query.backDoor has a resolver but no policy row.',
    );
  });

  it.each(surfaces)('fails for a row without a field that resolves: %s', (surface) => {
    expect(() => secureSchema(schemaWith({ node: false }), surface, limits)).toThrow(
      /^The policy row Query\.\w+ has no resolver\.$/,
    );
  });
});

describe('a root field whose policy row was removed', () => {
  const open: PolicyRow = { access: { kind: 'public' }, endpoint: 'open' };
  const ran: string[] = [];
  const resolved = {
    type: GraphQLString,
    resolve: (_source: unknown, _args: unknown, _context: unknown, info: { fieldName: string }) => {
      ran.push(info.fieldName);
      return 'x';
    },
  };
  const streamed = {
    type: GraphQLString,
    resolve: (event: unknown) => event,
    async *subscribe(_source: unknown, _args: unknown, _context: unknown, info: { fieldName: string }) {
      ran.push(info.fieldName);
      yield 'x';
    },
  };
  const rootOf = (name: string, field: typeof resolved | typeof streamed) =>
    new GraphQLObjectType({ name, fields: { open: field, closed: field } });
  const table: PolicyTable = { Query: { open }, Mutation: { open }, Subscription: { open } };
  /** As the service builds it, without the check at startup. */
  const secured = (surface: Surface) =>
    withRules(
      new GraphQLSchema({
        query: rootOf('Query', resolved),
        mutation: rootOf('Mutation', resolved),
        subscription: rootOf('Subscription', streamed),
      }),
      surface,
      table,
      new RateLimits(new MemoryCounters(), 60),
    );
  const outcomeOf = ({ data, errors }: ExecutionResult) => [
    data?.open ?? null,
    errors?.map(({ originalError }) => (originalError as AppError).code),
  ];
  const cases = surfaces.flatMap((surface) =>
    ['query', 'mutation', 'subscription'].map((operation) => [surface, operation] as const),
  );

  it.each(cases)(
    'is rejected with FORBIDDEN by graphql-shield, and the others are not: %s, %s',
    async (surface, kind) => {
      const schema = secured(surface);
      const contextValue = by(undefined);
      const runs: ((document: ReturnType<typeof parse>) => unknown)[] =
        kind === 'subscription'
          ? [
              async (document) => {
                const stream = await subscribe({ schema, document, contextValue });
                return Symbol.asyncIterator in stream ? (await stream.next()).value : stream;
              },
            ]
          : [
              (document) => execute({ schema, document, contextValue }),
              (document) => (compileQuery(schema, document) as CompiledQuery).query(undefined, contextValue, {}),
            ];
      for (const run of runs) {
        ran.length = 0;
        const responses = [];
        for (const field of ['open', 'closed']) responses.push(await run(parse(`${kind} { ${field} }`)));
        expect(responses.map((response) => outcomeOf(response as ExecutionResult))).toEqual([
          ['x', undefined],
          [null, ['FORBIDDEN']],
        ]);
        expect(ran).toEqual(['open']);
      }
    },
  );
});

describe('a subscription', () => {
  let opened = 0;
  const bare = () =>
    new GraphQLSchema({
      query: new GraphQLObjectType({ name: 'Query', fields: { unused: { type: GraphQLString } } }),
      subscription: new GraphQLObjectType({
        name: 'Subscription',
        fields: {
          ticks: {
            type: GraphQLString,
            resolve: (event: unknown) => event,
            async *subscribe() {
              opened++;
              yield 'a';
              yield 'b';
            },
          },
        },
      }),
    });
  const table: PolicyTable = { Subscription: { ticks: flagged } };
  const document = parse('subscription { ticks }');

  it('is authorized and counted once by the libraries, and its events are not', async () => {
    const counters = new MemoryCounters();
    const counted = vi.spyOn(counters, 'add');
    const limits = new RateLimits(counters, 1);
    const countSpy = vi.spyOn(limits, 'count');
    const schema = withRules(bare(), 'api', table, limits);
    const services = new Map(developer.services);
    const checked = vi.spyOn(services, 'get');
    const subscribeAs = (principal: RequestContext['principal']) =>
      subscribe({ schema, document, contextValue: by(principal) });

    const events: unknown[] = [];
    for await (const { data } of (await subscribeAs({ ...developer, services })) as AsyncIterable<ExecutionResult>)
      events.push(data?.ticks);
    expect(events).toEqual(['a', 'b']);
    expect([checked.mock.calls.length, counted.mock.calls.length]).toEqual([1, 1]);

    const rejected = [
      await subscribeAs(undefined),
      await subscribeAs({ ...developer, services }),
      await subscribeAs({ ...developer, developerId: 2 as never, services: new Map() }),
    ].map((response) => ((response as ExecutionResult).errors![0]!.originalError as AppError).code);
    expect(rejected).toEqual(['UNAUTHENTICATED', 'RATE_LIMITED', 'ACCESS_DISABLED']);
    expect([counted.mock.calls.length, countSpy.mock.calls.length, opened]).toEqual([3, 0, 1]);
  });

  it('prevents the start if a library does not wrap it', () => {
    const limits = new RateLimits(new MemoryCounters(), 60);
    const { rateLimitDirectiveTypeDefs } = limits.directive();
    vi.spyOn(limits, 'directive').mockReturnValue({
      rateLimitDirectiveTypeDefs,
      rateLimitDirectiveTransformer: (schema) => schema,
    });
    expect(() => withRules(bare(), 'api', table, limits)).toThrow('Subscription.ticks was not wrapped.');
  });
});

describe('the order of access checks', () => {
  const session: SessionPrincipal = {
    kind: 'session',
    userId: 1 as never,
    role: 'support',
    teamRole: undefined,
    name: 'S',
    email: 's@test.example',
    developerId: undefined,
    isAccountApproved: false,
    sessionHash: Buffer.alloc(32),
    confirmedAt: undefined,
    mustEnroll: false,
  };
  const admin: PolicyRow = { access: { kind: 'session', roles: ['admin'], team: ['owner'] }, endpoint: 'x' };

  it.each([
    ['nobody', flagged, undefined, 'UNAUTHENTICATED'],
    ['a session instead of a token', flagged, session, 'UNAUTHENTICATED'],
    ['a token instead of a session', admin, developer, 'UNAUTHENTICATED'],
    ['a valid caller', flagged, developer, undefined],
    ['a disabled service', flagged, { ...developer, services: new Map() }, 'ACCESS_DISABLED'],
    [
      'disabled Production access',
      flagged,
      { ...developer, productionUnlocked: false, services: new Map() },
      'PRODUCTION_LOCKED',
    ],
    [
      'an account that is not approved',
      flagged,
      { ...developer, onboardingStatus: 'rejected', productionUnlocked: false },
      'ONBOARDING_INCOMPLETE',
    ],
    [
      'a suspension before all else',
      flagged,
      { ...developer, suspended: true, onboardingStatus: 'rejected' },
      'SUSPENDED',
    ],
    ['an insufficient role', admin, session, 'FORBIDDEN'],
    ['a sufficient role', admin, { ...session, role: 'admin' }, undefined],
    ['an insufficient team role', admin, { ...session, role: 'developer', teamRole: 'finance' }, 'FORBIDDEN'],
    ['a sufficient team role', admin, { ...session, role: 'developer', teamRole: 'owner' }, undefined],
    ['a user of a developer without a team role', admin, { ...session, role: 'developer' }, 'FORBIDDEN'],
    ['a team role of staff', admin, { ...session, teamRole: 'owner' }, 'FORBIDDEN'],
  ] as const)('%s', (_name, row, principal, code) => {
    expect(forbidden(row, by(principal))?.code).toBe(code);
    expect(unauthenticated(row, by(principal))?.code).toBe(code === 'UNAUTHENTICATED' ? code : undefined);
  });

  it('disabled Production access does not affect UAT', () => {
    expect(forbidden(flagged, by({ ...developer, environment: 'uat', productionUnlocked: false }))).toBeUndefined();
  });
});
