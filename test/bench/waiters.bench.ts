import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool as Database } from 'pg';
import { Pool } from 'undici';
import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.js';
import { startLocalPostgres } from '../../src/dev/local-postgres.js';
import { type Account, createAccounts } from '../faults/support/accounts.js';
import { ServiceProcess } from '../fuzz/support/service-process.js';
import { testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { postgresDirectory } from '../support/postgres-directory.js';
import { startTestSimulator } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

/** Requests that wait for the final status of their own order. Half of them poll, half subscribe to a stream. */
const WAITERS = Number(process.env.WAITERS ?? 5_000);
/** Below the limit of 100 that applies to the servers of an account. */
const PER_DEVELOPER = 80;
const WAIT_MS = 25_000;
const CONCURRENCY = 40;
const HONEST_CALLS = 400;
const QUIET_S = 10;
/** The provider response has a different amount, so the order stays pending until a status check, which then succeeds. */
const PENDING_UNTIL_CHECKED = '9876540011';
const PLAIN = '9876543210';

const POSTGRES = {
  fsync: 'off',
  max_connections: 100,
  shared_preload_libraries: 'pg_stat_statements',
  track_commit_timestamp: 'on',
};
const SETTINGS = {
  LOG_LEVEL: 'info',
  DATABASE_POOL_SIZE: '20',
  // the default limit is 2,000 pending payments per provider
  EXPOSURE_LIMIT: '0:0',
  // no status checks until the benchmark starts them, and then at most 400 per second
  STATUS_CHECK_SCHEDULE_MS: '1h',
  POLL_INTERVAL_MS: '50',
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const now = (): number => performance.timeOrigin + performance.now();
const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
const p50and99 = (values: readonly number[]): [number, number] => {
  const sorted = values.toSorted((a, b) => a - b);
  return [at(sorted, 0.5), at(sorted, 0.99)];
};
const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** Runs the tasks, at most `atOnce` of them concurrently. */
async function each<T>(tasks: readonly T[], concurrency: number, work: (task: T) => Promise<unknown>): Promise<void> {
  const left = tasks.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const task of left) await work(task);
    }),
  );
}

interface Order {
  id: string;
  key: string;
  account: Account;
  streams: boolean;
  receivedAt?: number;
  polls: number;
}

const headersOf = ({ token }: Account): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

