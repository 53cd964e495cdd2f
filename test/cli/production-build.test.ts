import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guides } from '../../src/http/docs/guides.js';
import { createAccounts } from '../faults/support/accounts.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { asService } from '../support/service-login.js';
import { startTestSimulator, type TestSimulator } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const run = promisify(execFile);
/** Of dist: what a production machine does without. */
const LEFT_OUT = ['.tsc', '.bundle-input', '.compile-cache', 'dev', 'simulator'].map((name) => `dist/${name}`);

/** What a production machine has: the programs, and the packages that `npm ci --omit=dev` installs. */
function install(): string {
  const directory = temporaryDirectory();
  cpSync('dist', path.join(directory, 'dist'), { recursive: true, filter: (source) => !LEFT_OUT.includes(source) });
  for (const name of ['package.json', 'pages', 'docs/guide', 'CHANGELOG.md'])
    cpSync(name, path.join(directory, name), { recursive: true });
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [name, { dev }] of Object.entries(packages)) {
    const isOnTop = name.lastIndexOf('node_modules/') === 0;
    if (dev || !isOnTop || !existsSync(name)) continue; // what is not there belongs to another platform
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    symlinkSync(path.resolve(name), path.join(directory, name));
  }
  return directory;
}

/** The sources of the built programs below a directory. */
function sourcesOf(directory: string): string[] {
  const maps = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js.map'));
  return maps.flatMap(
    (name) => (JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as { sources: string[] }).sources,
  );
}
const isDemo = (source: string): boolean => /(^|\/)src\/(dev|simulator)\//.test(source);

let directory: string;
beforeAll(() => {
  directory = install();
});

it('carries neither the demo nor the simulator', () => {
  const sources = sourcesOf(path.join(directory, 'dist'));
  expect(sources.some((source) => source.endsWith('/src/app.ts'))).toBe(true);
  expect(sources.filter(isDemo)).toEqual([]);
  expect(sourcesOf('dist/dev').filter(isDemo)).not.toEqual([]);
});

describe('an empty database', () => {
  let db: TestDatabase;
  let name: string;
  let simulator: TestSimulator;
  beforeAll(async () => {
    [db, simulator] = await Promise.all([createTestDatabase(), startTestSimulator()]);
    name = `${new URL(db.url).pathname.slice(1)}_production`;
    await db.query(`create database ${name}`);
  });
  afterAll(async () => {
    await simulator.stop();
    await db.query(`drop database ${name} with (force)`);
    await db.drop();
  });

  it('is migrated, and a recharge served from it, by what was built alone', async () => {
    expect(existsSync(path.join(directory, 'node_modules/typescript'))).toBe(false);
    const url = new URL(`/${name}`, db.url).href;
    const ports = [await freePort(), await freePort(), await freePort()];
    // packages are found in this directory alone, not where their links lead
    const env = { NODE_PRESERVE_SYMLINKS: '1', ...testEnvironment(url, simulator.url, ports) };
    const { stderr } = await run(process.execPath, ['dist/cli/migrate.js'], { cwd: directory, env });
    expect(stderr).toBe('');

    const owner = new Client({ connectionString: url });
    await owner.connect();
    const query = async (sql: string, params?: unknown[]) => (await owner.query(sql, params)).rows as never[];
    const [account] = await createAccounts({ query }, 1);
    await owner.end();

    const served = fork('dist/main.js', [], { cwd: directory, env: asService(env), execArgv: [] });
    await once(served, 'message');
    const response = await fetch(`http://127.0.0.1:${ports[1]}/api/v1/recharge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account!.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        account_number: '9876543210',
        amount: 199,
        operator_sp_key: 116,
        operator_type: 'mobile',
        client_request_id: 'built-1',
      }),
    });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'success', data: expect.objectContaining({ amount: 199 }) }),
    ]);
    for (const page of [...guides.map((guide) => guide.path), '/docs/reference', '/docs/viewer.js', '/scalars']) {
      const answer = await fetch(`http://127.0.0.1:${ports[1]}${page}`);
      // to its end: a process that stops waits for answers under way
      const { byteLength } = await answer.arrayBuffer();
      expect([page, answer.status, byteLength > 0]).toEqual([page, 200, true]);
    }
    expect(await simulator.book()).toMatchObject([{ account: '9876543210', outcome: 'performed' }]);
    served.kill();
    expect(await once(served, 'exit')).toEqual([0, null]);
  });
});
