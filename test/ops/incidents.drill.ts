import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/core/log.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { inTransaction } from '../../src/db/orm.js';
import { seedDemo } from '../../src/dev/seed.js';
import { demoLeadCustomerId } from '../../src/simulator/credentials.js';
import { type RedisServer, startRedis } from '../counters/redis.fixture.js';
import type { Account } from '../faults/support/accounts.js';
import { ApiProcess } from '../faults/support/api-process.js';
import { type OwnDatabase, type OwnPostgres, startOwnPostgres } from '../faults/support/own-postgres.js';
import { newRecharge, restRecharge } from '../faults/support/recharges.js';
import { FROM_TEST, testEnvironment } from '../support/app.js';
import { topUpWith } from '../support/audit.js';
import { freePort } from '../support/ports.js';
import { postgresDirectory } from '../support/postgres-directory.js';
import { startTestSimulator, type TestSimulator } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { type Ports, Proxy, publicUrls } from './proxy.fixture.js';
import { print } from './support/books.js';
import { OnCall, PROGRAMS } from './support/on-call.js';
import { missingPrograms } from './tools.fixture.js';

/**
 * Sum of the longest `for` of these alerts, the grouping of Alertmanager and the check interval of the service, with a margin.
 */
const NOTICED_MS = 20 * 60_000;
/** group_wait of ops/alertmanager.yml, and two scrapes. */
const LATE_MS = 60_000;
const EVERY_MS = 500;

const missing = missingPrograms('the incidents', 'haproxy', 'openssl', 'redis-server', ...Object.values(PROGRAMS));

