import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { type AppliedMigration, misfit } from '../../src/db/schema-fit.js';
import { sqlFiles } from '../../src/db/sql-files.js';
import { requireServer } from '../../src/db/start-checks.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { runProgram } from '../support/program.js';
import { asService } from '../support/service-login.js';
import { useGuardedLogin } from './guarded-login.fixture.js';

describe('gateway serve', () => {
  const otherRole = `stranger_${randomBytes(4).toString('hex')}`;
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
    await db.query(`create role ${otherRole} login password 'of a test'`);
  });
  afterAll(async () => {
    await db.query(`drop role ${otherRole}`);
    await db.drop();
  });
  const serve = async (database: string): Promise<[number, string]> => {
    const { code, stderr } = await runProgram('main.js', testEnvironment(database, 'http://127.0.0.1:9', [0, 0, 0]));
    return [code, stderr];
  };
  const service = (): string => asService({ DATABASE_URL: db.url }).DATABASE_URL;
  const withUrl = (change: (url: URL) => void): string => {
    const url = new URL(service());
    change(url);
    return url.href;
  };
  const last = sqlFiles.migrations.at(-1)!.name;

  it('stops with one sentence if waiting would not help: the login, the database, its tables', async () => {
    const bare = `${otherRole}_bare`;
    await db.query(`create database ${bare}`);
    try {
      expect(
        await Promise.all([
          serve(withUrl((url) => (url.password = 'wrong'))),
          serve(withUrl((url) => (url.pathname = '/nowhere'))),
          serve(withUrl((url) => (url.pathname = `/${bare}`))),
        ]),
      ).toEqual([
        [1, 'The database rejects the login of DATABASE_URL because of its name, its password or its address.\n'],
        [1, 'The database of DATABASE_URL does not exist.\n'],
        [1, 'The database is not migrated. Run "gateway migrate" as its owner.\n'],
      ]);
    } finally {
      await db.query(`drop database ${bare} with (force)`);
    }
  });

  it('stops with one sentence if the login has too many or too few permissions', async () => {
    expect(await Promise.all([serve(db.url), serve(withUrl((url) => (url.username = otherRole)))])).toEqual([
      [
        1,
        'The login of DATABASE_URL owns the tables or is a superuser. Use a login that is only a member of gateway_app.\n',
      ],
      [1, 'The login of DATABASE_URL is not a member of gateway_app.\n'],
    ]);
  });

  it('stops with one sentence if the schema version of the database does not match', async () => {
    await db.query('create table kept as select * from schema_fingerprint');
    await db.query('delete from schema_fingerprint where name = $1', [last]);
    const older = await serve(service());
    await db.query(`insert into schema_fingerprint select * from kept where name = '${last}'`);
    await db.query(`insert into schema_fingerprint values ('9999-later', 'x', '9998-what')`);
    const newer = await serve(service());
    expect([older, newer]).toEqual([
      [1, `The database is too old for this program because it lacks ${last}. Run "gateway migrate".\n`],
      [
        1,
        'The database is too new for this program. Since 9999-later, it requires a program that includes 9998-what.\n',
      ],
    ]);
  });
});

