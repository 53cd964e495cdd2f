import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { createPool } from '../../src/db/pool.js';
import { ApiProcess } from '../faults/support/api-process.js';
import { Lane } from '../faults/support/lane.js';
import { type OwnPostgres, startOwnPostgres } from '../faults/support/own-postgres.js';
import { newRecharge, restRecharge, scriptedMobile } from '../faults/support/recharges.js';
import { Station } from '../faults/support/station.js';
import { testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { runProgram } from '../support/program.js';
import { SERVICE } from '../support/service-login.js';
import { Balancer } from './support/balancer.js';
import { print, violationsOf } from './support/books.js';
import { fire, type Shot, summary } from './support/load.js';
import { type PgBouncer, pooledLogin, startPgBouncer } from './support/pgbouncer.js';
import { missingPrograms } from './tools.fixture.js';

const isAvailable = missingPrograms('the drill behind a pooler', 'pgbouncer').length === 0;

const { username: USER, password: PASSWORD } = SERVICE;
/** Far fewer than the 2 × (8 + 4) connections that the processes may open. */
const POOL_SIZE = 6;
const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '5000',
  SYNC_WINDOW_MS: '8000',
  LEASE_MARGIN_MS: '3000',
  VISIBILITY_DELAY_MS: '10s',
};

let primary: OwnPostgres;
let pooler: PgBouncer;
let lane: Lane;
let balancer: Balancer;
let pool: Pool;

const urlAt = (port: number, database: string): string =>
  `postgresql://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;

beforeAll(async () => {
  if (!isAvailable) return;
  primary = await startOwnPostgres();
  let name = '';
  let rejected = '';
  let pooled = '';
  const behind: OwnPostgres = {
    ...primary,
    get port() {
      return pooler.port;
    },
    urlThrough: urlAt,
    async database() {
      const db = await primary.database();
      name = db.name;
      pooler = await startPgBouncer({ serverPort: primary.port, user: USER, password: PASSWORD, poolSize: POOL_SIZE });
      pooled = await startWithout(name, {});
      rejected = await startWithout(name, {
        DATABASE_STARTUP_OPTIONS: 'false',
        DATABASE_LISTEN_URL: urlAt(primary.port, name),
      });
      await db.query(pooledLogin(name));
      // existing connections of the pooler do not have these settings
      await db.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = $1`, [USER]);
      return db;
    },
    async close() {
      await pooler.stop();
      await primary.close();
    },
  };
  const settings = {
    ...SETTINGS,
    DATABASE_STARTUP_OPTIONS: 'false',
    get DATABASE_LISTEN_URL() {
      return urlAt(primary.port, name);
    },
  };
  lane = await Lane.open({ ownServer: behind, accounts: 20, settings });
  balancer = await Balancer.open([lane.victim.baseUrl, lane.survivor.baseUrl]);
  pool = createPool(urlAt(pooler.port, name), { max: 4, withStartupOptions: false });
  expect(pooled).toContain('DATABASE_URL leads to a connection pooler, which rejects startup options.');
  expect(rejected).toContain(
    'The connection to the database has wrong settings (the role is gateway_service, statement_',
  );
});
afterAll(async () => {
  if (!isAvailable) return;
  balancer?.close();
  await pool?.end();
  await lane?.close();
});

/** Output of a process that starts before the login has its settings. */
const startWithout = async (database: string, settings: Record<string, string>): Promise<string> => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...testEnvironment(urlAt(pooler.port, database), 'http://127.0.0.1:9', ports),
    ...settings,
  };
  return ApiProcess.start(env).then(
    () => 'it started',
    (error: Error) => error.message,
  );
};

const consoleUrl = (): string => `http://127.0.0.1:${lane.victim.env.CONSOLE_PORT}/graphql`;

