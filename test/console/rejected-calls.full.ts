import { expect, it } from 'vitest';
import { RejectedCalls } from '../../src/accounts/rejected-calls.js';
import type { Environment } from '../../src/core/environment.js';
import { randomToken } from '../../src/core/secret.js';
import type { TestDeveloper } from '../support/app.js';
import { until } from '../support/until.js';
import { useConsole } from './console.fixture.js';

const console = useConsole();

const CALLS = '{ environment at code requestId operation }';
const ACCOUNT_QUERY = `query($id: ID!) { developer(id: $id) {
  lastRejectedCalls ${CALLS} services { service lastRejectedCalls ${CALLS} } } }`;
const DTH = { dth_number: '07210298754', opcode: 'STV', orderid: 'DIN-1' };
const LOOK_UP = '{ dthInfo(input: {dthNumber: "07210298754", opcode: "STV", clientRequestId: "DIN-2"}) { fee } }';
const EXCHANGE = '/api/v1/auth/client-credentials';

interface RejectedCall {
  environment: string;
  at: string;
  code: string;
  requestId: string;
  operation: string;
}

async function readBy(session: string, { id }: TestDeveloper) {
  const { body } = await console.call(session, ACCOUNT_QUERY, { id: `dev_${id}` });
  const { lastRejectedCalls, services } = body.data.developer as {
    lastRejectedCalls: RejectedCall[];
    services: { service: string; lastRejectedCalls: RejectedCall[] }[];
  };
  return {
    account: lastRejectedCalls,
    services: Object.fromEntries(services.map((service) => [service.service, service.lastRejectedCalls])),
  };
}

const count = async ({ id }: TestDeveloper): Promise<number> =>
  (await console.test.db.query('select from rejected_call where developer_id = $1', [id])).length;
const waitUntilRecorded = (developer: TestDeveloper, rows: number) =>
  until(`${rows} rejected calls are recorded`, async () => (await count(developer)) >= rows);

const lookUp = ({ tokens }: TestDeveloper, environment: Environment = 'uat') =>
  console.test.rest(environment, 'POST', '/api/v1/plan/dth-info', tokens[environment], DTH);
const requestIdOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id');

it('shows the last rejected call of a service in each environment to staff and the account, written once a minute', async () => {
  const developer = await console.test.developer({ disabledServices: ['dth_info'] });
  const first = await lookUp(developer);
  expect([first.status, first.body.code]).toEqual([403, 'ACCESS_DISABLED']);
  expect((await lookUp(developer)).status).toBe(403);
  const { body, headers } = await console.test.graphql('production', developer.tokens.production, LOOK_UP);
  expect(body.errors[0].extensions.code).toBe('ACCESS_DISABLED');
  // Rows are written in the order of the calls.
  await waitUntilRecorded(developer, 2);
  const expected = [
    {
      environment: 'PRODUCTION',
      at: expect.any(String),
      code: 'ACCESS_DISABLED',
      requestId: requestIdOf({ headers }),
      operation: 'GraphQL dthInfo',
    },
    {
      environment: 'UAT',
      at: expect.any(String),
      code: 'ACCESS_DISABLED',
      requestId: requestIdOf(first),
      operation: 'POST /api/v1/plan/dth-info',
    },
  ];
  for (const session of [console.staff.support, await console.userOf(developer.id)]) {
    const displayed = await readBy(session, developer);
    expect(displayed.services.DTH_INFO).toEqual(expected);
    expect([displayed.account, displayed.services.OPERATOR_FETCH]).toEqual([[], []]);
  }
  const search = 'query($text: String!) { search(text: $text) { node { id } matchedText } }';
  const text = requestIdOf(first);
  expect((await console.call(console.staff.support, search, { text })).body.data.search).toEqual([
    { node: { id: `dev_${developer.id}` }, matchedText: text },
  ]);
});