it(`${WAITERS} requests wait on one process`, async () => {
  const server = await startLocalPostgres({
    dataDir: postgresDirectory(temporaryDirectory()),
    database: 'bench',
    settings: POSTGRES,
    noSync: true,
  });
  await migrate(server.url);
  const db = new Database({ connectionString: server.url, max: 4 });
  db.on('error', () => {});
  const query = async (sql: string, values: unknown[] = []): Promise<any[]> => (await db.query(sql, values)).rows;
  await query('create extension pg_stat_statements');
  const simulator = await startTestSimulator();
  const ports = [await freePort(), await freePort(), await freePort()];
  const directory = temporaryDirectory();
  const service = await ServiceProcess.start({
    ...testEnvironment(server.url, simulator.url, ports),
    ...SETTINGS,
    DATA_DIR: directory,
    MAILBOX_DIR: `${directory}/mailbox`,
  });
  const url = `http://127.0.0.1:${ports[1]}`;
  const honestPool = new Pool(url, { connections: 1 });
  // one connection for each request
  const pool = new Pool(url, { connections: null, headersTimeout: 0, bodyTimeout: 0 });

  const post = async (httpPool: Pool, account: Account, path: string, body: object): Promise<any> => {
    const response = await httpPool.request({
      method: 'POST',
      path,
      headers: headersOf(account),
      body: JSON.stringify(body),
    });
    const json: any = await response.body.json();
    if (response.statusCode !== 200 || json.errors) throw new Error(`${response.statusCode} ${JSON.stringify(json)}`);
    return json;
  };
  const recharge = (httpPool: Pool, account: Account, accountNumber: string, key: string): Promise<any> =>
    post(httpPool, account, '/api/v1/recharge', {
      account_number: accountNumber,
      amount: 10,
      operator_sp_key: 116,
      operator_type: 'mobile',
      client_request_id: key,
    });
  const rssMb = (): number => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(service.pid)])) / 1_024;
  const waiting = async (): Promise<number> => {
    const { body } = await honestPool.request({ method: 'GET', path: '/metrics' });
    return Number(/^gateway_order_waiters(?:\{.*\})? (\d+)/m.exec(await body.text())![1]);
  };

  let calls = 0;
  /** Durations of the calls of an unrelated client, one call at a time. */
  const honest = async (account: Account) => {
    const [me, recharges]: [number[], number[]] = [[], []];
    for (let n = 0; n < HONEST_CALLS; n++) {
      let startedAt = performance.now();
      const response = await honestPool.request({
        method: 'GET',
        path: '/api/v1/auth/me',
        headers: headersOf(account),
      });
      await response.body.dump();
      expect(response.statusCode).toBe(200);
      me.push(performance.now() - startedAt);
      startedAt = performance.now();
      const { status } = await recharge(honestPool, account, PLAIN, `honest-${++calls}`);
      expect(status).toBe('success');
      recharges.push(performance.now() - startedAt);
    }
    return { me: p50and99(me), recharges: p50and99(recharges) };
  };
  /** Statements per second without calls, with the shared poll for pending orders counted separately. */
  const statements = async (): Promise<{ look: number; lookMs: number; others: number }> => {
    await query('select pg_stat_statements_reset()');
    await sleep(QUIET_S * 1_000);
    const rows = await query(
      `select query ~ 'settled_at is not null' and query ~ 'unnest' as look, sum(calls)::int as calls,
        sum(total_exec_time) / sum(calls) as ms
       from pg_stat_statements where userid = 'gateway_app'::regrole group by 1`,
    );
    const lookRow = rows.find((row) => row.look);
    const otherRow = rows.find((row) => !row.look);
    return {
      look: (lookRow?.calls ?? 0) / QUIET_S,
      lookMs: lookRow?.ms ?? 0,
      others: (otherRow?.calls ?? 0) / QUIET_S,
    };
  };

  const poll = async (order: Order): Promise<void> => {
    const document = `query($id: ID!) { order(id: $id, waitMs: ${WAIT_MS}) { status } }`;
    while (order.receivedAt === undefined) {
      order.polls++;
      const { data } = await post(pool, order.account, '/graphql', { query: document, variables: { id: order.id } });
      if (data.order.status === 'SUCCESS') order.receivedAt = now();
      else expect(data.order.status).toBe('PENDING');
    }
  };
  const listen = async (order: Order, onStart: () => void): Promise<void> => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/graphql',
      headers: { ...headersOf(order.account), accept: 'text/event-stream' },
      body: JSON.stringify({
        query: 'subscription($id: ID!) { orderChanged(id: $id) { status } }',
        variables: { id: order.id },
      }),
    });
    let text = '';
    for await (const chunk of body) {
      text += String(chunk);
      if (text.includes('"PENDING"')) onStart();
      if (text.includes('"SUCCESS"')) order.receivedAt ??= now();
    }
    if (order.receivedAt === undefined) throw new Error(`A stream ended too early: ${statusCode} ${text}`);
  };

  try {
    const accounts = await createAccounts({ query } as never, Math.ceil(WAITERS / PER_DEVELOPER) + 1);
    const [firstAccount, ...owners] = accounts as [Account, ...Account[]];
    // warms up the compiler
    for (let round = 0; round < 3; round++) await honest(firstAccount);
    const startedAt = performance.now();
    const orders = Array.from({ length: WAITERS }, (_, n): Order => {
      const account = owners[n % owners.length]!;
      return { id: '', key: `waited-for-${n}`, account, streams: n % 2 === 1, polls: 0 };
    });
    await each(orders, CONCURRENCY, async ({ account, key }) => {
      expect((await recharge(pool, account, PENDING_UNTIL_CHECKED, key)).status).toBe('pending');
    });
    const rows = await query('select id, client_key from orders where client_key like $1', ['waited-for-%']);
    const ids = new Map(rows.map(({ id, client_key }) => [client_key, id]));
    for (const order of orders) order.id = `ord_${ids.get(order.key)}`;
    for (const table of ['orders', 'transfer', 'order_due']) await query(`vacuum (analyze) ${table}`);
    print(`\n${WAITERS} pending orders of ${owners.length} developers in ${ms(performance.now() - startedAt)}`);

    await sleep(2_000);
    const quietStatements = await statements();
    await service.longestBlockMs();
    const initialRss = rssMb();
    const honestBefore = await honest(firstAccount);
    const initialTurnMs = await service.longestBlockMs();

    const openedAt = performance.now();
    const responses: Promise<void>[] = [];
    await each(orders, CONCURRENCY, async (order) => {
      if (!order.streams) {
        responses.push(poll(order));
        // the pace of the streams
        await sleep(5);
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      responses.push(listen(order, resolve));
      await promise;
    });
    const all = Promise.all(responses);
    all.catch(() => {}); // handled when it is awaited
    // a polling client is briefly absent between two requests
    await until('all requests wait', async () => (await waiting()) >= WAITERS * 0.99, 60_000);
    const turnOpening = await service.longestBlockMs();
    print(
      `all wait after ${ms(performance.now() - openedAt)}; longest turn of the event loop in this time ${ms(turnOpening)}`,
    );
    await sleep(2_000);
    await service.longestBlockMs();
    const rssWith = rssMb();
    const during = await honest(firstAccount);
    const turnWith = await service.longestBlockMs();
    const quietWith = await statements();
    const waitingCount = await waiting();

    await query('update order_due set due_at = clock_timestamp() where developer_id = any($1)', [
      owners.map(({ developerId }) => developerId),
    ]);
    const resolvedAt = performance.now();
    await all;
    const resolvedMs = performance.now() - resolvedAt;
    const resolvingTurnMs = await service.longestBlockMs();
    const commits = await query(
      `select subject_id, extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000 as at from transfer
       where kind = 'settle' and subject_id = any($1::uuid[])`,
      [[...ids.values()]],
    );
    const committed = new Map(commits.map((row) => [`ord_${row.subject_id}`, Number(row.at)]));
    const lateness = (group: readonly Order[]): [number, number] =>
      p50and99(group.map(({ id, receivedAt }) => receivedAt! - committed.get(id)!));

    const ratio = (idle: number, loaded: number): string =>
      `${ms(idle)} → ${ms(loaded)} (${(loaded / idle).toFixed(2)} times)`;
    print(
      `memory (RSS): ${initialRss.toFixed(0)} MB before, ${rssWith.toFixed(0)} MB with ${waitingCount} waiting, ${rssMb().toFixed(0)} MB after the responses`,
    );
    print(
      `longest turn of the event loop: ${ms(initialTurnMs)} before, ${ms(turnWith)} with all waiting, ${ms(resolvingTurnMs)} while they receive responses`,
    );
    for (const [name, idle, loaded] of [
      ['me', honestBefore.me, during.me],
      ['recharge', honestBefore.recharges, during.recharges],
    ] as const)
      print(`honest ${name}: p50 ${ratio(idle[0], loaded[0])}, p99 ${ratio(idle[1], loaded[1])}`);
    print(
      `statements a second: ${quietStatements.others.toFixed(1)} without waiting requests;  with all ${quietWith.look.toFixed(1)} polls of ${ms(quietWith.lookMs)} and ${quietWith.others.toFixed(1)} others (requests that are repeated every ${WAIT_MS / 1_000} s)`,
    );
    const [polls, streams] = [orders.filter((order) => !order.streams), orders.filter((order) => order.streams)];
    for (const [name, group] of [
      ['polls', polls],
      ['streams', streams],
    ] as const) {
      const [half, most] = lateness(group);
      print(`${group.length} ${name} received the commit after p50 ${ms(half)}, p99 ${ms(most)}`);
    }
    print(
      `all received their responses ${ms(resolvedMs)} after their orders became due, ${Math.max(...polls.map((order) => order.polls))} requests by one polling client at most`,
    );

    expect(orders.filter(({ receivedAt }) => receivedAt === undefined)).toEqual([]);
    expect(committed.size).toBe(WAITERS);
    expect(quietStatements.look).toBe(0);
    expect(quietWith.look).toBeLessThanOrEqual(1.2);
    expect(await waiting()).toBe(0);
    expect(service.complaints()).toBe('');
  } finally {
    await Promise.all([pool.destroy(), honestPool.destroy()]);
    await service.stop();
    await simulator.stop();
    await db.end();
    await server.stop();
  }
});
