import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { createLogger, type Logger } from '../../src/core/log.js';
import { Replica } from '../../src/db/replica.js';
import { useOwnConsole } from '../console/console.fixture.js';
import { DatabaseLink } from '../faults/support/database-link.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { rechargeBody } from '../support/recharges.js';
import { until } from '../support/until.js';

const PRIMARY = 'recharge-gateway';
const REPLICA = 'recharge-gateway replica';
const link = new DatabaseLink(() => inject('pg').port);
beforeAll(() => link.open());
/** The replica is the same server behind a link that the test can cut. The drill uses a real standby. */
const service = useOwnConsole((database) => {
  const url = new URL(database);
  url.port = String(link.port);
  return { DATABASE_REPLICA_URL: url.href };
}, createLogger('silent'));
const { test } = service;
const today = indianDay(new Date());

let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ feesPaise: { operator_fetch: 100 } as never, rateLimitPerMinute: 10_000 });
  await until('reads use the replica', () => test.app.replica!.isInUse);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => link.close());

/** Sent to both servers every five seconds, independent of other statements. */
const MEASURING = /pg_is_in_recovery/;

/** Application names of the connections that sent matching statements while `work` ran. */
async function connectionsOf(statements: RegExp, work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const names = spy.mock.calls.flatMap(([config], index) => {
    const { text } = typeof config === 'string' ? { text: config } : (config as { text: string });
    const { connectionParameters } = spy.mock.contexts[index] as never as {
      connectionParameters: { application_name: string };
    };
    return statements.test(text) && !MEASURING.test(text) ? [connectionParameters.application_name] : [];
  });
  spy.mockRestore();
  return [...new Set(names)].toSorted();
}

const ok = async (response: Promise<TestResponse>): Promise<void> => {
  const { status, body } = await response;
  expect([status, body.errors]).toEqual([200, undefined]);
};
const rest = (path: string, body?: object): Promise<void> =>
  ok(test.rest('production', body ? 'POST' : 'GET', `/api/v1/${path}`, developer.tokens.production, body));
const api = (query: string): Promise<void> => ok(test.graphql('production', developer.tokens.production, query));
const queryAsStaff = (query: string): Promise<void> => ok(service.call(service.staff.support, query));
const file = async (base: string, token: string): Promise<void> => {
  const response = await fetch(`${base}?from=${today}&to=${today}`, { headers: { authorization: `Bearer ${token}` } });
  expect([response.status, (await response.text()).length > 0]).toEqual([200, true]);
};
const recharge = (key: string): Promise<void> => rest('recharge', rechargeBody({ client_request_id: key }));

const statement = /from ledger_entry/;
const ofProduction = (path: string): Promise<void> =>
  file(`${test.urls.production}/api/v1/${path}`, developer.tokens.production);
const reads: [what: string, RegExp, () => Promise<unknown>, connections: string[]][] = [
  ['a page of the statement', statement, () => rest('wallet/statement'), [REPLICA]],
  [
    'daily totals',
    /wallet_days/,
    () => api(`{ wallet { days(from: "${today}", to: "${today}") { closing } } }`),
    [REPLICA],
  ],
  ['the statement file', statement, () => ofProduction('wallet/statement.csv'), [REPLICA]],
  ['the order file', /from orders where/, () => ofProduction('orders.csv'), [REPLICA]],
  [
    'the order file of the console',
    /from orders where/,
    () => file(`${test.urls.console}/orders.csv`, service.staff.support),
    [`${REPLICA} console`],
  ],
  [
    'developers',
    /from developer d left join/,
    () => queryAsStaff('{ developers(first: 5) { totalCount edges { cursor } } }'),
    [`${REPLICA} console`],
  ],
  [
    'orders of the console',
    /from orders where/,
    () => queryAsStaff('{ orders(first: 5) { edges { cursor } } }'),
    [`${REPLICA} console`],
  ],
  [
    'the audit log',
    /from audit_entry/,
    () => queryAsStaff('{ auditLog(first: 5) { edges { cursor } } }'),
    [`${REPLICA} console`],
  ],
  ['the balance', /from wallet x/, () => rest('wallet/balance'), [PRIMARY]],
  ['own orders', /from orders where/, () => rest('orders'), [PRIMARY]],
  [
    'an order by its idempotency key',
    /from orders|order_key/,
    () => rest('recharge/status?client_request_id=known'),
    [PRIMARY],
  ],
  [
    'orders that need review',
    /order_review/,
    () => queryAsStaff('{ reviewOrders(first: 5) { edges { cursor } } }'),
    [`${PRIMARY} console`],
  ],
];

