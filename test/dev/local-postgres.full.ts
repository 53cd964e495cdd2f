import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/dev/free-port.js';
import type { LocalPostgres, LocalPostgresOptions } from '../../src/dev/local-postgres.js';
import { postgresDirectory } from '../support/postgres-directory.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import * as cluster from './local-postgres.fixture.js';

const { HOST, query } = cluster;
const running = new Set<LocalPostgres>();

async function start(dataDir: string, more: Partial<LocalPostgresOptions> = {}): Promise<LocalPostgres> {
  const server = await cluster.start(dataDir, more);
  running.add(server);
  return server;
}

async function expectKept(server: LocalPostgres): Promise<void> {
  expect(await query(server.url, 'select word from kept')).toEqual([{ word: 'money' }]);
}

afterEach(async () => {
  for (const server of running) await server.stop();
  running.clear();
});

describe('an initialized local PostgreSQL', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = postgresDirectory(temporaryDirectory());
    const server = await start(dataDir);
    await query(server.url, "create table kept as select 'money' as word");
    await server.stop();
  });

  it('keeps its data after a stop and a start', async () => {
    const server = await start(dataDir);
    expect(new URL(server.url).port).toBe(String(server.port));
    await expectKept(server);
  });

  it('is durable, uses UTF-8 and listens only on the loopback address', async () => {
    const { url } = await start(dataDir);
    const [settings] = await query(
      url,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding,
        current_setting('listen_addresses') as host, current_setting('unix_socket_directories') as sockets, lower('ÄÉ') as lower`,
    );
    expect(settings).toEqual({ fsync: 'on', commit: 'on', encoding: 'UTF8', host: HOST, sockets: '', lower: 'äé' });
  });

  it('requires the random password, which only its owner can read', async () => {
    const { url } = await start(dataDir);
    const wrong = new URL(url);
    wrong.password = 'postgres';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect(statSync(path.join(dataDir, 'superuser-password')).mode & 0o777).toBe(0o600);
    expect(new URL(url).password).toHaveLength(32);
  });

  it('ends the server on stop, also if stop is called twice', async () => {
    const server = await start(dataDir);
    const pid = cluster.postmasterPid(dataDir);
    await Promise.all([server.stop(), server.stop()]);
    expect(cluster.isAlive(pid)).toBe(false);
    await expectKept(await start(dataDir));
  });

  it('rejects a second start while the first one is running, in one sentence that names the process', async () => {
    const server = await start(dataDir);
    await expect(cluster.start(dataDir)).rejects.toThrow(
      `is in use by process ${process.pid}. Stop that process first`,
    );
    await expectKept(server);
  });

  it('recovers after the server was killed', async () => {
    const first = await start(dataDir);
    const pid = cluster.postmasterPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await until('the server has exited', () => !cluster.isAlive(pid));
    await first.stop();
    expect(existsSync(cluster.pidFileOf(dataDir))).toBe(true);
    await expectKept(await start(dataDir));
  });

  it('recovers if a backend outlives the killed server', async () => {
    const first = await start(dataDir);
    const client = new Client({ connectionString: first.url });
    await client.connect();
    client.on('error', () => {});
    await client.query("set statement_timeout = '10s'");
    const [backend] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    const busy = expect(client.query('do $$ begin loop end loop; end $$')).rejects.toThrow(/terminated/);
    const pid = cluster.postmasterPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await until('the server has exited', () => !cluster.isAlive(pid));
    expect(cluster.isAlive(backend?.pid ?? 0)).toBe(true);
    await first.stop();
    // it has exited; its new parent process may need a moment to notice
    await until('the backend has exited', () => !cluster.isAlive(backend?.pid ?? 0));

    await expectKept(await start(dataDir));
    await busy;
  });

  it('ignores a pid file whose process is now another program', async () => {
    const otherProcess = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(otherProcess, 'spawn');
    const pid = otherProcess.pid ?? 0;
    writeFileSync(
      cluster.pidFileOf(dataDir),
      `${pid}\n${cluster.clusterOf(dataDir)}\n1700000000\n5432\n\n${HOST}\n   12345     1\nready   \n`,
    );
    const server = await start(dataDir);
    await expectKept(server);
    await server.stop();
    expect(cluster.isAlive(pid)).toBe(true);
    otherProcess.kill();
  });

  it('ignores an empty pid file', async () => {
    writeFileSync(cluster.pidFileOf(dataDir), '');
    await expectKept(await start(dataDir));
  });

  it('starts again after the process that owned the server was killed', async () => {
    const child = cluster.forkStart(dataDir);
    await once(child, 'message');
    const pid = cluster.postmasterPid(dataDir);
    await expect(cluster.start(dataDir)).rejects.toThrow(`is in use by process ${child.pid}.`);
    await cluster.killHard(child);
    expect(cluster.isAlive(pid)).toBe(true);

    const server = await start(dataDir);
    expect(cluster.isAlive(pid)).toBe(false);
    await expectKept(server);
  });

  it('chooses another port if its port is now in use', async () => {
    const holder = createServer().listen(await freePort(), HOST);
    await once(holder, 'listening');
    const usedPort = (holder.address() as { port: number }).port;
    const ports = [usedPort, await freePort()];
    const server = await start(dataDir, { choosePort: async () => ports.shift() ?? 0 });
    expect(server.port).not.toBe(usedPort);
    await expectKept(server);
    holder.close();
  });

  it('prints the end of the server log if the server does not start', async () => {
    const failed = cluster.start(dataDir, { settings: { shared_buffers: 'plenty' } });
    await expect(failed).rejects.toThrow(/server\.log:\n.*invalid value for parameter "shared_buffers": "plenty"/s);
    await expectKept(await start(dataDir));
  });

  it('reports the data version of a different PostgreSQL', async () => {
    const file = path.join(cluster.clusterOf(dataDir), 'PG_VERSION');
    renameSync(file, `${file}.aside`);
    writeFileSync(file, '17\n');
    await expect(cluster.start(dataDir)).rejects.toThrow('was created by PostgreSQL 17, but this is PostgreSQL 18');
    renameSync(`${file}.aside`, file);
    await expectKept(await start(dataDir));
  });

  it('does not delete a damaged cluster with data', async () => {
    const file = path.join(cluster.clusterOf(dataDir), 'PG_VERSION');
    renameSync(file, `${file}.aside`);
    await expect(cluster.start(dataDir)).rejects.toThrow(/is damaged .* Restore it, or delete that directory/);
    renameSync(`${file}.aside`, file);
    await expectKept(await start(dataDir));
  });
});

describe('a first start that was killed', () => {
  it('is repeated if initdb was interrupted', async () => {
    const dataDir = postgresDirectory(temporaryDirectory());
    const child = cluster.forkStart(dataDir);
    await until('initdb has started', () => cluster.drafts(dataDir).length > 0);
    await until('initdb is running', () =>
      existsSync(path.join(dataDir, cluster.drafts(dataDir)[0] ?? '', 'data', 'PG_VERSION')),
    );
    await cluster.killHard(child);
    expect(existsSync(cluster.clusterOf(dataDir))).toBe(false);

    const server = await start(dataDir);
    expect(await query(server.url, 'select current_database() as name')).toEqual([{ name: cluster.DATABASE }]);
    expect(cluster.drafts(dataDir)).toEqual([]);
  });
});
