import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Surface } from '../../src/core/environment.js';
import { type DeveloperId, type Role, type TeamRole, teamRoles } from '../../src/core/principal.js';
import { type Service, services } from '../../src/core/services.js';
import { policies } from '../../src/graphql/schema/policy.js';
import { routes } from '../../src/rest/routes.js';
import { FROM_TEST, seed, type TestDeveloper, type TestResponse } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { openEventStream } from '../support/event-stream.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { confirmSessionsAgo } from '../support/row-keys.js';
import { useOwnApp } from '../support/use-app.js';
import {
  documents,
  idDocuments,
  mutations,
  nestedCalls,
  nestedFields,
  nodesById,
  type Outcomes,
  type PrincipalName,
  principals,
  queries,
  restRows,
  serviceOf,
  staffPrincipals,
  subscriptions,
  teamPrincipals,
} from './matrix.table.js';

type HostName = 'uat' | 'production' | 'console';
const hosts: readonly HostName[] = ['uat', 'production', 'console'];
const surfaces: readonly Surface[] = ['api', 'console'];

const test = useOwnApp();
let developer: TestDeveloper;
let tokens: Record<PrincipalName, string | undefined>;
const PASSWORD = 'correct horse battery';

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 2_000 });
  const add = (name: PrincipalName, user: { role: Role; teamRole?: TeamRole; developerId?: DeveloperId }) =>
    test.app.users.create({ ...user, email: `matrix-${name}@test.example`, name, password: PASSWORD }, seed);
  for (const [index, name] of teamPrincipals.entries())
    await add(name, { role: 'developer', teamRole: teamRoles[index]!, developerId: developer.id });
  for (const role of staffPrincipals) await add(role, { role });
  tokens = { anonymous: undefined, ...developer.tokens, ...(await sessions()) };
});

const people = [...teamPrincipals, ...staffPrincipals] as const;
type Person = (typeof people)[number];

async function sessions(): Promise<Record<Person, string>> {
  const tokenOf = async (name: Person): Promise<[Person, string]> => [
    name,
    (await test.app.sessions.signIn({ email: `matrix-${name}@test.example`, password: PASSWORD }, FROM_TEST)).token,
  ];
  return Object.fromEntries(await Promise.all(people.map(tokenOf))) as Record<Person, string>;
}

/** One without permissions, and one with the most. */
const SOME = ['anonymous', 'admin'] as const;

const CALLER_CODES = new Set(['UNAUTHENTICATED', 'WRONG_HOST']);
const ACCESS_CODES = new Set([
  'FORBIDDEN',
  'ACCESS_DISABLED',
  'ONBOARDING_INCOMPLETE',
  'PRODUCTION_LOCKED',
  'SUSPENDED',
  'UAT_ONLY',
]);
const DEFECTS = new Set([
  'INTERNAL',
  'INVALID_DOCUMENT',
  'MALFORMED_REQUEST',
  'RATE_LIMITED',
  'DEPENDENCY_DOWN',
  'OVERLOADED',
]);

const codesOf = ({ body }: TestResponse): string[] =>
  (body.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);

/** One letter of the table, or a description of the failure. */
function outcomeOf(response: TestResponse): string {
  const [code] = codesOf(response);
  if (code === undefined) return 'S';
  if (CALLER_CODES.has(code)) return response.status === 401 ? 'U' : `401 as ${response.status}`;
  if (ACCESS_CODES.has(code)) return 'F';
  if (code === 'INVALID_DOCUMENT' && response.body.errors[0].message.startsWith('Cannot query field')) return '-';
  return DEFECTS.has(code) ? `${code}: ${response.body.errors[0].message}` : 'S';
}

function documentFor(field: string, host: HostName): string {
  const { clientId, apiSecret } = developer.keys[host === 'console' ? 'uat' : host];
  const environment = host === 'production' ? 'PRODUCTION' : 'UAT';
  return documents[field]!.replace('$clientId', clientId)
    .replace('$apiSecret', apiSecret)
    .replace('$environment', environment)
    .replace('$ownEnvironment', host === 'console' ? 'environment: UAT,' : '');
}

type RootType = 'Query' | 'Mutation' | 'Subscription';
const fieldsOf = (surface: Surface, type: RootType) =>
  (test.app.schemas[surface].getType(type) as GraphQLObjectType).getFields();