describe('with a replica that is up to date', () => {
  beforeAll(() => recharge('known'));

  it.each(reads)('the right server is read for %s', async (_name, statements, work, connections) => {
    expect(await connectionsOf(statements, work)).toEqual(connections);
  });

  it('a mutation and a lookup return the data that they changed', async () => {
    const STATEMENT = 'wallet { statement(first: 1) { edges { node { reference } } } }';
    const mutation = `mutation { recharge(input: { accountNumber: "9876543210", amount: 10, operatorSpKey: 116,
      operatorType: MOBILE, clientRequestId: "shown" }) { order { ${STATEMENT} } } }`;
    const lookup = `{ operatorFind(input: { mobile: "9468455123", clientRequestId: "shown" }) { ${STATEMENT} } }`;
    expect(await connectionsOf(statement, () => api(mutation))).toEqual([PRIMARY]);
    expect(await connectionsOf(statement, () => api(lookup))).toEqual([PRIMARY]);
    // warms up the compiler
    for (let n = 0; n < 4; n++)
      expect(await connectionsOf(statement, () => api(`{ ${STATEMENT} }`))).toEqual([REPLICA]);
  });

  it('no write uses the replica', async () => {
    const all = await connectionsOf(/./, () => Promise.all([recharge('a payment'), test.app.replica!.measure()]));
    expect(all.filter((name) => name.startsWith(REPLICA))).toEqual([]);
  });
});

it('calls succeed when the replica becomes unavailable, and use it again when it returns', async () => {
  const detail = async (): Promise<string | undefined> =>
    ((await (await fetch(`${test.urls.uat}/readyz`)).json()) as { detail?: string }).detail;
  const sleepers = async (): Promise<number> =>
    (
      await test.db.query(
        `select from pg_stat_activity where datname = current_database() and application_name = $1 and query like '%advisory_xact_lock%' and state = 'active'`,
        [REPLICA],
      )
    ).length;
  expect(await detail()).toBeUndefined();
  const lock = new pg.Client({ connectionString: test.db.url });
  await lock.connect();
  await lock.query('select pg_advisory_lock(1)');
  const slow = test.app.reads.query({ text: `select 'read' as what, pg_advisory_xact_lock(1)` });
  await until('a read is in progress', async () => (await sleepers()) === 1);
  await link.close();
  await lock.end();
  expect((await slow).rows).toMatchObject([{ what: 'read' }]);
  expect(await connectionsOf(statement, () => rest('wallet/statement'))).toEqual([PRIMARY]);
  // a measurement in progress started earlier
  const expectDetail = (detailText: string | undefined) =>
    until(`it reports ${detailText}`, async () => {
      await test.app.replica!.measure();
      return (await detail()) === detailText;
    });
  await expectDetail('The replica is unavailable. Reads use the primary.');
  expect(await connectionsOf(statement, () => rest('wallet/statement'))).toEqual([PRIMARY]);
  await link.open();
  await expectDetail(undefined);
  expect(await connectionsOf(statement, () => rest('wallet/statement'))).toEqual([REPLICA]);
});

describe('reads on a standby', () => {
  interface Position {
    bytes: number;
    system?: string;
    follows?: boolean;
    started?: string;
  }
  let now = 0;

  /** Servers that report their positions; undefined if unavailable. */
  function startServers() {
    const at: { primary: Position | undefined; replica: Position | undefined } = {
      primary: { bytes: 1_000 },
      replica: { bytes: 1_000 },
    };
    const pool = (name: 'primary' | 'replica'): pg.Pool =>
      ({
        query: async () => {
          const server = at[name];
          if (!server) throw new Error('away');
          const { bytes, system = 'one', follows = name === 'replica', started = name } = server;
          return { rows: [{ position: String(bytes), system, follows, started }] };
        },
      }) as unknown as pg.Pool;
    const lines: unknown[] = [];
    const write = (fields: { reason?: string }, text: string): unknown => lines.push(fields.reason ?? text);
    const log = { info: write, warn: write } as unknown as Logger;
    const replica = new Replica({
      primary: pool('primary'),
      replica: pool('replica'),
      measuringPool: pool('replica'),
      log,
    });
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const after = async (seconds: number, change: Partial<typeof at> = {}): Promise<boolean> => {
      now += seconds * 1_000;
      Object.assign(at, change);
      await replica.measure();
      return replica.isInUse;
    };
    return { after, lines };
  }

  it('continue while the primary is idle', async () => {
    const { after } = startServers();
    expect([await after(0), await after(3_600)]).toEqual([true, true]);
  });

  it('stop when it is more than half a minute of the log behind, and this is logged once', async () => {
    const { after, lines } = startServers();
    await after(0);
    const read: boolean[] = [];
    for (let n = 1; n <= 9; n++) read.push(await after(5, { primary: { bytes: 1_000 + n } }));
    // its position is that of the primary at 0 s
    expect(read).toEqual([true, true, true, true, true, true, false, false, false]);
    expect(await after(5, { replica: { bytes: 1_008 } })).toBe(true);
    expect(lines).toEqual(['reads use the replica', 'is more than 30 s behind', 'reads use the replica']);
  });

  it.each([
    ['a server of another database', { bytes: 9_000, system: 'two' }, 'belongs to another database'],
    ['a former primary', { bytes: 9_000, follows: false }, 'does not follow a primary'],
    ['unavailable', undefined, 'is unavailable'],
  ])('never use a standby that is %s', async (_name, server, reason) => {
    const { after, lines } = startServers();
    expect([await after(0), await after(5, { replica: server })]).toEqual([true, false]);
    expect(lines).toEqual(['reads use the replica', reason]);
  });

  it('continue if the replica is the primary itself, and while the primary is unavailable', async () => {
    const { after } = startServers();
    expect(await after(0, { replica: { bytes: 1_000, follows: false, started: 'primary' } })).toBe(true);
    expect(await after(5, { primary: undefined })).toBe(true);
  });
});
