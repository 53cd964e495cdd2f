import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printedFiles } from '../../src/cli/generate.js';
import { firstDifference } from '../../src/cli/generated-file.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { COMPILE_CACHE, runProgram } from '../support/program.js';
import { asService } from '../support/service-login.js';
import { until } from '../support/until.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const migrate = (env: Record<string, string>) => runProgram('cli/migrate.js', env);

describe('gateway migrate', () => {
  it('prints the applied migrations, that there are none to apply, or in one sentence why it failed', async () => {
    const empty = `${new URL(db.url).pathname.slice(1)}_empty`;
    await db.query(`create database ${empty}`);
    try {
      const url = new URL(db.url);
      url.pathname = `/${empty}`;
      const first = await migrate({ DATABASE_URL: url.href });
      expect([first.code, first.stderr]).toEqual([0, '']);
      expect(first.stdout).toMatch(/^0001-accounts\n0002-money\n/);
      const [second, unknownHost, unreachable] = await Promise.all([
        migrate({ DATABASE_URL: url.href }),
        migrate({}),
        migrate({ DATABASE_URL: 'postgresql://postgres@127.0.0.1:9/none' }),
      ]);
      expect(second).toMatchObject({ code: 0, stdout: 'The database is up to date.\n', stderr: '' });
      expect(unknownHost).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Set DATABASE_URL [^\n]*\n$/) });
      expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringMatching(/ECONNREFUSED[^\n]*\n$/) });
    } finally {
      await db.query(`drop database ${empty} with (force)`);
    }
  });
});

describe('npm run build', () => {
  it('keeps source maps, so that stacks of errors show source lines', () => {
    const CALL = 'await createApp(';
    const called = (text: string): [number, number] => {
      const lines = text.split('\n');
      const line = lines.findIndex((content) => content.includes(CALL));
      return [line, lines[line]!.indexOf(CALL)];
    };
    const map = new SourceMap(JSON.parse(readFileSync('dist/main.js.map', 'utf8')));
    const [line] = called(readFileSync('src/main.ts', 'utf8'));
    expect(map.findEntry(...called(readFileSync('dist/main.js', 'utf8')))).toMatchObject({
      originalSource: '../src/main.ts',
      originalLine: line,
    });
  });
});

describe('npm run generate', () => {
  it('needs no database for files that depend only on the code, and writes what it prints', async () => {
    const printed = await printedFiles();
    const schemas = ['schema.graphql', 'schema.console.graphql'];
    const postman = ['clients/postman/collection.json', 'clients/postman/uat.environment.json'];
    const documents = ['docs/reference-operation.md', 'docs/administering.md', 'docs/runbooks.md'];
    const files = ['docs/reference-limits.md', '.env.example'];
    const portal = ['portal/src/generated/keys.json'];
    expect(Object.keys(printed)).toEqual([...schemas, ...portal, ...postman, ...documents, ...files]);
    for (const [file, build] of Object.entries(printed)) {
      const committed = readFileSync(file, 'utf8');
      expect(firstDifference(committed, build(committed))).toBeUndefined();
      if (schemas.includes(file)) expect(() => buildSchema(committed)).not.toThrow();
    }
    // the limit is part of the public schema
    expect(readFileSync('schema.graphql', 'utf8')).toMatch(
      /^ {2}wallet: Wallet @access\(token: true\) @rateLimit\(limit: 60, duration: 60\)$/m,
    );
  });

  it('shows where two schemas differ', () => {
    expect(firstDifference('a\nb\n', 'a\nb\n')).toBeUndefined();
    expect(firstDifference('a\nb\n', 'a\nc\n')).toBe('line 2:\n- b\n+ c');
    expect(firstDifference('a\n', 'a\nb\n')).toBe('line 2:\n- \n+ b');
  });
});

describe('gateway serve', () => {
  /** Runs a process that serves, with its log. */
  async function withServer(
    args: readonly string[],
    execArgv: readonly string[],
    work: (served: ChildProcess, ports: readonly number[], log: () => string) => Promise<void>,
  ): Promise<void> {
    const ports = [await freePort(), await freePort(), await freePort()];
    const env = { ...testEnvironment(db.url, 'http://127.0.0.1:9', ports), LOG_LEVEL: 'warn' };
    const served = fork('dist/main.js', args, {
      env: { ...COMPILE_CACHE, ...asService(env) },
      execArgv: [...execArgv],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    let log = '';
    served.stdout!.on('data', (bytes: Buffer) => (log += bytes));
    try {
      await once(served, 'message');
      await work(served, ports, () => log);
    } finally {
      served.kill();
      await once(served, 'exit');
    }
  }

  it('survives an unhandled rejection and logs it', async () => {
    const defect = `process.on('message', (what) => void Promise.reject(what === 'text' ? what : new Error(what)))`;
    await withServer(
      [],
      ['--import', `data:text/javascript,${encodeURIComponent(defect)}`],
      async (served, ports, log) => {
        const rejectionLines = () => log().match(/"level":50.*unhandled promise rejection/g)?.length;
        served.send('a defect');
        served.send('text');
        await until('both are logged', () => rejectionLines() === 2);
        expect((await fetch(`http://127.0.0.1:${ports[0]}/livez`)).status).toBe(200);
      },
    );
  });

  it('-- --pause-orders reports that orders are paused, in the log and at /readyz', async () => {
    await withServer(['--pause-orders'], [], async (_served, ports, log) => {
      expect(await (await fetch(`http://127.0.0.1:${ports[1]}/readyz`)).json()).toEqual({
        status: 'ready',
        detail: 'Orders are paused: reads are served, but no orders are accepted.',
      });
      await until('it is logged', () => log().includes('orders are paused'));
    });
  });
});
