import { Client } from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { batchedLoader } from '../../src/db/batched-loader.js';
import { asConsoleRead, isConsoleRead } from '../../src/db/pool.js';
import { PASSWORD, useConsole } from '../console/console.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';

const POOL = 6;
const OF_CONSOLE = 2;
const service = useConsole({
  DATABASE_POOL_SIZE: String(POOL),
  CONSOLE_POOL_SIZE: String(OF_CONSOLE),
});
const { test } = service;
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});
afterEach(() => vi.restoreAllMocks());

const rechargeOf = (key: string): Promise<TestResponse> => place(test, developer, { client_request_id: key });

/** Statements that take a connection and hold it until released. */
function slowStatements() {
  const gate = Promise.withResolvers<void>();
  let holding = 0;
  const run = async (): Promise<void> => {
    const client = await test.app.pool.connect();
    holding++;
    await gate.promise;
    client.release();
  };
  return { run, holding: () => holding, letGo: () => gate.resolve() };
}

/** Collects the responses of several requests without waiting for them. */
function collectResponses(requests: readonly Promise<unknown>[]) {
  let count = 0;
  for (const request of requests) void request.finally(() => count++).catch(() => {});
  return { answered: () => count, all: () => Promise.allSettled(requests) };
}

const PAGE = 'developers(first: 1) { edges { node { id } } }';
const aliases = (count: number, field: string): string =>
  Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ');

/** Locks all tables that the console reads while `work` runs. */
async function whileReadsAreBlocked(startReads: () => Promise<unknown>[], work: () => Promise<void>): Promise<void> {
  const slow = slowStatements();
  vi.spyOn(test.app.reader, 'page').mockImplementation(async () => {
    await slow.run();
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
    return { edges: [], nodes: [], pageInfo };
  });
  const pendingReads = collectResponses(startReads());
  try {
    await until('the console uses its whole pool', async () => slow.holding() >= OF_CONSOLE);
    await work();
    expect([slow.holding(), pendingReads.answered()]).toEqual([OF_CONSOLE, 0]);
  } finally {
    slow.letGo();
    await pendingReads.all();
  }
}

describe('while users of the console wait for data', () => {
  it.each([
    ['many requests', () => Array.from({ length: 30 }, () => service.call(service.staff.support, `{ ${PAGE} }`))],
    ['many aliases', () => [1, 2].map(() => service.call(service.staff.support, `{ ${aliases(15, PAGE)} }`))],
  ])('with %s, a recharge is completed', async (name, startReads) => {
    await whileReadsAreBlocked(startReads, async () => {
      const { status, body } = await rechargeOf(`beside ${name}`);
      expect([status, body.status]).toEqual([200, 'success']);
    });
  });

  it('an admin can still move money, and the process is ready', async () => {
    const startMany = () => Array.from({ length: 30 }, () => service.call(service.staff.support, `{ ${PAGE} }`));
    await whileReadsAreBlocked(startMany, async () => {
      const { body } = await service.call(
        service.staff.admin,
        'mutation($id: ID!) { creditWallet(input: { developerId: $id, environment: UAT, amount: 5, reference: "Beside", reason: "A test" }) { outcome { __typename } } }',
        { id: `dev_${developer.id}` },
      );
      expect([body.errors, body.data]).toEqual([
        undefined,
        { creditWallet: { outcome: { __typename: 'WalletUpdated' } } },
      ]);
      const ready = await fetch(`${test.urls.console}/readyz`);
      expect(ready.status).toBe(200);
    });
  });
});

describe('while a table that the console reads is locked', () => {
  const lock = async (table: string): Promise<() => Promise<void>> => {
    const client = new Client({ connectionString: test.db.url });
    await client.connect();
    await client.query('begin');
    await client.query(`lock table ${table} in access exclusive mode`);
    return async () => {
      await client.query('rollback');
      await client.end();
    };
  };
  /** Application names of the connections that wait for a lock. */
  const waiting = async (): Promise<string[]> =>
    (
      await test.db.query<{ name: string }>(
        `select application_name as name from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).map(({ name }) => name);

  const signIn = `mutation($email: String!) {
    signIn(input: { email: $email, password: "${PASSWORD}" }) { viewer { developer { credentials { clientId } } } }
  }`;
  const keys = 'query($id: ID!) { developer(id: $id) { credentials { clientId } } }';

  it.each([
    ['questions', () => service.call(service.staff.support, keys, { id: `dev_${developer.id}` })],
    ['responses of mutations', () => service.call(undefined, signIn, { email: 'owner@test.example' })],
  ])('%s: reads use the connections of the console', async (_name, startReads) => {
    const [known] = await test.db.query(`select from app_user where email = 'owner@test.example'`);
    if (!known) await service.userOf(developer.id, 'owner@test.example');
    const unlock = await lock('credential');
    // Simultaneous reads are batched into one statement.
    const first = startReads();
    await until('one statement is waiting', async () => (await waiting()).length > 0);
    const pendingReads = collectResponses([first, ...[2, 3, 4, 5].map(startReads)]);
    try {
      await until('the statements are waiting', async () => (await waiting()).length >= OF_CONSOLE);
      const names = await waiting();
      expect(names.length).toBeLessThanOrEqual(OF_CONSOLE);
      expect(names.filter((name) => name !== 'recharge-gateway console')).toEqual([]);
    } finally {
      await unlock();
      await pendingReads.all();
    }
  });
});

describe('a file download on the console', () => {
  it('is read over the connections of the console, in chunks', async () => {
    await rechargeOf('in a file');
    const pools: string[] = [];
    const read = test.app.history.page.bind(test.app.history);
    vi.spyOn(test.app.history, 'page').mockImplementation(async (...args) => {
      const client = await test.app.pool.connect();
      const { rows } = await client.query<{ name: string }>(`select current_setting('application_name') as name`);
      client.release();
      pools.push(rows[0]!.name);
      return read(...args);
    });
    const today = indianDay(new Date());
    const path = `orders.csv?from=${today}&to=${today}`;
    const send = async (url: string, token: string): Promise<number> =>
      (await fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${token}` } }))
        .text()
        .then((text) => text.length);
    expect(await send(test.urls.console, service.staff.support)).toBeGreaterThan(0);
    expect(pools).toEqual(['recharge-gateway console']);
    expect(await send(`${test.urls.production}/api/v1`, developer.tokens.production)).toBeGreaterThan(0);
    expect(pools).toEqual(['recharge-gateway console', 'recharge-gateway']);
  });
});

it('loads of the console are never batched with those of other hosts', async () => {
  const batches: [console: boolean, keys: readonly number[]][] = [];
  const loader = batchedLoader(async (keys: readonly number[]) => {
    batches.push([isConsoleRead(), keys]);
    return keys;
  });
  await Promise.all([asConsoleRead(() => loader.load(1)), loader.load(2), asConsoleRead(() => loader.load(3))]);
  expect(batches.toSorted()).toEqual([
    [false, [2]],
    [true, [1, 3]],
  ]);
});
