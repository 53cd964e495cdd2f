import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../ops/deployment-files.fixture.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { COMPILE_CACHE, runProgram } from '../support/program.js';
import { asService } from '../support/service-login.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const gateway = (args: string[], env: Record<string, string> = {}) => runProgram('cli/gateway.js', env, args);

describe('gateway', () => {
  it('describes every command with its options and an example, without any setting', async () => {
    expect(commands).toEqual(expect.arrayContaining(['migrate', 'serve', 'doctor', 'user', 'reconcile', 'archive']));
    for (const command of commands) {
      const { code, stdout, stderr } = await gateway([command, '--help']);
      expect([command, code, stderr]).toEqual([command, 0, '']);
      expect(stdout).toMatch(new RegExp(`^gateway ${command}\\b`));
      expect(stdout).toMatch(new RegExp(`\nExample: .*\\bgateway ${command}\\b.*\n$`));
    }
  });

  it('rejects unknown commands and options with one sentence and exit code 2, without repeating values', async () => {
    for (const args of [
      [],
      ['constructor'],
      ['--doctor'],
      ['migrate', 'secret-word'],
      ['user', '--password=secret-word'],
    ]) {
      const { code, stdout, stderr } = await gateway(args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toMatch(/^[A-Z][^\n]* "gateway [a-z -]*--help"[^\n]*\.\n$/);
      expect(stderr).not.toContain('secret-word');
    }
  });

  it('prints its version and the commit that it was built from', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const commit = readFileSync('dist/COMMIT', 'utf8').trim();
    expect((await gateway(['--version'])).stdout).toBe(`recharge-gateway ${version}, commit ${commit}\n`);
  });

  it('prints all settings, or those that match a word, without their current values', async () => {
    const { stdout } = await gateway(['settings', 'Redis'], { REDIS_URL: 'redis://:canary@host' });
    expect(stdout).toMatch(/^#REDIS_URL=$/m);
    expect(stdout).not.toMatch(/canary|PUBLIC_URL/);
    expect(await gateway(['settings', 'nonsense'])).toMatchObject({
      code: 1,
      stderr: 'No setting contains this word.\n',
    });
  });
});

describe('npx gateway and the npm scripts', () => {
  const { scripts, bin } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>;
  const program = bin!.gateway!;

  it('start the same commands and compile nothing', () => {
    const names = commands.filter((name) => name in scripts! && name !== 'settings');
    expect(names).toEqual(['migrate', 'serve', 'doctor', 'user', 'reconcile', 'archive', 'rotate-keys', 'audit']);
    for (const name of names) {
      expect(scripts![name]).toMatch(new RegExp(`^exec node (--enable-source-maps )?${program} ${name}$`));
      expect(scripts![`pre${name}`]).toBeUndefined();
    }
  });

  it('report in one sentence that the build is missing', async () => {
    const copy = path.join(temporaryDirectory(), program);
    mkdirSync(path.dirname(copy), { recursive: true });
    copyFileSync(program, copy);
    await expect(promisify(execFile)(process.execPath, [copy, 'doctor'])).rejects.toMatchObject({
      code: 1,
      stderr: 'dist/cli/gateway.js is missing. Run "npm run build" first.\n',
    });
  });
});

describe('commands with a database', () => {
  let db: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    db = await createTestDatabase();
    env = asService(testEnvironment(db.url, 'http://127.0.0.1:9', [1, 2, 3]));
  });
  afterAll(() => db.drop());

  it('use DATABASE_URL, and do not use the keys of the demo', async () => {
    const minimalEnv = { PATH: process.env.PATH, ...COMPILE_CACHE, DATABASE_URL: db.url };
    const started = promisify(execFile)('src/dev/gateway.mjs', ['doctor', '--json'], { env: minimalEnv });
    const { stdout } = (await started.catch((error: unknown) => error)) as { stdout: string };
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, findings: { settings: { ok: false } } });
    expect(stdout).toContain('ENCRYPTION_KEYS: ');
  });

  it('serve --check confirms in one line that a process could start, even beside one that uses its ports', async () => {
    const busy = createServer();
    await once(busy.listen(0, '127.0.0.1'), 'listening');
    const { port } = busy.address() as { port: number };
    const { code, stdout, stderr } = await gateway(['serve', '--check', '--hosts', 'uat'], {
      ...env,
      UAT_PORT: String(port),
    });
    busy.close();
    expect([code, stdout, stderr]).toEqual([
      0,
      'The process can serve: settings, secret files and database are valid.\n',
      '',
    ]);
  });

  it('serve --check lists all problems at once: settings, a secret file, the login, the schema', async () => {
    const { AUDIT_KEYS: _, ...settings } = env;
    const wrong = {
      ...settings,
      DATABASE_URL: db.url,
      AUDIT_KEYS_FILE: '/nowhere/audit-keys',
      SYNC_WINDOW_MS: 'canary',
      WEBHOOK_KEPT: '1',
    };
    const [{ name }] = (await db.query(
      'delete from schema_fingerprint where name = (select max(name) from schema_fingerprint) returning *',
    )) as [{ name: string }];
    const { code, stdout, stderr } = await gateway(['serve', '--check'], wrong);
    expect(code).toBe(1);
    expect(stderr).toBe('Unknown settings in the environment: WEBHOOK_KEPT. Check their spelling.\n');
    expect(stdout.split('\n')).toEqual([
      'The process cannot serve:',
      '  AUDIT_KEYS_FILE: names a file that cannot be read (ENOENT)',
      expect.stringMatching(/^ {2}SYNC_WINDOW_MS: /),
      `  The database is too old for this program because it lacks ${name}. Run "gateway migrate".`,
      '  The login of DATABASE_URL owns the tables or is a superuser. Use a login that is only a member of gateway_app.',
      '',
    ]);
    expect(stdout).not.toContain('canary');
    const unavailable = await gateway(['serve', '--check'], {
      ...env,
      DATABASE_URL: 'postgresql://x@127.0.0.1:9/none',
    });
    expect([unavailable.code, unavailable.stdout]).toEqual([
      1,
      'The process cannot serve:\n  The database is unavailable.\n',
    ]);
  });
});

it('every command that uses the database rejects a server that only resembles PostgreSQL, by its name', async () => {
  const db = await createTestDatabase();
  try {
    // the built-in function takes precedence over the one in this schema
    const database = new URL(db.url).pathname.slice(1);
    await db.query('create schema stub');
    await db.query(
      `create function stub.version() returns text language sql as $$ select 'CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu)' $$`,
    );
    await db.query('grant usage on schema stub to public');
    await db.query(`alter database ${database} set search_path = stub, pg_catalog, public`);
    const env = asService(testEnvironment(db.url, 'http://127.0.0.1:9', [0, 0, 0]));
    const results = await Promise.all([
      gateway(['migrate'], { DATABASE_URL: db.url }),
      gateway(['serve'], env),
      gateway(['doctor'], env),
    ]);
    for (const { code, stdout, stderr } of results) {
      expect(code).toBe(1);
      expect(`${stdout}${stderr}`).toMatch(/The server is CockroachDB, whose locks.*\. Use PostgreSQL 15 or newer\./);
    }
  } finally {
    await db.drop();
  }
});
