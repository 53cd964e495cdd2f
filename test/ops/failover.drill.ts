import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Lane } from '../faults/support/lane.js';
import { databasesOn, type OwnPostgres, startOwnPostgres } from '../faults/support/own-postgres.js';
import { Balancer } from './support/balancer.js';
import { print, violationsOf } from './support/books.js';
import { fire, summary } from './support/load.js';
import { STANDBY, type Standby, startStandby } from './support/standby.js';

const READ_ONLY_MS = 4_000;
const OUTAGE_MS = 6_000;

let primary: OwnPostgres;
let standby: Standby;
let lane: Lane;
let balancer: Balancer;
/** Port of the current primary. */
let port: number;
beforeAll(async () => {
  primary = await startOwnPostgres();
  port = primary.port;
  standby = await startStandby(primary);
  const admin = new Client({ connectionString: primary.urlThrough(primary.port, 'postgres') });
  await admin.connect();
  await admin.query(`alter system set synchronous_standby_names = '${STANDBY}'`);
  await admin.query('select pg_reload_conf()');
  await admin.end();
  const databases = databasesOn(() => ({ url: primary.urlThrough(port, 'postgres'), port }));
  const pair: OwnPostgres = {
    ...primary,
    get port() {
      return port;
    },
    urlThrough: databases.urlThrough,
    database: databases.database,
    async close() {
      await databases.close();
      await standby.stop();
      await primary.close();
    },
  };
  lane = await Lane.open({
    ownServer: pair,
    accounts: 20,
    settings: {
      PROVIDER_TIMEOUT_MS: '5000',
      SYNC_WINDOW_MS: '8000',
      LEASE_MARGIN_MS: '3000',
      VISIBILITY_DELAY_MS: '10s',
    },
  });
  balancer = await Balancer.open([lane.victim.baseUrl, lane.survivor.baseUrl]);
});
afterAll(async () => {
  balancer?.close();
  await lane?.close();
});

it('the synchronous standby has everything that was sent', async () => {
  const sent = async (): Promise<number> => (await lane.simulator.calls()).length;
  const sentBefore = await sent();
  await standby.pause();
  const load = fire({ accounts: lane.accounts, baseUrl: balancer.url, perSecond: 10, seconds: 3 });
  await sleep(OUTAGE_MS);
  const sentDuring = (await sent()) - sentBefore;
  standby.resume();
  const shots = await load;
  await lane.waitUntilSettled(60_000);
  print(
    `the synchronous standby was unavailable for ${OUTAGE_MS / 1_000} s: ${sentDuring} calls to the provider;  ${summary(shots)}`,
  );
  expect(sentDuring).toBe(0);
  expect(await violationsOf(lane, shots)).toEqual([]);
});

it('after the primary fails, its synchronous standby continues with every accepted order', async () => {
  const load = { perSecond: 60, seconds: 30 };
  const [shots] = await Promise.all([
    fire({ accounts: lane.accounts, baseUrl: balancer.url, ...load }),
    (async () => {
      await sleep(10_000);
      await primary.stopImmediately();
      port = standby.port;
      // it allows reads but rejects writes
      await sleep(READ_ONLY_MS);
      await standby.promote();
    })(),
  ]);
  await lane.waitUntilSettled(60_000);
  print(
    `failover to a synchronous standby, read-only for ${READ_ONLY_MS / 1_000} s, ${load.perSecond}/s: ${summary(shots)}`,
  );
  expect(await violationsOf(lane, shots)).toEqual([]);
  expect(shots.filter(({ result }) => result === '200 success').length).toBeGreaterThan(1_000);
});
