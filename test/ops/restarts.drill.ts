import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Lane } from '../faults/support/lane.js';
import { Balancer } from './support/balancer.js';
import { print, violationsOf } from './support/books.js';
import { fire, type Shot, summary } from './support/load.js';

const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '5000',
  SYNC_WINDOW_MS: '8000',
  LEASE_MARGIN_MS: '3000',
  VISIBILITY_DELAY_MS: '10s',
};
const SETTLE_LIMIT_MS = 60_000;

let lane: Lane;
let balancer: Balancer;
beforeAll(async () => {
  lane = await Lane.open({ ownServer: true, accounts: 20, settings: { ...SETTINGS, SHUTDOWN_DELAY_MS: '5000' } });
  balancer = await Balancer.open([lane.victim.baseUrl, lane.survivor.baseUrl]);
});
afterAll(async () => {
  balancer.close();
  await lane.close();
});

/** Sends load during `trouble`, and then checks the books. */
async function drill(
  name: string,
  load: { perSecond: number; seconds: number },
  trouble: () => Promise<void>,
): Promise<Shot[]> {
  const [shots] = await Promise.all([fire({ accounts: lane.accounts, baseUrl: balancer.url, ...load }), trouble()]);
  await lane.waitUntilSettled(SETTLE_LIMIT_MS);
  print(`${name}, ${load.perSecond}/s: ${summary(shots)}`);
  expect(await violationsOf(lane, shots)).toEqual([]);
  return shots;
}

/** Restarts both processes, one after the other, several times. */
async function replaceBoth(times: number, env: Record<string, string> = {}): Promise<void> {
  for (let n = 0; n < times; n++)
    for (const station of [lane.victim, lane.survivor]) {
      await sleep(5_000);
      expect(await station.api.terminate(40_000)).toBe(0);
      await station.restart(undefined, env);
    }
}

it('no request is lost when processes are replaced one after the other, twice', async () => {
  const shots = await drill('rolling restart', { perSecond: 150, seconds: 70 }, () => replaceBoth(2));
  expect(shots.length).toBeGreaterThanOrEqual(10_000);
  expect(shots.filter(({ result }) => result !== '200 success')).toEqual([]);
});

it('without the pause some requests are interrupted, and none of them is charged', async () => {
  await replaceBoth(1, { SHUTDOWN_DELAY_MS: '0' });
  const load = { perSecond: 150, seconds: 20 };
  await drill('rolling restart with SHUTDOWN_DELAY_MS=0', load, () => replaceBoth(1));
});

it('orders in progress are found and completed after a process is killed', async () => {
  await drill('kill -9', { perSecond: 100, seconds: 20 }, async () => {
    await sleep(6_000);
    await lane.victim.api.kill();
    await sleep(3_000);
    await lane.victim.restart();
  });
});

it('calls are rejected but not lost when the database restarts as after a crash', async () => {
  await drill('database restart', { perSecond: 60, seconds: 20 }, async () => {
    await sleep(6_000);
    await lane.server!.stopImmediately();
    await sleep(1_000);
    await lane.server!.start();
  });
});