const rootFields = (type: RootType): string[] => [
  ...new Set(surfaces.flatMap((surface) => Object.keys(fieldsOf(surface, type)))),
];

/** The start of a stream. */
async function startStream(host: HostName, token: string | undefined, query: string): Promise<TestResponse> {
  const client = new AbortController();
  const response = await openEventStream(test.urls[host], token, { query }, { signal: client.signal });
  const { status, headers } = response;
  if (!headers.get('content-type')!.startsWith('text/event-stream'))
    return { status, headers, body: await response.json() };
  client.abort();
  return { status, headers, body: {} };
}

const columnOf = (outcomes: Outcomes, host: HostName): string => outcomes[hosts.indexOf(host)]!.replaceAll(' ', '');

describe.each([
  ['Query', queries],
  ['Mutation', mutations],
  ['Subscription', subscriptions],
] as const)('every field of %s', (type, table) => {
  it('is in the table, and every row has a field', () => {
    expect(Object.keys(table).toSorted()).toEqual(rootFields(type).toSorted());
  });

  it.each(hosts)('is served, rejected or absent on the %s host according to the table', async (host) => {
    const actual: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const [field, columns] of Object.entries(table)) {
      const column = columnOf(columns, host);
      // A document is validated before its caller is authorized: an absent field is absent for every caller.
      const callers = /^-+$/.test(column) ? SOME : principals;
      // Signing out must not revoke the sessions of the other rows.
      const used = field === 'signOut' && host === 'console' ? { ...tokens, ...(await sessions()) } : tokens;
      const responses = await Promise.all(
        callers.map((principal) => {
          const document = documentFor(field, host);
          return type === 'Subscription'
            ? startStream(host, used[principal], document)
            : test.graphql(host, used[principal], document);
        }),
      );
      const outcomes = responses.map(outcomeOf);
      actual[field] = outcomes.every((outcome) => outcome.length === 1) ? outcomes.join('') : outcomes.join(', ');
      expected[field] = column.slice(0, callers.length);
    }
    expect(actual).toEqual(expected);
  });
});

describe('a field below a root field of the console', () => {
  let ids: Record<string, string>;
  beforeAll(async () => {
    const input = { accountNumber: '9876543210', amount: 10, operatorSpKey: 37, operatorType: 'MOBILE' };
    const recharge = 'mutation($in: RechargeInput!) { recharge(input: $in) { order { id } } }';
    const { body } = await test.graphql('uat', tokens.uat, recharge, { in: input });
    const label = 'mutation { createWhiteLabel(input: {name: "L", rechargeProvider: ROUNDPAY}) { whiteLabel { id } } }';
    ids = {
      account: `dev_${developer.id}`,
      wallet: `wal_uat_${developer.id}`,
      key: `key_${developer.keys.uat.clientId}`,
      order: body.data.recharge.order.id,
      label: (await test.graphql('console', tokens.admin, label)).body.data.createWhiteLabel.whiteLabel.id,
    };
  });
  const withIds = (text: string): string => text.replace(/\$(\w+)/g, (_, name: string) => JSON.stringify(ids[name]));
  const outcomesOf = async (document: string, rejectionCode: string): Promise<string> => {
    const responses = await Promise.all(people.map((name) => test.graphql('console', tokens[name], withIds(document))));
    const letters = responses.map((response) => {
      const codes = codesOf(response).join();
      return codes === '' ? 'S' : codes === rejectionCode ? 'F' : `${codes}: ${response.body.errors[0].message}`;
    });
    return letters.every((letter) => letter.length === 1) ? letters.join('') : letters.join(', ');
  };

  it('is in the table if its permissions are narrower', () => {
    const { Query: _q, Mutation: _m, Subscription: _s, ...types } = policies.console;
    const ruled = Object.entries(types).flatMap(([type, fields]) =>
      Object.entries(fields).flatMap(([field, { access }]) => (access.kind === 'session' ? [`${type}.${field}`] : [])),
    );
    expect(Object.keys(nestedFields).toSorted()).toEqual(ruled.toSorted());
  });

  it.each(Object.entries(nestedFields))(
    '%s is available according to the table',
    async (_field, [outcomes, document]) => {
      // Staff who cannot read the order are rejected there.
      expect(await outcomesOf(document, 'FORBIDDEN')).toBe(outcomes.replace(' ', ''));
    },
  );

  it.each(Object.entries(nodesById))(
    'a %s is readable by ID by those who see it in a list',
    async (type, [outcomes, id]) => {
      const quoted = id.startsWith('$') ? id : JSON.stringify(id);
      const document = `{ node(id: ${quoted}) { id ... on ${type} { __typename } } }`;
      expect(await outcomesOf(document, 'RECORD_NOT_FOUND')).toBe(outcomes.replace(' ', ''));
    },
  );

  it.each(people)(
    '`permissions` of a user who is %s names exactly the root fields that serve the user',
    async (name) => {
      const { body } = await test.graphql('console', tokens[name], '{ viewer { permissions } }');
      const served = Object.entries({ ...queries, ...mutations, ...subscriptions }).flatMap(([field, outcomes]) =>
        columnOf(outcomes, 'console')[principals.indexOf(name)] === 'S' ? [field] : [],
      );
      expect(body.data.viewer.permissions).toEqual(served.toSorted());
    },
  );
});

