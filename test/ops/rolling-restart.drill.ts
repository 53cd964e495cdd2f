import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Lane, OPENING_LIMIT_MS } from '../faults/support/lane.js';
import { newRecharge, restRecharge } from '../faults/support/recharges.js';
import { until } from '../support/until.js';
import { Balancer } from './balancer.js';

const CLIENTS = 16;
const ROUNDS = 2;
const PAUSE_MS = 40;

let lane: Lane;
beforeAll(async () => {
  lane = await Lane.open({
    accounts: 4,
    // a machine that is busy with starting processes makes nothing late
    settings: {
      PROVIDER_TIMEOUT_MS: '20s',
      SYNC_WINDOW_MS: '25s',
      LEASE_MARGIN_MS: '20s',
      VISIBILITY_DELAY_MS: '60s',
    },
  });
}, OPENING_LIMIT_MS);
afterAll(() => lane?.close());

/** Restarts both processes again and again under load; what became of each request. */
async function restartUnderLoad(delay: string): Promise<Map<string, number>> {
  const stations = [lane.victim, lane.survivor];
  for (const station of stations) {
    await station.api.terminate();
    await station.restart(undefined, { SHUTDOWN_DELAY_MS: delay });
  }
  const balancer = await Balancer.start(stations.map(({ baseUrl }) => baseUrl));
  // as a shop's server does, each client keeps its connection
  const agent = new Agent({ connections: CLIENTS, keepAliveTimeout: 60_000 });
  const results = new Map<string, number>();
  let loading = true;
  const client = async (n: number): Promise<void> => {
    for (; loading; await sleep(PAUSE_MS * (0.5 + Math.random()))) {
      const { method, path, token, body } = restRecharge(newRecharge(lane.accounts[n % lane.accounts.length]!));
      const result = await request(`${balancer.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        dispatcher: agent,
      }).then(
        async (answer) => `${answer.statusCode} ${((await answer.body.json()) as { status: string }).status}`,
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      results.set(result, (results.get(result) ?? 0) + 1);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, n) => client(n));
  for (let round = 0; round < ROUNDS; round++)
    for (const station of stations) {
      await until('both are ready', () => stations.every(({ baseUrl }) => balancer.isReady(baseUrl)));
      await sleep(500);
      expect(await station.api.terminate(60_000)).toBe(0);
      await station.restart(undefined, { SHUTDOWN_DELAY_MS: delay });
    }
  loading = false;
  await Promise.all(clients);
  await agent.close();
  balancer.close();
  return results;
}

it('no request is lost while all processes are restarted one by one', async () => {
  const [without, with5s] = [await restartUnderLoad('0'), await restartUnderLoad('5s')];
  console.log('SHUTDOWN_DELAY_MS=0:', Object.fromEntries(without));
  console.log('SHUTDOWN_DELAY_MS=5s:', Object.fromEntries(with5s));
  expect([...with5s.keys()]).toEqual(['200 success']);
  await lane.settled();
  expect(await lane.violations()).toEqual([]);
});
