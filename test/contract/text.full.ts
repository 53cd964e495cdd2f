import {
  type GraphQLArgument,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { surfaceOf } from '../../src/core/environment.js';
import { policies } from '../../src/graphql/schema/policy.js';
import { parametersOf } from '../../src/rest/path.js';
import { routes } from '../../src/rest/routes.js';
import { codesOf, fieldsOf, useConsole } from '../console/console.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { errorsInto } from '../support/log-lines.js';
import { filledPath } from '../support/paths.js';
import { place } from '../support/recharges.js';

const TEXT_TYPES = new Set(['String', 'ID', 'Date', 'DateTime', 'CircleCode']);
/** None of these can be encoded in UTF-8 or stored in PostgreSQL. */
const BAD = { 'a high surrogate only': 'a\ud800', 'a low surrogate only': '\udc00a', NUL: 'a\u0000b' };

/** Log lines of level error and above. */
const logged: string[] = [];
const service = useConsole({}, errorsInto(logged));
let developer: TestDeveloper;
let sessions: Record<'developer' | 'admin', string>;

beforeAll(async () => {
  developer = await service.test.developer({ rateLimitPerMinute: 10_000 });
  sessions = { developer: await service.userOf(developer.id), admin: service.staff.admin };
});

/** A value of the type with the text in every text field, valid values elsewhere, and the paths of the texts. */
function filled(type: GraphQLInputType, path: string, text: string, paths: string[]): unknown {
  if (isNonNullType(type)) return filled(type.ofType, path, text, paths);
  if (isListType(type)) return [filled(type.ofType, `${path}.0`, text, paths)];
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [
        field.name,
        filled(field.type, `${path}.${field.name}`, text, paths),
      ]),
    );
  if (isLeafType(type) && TEXT_TYPES.has(type.name)) {
    paths.push(path);
    return text;
  }
  if (isEnumType(type)) return type.getValues()[0]!.name;
  return type.name === 'Boolean' ? true : 1;
}

interface Call {
  name: string;
  host: 'uat' | 'console';
  token: string;
  kind: 'query' | 'mutation';
  args: readonly GraphQLArgument[];
}

/** Every root field that takes text, with its hosts and callers. */
function callsWithText(): Call[] {
  const { schemas } = service.test.app;
  return (['uat', 'console'] as const).flatMap((host) =>
    (['query', 'mutation'] as const).flatMap((kind) => {
      const surface = surfaceOf(host);
      const schema = schemas[surface];
      const root = kind === 'query' ? schema.getQueryType()! : schema.getMutationType()!;
      return Object.values(root.getFields()).flatMap(({ name, args }) => {
        const { access } = policies[surface][root.name]![name]!;
        const isForAdmins = access.kind !== 'session' || access.roles.includes('admin');
        const session = isForAdmins ? sessions.admin : sessions.developer;
        const call = { name, host, token: host === 'uat' ? developer.tokens.uat : session, kind, args } as const;
        return textPathsOf(args).length === 0 ? [] : [call];
      });
    }),
  );
}

function textPathsOf(args: readonly GraphQLArgument[]): string[] {
  const paths: string[] = [];
  for (const { name, type } of args) filled(type, name, '', paths);
  return paths;
}

const valuesOf = (args: readonly GraphQLArgument[], text: string): Record<string, unknown> =>
  Object.fromEntries(args.map(({ name, type }) => [name, filled(type, name, text, [])]));

const inVariables = ({ kind, name, args, host, token }: Call, text: string): Promise<TestResponse> => {
  const declared = args.map((argument) => `$${argument.name}: ${argument.type.toString()}`).join(' ');
  const passed = args.map((argument) => `${argument.name}: $${argument.name}`).join(' ');
  const document = `${kind}(${declared}) { ${name}(${passed}) { __typename } }`;
  return service.test.graphql(host, token, document, valuesOf(args, text));
};