describe('a session whose second factor was verified six minutes ago', () => {
  const stale: Partial<Record<Person, string>> = {};
  beforeAll(async () => {
    for (const name of ['owner', 'admin'] as const) {
      const { role, teamRole, developerId } = { owner: ownerRow(), admin: { role: 'admin' as const } }[name] as {
        role: Role;
        teamRole?: TeamRole;
        developerId?: DeveloperId;
      };
      const email = `matrix-stale-${name}@test.example`;
      const account = { role, ...(teamRole && { teamRole }), ...(developerId && { developerId }) };
      const id = await test.app.users.create({ ...account, email, name, password: PASSWORD }, seed);
      const { token } = await test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
      const session = (await test.app.principals.ofSession(token))!;
      const { secret } = await test.app.factors.startTotp(session, PASSWORD, FROM_TEST);
      const { opened } = await test.app.factors.confirmTotp(session, codeOf(secret), undefined, FROM_TEST);
      stale[name] = opened!.token;
      await confirmSessionsAgo(test.db, id, '6 minutes');
    }
  });
  const ownerRow = () => ({ role: 'developer' as const, teamRole: 'owner' as const, developerId: developer.id });

  it.each(['owner', 'admin'] as const)(
    'of %s must verify again for exactly the fields whose policy always requires it',
    async (name) => {
      const table = { ...queries, ...mutations };
      const rows = { ...policies.console.Query, ...policies.console.Mutation };
      const served = Object.keys(table).filter(
        (field) => columnOf(table[field]!, 'console')[principals.indexOf(name)] === 'S',
      );
      // This ends the session, so it comes last.
      const inOrder = [...served.filter((field) => field !== 'signOut'), 'signOut'];
      const stepUpFields: string[] = [];
      for (const field of inOrder) {
        const response = await test.graphql('console', stale[name], documentFor(field, 'console'));
        if (codesOf(response).includes('STEP_UP_REQUIRED')) stepUpFields.push(field);
        expect([field, outcomeOf(response)]).toEqual([field, 'S']);
      }
      expect(stepUpFields.toSorted()).toEqual(inOrder.filter((field) => rows[field]!.stepUp === true).toSorted());
      expect(stepUpFields.length).toBeGreaterThan(5);
    },
  );
});

/** ID arguments of every console field that an admin can use. */
function idsOfConsole(): { field: string; name: string }[] {
  const fields = { ...fieldsOf('console', 'Query'), ...fieldsOf('console', 'Mutation') };
  const isId = ({ type }: { type: GraphQLInputType }): boolean => getNamedType(type).name === 'ID';
  return Object.entries({ ...queries, ...mutations })
    .filter(([, outcomes]) => columnOf(outcomes, 'console').endsWith('S'))
    .flatMap(([field]) => {
      const { args } = fields[field]!;
      const inputs = args.map(({ type }) => getNamedType(type)).filter(isInputObjectType);
      const fieldsAndArgs = [
        ...args,
        ...inputs.flatMap((input) => Object.values<GraphQLInputField>(input.getFields())),
      ];
      return fieldsAndArgs.filter(isId).map(({ name }) => ({ field, name }));
    });
}