/** Calls of every other kind, one at a time, until the load ends. Returns the number of responses by status. */
async function otherCalls(session: string, load: Promise<unknown>): Promise<Map<string, number>> {
  const responses = new Map<string, number>();
  let isLoading = true;
  void load.finally(() => (isLoading = false));
  const { token } = lane.accounts[0]!;
  const today = indianDay(new Date());
  const graphql = async (query: string): Promise<number> => {
    const response = await fetch(consoleUrl(), {
      method: 'POST',
      headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { errors } = (await response.json()) as { errors?: unknown[] };
    return errors ? 500 : response.status;
  };
  const rest = async (path: string, body?: object): Promise<number> => {
    const response = await fetch(`${lane.survivor.baseUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    await response.text();
    return response.status;
  };
  const kinds: Record<string, (n: number) => Promise<number>> = {
    lookup: (n) => rest('plan/operator-fetch', { mobile: '9468455123', orderid: `find-${n}` }),
    statement: () => rest(`wallet/statement?limit=50`),
    'statement.csv': () => rest(`wallet/statement.csv?from=${today}&to=${today}`),
    orders: () => rest('orders'),
    developers: () => graphql('{ developers(first: 20) { totalCount edges { node { id wallets { balance } } } } }'),
    'review and audit': () =>
      graphql('{ reviewOrders(first: 5) { edges { cursor } } auditLog(first: 20) { edges { cursor } } }'),
  };
  for (let n = 0; isLoading; n++)
    for (const [kind, call] of Object.entries(kinds)) {
      const outcome = `${kind} ${await call(n)}`;
      responses.set(outcome, (responses.get(outcome) ?? 0) + 1);
      await sleep(20);
    }
  return responses;
}

const SIGN_IN = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';

/** A session of an admin that `npm run user` created, also through the pooler. */
async function adminSession(): Promise<string> {
  const input = { email: 'you@shop.example', password: 'a long enough password' };
  const child = spawn(
    process.execPath,
    ['dist/cli/user.js', 'create', '--role', 'admin', '--email', input.email, '--name', 'You'],
    { env: { ...lane.victim.env, PATH: process.env.PATH }, stdio: ['pipe', 'ignore', 'inherit'] },
  );
  child.stdin.end(`${input.password}\n`);
  await once(child, 'exit');
  const response = await fetch(consoleUrl(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: SIGN_IN, variables: { input } }),
  });
  const { data } = (await response.json()) as { data: { signIn: { token: string } } };
  return data.signIn.token;
}

it.skipIf(!isAvailable)(
  'recharges, lookups, statements, files, the console and the sweeper work behind PgBouncer',
  async () => {
    const session = await adminSession();
    let most = 0;
    const count = setInterval(
      () =>
        void lane.db
          .query<{ n: number }>('select count(*)::int as n from pg_stat_activity where usename = $1', [USER])
          .then(([row]) => (most = Math.max(most, row!.n))),
      500,
    );
    const load = { perSecond: 60, seconds: 30 };
    const sentShots = fire({ accounts: lane.accounts, baseUrl: balancer.url, ...load });
    const otherResponses = otherCalls(session, sentShots);
    // without a response, or pending: the sweeper finds the outcome
    const pending: Shot[] = await Promise.all(
      ['0002', '0003', '0005', '0006'].flatMap((suffix) =>
        [1, 2, 3, 4, 5].map(async (n) => {
          const recharge = newRecharge(lane.accounts[n]!, scriptedMobile(suffix, n));
          const response = await lane.victim.call(restRecharge(recharge));
          return { recharge, result: `${response?.status} ${response?.body.status}`, elapsedMs: 0 };
        }),
      ),
    );
    const [shots, responses] = await Promise.all([sentShots, otherResponses]);
    clearInterval(count);
    await lane.waitUntilSettled(60_000);
    print(`PgBouncer in transaction mode, ${load.perSecond}/s: ${summary(shots)}`);
    print(
      `other calls: ${[...responses].map(([kind, n]) => `${n} × ${kind}`).join(', ')}; ${pending.length} left to the sweeper`,
    );
    print(`connections to PostgreSQL: ${most} at most, 2 of them for LISTEN`);
    expect(await violationsOf(lane, [...shots, ...pending])).toEqual([]);
    expect(shots.filter(({ result }) => result !== '200 success')).toEqual([]);
    expect([...responses.keys()].filter((response) => !response.endsWith(' 200'))).toEqual([]);
    expect(most).toBeLessThanOrEqual(POOL_SIZE + 2);
  },
);

/** Median duration of recharges in milliseconds, one at a time on each station in turn. */
async function medians(stations: readonly Station[], rounds: number): Promise<number[]> {
  const times = stations.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, station] of stations.entries()) {
      const startedAt = performance.now();
      const response = await station.call(restRecharge(newRecharge(lane.accounts[round % lane.accounts.length]!)));
      expect(response?.body.status).toBe('success');
      times[index]!.push(performance.now() - startedAt);
    }
  return times.map((all) => Math.round(all.toSorted((a, b) => a - b)[rounds >> 1]! * 10) / 10);
}

it.skipIf(!isAvailable)('its costs are measured', async () => {
  const { name } = lane.db;
  const direct: OwnPostgres = {
    ...primary,
    get port() {
      return primary.port;
    },
    urlThrough: urlAt,
  };
  const open = (settings: Record<string, string>): Promise<Station> =>
    Station.open(direct, name, lane.simulator.port, { ...SETTINGS, ...settings });
  const named = await open({});
  const unnamed = await open({ DATABASE_STARTUP_OPTIONS: 'false', DATABASE_LISTEN_URL: urlAt(primary.port, name) });
  const stations = [named, unnamed, lane.victim];
  await medians(stations, 50);
  const [first, second, third] = await medians(stations, 400);
  print(
    `a single recharge, median: ${first} ms directly, ${second} ms directly without names, ${third} ms behind PgBouncer`,
  );
  await named.close();
  await unnamed.close();
});

it.skipIf(!isAvailable)('the guards are active', async () => {
  const startedAt = performance.now();
  await expect(pool.query('select pg_sleep(20)')).rejects.toMatchObject({ code: '57014' });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  for (const table of ['transfer', 'wallet', 'orders'])
    await expect(pool.query(`delete from ${table}`)).rejects.toMatchObject({ code: '42501' });
  const { rows } = await pool.query('select name from pg_prepared_statements');
  expect(rows).toEqual([]);
  const doctor = await runProgram('cli/doctor.js', lane.victim.env, ['--full', '--json']);
  print(`a statement is ended after ${seconds} s`);
  const { findings } = JSON.parse(doctor.stdout) as { findings: Record<string, { ok: boolean }> };
  // the server of the drill does not flush, and its accounts were created without audit entries
  expect(Object.keys(findings).filter((name) => !findings[name]!.ok)).toEqual(['durability', 'audit log', 'explained']);
});

it.skipIf(!isAvailable)('the pooler loses all its connections under load: no money is lost', async () => {
  const load = { perSecond: 40, seconds: 15 };
  const [shots] = await Promise.all([
    fire({ accounts: lane.accounts, baseUrl: balancer.url, ...load }),
    (async () => {
      await sleep(5_000);
      await lane.db.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = $1`, [USER]);
    })(),
  ]);
  await lane.waitUntilSettled(60_000);
  print(`all connections of the pooler are closed, ${load.perSecond}/s: ${summary(shots)}`);
  expect(await violationsOf(lane, shots)).toEqual([]);
});
