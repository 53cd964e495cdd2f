import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RowKeys } from '../../src/core/row-keys.js';
import { Secret } from '../../src/core/secret.js';
import { type LocalPostgres, startLocalPostgres } from '../../src/dev/local-postgres.js';
import { createAccounts } from '../faults/support/accounts.js';
import { newRecharge, restRecharge } from '../faults/support/recharges.js';
import { type Packed, packProduction } from '../support/packed.js';
import { freePort } from '../support/ports.js';
import { postgresDirectory } from '../support/postgres-directory.js';
import { shippedCommand } from '../support/shipped.js';
import { startTestSimulator, type TestSimulator } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { variablesIn, yamlOf } from './deployment-files.fixture.js';
import { missingPrograms } from './tools.fixture.js';

const { services } = yamlOf('compose.yaml');

/** Runs the containers of compose.yaml as processes, without the isolation of a container engine. */
describe.skipIf(missingPrograms('compose.yaml without containers', 'psql', 'openssl').length > 0)(
  'compose.yaml',
  () => {
    let postgres: LocalPostgres;
    let simulator: TestSimulator;
    let packed: Packed;
    /** Directory that containers see as /run/secrets. */
    let secrets: string;
    let server: { PGHOST: string; PGPORT: string };

    beforeAll(async () => {
      const ops = path.join(temporaryDirectory(), 'ops');
      cpSync('ops', ops, { recursive: true, filter: (file) => path.basename(file) !== 'secrets' });
      execFileSync(path.join(ops, 'make-secrets.sh'));
      [postgres, simulator] = await Promise.all([
        startLocalPostgres({ dataDir: postgresDirectory(temporaryDirectory()), database: 'postgres', noSync: true }),
        startTestSimulator(),
      ]);
      packed = packProduction();
      server = { PGHOST: '127.0.0.1', PGPORT: String(postgres.port) };
      secrets = path.join(packed.dataDir, '..', 'secrets');
      mkdirSync(secrets);
      chmodSync(secrets, 0o755);
      const secretsDirectory = path.join(ops, 'secrets');
      for (const { name } of readdirSync(secretsDirectory, { withFileTypes: true }).filter((entry) => entry.isFile())) {
        const content = readFileSync(path.join(secretsDirectory, name), 'utf8').replace(
          '@database/',
          `@127.0.0.1:${postgres.port}/`,
        );
        writeFileSync(path.join(secrets, name), content, { mode: 0o444 });
      }
    });
    afterAll(async () => {
      packed?.remove();
      await Promise.all([postgres?.stop(), simulator?.stop()]);
    });

    const ended = async (child: ChildProcess) => {
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout!),
        text(child.stderr!),
        once(child, 'close') as Promise<[number]>,
      ]);
      return { code, stdout, stderr };
    };
    /** The image has only one Node.js: the first in its path. */
    const gateway = (args: readonly string[], env: Record<string, string>) =>
      ended(
        spawn('./gateway', args, {
          ...packed.as,
          env: { ...env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
        }),
      );
    const script = (file: string, env: Record<string, string>) =>
      ended(spawn('sh', [file], { env: { PATH: process.env.PATH!, SECRETS: secrets, ...server, ...env } }));
    const environmentOf = (service: string): Record<string, string> =>
      Object.fromEntries(
        Object.entries<string>(services[service].environment).map(([name, value]) => [
          name,
          value.replace(/^\/run\/secrets/, secrets),
        ]),
      );
    const rows = async (sql: string, params: unknown[] = []) => {
      const client = new Client({
        connectionString: readFileSync(path.join(secrets, 'database-owner-url'), 'utf8').trim(),
      });
      await client.connect();
      return client.query(sql, params).then(
        (result) => client.end().then(() => result.rows as never[]),
        (error) => client.end().then(() => Promise.reject(error)),
      );
    };

    it('creates the owner of the database at the first start', async () => {
      const { username, password } = new URL(postgres.url);
      const created = await script('ops/postgres/owner.sh', {
        PGUSER: username,
        PGPASSWORD: decodeURIComponent(password),
      });
      expect(created).toMatchObject({ code: 0, stderr: '' });
      expect(
        await rows('select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user'),
      ).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: true }]);
    });

    it('migrates as the owner, also a second time', async () => {
      const migrate = () => gateway(services.migrate.command.slice(1), environmentOf('migrate'));
      expect(await migrate()).toMatchObject({ code: 0, stderr: '' });
      expect(await migrate()).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
    });

    it('creates the login of the service, also a second time, with gateway_app as its only role', async () => {
      const { PGUSER, PGDATABASE } = services['service-login'].environment;
      for (let n = 0; n < 2; n++)
        expect(await script('ops/postgres/service-login.sh', { PGUSER, PGDATABASE })).toMatchObject({
          code: 0,
          stderr: '',
        });
      const memberships = `select r.rolname from pg_auth_members m join pg_roles r on r.oid = m.roleid
      where m.member = 'gateway_service'::regrole`;
      expect(await rows(memberships)).toEqual([{ rolname: 'gateway_app' }]);
    });

    it('serves with the command of the image: the doctor reports no problem, and a recharge succeeds', async () => {
      const [uat, production, consolePort, ops] = [
        await freePort(),
        await freePort(),
        await freePort(),
        await freePort(),
      ];
      const { REDIS_URL_FILE: _, OTEL_EXPORTER_OTLP_ENDPOINT: __, ...settings } = environmentOf('serve-1');
      const { PUBLIC_URL_PRODUCTION, ...play } = variablesIn('ops/play.env');
      const providers = Object.fromEntries(
        Object.entries(play).map(([name, value]) => [name, value.replace('http://simulator:4003', simulator.url)]),
      );
      const env = {
        ...settings,
        ...providers,
        // fetch sets the Host header
        PUBLIC_URL_PRODUCTION: `http://127.0.0.1:${production}`,
        DATA_DIR: packed.dataDir,
        UAT_PORT: String(uat),
        PRODUCTION_PORT: String(production),
        CONSOLE_PORT: String(consolePort),
        OPS_PORT: String(ops),
        SHUTDOWN_DELAY_MS: '0',
      };
      expect(PUBLIC_URL_PRODUCTION).toMatch(/^https:/);
      const { program, args, execArgv } = shippedCommand();
      const served = fork(program, [...args], { ...packed.as, env, execArgv: [...execArgv], silent: true });
      const stderrText = text(served.stderr!);
      await until('it is ready', () =>
        fetch(`http://127.0.0.1:${ops}/readyz`).then(
          ({ ok }) => ok,
          () => served.exitCode !== null,
        ),
      );
      const doctor = await gateway(services.tools.command, env);
      expect(doctor).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/gateway_service, which does not own the tables/),
      });
      const pepper = readFileSync(path.join(secrets, 'secret-pepper'), 'utf8').trim();
      const [account] = await createAccounts({ query: rows }, 1, new RowKeys(new Secret(pepper)));
      const { path: requestPath, token, body } = restRecharge(newRecharge(account!));
      const response = await fetch(`http://127.0.0.1:${production}${requestPath}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([response.status, await response.json()]).toMatchObject([200, { status: 'success' }]);
      const memory = readFileSync(`/proc/${served.pid}/status`, 'utf8');
      console.log(`A process that has served one recharge holds ${/VmRSS:\s+(\d+ kB)/.exec(memory)![1]}.`);
      served.kill();
      expect(await once(served, 'exit')).toEqual([0, null]);
      expect(await stderrText).toBe('');
    });
  },
);