/** JSON and GraphQL write strings alike; enum values have no quotes. */
function literal(value: unknown): string {
  if (typeof value === 'string' && /^[A-Z_]+$/.test(value)) return value;
  if (Array.isArray(value)) return `[${value.map(literal).join(' ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${fieldsIn(value)} }`;
}
const fieldsIn = (value: object): string =>
  Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => `${name}: ${literal(inner)}`)
    .join(' ');

const inLiterals = ({ kind, name, args, host, token }: Call, text: string): Promise<TestResponse> =>
  service.test.graphql(host, token, `${kind} { ${name}(${fieldsIn(valuesOf(args, text))}) { __typename } }`);

describe('text that cannot be encoded in UTF-8 or contains NUL', () => {
  it.each(Object.entries(BAD))('is rejected in every variable, with its path: %s', async (_name, text) => {
    const calls = callsWithText();
    expect(calls.length).toBeGreaterThan(40);
    await Promise.all(
      calls.map(async (call) => {
        const response = await inVariables(call, text);
        expect([call.name, codesOf(response)]).toEqual([call.name, ['VALIDATION_FAILED']]);
        expect(fieldsOf(response)).toEqual(expect.arrayContaining(textPathsOf(call.args)));
      }),
    );
  });

  it('is rejected in every literal: NUL with its path, and an incomplete surrogate pair as a syntax error', async () => {
    await Promise.all(
      callsWithText().map(async (call) => {
        const response = await inLiterals(call, BAD.NUL);
        expect([call.name, codesOf(response)]).toEqual([call.name, ['VALIDATION_FAILED']]);
        expect(fieldsOf(response)).toEqual(expect.arrayContaining(textPathsOf(call.args)));
        expect(codesOf(await inLiterals(call, '\ud800'))).toEqual(['INVALID_DOCUMENT']);
      }),
    );
  });

  it.each(Object.entries(BAD))('is rejected in every REST field, with its path: %s', async (_name, text) => {
    for (const { method, path, fields, validationStatus } of routes) {
      const names = Object.keys(fields);
      // A URL cannot contain half a surrogate pair.
      if (names.length === 0 || (method !== 'POST' && !text.isWellFormed())) continue;
      const inPath = parametersOf(path);
      if (inPath.length > 0 && !text.isWellFormed()) continue;
      const url = filledPath(path, Object.fromEntries(inPath.map((name) => [name, text])));
      const otherNames = names.filter((name) => !inPath.includes(name));
      const query = method === 'POST' ? '' : `?${new URLSearchParams(otherNames.map((name) => [name, text]))}`;
      const body = method === 'POST' ? Object.fromEntries(otherNames.map((name) => [name, text])) : undefined;
      const response = await service.test.rest('uat', method, url + query, developer.tokens.uat, body);
      expect([path, response.status, response.body.code]).toEqual([path, validationStatus, 'VALIDATION_FAILED']);
      expect(Object.keys(response.body.errors).toSorted()).toEqual(names.toSorted());
    }
  });

  it('never makes two keys equal: both orders are rejected, and their replacements are not found', async () => {
    const order = (client_request_id: string) => place(service.test, developer, { client_request_id }, 'uat');
    for (const key of ['\ud800', '\ud801']) {
      const { status, body } = await order(key);
      expect([status, Object.keys(body.errors)]).toEqual([400, ['client_request_id']]);
    }
    const found = await service.test.rest(
      'uat',
      'GET',
      '/api/v1/recharge/status?client_request_id=%EF%BF%BD',
      developer.tokens.uat,
    );
    expect(found.status).toBe(404);
  });
});

