import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.js';
import { findPrograms } from '../../src/dev/local-postgres/programs.js';
import { startServer, stopServer } from '../../src/dev/local-postgres/server.js';
import { type Account, createAccounts } from '../faults/support/accounts.js';
import { ApiProcess } from '../faults/support/api-process.js';
import { newRecharge, type Recharge, restRecharge } from '../faults/support/recharges.js';
import { testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { runProgram } from '../support/program.js';
import { asService, createServiceLogin } from '../support/service-login.js';
import { startTestSimulator, type TestSimulator } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { print } from './support/books.js';
import { type SystemServer, startSystemPostgres } from './support/debian-postgres.js';

const OLD_BIN = '/usr/lib/postgresql/15/bin';
const isAvailable = existsSync(path.join(OLD_BIN, 'pg_dump'));
if (!isAvailable)
  print('Skipped: the upgrade of PostgreSQL. PostgreSQL 15 (Debian: postgresql-15) is not installed on this machine.');

const GUIDE = readFileSync('docs/upgrading-postgresql.md', 'utf8');
/** Commands in a block of the guide. */
const block = (name: string): string =>
  new RegExp(`\`\`\`sh ${name}\n([^]*?)\n *\`\`\``).exec(GUIDE)![1]!.replaceAll(/^ {3}/gm, '');

describe.skipIf(!isAvailable)('an upgrade of PostgreSQL 15', () => {
  let simulator: TestSimulator;
  const ends: (() => unknown)[] = [];
  beforeAll(async () => {
    simulator = await startTestSimulator();
  });
  afterAll(() => simulator?.stop());
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  const start = async (bin: string, settings: Record<string, string> = {}): Promise<SystemServer> => {
    const server = await startSystemPostgres(bin, settings);
    ends.push(() => stopServer(server.cluster));
    return server;
  };
  const newest = async (): Promise<string> => (await findPrograms()).bin;

  /** Runs a statement as the superuser. */
  async function query<Row extends object>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Creates a database as in the installation guide, with accounts. */
  async function install(server: SystemServer): Promise<Account[]> {
    await query(server.url('postgres'), `create role gateway_owner login password 'of the drill' createrole`);
    await query(server.url('postgres'), 'create database gateway owner gateway_owner');
    await migrate(ownerUrl(server.url('gateway')));
    await createServiceLogin(server.url('gateway'));
    const pool = new Pool({ connectionString: server.url('gateway'), max: 1 });
    try {
      return await createAccounts({ query: async (sql, values) => (await pool.query(sql, values)).rows as never }, 4);
    } finally {
      await pool.end();
    }
  }
  const ownerUrl = (url: string): string =>
    Object.assign(new URL(url), { username: 'gateway_owner', password: 'of the drill' }).href;

  async function serve(url: string): Promise<{ api: ApiProcess; env: Record<string, string>; place: Place }> {
    const ports = [await freePort(), await freePort(), await freePort()];
    const env = { ...testEnvironment(url, simulator.url, ports), ALLOW_WEAK_DURABILITY: 'false' };
    const api = await ApiProcess.start(env);
    ends.push(() => api.kill());
    const place: Place = async (recharge) => {
      const { path: urlPath, token, body } = restRecharge(recharge);
      const response = await fetch(`http://127.0.0.1:${ports[1]}${urlPath}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { status, api_request_id: id } = (await response.json()) as { status: string; api_request_id: string };
      return `${response.status} ${status} ${id}`;
    };
    return { api, env, place };
  }
  type Place = (recharge: Recharge) => Promise<string>;

  async function placeRecharges(
    place: Place,
    accounts: readonly Account[],
    count: number,
  ): Promise<Map<Recharge, string>> {
    const placed = new Map<Recharge, string>();
    for (let n = 0; n < count; n++) {
      const recharge = newRecharge(accounts[n % accounts.length]!);
      placed.set(recharge, await place(recharge));
    }
    for (const outcome of placed.values()) expect(outcome).toMatch(/^200 success /);
    return placed;
  }

  /** Problems that the doctor finds; the accounts of the drill were created without audit entries. */
  async function problems(env: Record<string, string>, ...options: string[]): Promise<string[]> {
    const { stdout } = await runProgram('cli/doctor.js', asService(env), [...options, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: Record<string, { ok: boolean; summary: string }> };
    return Object.entries(findings).flatMap(([name, { ok, summary }]) =>
      ok || ['audit log', 'explained'].includes(name) ? [] : [`${name}: ${summary}`],
    );
  }

  /**
   * Number of rows of each table, and a hash of the tables with money. Transaction numbers differ between servers and are
   * ignored.
   */
  async function contents(url: string): Promise<object> {
    const tables = await query<{ name: string }>(
      url,
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and n.nspname !~ '^(pg_|information_schema)' order by 1`,
    );
    const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as n from ${name}`);
    const hashes = ['orders', 'order_key', 'wallet', 'audit_entry', 'developer'].map((name) => hashOf(name, `t::text`));
    hashes.push(hashOf('transfer', `(to_jsonb(t) - 'posted_in')::text`));
    return {
      counts: await query(url, counts.join(' union all ')),
      hashes: await query(url, hashes.join(' union all ')),
    };
  }
  const hashOf = (name: string, row: string): string =>
    `select '${name}' as name, md5(string_agg(md5(${row}), '' order by md5(${row}))) as hash from ${name} t`;

  /** Runs commands of the guide in a separate directory. */
  function shell(commands: string, [old, next]: readonly SystemServer[]): string {
    const base = (server: SystemServer): string => server.url('').replace(/\/$/, '');
    return execFileSync('bash', ['-ec', `set -o pipefail\n${commands}`], {
      cwd: shellHome,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: `${OLD_BIN}:${process.env.PATH}`, OLD: base(old!), NEW: base(next!) },
    }).trim();
  }
  let shellHome = '';

  /**
   * Checks the new server: retries with old idempotency keys return their orders, new orders succeed, and no payment is processed
   * twice.
   */
  async function verifyNew(url: string, earlierOutcomes: ReadonlyMap<Recharge, string>, accounts: readonly Account[]) {
    const { api, env, place } = await serve(url);
    const booked = (await simulator.book()).length;
    for (const [recharge, outcome] of earlierOutcomes) expect(await place(recharge)).toBe(outcome);
    expect((await simulator.book()).length).toBe(booked);
    await placeRecharges(place, accounts, 10);
    expect((await simulator.book()).length).toBe(booked + 10);
    const startedAt = performance.now();
    expect(await problems(env)).toEqual([]);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    expect(await problems(env, '--full')).toEqual([]);
    // a migration and a second login of the service, by the owner of the database
    expect(await migrate(ownerUrl(url))).toEqual([]);
    await query(ownerUrl(url), 'create role gateway_service_2 login in role gateway_app');
    expect(await api.terminate(30_000)).toBe(0);
    return seconds;
  }

  it('works by dump and restore', async () => {
    shellHome = temporaryDirectory();
    const servers = [await start(OLD_BIN), await start(await newest())];
    const accounts = await install(servers[0]!);
    const { api, env, place } = await serve(servers[0]!.url('gateway'));
    const placed = await placeRecharges(place, accounts, 40);
    // the books of the old server have been checked up to here
    expect(await problems(env)).toEqual([]);
    expect(await api.terminate(30_000)).toBe(0);
    const startedAt = performance.now();
    for (const name of ['roles', 'dump', 'admin']) shell(block(name), servers);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const [old, next] = servers.map((server) => server.url('gateway'));
    expect(await contents(next!)).toEqual(await contents(old!));
    await servers[0]!.stop();
    const checked = await verifyNew(next!, placed, accounts);
    print(`${servers[0]!.version} to ${servers[1]!.version} by dump and restore: ${seconds} s, doctor ${checked} s`);
  });

  it('works by logical replication, with recharges in progress', async () => {
    shellHome = temporaryDirectory();
    const servers = [await start(OLD_BIN, { wal_level: 'logical' }), await start(await newest())];
    const [old, next] = servers.map((server) => server.url('gateway')) as [string, string];
    const accounts = await install(servers[0]!);
    const { api, env, place } = await serve(old);
    const placed = await placeRecharges(place, accounts, 20);
    expect(await problems(env)).toEqual([]);
    shell(block('roles'), servers);
    shell(block('publish'), servers);
    const during = (async () => {
      const all = new Map<Recharge, string>();
      for (let n = 0; n < 20; n++) {
        for (const [recharge, outcome] of await placeRecharges(place, accounts, 3)) all.set(recharge, outcome);
        await sleep(50);
      }
      return all;
    })();
    shell(block('subscribe'), servers);
    await until('every table is copied', () => shell(block('copied'), servers) === '0', 60_000);
    for (const [recharge, outcome] of await during) placed.set(recharge, outcome);
    for (const [recharge, outcome] of await placeRecharges(place, accounts, 5)) placed.set(recharge, outcome);
    // statements that the publication could reject: updates and deletions of each table that the housekeeping changes
    expect(await problems(env, '--full')).toEqual([]);
    const startedAt = performance.now();
    expect(await api.terminate(30_000)).toBe(0);
    expect(api.complaints).toEqual([]);
    await until('the new server has caught up', () => shell(block('caught-up'), servers) === 't', 60_000);
    for (const name of ['switch', 'admin']) shell(block(name), servers);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    expect(await contents(next)).toEqual(await contents(old));
    const sequences = 'select schemaname, sequencename, last_value from pg_sequences order by 1, 2';
    expect(await query(next, sequences)).toEqual(await query(old, sequences));
    await servers[0]!.stop();
    const checked = await verifyNew(next, placed, accounts);
    print(`by logical replication: ${placed.size} recharges before, stopped for ${seconds} s, doctor ${checked} s`);
  });

  // pg_upgrade of version 15 from Debian: it copies the same data and numbers for every version of the new cluster
  it('works by pg_upgrade, and the check of the books continues', async () => {
    const [old, fresh] = [await start(OLD_BIN), await start(OLD_BIN)];
    const accounts = await install(old);
    const { api, env, place } = await serve(old.url('gateway'));
    const placed = await placeRecharges(place, accounts, 20);
    expect(await problems(env)).toEqual([]);
    expect(await api.terminate(30_000)).toBe(0);
    const checkpoint = `select snapshot::text, (select count(*)::int from ledger_total) as totals from ledger_checkpoint`;
    const checkpointBefore = await query(old.url('gateway'), checkpoint);
    await Promise.all([old.stop(), fresh.stop()]);
    const { spawnOptions } = old.programs;
    const cwd = path.join(temporaryDirectory(), 'upgrade');
    mkdirSync(cwd);
    if (spawnOptions.uid !== undefined && spawnOptions.gid !== undefined)
      chownSync(cwd, spawnOptions.uid, spawnOptions.gid);
    const places = ['-b', OLD_BIN, '-B', OLD_BIN, '-d', old.cluster, '-D', fresh.cluster, '-s', cwd];
    const environment = { ...spawnOptions.env, PATH: process.env.PATH, PGPASSWORD: old.password };
    execFileSync(path.join(OLD_BIN, 'pg_upgrade'), [...places, '-U', 'postgres'], {
      ...spawnOptions,
      cwd,
      env: environment,
    });
    const port = await startServer(fresh.programs, fresh.cluster, {
      logFile: path.join(temporaryDirectory(), 'server.log'),
      settings: {},
      choosePort: freePort,
    });
    const url = Object.assign(new URL(old.url('gateway')), { port: String(port) }).href;
    const same = `select c.system_identifier = s.system_identifier as same from ledger_checkpoint c, pg_control_system() s`;
    expect(await query(url, same)).toEqual([{ same: false }]);
    expect(await query(url, checkpoint)).toEqual(checkpointBefore);
    expect(await query(url, 'select ledger_counted_here() as here')).toEqual([{ here: true }]);
    const checked = await verifyNew(url, placed, accounts);
    expect(await query(url, same)).toEqual([{ same: true }]);
    print(`by pg_upgrade: doctor ${checked} s`);
  });
});