/** Each incident, its notification and its correction. Uses two processes and the files of ops as shipped. */
describe.skipIf(missing.length > 0)('incidents', () => {
  let postgres: OwnPostgres;
  let db: OwnDatabase;
  let simulator: TestSimulator;
  let redis: RedisServer;
  let accounts: readonly Account[];
  let proxy: Proxy;
  let onCall: OnCall;
  let httpsPort: number;
  let metricsPort: number;
  const ports: Ports[] = [];
  const environments: Record<string, string>[] = [];
  const processes: ApiProcess[] = [];
  let archive: string;

  /** Traffic during the whole drill: two recharges per second. */
  const traffic = new AbortController();
  let sent = 0;
  const send = async (): Promise<void> => {
    const { path: requestPath, token, body } = restRecharge(newRecharge(accounts[sent++ % accounts.length]!));
    const headers = { authorization: `Bearer ${token}` };
    await proxy.call('production', requestPath, { body: body!, headers }).catch(() => {});
  };

  beforeAll(async () => {
    // the server writes there as a user of its own
    archive = path.join(postgresDirectory(temporaryDirectory()), 'archived-log');
    mkdirSync(archive, { recursive: true });
    chmodSync(archive, 0o777);
    [postgres, simulator, redis] = await Promise.all([
      startOwnPostgres({
        archive_mode: 'on',
        archive_command: `cp %p ${archive}/%f`,
        archive_timeout: '30s',
        max_connections: 60,
      }),
      startTestSimulator(),
      startRedis(),
    ]);
    db = await postgres.database();
    [httpsPort, metricsPort] = [await freePort(), await freePort()];
    const urls = publicUrls(httpsPort);
    for (let n = 0; n < 2; n++) {
      const own: Ports = {
        UAT: await freePort(),
        PRODUCTION: await freePort(),
        CONSOLE: await freePort(),
        OPS: await freePort(),
      };
      ports.push(own);
      environments.push({
        ...testEnvironment(postgres.urlThrough(postgres.port, db.name), simulator.url, [
          own.UAT,
          own.PRODUCTION,
          own.CONSOLE,
        ]),
        OPS_PORT: String(own.OPS),
        HEALTH_ON_HOSTS: 'false',
        TRUST_PROXY: '1',
        REDIS_URL: redis.url,
        PUBLIC_URL_UAT: urls.uat,
        PUBLIC_URL_PRODUCTION: urls.production,
        PUBLIC_URL_CONSOLE: urls.console,
        LOG_LEVEL: 'error',
      });
    }
    accounts = [await createAccount(environments[0]!)];
    processes.push(...(await Promise.all(environments.map((env) => ApiProcess.start(env)))));
    proxy = await startProxy();
    onCall = await OnCall.start({
      processes: ports.map(({ OPS }) => OPS),
      proxy: metricsPort,
      urls: Object.values(urls),
      database: postgres.urlThrough(postgres.port, 'postgres'),
    });
    void (async () => {
      for (;;) {
        await sleep(500, undefined, { signal: traffic.signal });
        void send();
      }
    })().catch(() => {});
    await until('Prometheus scrapes every target', () => onCall.readsAll(), NOTICED_MS, EVERY_MS);
    await quiet();
  }, NOTICED_MS);
  afterAll(async () => {
    traffic.abort();
    onCall?.stop();
    await proxy?.stop();
    await Promise.all(processes.filter(({ isUp }) => isUp).map((process) => process.kill()));
    await simulator?.stop();
    await redis?.stop();
    await postgres?.close();
  });

  /** The demo's account, each of whose rows has its audit entry, with money for the whole drill. */
  async function createAccount(environment: Record<string, string>): Promise<Account> {
    const app = await createApp(loadConfig(environment), createLogger('silent'));
    try {
      const { production } = await seedDemo(app, demoLeadCustomerId);
      const key = { ...production, environment: 'production', deviceName: 'drill' } as const;
      const { token } = await app.tokens.issue(key, 'production', FROM_TEST);
      const [row] = await db.query<{ id: string }>('select developer_id as id from credential where client_id = $1', [
        production.clientId,
      ]);
      const credit = {
        developerId: row!.id as DeveloperId,
        environment: 'production',
        amountPaise: paise(100_000_000),
        reference: 'The drill',
      } as const;
      await inTransaction(app.orm, (tx) => topUpWith(app.ledger, credit, tx));
      return { developerId: row!.id, token };
    } finally {
      await app.close();
    }
  }
  const startProxy = (): Promise<Proxy> =>
    Proxy.start(httpsPort, [ports[0]!, ports[1]!], { PROXY_METRICS_ADDRESS: `127.0.0.1:${metricsPort}` });

  /** Waits until no alert pages or opens a ticket, and for late notifications. Prints each change of the active alerts. */
  async function quiet(): Promise<void> {
    let active: string[] = [];
    const startedAt = performance.now();
    const isQuiet = async (): Promise<boolean> => {
      const now = await onCall.active();
      if (now.join() !== active.join())
        print(`  ${Math.round((performance.now() - startedAt) / 1_000)} s: ${now.join(', ') || 'no alert'}`);
      active = now;
      return active.length === 0;
    };
    const waitForNone = (): Promise<void> =>
      until(() => `no alert is active: ${active.join(', ')}`, isQuiet, NOTICED_MS, EVERY_MS);
    await waitForNone();
    await sleep(LATE_MS);
    await waitForNone();
  }

  interface Incident {
    expected: readonly string[];
    trigger: () => unknown;
    end: () => unknown;
  }
  /** Runs one incident. Errors: an unexpected notification. */
  async function play({ expected, trigger, end }: Incident): Promise<void> {
    onCall.notified.length = 0;
    const startedAt = performance.now();
    const minutes = (): string => `${((performance.now() - startedAt) / 60_000).toFixed(1)} min`;
    await trigger();
    const all = (): boolean => expected.every((line) => onCall.notified.includes(line));
    const progress = (): string => `${expected.join(', ')} (notified: ${onCall.notified.join(', ')})`;
    await until(progress, all, NOTICED_MS, EVERY_MS);
    const noticedAfter = minutes();
    await end();
    await quiet();
    print(`${expected.join(', ')} after ${noticedAfter}, resolved after ${minutes()}`);
    expect(onCall.notified.toSorted()).toEqual([...expected].toSorted());
  }
  const start = async (n: number): Promise<void> => void (processes[n] = await ApiProcess.start(environments[n]!));

  it('normal operation causes no notification', async () => {
    await sleep(3 * 60_000);
    await quiet();
    expect(onCall.notified).toEqual([]);
  });

  it('a provider that stops responding: one page', () =>
    play({
      expected: ['page GatewayBreakerOpen'],
      trigger: () => simulator.latency('roundpay', 600_000),
      end: () => simulator.latency('roundpay', 0),
    }));

  it('one of two processes is killed: one ticket', () =>
    play({
      expected: ['ticket GatewayDown'],
      trigger: () => processes[1]!.kill(),
      end: () => start(1),
    }));

  it('both processes are killed: one page', () =>
    play({
      expected: ['page GatewayAllDown'],
      trigger: () => Promise.all(processes.map((process) => process.kill())),
      end: () => Promise.all([start(0), start(1)]),
    }));

  it('a balance was changed by hand: one page', () => {
    // of an account without traffic: entries that follow the change would need a correction
    const change = (by: number): Promise<unknown> =>
      db.query(
        `update wallet set balance_paise = balance_paise + $1 where environment = 'production' and version > 0
         and developer_id = (select id from developer where email = 'mokshiq@demo.example')`,
        [by],
      );
    return play({
      expected: ['page GatewayLedgerViolation'],
      trigger: () => change(1),
      end: () => change(-1),
    });
  });

  it('the destination of the archived log is missing: one page', () =>
    play({
      expected: ['page GatewayWalNotArchived'],
      trigger: () => renameSync(archive, `${archive}-away`),
      end: () => renameSync(`${archive}-away`, archive),
    }));

  it('Redis is killed: one ticket', () => {
    const { port } = new URL(redis.url);
    return play({
      expected: ['ticket GatewayRedisUnavailable'],
      trigger: () => redis.stop(),
      end: async () => void (redis = await startRedis(Number(port))),
    });
  });

  it('the proxy is not running: one page', () =>
    play({
      expected: ['page GatewayUnreachable'],
      trigger: () => proxy.stop(),
      end: async () => void (proxy = await startProxy()),
    }));
});