describe('names and idempotency keys', () => {
  let sequence = 0;
  const key = (client_request_id: string) =>
    place(service.test, developer, { client_request_id: `${client_request_id}${sequence++}` }, 'uat');

  it.each([
    ['a direction override', '\u202e'],
    ['a direction isolate', '\u2066'],
    ['a direction mark', '\u200f'],
    ['the Arabic letter mark', '\u061c'],
    ['a line separator', 'a\u2028'],
    ['a paragraph separator', 'a\u2029'],
    ['a zero-width space', '\u200b'],
    ['a soft hyphen', '\u00ad'],
    ['a tag character', '\u{e0041}'],
    ['a line break', 'a\n'],
  ])('cannot contain %s', async (_name, text) => {
    const { status, body } = await key(text);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'VALIDATION_FAILED', ['client_request_id']]);
  });

  it.each([
    ['Devanagari with a joiner', 'क्‍ष'],
    ['Bengali with a non-joiner', 'র‌্যা'],
    ['an accent, composed or not', 'e\u0301 é'],
    ['an emoji with joiners', '👩‍🔧'],
    ['common punctuation', '#Order28 / a+b;=c'],
  ])('can contain %s', async (_name, text) => {
    const { status, body } = await key(text);
    expect([status, body.data?.client_request_id]).toEqual([200, `${text}${sequence - 1}`]);
  });
});