describe('a process at its start', () => {
  const files = ['0001-a', '0002-b'].map((name) => ({ name, sql: '' }));
  const appliedMigrations = (...names: (string | [string, string])[]): AppliedMigration[] =>
    names.map((migration) =>
      typeof migration === 'string' ? { name: migration, needs: null } : { name: migration[0], needs: migration[1] },
    );

  it.each([
    ['equal', appliedMigrations('0001-a', '0002-b'), undefined],
    ['newer migrations that do not affect it', appliedMigrations('0001-a', '0002-b', '0003-c'), undefined],
    [
      'a newer migration that requires nothing newer',
      appliedMigrations('0001-a', '0002-b', ['0003-c', '0002-b']),
      undefined,
    ],
    [
      'a newer migration that requires a newer program',
      appliedMigrations('0001-a', '0002-b', '0003-c', ['0004-d', '0003-c']),
      /Since 0004-d, .* 0003-c/,
    ],
    ['a missing migration', appliedMigrations('0001-a'), /lacks 0002-b\. Run "gateway migrate"/],
    ['no migrations', appliedMigrations(), /lacks 0001-a, 0002-b/],
  ])('compares its migrations with those of the database: %s', (_name, applied, reason) => {
    const misfitText = misfit(applied, files);
    if (reason === undefined) expect(misfitText).toBeUndefined();
    else expect(misfitText).toMatch(reason);
  });

  // simulates the responses of server versions that are not installed here
  const poolReturning = (response: object) =>
    requireServer({
      query: async () => ({ rows: [{ number: 180_004, version: '18.4', citus: false, ...response }] }),
    } as never);

  it('states which server is too old', async () => {
    await expect(
      poolReturning({ number: 140_009, version: '14.9', banner: 'PostgreSQL 14.9 on x86_64-pc-linux-gnu' }),
    ).rejects.toThrow('PostgreSQL 15 or newer is required. The server is PostgreSQL 14.9.');
  });

  it.each([
    [{ banner: 'PostgreSQL 9.4.26 (Greenplum Database 6.25.3 build)' }, 'Greenplum'],
    [{ banner: 'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.71629' }, 'Redshift'],
    [{ banner: 'Materialize v0.98.5 (4bfd2cd)' }, 'Materialize'],
    [{ banner: 'PostgreSQL 15.12-YB-2.25.2.0-b0 on x86_64-pc-linux-gnu' }, 'YugabyteDB'],
    [{ banner: 'PostgreSQL 16.3 on x86_64-pc-linux-gnu', citus: true }, 'PostgreSQL with the extension Citus'],
  ])('rejects a server that only resembles PostgreSQL, by its name: %j', async (response, name) => {
    await expect(poolReturning(response)).rejects.toThrow(`The server is ${name}, whose locks`);
  });

  it.each([
    'PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit',
    'PostgreSQL 15.18 (Debian 15.18-1.pgdg120+1) on x86_64-pc-linux-gnu',
    'PostgreSQL 19beta1 on aarch64-apple-darwin',
  ])('accepts %s', async (banner) => {
    await expect(poolReturning({ banner })).resolves.toBeUndefined();
  });
});

describe('a login without the settings of the guide', () => {
  const login = useGuardedLogin();
  it('a process rejects such a server at its start and in its check', async () => {
    await login.alter('set synchronous_commit to off');
    const { ALLOW_WEAK_DURABILITY: allowed, ...env } = testEnvironment(login.url.href, 'http://127.0.0.1:9', [1, 2, 3]);
    expect(allowed).toBe('true');
    const sentence =
      'PostgreSQL runs with fsync = off, full_page_writes = off, synchronous_commit = off. A crash can lose orders that were sent. Set them to on.\n';
    expect(await runProgram('main.js', env)).toMatchObject({ code: 1, stderr: sentence });
    expect(await runProgram('main.js', env, ['--check'])).toMatchObject({
      code: 1,
      stdout: `The process cannot serve:\n  ${sentence}`,
    });
  });

  it('a process does not start without the guards, and states this in one sentence', async () => {
    await login.alter('reset lock_timeout');
    const env = testEnvironment(login.url.href, 'http://127.0.0.1:9', [
      await freePort(),
      await freePort(),
      await freePort(),
    ]);
    const settings = { ...env, DATABASE_STARTUP_OPTIONS: 'false', DATABASE_LISTEN_URL: login.db.url };
    expect(await runProgram('main.js', settings)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The connection to the database has wrong settings \(lock_timeout is off\)[^\n]*\n$/,
      ),
    });
    expect(() => loadConfig({ ...settings, DATABASE_LISTEN_URL: '' })).toThrow(
      'DATABASE_LISTEN_URL: must connect to PostgreSQL without a pooler',
    );
  });
});