it.each(['1001', `${UNKNOWN_ID}0`])(
  'the ID %j is reported like an unknown ID by every field that takes one',
  async (text) => {
    const problems = await Promise.all(
      idsOfConsole().map(async ({ field, name }) => {
        const document = idDocuments[`${field} ${name}`] ?? documents[field]!;
        const used = document.replace(new RegExp(`(\\b${name}: \\[?)"[^"]*"`), `$1${JSON.stringify(text)}`);
        if (!used.includes(JSON.stringify(text))) return [`no document takes ${name} of ${field}`];
        const { body, status } = await test.graphql('console', tokens.admin, used);
        // For a list, each ID has its own result.
        const codes =
          field === 'resolveOrders' || field === 'checkOrderStatuses'
            ? body.data[field].results.map(({ code }: { code: string }) => code)
            : codesOf({ body } as TestResponse);
        return status === 200 && codes.join() === 'RECORD_NOT_FOUND' ? [] : [`${field} ${name}: ${status} ${codes}`];
      }),
    );
    expect(problems.flat()).toEqual([]);
  },
);

describe('REST paths', () => {
  it('are in the table, and every row has a path', () => {
    const served = routes.map(({ method, path }) => `${method} ${path}`);
    expect(restRows.map(([method, path]) => `${method} ${path}`).toSorted()).toEqual(served.toSorted());
  });

  it('do not exist on the console host', async () => {
    for (const [method, path] of restRows) {
      const response = await fetch(`${test.urls.console}${path}`, { method });
      expect([path, response.status]).toEqual([path, 404]);
    }
  });

  it.each(['uat', 'production'] as const)('return 401 without a token of the %s host', async (host) => {
    const expected = principals.map((principal) => {
      if (principal === host) return undefined;
      return principal === 'anonymous' ? 'UNAUTHENTICATED' : 'WRONG_HOST';
    });
    for (const [method, path] of restRows) {
      if (path === '/api/v1/auth/client-credentials') continue;
      const rejections = await Promise.all(
        principals.map(async (principal) => {
          const body = method === 'POST' ? {} : undefined;
          const response = await test.rest(host, method, path, tokens[principal], body);
          return response.status === 401 ? response.body.code : undefined;
        }),
      );
      expect([path, rejections]).toEqual([path, expected]);
    }
  });
});

describe('a disabled service', () => {
  const flip = async (service: Service, enabled: boolean) => {
    const { body } = await test.graphql(
      'console',
      tokens.admin,
      'mutation($input: SetServiceAccessInput!) { setServiceAccess(input: $input) { developer { id } } }',
      { input: { developerId: developer.id, service: service.toUpperCase(), enabled } },
    );
    expect(body.errors).toBeUndefined();
  };

  it.each(services)('%s disables exactly its REST paths and GraphQL fields', async (service) => {
    await flip(service, false);
    const problems: string[] = [];
    for (const host of ['uat', 'production'] as const) {
      const token = tokens[host];
      for (const [method, path, needed] of restRows) {
        const { status, body } = await test.rest(host, method, path, token, method === 'POST' ? {} : undefined);
        const closed = status === 403 && body.code === 'ACCESS_DISABLED' && body.message.includes(service);
        if (closed !== (needed === service)) problems.push(`${host} ${method} ${path}: ${status} ${body.code}`);
      }
      const flat = [...Object.entries(queries), ...Object.entries(mutations)].flatMap(([field, outcomes]) =>
        columnOf(outcomes, host) === '-----------'
          ? []
          : [{ document: documentFor(field, host), needed: serviceOf[field] ? [serviceOf[field]] : [] }],
      );
      const nested = host === 'uat' ? nestedCalls.map(({ document, services: needed }) => ({ document, needed })) : [];
      for (const { document, needed } of [...flat, ...nested]) {
        const response = await test.graphql(host, token, document);
        if (codesOf(response).includes('ACCESS_DISABLED') !== needed.includes(service))
          problems.push(`${host} ${document}: ${JSON.stringify(response.body)}`);
      }
    }
    await flip(service, true);
    expect(problems).toEqual([]);
  });
});