describe('values of the wrong type get a validation error without an internal error', () => {
  const token = 'mutation($i: IssueTokenInput!) { issueToken(input: $i) { token } }';
  const signIn = 'mutation($i: SignInInput!) { signIn(input: $i) { token } }';
  const odd: unknown[] = [{ toString: 1 }, { toString: 1, valueOf: 1 }, ['a'], 1, true];

  it('for objects as client ID or email, in REST, variables and literals, without a token', async () => {
    for (const value of odd) {
      const credentials = { client_id: value, api_secret: 'x', environment: 'uat' };
      const rest = await service.test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, credentials);
      expect([rest.status, rest.body.code]).toEqual([422, 'VALIDATION_FAILED']);
      const i = { clientId: value, apiSecret: 'x', environment: 'UAT' };
      expect(fieldsOf(await service.test.graphql('production', undefined, token, { i }))).toContain('input.clientId');
      const person = { email: value, password: 'x' };
      expect(fieldsOf(await service.call(undefined, signIn, { i: person }))).toContain('input.email');
    }
    const query =
      'mutation { issueToken(input: {clientId: {toString: 1, valueOf: 1}, apiSecret: "x", environment: UAT}) { token } }';
    const { status, body } = await service.test.graphql('uat', undefined, query);
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('for invalid cursors of every list', async () => {
    const keys = ['', '-'.repeat(36), '\0', '999999999999999999999', '1 ', '\u{1f600}'];
    const nilId = '00000000-0000-0000-0000-000000000000';
    const page = '(first: 1, after: $a) { pageInfo { hasNextPage } }';
    const asStaff = (query: string, a: string) =>
      service.call(service.staff.admin, `query($a: String) { ${query} }`, { a });
    const asDeveloper = (query: string, a: string) =>
      service.test.graphql('uat', developer.tokens.uat, `query($a: String) { ${query} }`, { a });
    const lists = [
      ['review', `reviewOrders${page}`, asStaff],
      ['audit', `auditLog${page}`, asStaff],
      ['security', `securityEvents${page}`, asStaff],
      ['failed-emails', `failedEmails${page}`, asStaff],
      ['differences', `statementDifferences${page}`, asStaff],
      ['developers', `developers${page}`, asStaff],
      ['statement', `wallet { statement${page} }`, asDeveloper],
      ['orders', `orders${page}`, asDeveloper],
      ['orders', `orders${page}`, asStaff],
      ['leads', `leads${page}`, asDeveloper],
    ] as const;
    for (const [list, query, send] of lists) {
      // A cursor of another list, with a key that this one could have.
      const texts = [...keys.map((key) => `${list}:${key}`), 'approvalRequests:1', `approvalRequests:${nilId}`, 'x'];
      for (const after of [...texts.map((text) => Buffer.from(text).toString('base64url')), 'not base64 !'])
        expect([query, after, fieldsOf(await send(query, after))]).toEqual([query, after, ['after']]);
      // The initial value in many clients.
      expect([query, fieldsOf(await send(query, ''))]).toEqual([query, []]);
    }
    for (const key of keys) {
      const after = Buffer.from(`deliveries:${key}`).toString('base64url');
      const deliveries = `query($a: String) { webhookDeliveries(endpointId: "${nilId}", first: 1, after: $a) { pageInfo { hasNextPage } } }`;
      const [code] = codesOf(await service.call(sessions.developer, deliveries, { a: after }));
      expect(['VALIDATION_FAILED', 'RECORD_NOT_FOUND']).toContain(code);
    }
  });

  it('for webhook URLs with missing parts', async () => {
    const create =
      'mutation($u: String!) { createWebhookEndpoint(input: {environment: UAT, url: $u}) { endpoint { id } } }';
    for (const mark of ['\t', '\r', '\n', ' ', '\\', '\u202e', '\u00a0']) {
      const response = await service.call(sessions.developer, create, { u: `https://example.com/a${mark}b` });
      expect([mark, fieldsOf(response)]).toEqual([mark, ['input.url']]);
    }
    expect(codesOf(await service.call(sessions.developer, create, { u: 'https://example.com/a?b=%0A' }))).toEqual([]);
  });

  it('for null in a variable that can only be omitted, in every use of the document', async () => {
    const { uat } = developer.tokens;
    const optional = 'query($c: Boolean = false) { me { id name @include(if: $c) } }';
    const size = 'query($n: Int = 2) { leadCompanies(search: "a") { providerId } products(categoryId: $n) { fee } }';
    for (let use = 0; use < 4; use++) {
      expect((await service.test.graphql('uat', uat, optional)).body.data.me).toEqual({ id: expect.any(String) });
      const rejection = await service.test.graphql('uat', uat, optional, { c: null });
      expect([rejection.status, codesOf(rejection), fieldsOf(rejection)]).toEqual([400, ['VALIDATION_FAILED'], ['c']]);
      expect(fieldsOf(await service.test.graphql('uat', uat, size, { n: null }))).toEqual(['categoryId']);
    }
  });

  it('for many invalid values: fifty are named, in a short response', async () => {
    const { uat } = developer.tokens;
    const names = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${'x'.repeat(60)}${n}`, 1]));
    const recharge = 'mutation($i: RechargeInput!) { recharge(input: $i) { order { status } } }';
    const kyc = 'mutation($i: SubmitKycInput!) { submitKyc(input: $i) { developer { id } } }';
    const rejection = await service.test.graphql('uat', uat, recharge, { i: { ...names, ['y'.repeat(20_000)]: 1 } });
    expect([codesOf(rejection), fieldsOf(rejection).length]).toEqual([['VALIDATION_FAILED'], 50]);
    expect(JSON.stringify(rejection.body).length).toBeLessThan(20_000);
    const items = { documentIds: Array.from({ length: 10_000 }, () => true) };
    const list = await service.call(sessions.developer, kyc, { i: items });
    expect(fieldsOf(list)).toContain('input.documentIds');
    expect(fieldsOf(list).length).toBeLessThanOrEqual(50);
    const long = await service.test.graphql('uat', uat, recharge, { i: { ['y'.repeat(20_000)]: 1 } });
    expect(Math.max(...fieldsOf(long).map((path) => path.length))).toBeLessThan(120);
  });

  it('for variables larger than any request needs, whatever their names', async () => {
    const { uat } = developer.tokens;
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    for (const spare of [Array.from({ length: 2_001 }, () => 1), deep]) {
      const response = await service.test.graphql('uat', uat, 'query { me { id } }', { spare });
      expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['spare']]);
    }
  });

  it('for names of object properties, which are variables like others', async () => {
    const query =
      'query($constructor: String!, $toString: String) { order(kind: RECHARGE, clientRequestId: $constructor, apiRequestId: $toString) { id } }';
    const response = await service.test.graphql('uat', developer.tokens.uat, query, {});
    expect(codesOf(response)).toEqual(['VALIDATION_FAILED']);
  });

  it('no internal error was logged in these tests', () => {
    expect(logged).toEqual([]);
  });
});
