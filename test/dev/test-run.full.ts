import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { isAlive, killHard, postmasterPid } from './local-postgres.fixture.js';

describe('the directory of a test run', () => {
  it('is removed with its server when the run is killed', async () => {
    const run = fork(fileURLToPath(new URL('run-and-wait.mjs', import.meta.url)), { execArgv: [] });
    const [{ directory }] = (await once(run, 'message')) as [{ directory: string }];
    const pid = postmasterPid(path.join(directory, 'postgres'));
    expect(isAlive(pid)).toBe(true);
    await killHard(run);
    await until('directory and server are gone', () => !existsSync(directory) && !isAlive(pid));
  });
});

describe('a worker of a test run', () => {
  it('ends the processes that it started when it exits', async () => {
    const worker = fork(fileURLToPath(new URL('child-and-wait.mjs', import.meta.url)), { execArgv: [] });
    const [{ pid }] = (await once(worker, 'message')) as [{ pid: number }];
    expect(isAlive(pid)).toBe(true);
    worker.kill();
    await once(worker, 'exit');
    await until('its child has exited', () => !isAlive(pid));
  });
});

describe('a test database', () => {
  it('is a separate migrated clone, which is removed after drop', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await first.query('create table mine as select $1::text as word', ['here']);
    expect(await first.query('select word from mine')).toEqual([{ word: 'here' }]);
    await expect(second.query('select word from mine')).rejects.toThrow(/does not exist/);
    expect(await second.query('select name from schema_migration')).not.toEqual([]);

    const name = new URL(first.url).pathname.slice(1);
    const listed = (): Promise<unknown[]> => second.query('select datname from pg_database where datname = $1', [name]);
    expect(await listed()).toHaveLength(1);
    await first.drop();
    expect(await listed()).toEqual([]);
    await second.drop();
  });
});
