import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  type Demo,
  type DemoPorts,
  demoFileIn,
  freeDemoPorts,
  startDemo,
  stopDemo,
  tokenOf,
} from '../dev/demo.fixture.js';
import { postgresDirectory } from '../support/postgres-directory.js';
import { runProgram } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const SQL = 'src/db/sql';
const git = (...args: string[]): string | undefined => {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
};

const uncommitted = git('status', '--porcelain', '--', SQL);
const parent = git('rev-parse', '--verify', `${process.env.PARENT ?? (uncommitted ? 'HEAD' : 'HEAD^1')}^{commit}`);
const changed = parent && (uncommitted || git('diff', '--name-only', parent, '--', SQL));
if (!changed)
  process.stdout.write(
    `Skipped the upgrade of the parent commit: ${parent ? 'no migration changed' : 'there is none'}.\n`,
  );

/** A released migration never changes. Before the first release it can change, and then a database of the parent is rejected. */
const rewritten = changed && git('diff', '--name-only', '--diff-filter=DMR', parent!, '--', `${SQL}/migrations`) !== '';
const released = git('tag', '--list', 'v*') !== '';
const REJECTED = 'The database was created by an incompatible older version of this product. Use an empty database.';

describe.runIf(changed)(`a database of the parent commit ${parent?.slice(0, 12)}`, () => {
  const parentDirectory = temporaryDirectory();
  beforeAll(() => {
    execFileSync('bash', ['-c', 'git archive "$1" | tar --extract --directory "$2"', '-', parent!, parentDirectory]);
    symlinkSync(path.resolve('node_modules'), path.join(parentDirectory, 'node_modules'));
    execFileSync(process.execPath, ['src/dev/build.mjs', 'programs'], {
      cwd: parentDirectory,
      env: { ...process.env, PATH: `${path.resolve('node_modules/.bin')}:${process.env.PATH}` },
    });
  }, 300_000);

  it.runIf(rewritten && released)('can be upgraded, because a version has been released', () => {
    expect(git('diff', '--name-only', '--diff-filter=DMR', parent!, '--', `${SQL}/migrations`)).toBe('');
  });

  it(`without data is ${rewritten ? 'rejected' : 'upgraded'}`, async () => {
    const { host, port, user, password } = inject('pg');
    const urlOf = (name: string): string => `postgresql://${user}:${password}@${host}:${port}/${name}`;
    const name = `parent_${process.pid}`;
    const admin = new Client({ connectionString: urlOf('postgres') });
    await admin.connect();
    await admin.query(`create database ${name}`);
    const env = { DATABASE_URL: urlOf(name) };
    execFileSync(process.execPath, ['dist/cli/gateway.js', 'migrate'], {
      cwd: parentDirectory,
      env: { ...process.env, ...env },
    });
    const ended = await runProgram('cli/gateway.js', env, ['migrate']);
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
    if (rewritten) expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(REJECTED) });
    else expect(ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\w/) });
  });

  describe('with data', () => {
    const home = temporaryDirectory();
    const dataDir = path.join(home, '.data');
    let ports: DemoPorts;
    let demo: Demo;
    beforeAll(async () => {
      mkdirSync(dataDir);
      postgresDirectory(dataDir);
      ports = await freeDemoPorts();
    });
    afterAll(async () => {
      if (demo.process.exitCode === null) await stopDemo(demo, 'SIGINT');
    });
    const recharge = async (): Promise<any> => {
      const keys = demoFileIn(dataDir).production;
      const response = await fetch(`${keys.baseUrl}/api/v1/recharge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(keys, 'production')}` },
        body: JSON.stringify({
          account_number: '9876543210',
          amount: 10,
          operator_sp_key: 116,
          operator_type: 'mobile',
          client_request_id: 'before-the-upgrade',
        }),
      });
      return response.json();
    };

    it(`is ${rewritten ? 'rejected' : 'upgraded, with its orders and balances'}`, async () => {
      demo = await startDemo(home, ports, parentDirectory);
      expect(demo.output()).toContain('Ready.');
      const placed = await recharge();
      expect(placed).toMatchObject({ status: 'success' });
      await stopDemo(demo, 'SIGINT');

      demo = await startDemo(home, ports);
      if (rewritten) {
        expect(demo.output()).toContain('was created by an incompatible older version of this product');
        expect(readdirSync(dataDir)).toContain('demo.json');
        return;
      }
      expect(demo.output()).toContain('Ready.');
      expect((await recharge()).data).toEqual(placed.data);
      const doctor = await runProgram('dev/alongside-demo.js', { DATA_DIR: dataDir }, [
        path.resolve('dist/cli/doctor.js'),
      ]);
      expect(doctor).toMatchObject({ code: 0, stderr: '' });
    });
  });
});