it('records credentials on the wrong host for the account that they belong to', async () => {
  const [withToken, withSecret, otherDeveloper] = [
    await console.test.developer(),
    await console.test.developer(),
    await console.test.developer(),
  ];
  const call = await console.test.rest('production', 'GET', '/api/v1/auth/me', withToken.tokens.uat);
  const { clientId, apiSecret } = withSecret.keys.uat;
  const body = { client_id: clientId, api_secret: apiSecret, environment: 'production' };
  const exchange = await console.test.rest('production', 'POST', EXCHANGE, undefined, body);
  // A wrong secret and an unknown token belong to no account.
  const wrongSecret = { ...body, client_id: otherDeveloper.keys.uat.clientId };
  const guess = await console.test.rest('production', 'POST', EXCHANGE, undefined, wrongSecret);
  const unknown = await console.test.rest('production', 'GET', '/api/v1/auth/me', randomToken('at_uat_'));
  expect([call, exchange, guess, unknown].map(({ body: { code } }) => code)).toEqual([
    'WRONG_HOST',
    'WRONG_HOST',
    'WRONG_HOST',
    'WRONG_HOST',
  ]);
  // The last call: the others are written before it.
  const service = await console.test.rest('production', 'POST', '/api/v1/plan/dth-info', withSecret.tokens.uat, DTH);
  await waitUntilRecorded(withSecret, 2);
  expect(await count(otherDeveloper)).toBe(0);
  const { account } = await readBy(console.staff.support, withToken);
  expect(account).toMatchObject([
    { environment: 'UAT', code: 'WRONG_HOST', requestId: requestIdOf(call), operation: 'GET /api/v1/auth/me' },
  ]);
  const other = await readBy(console.staff.support, withSecret);
  expect(other.account).toMatchObject([{ code: 'WRONG_HOST', requestId: requestIdOf(exchange) }]);
  expect(other.services.DTH_INFO).toMatchObject([{ code: 'WRONG_HOST', requestId: requestIdOf(service) }]);
});

it('records client tokens, exchanges of a suspended account and disabled Production access, each with its code', async () => {
  const { test } = console;
  const developer = await test.developer();
  const { tokens } = developer;
  const create = 'mutation { createClientToken(input: { scopes: [PRODUCTS] }) { token } }';
  const client = (await test.graphql('uat', tokens.uat, create)).body.data.createClientToken.token as string;
  expect((await test.graphql('uat', client, LOOK_UP)).body.errors[0].extensions.code).toBe('FORBIDDEN');
  expect((await test.graphql('uat', client, '{ wallet { balance } }')).body.errors[0].extensions.code).toBe(
    'FORBIDDEN',
  );
  await test.db.query('update developer set production_unlocked = false where id = $1', [developer.id]);
  const locked = await test.rest('production', 'POST', '/api/v1/recharge', tokens.production, {});
  await waitUntilRecorded(developer, 3);
  const displayed = await readBy(console.staff.support, developer);
  expect(displayed.services.DTH_INFO).toMatchObject([{ code: 'FORBIDDEN', operation: 'GraphQL dthInfo' }]);
  expect(displayed.account).toMatchObject([
    { environment: 'PRODUCTION', code: 'PRODUCTION_LOCKED', requestId: requestIdOf(locked) },
    { environment: 'UAT', code: 'FORBIDDEN', operation: 'GraphQL wallet' },
  ]);
  const suspended = await test.developer();
  await test.db.query('update developer set suspended_at = now() where id = $1', [suspended.id]);
  const { clientId: client_id, apiSecret: api_secret } = suspended.keys.uat;
  const body = { client_id, api_secret, environment: 'uat' };
  const exchange = await test.rest('uat', 'POST', EXCHANGE, undefined, body);
  await waitUntilRecorded(suspended, 1);
  expect((await readBy(console.staff.support, suspended)).account).toMatchObject([
    { code: 'SUSPENDED', requestId: requestIdOf(exchange), operation: `POST ${EXCHANGE}` },
  ]);
});

it('logs a failed write, and records later calls', async () => {
  const warned: string[] = [];
  const requestIds: unknown[] = [];
  let isUnavailable = true;
  const db = {
    query: async ({ values }: { values: unknown[] }) => {
      if (isUnavailable) throw new Error('away');
      requestIds.push(values[5]);
    },
  };
  const calls = new RejectedCalls(db as never, { warn: (_: object, text: string) => warned.push(text) } as never);
  const note = (requestId: string, service: 'dth_info' | undefined) =>
    calls.note(
      { service, at: new Date(), code: 'SUSPENDED', requestId, operation: 'POST /api/v1/recharge' },
      { developerId: 'd' as never, environment: 'uat' },
    );
  note('1', undefined);
  await calls.drain();
  expect(warned).toEqual(['rejected call: writing it failed, it is not recorded']);
  isUnavailable = false;
  note('2', 'dth_info');
  note('3', 'dth_info');
  await calls.drain();
  expect([requestIds, warned.length]).toEqual([['2'], 1]);
});
