import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort, isRefused } from '../support/ports.js';
import { until } from '../support/until.js';
import { ApiProcess } from './support/api-process.js';
import { Lane } from './support/lane.js';
import { graphqlRecharge, newRecharge, reportedBy, restRecharge, scriptedMobile } from './support/recharges.js';

let lane: Lane;
beforeAll(async () => {
  lane = await Lane.open({
    accounts: 4,
    settings: {
      PROVIDER_TIMEOUT_MS: '5000',
      SYNC_WINDOW_MS: '5500',
      LEASE_MARGIN_MS: '1500',
      VISIBILITY_DELAY_MS: '7s',
      MAX_IN_FLIGHT: '40',
    },
  });
});
afterAll(() => lane?.close());
beforeEach(async () => {
  if (!lane.victim.api.isUp) await lane.victim.restart();
});
afterEach(async () => {
  lane.victim.provider.deliver();
  await lane.waitUntilSettled();
  expect(await lane.violations()).toEqual([]);
  expect(lane.complaints).toEqual([]);
});

const portOf = (baseUrl: string): number => Number(new URL(baseUrl).port);

/** Prevents the final status of an order until the returned function is called. */
async function lockOrder(clientKey: string): Promise<() => Promise<void>> {
  const connection = await lane.db.connect();
  await connection.query('begin');
  await connection.query('select from orders where client_key = $1 for update', [clientKey]);
  return async () => {
    await connection.query('rollback');
    await connection.end();
  };
}

describe('SIGTERM', () => {
  it('completes a recharge in progress, accepts no new connection, and exits with 0', async () => {
    const under = newRecharge(lane.accounts[0]!);
    lane.watchCalls([under.mobile]);
    lane.victim.provider.hold([under.mobile]);
    const response = lane.victim.call(restRecharge(under));
    await until('the provider has the call', () => lane.callsOf(under.mobile) === 1);
    const exit = lane.victim.api.terminate();
    await until('new connections are rejected', () => isRefused(portOf(lane.victim.baseUrl)));
    expect((await lane.orderOf(under.key))?.state).toBe('open'); // the order is in progress
    lane.victim.provider.deliver();
    expect(reportedBy(await response).outcome).toBe('success');
    // it would be killed after 15 s; the client keeps its idle connection for longer, but the exit does not wait for it
    expect(await exit).toBe(0);
  });

  it('completes a recharge whose client received "pending" before the process exits', async () => {
    const pending = newRecharge(lane.accounts[0]!);
    lane.watchCalls([pending.mobile]);
    lane.victim.provider.hold([pending.mobile]);
    const call = lane.victim.call(restRecharge(pending));
    await until('the provider has the call', () => lane.callsOf(pending.mobile) === 1);
    // the final update outlasts the window, because a provider never does
    const unlock = await lockOrder(pending.key);
    lane.victim.provider.deliver();
    const response = await call;
    expect([response?.status, reportedBy(response).outcome]).toEqual([200, 'pending']);
    const exit = lane.victim.api.terminate();
    await until('new connections are rejected', () => isRefused(portOf(lane.victim.baseUrl)));
    await unlock();
    expect(await exit).toBe(0);
    const events = await lane.db.query<{ kind: string }>(
      'select kind from order_event join orders on orders.id = order_id where client_key = $1',
      [pending.key],
    );
    expect(events).toEqual([{ kind: 'response' }]); // not by a status check: no other process had to find the outcome
    expect((await lane.orderOf(pending.key))?.state).toBe('success');
  });
});

describe('SIGTERM while the database is unavailable', () => {
  it('waits for the database and stores the outcome of the provider before the process exits', async () => {
    const { victim, accounts } = lane;
    await lane.db.query(`update developer set recharge_provider = 'MOKSHIQ' where id = $1`, [accounts[3]!.developerId]);
    const recharge = newRecharge(accounts[3]!);
    lane.watchCalls([recharge.mobile]);
    victim.provider.hold([recharge.mobile]);
    const reply = victim.call(restRecharge(recharge));
    await until('the provider has processed it', () => victim.provider.hasWithheldResponse(recharge.mobile));
    await victim.database.close();
    victim.provider.deliver();
    const exit = victim.api.terminate(60_000);
    await until('new connections are rejected', () => isRefused(portOf(victim.baseUrl)));
    // longer than the ledger retries
    await sleep(16_000);
    // the other process leaves it for manual review when the lease has expired
    expect(['open', 'review']).toContain((await lane.orderOf(recharge.key))?.state);
    expect(victim.api.isUp).toBe(true);
    await victim.database.open();
    expect(await exit).toBe(0);
    await reply;
    expect(await lane.orderOf(recharge.key)).toMatchObject({ state: 'success' });
  });
});

describe('a process that is stopping while a load balancer still sends requests to it', () => {
  const readinessOf = async (baseUrl: string) => {
    const response = await fetch(`${baseUrl}/readyz`);
    return [response.status, await response.json()];
  };

  it('reports that it is not ready and continues to serve, closing each connection; a second signal ends it immediately', async () => {
    const { victim } = lane;
    await victim.api.terminate();
    await victim.restart(undefined, { SHUTDOWN_DELAY_MS: '10m' });
    const exited = victim.api.exited;
    victim.api.signal('SIGTERM');
    const shuttingDown = [503, { status: 'not ready', detail: 'The process is shutting down.' }];
    await until('it is not ready', async () => isDeepStrictEqual(await readinessOf(victim.baseUrl), shuttingDown));
    const reply = await victim.call(restRecharge(newRecharge(lane.accounts[2]!)));
    expect([reportedBy(reply).outcome, reply?.headers.get('connection')]).toEqual(['success', 'close']);
    victim.api.signal('SIGTERM');
    expect(await exited).toEqual({ code: 1, signal: null });
  });

  it('exits by itself after that', async () => {
    const { victim } = lane;
    if (victim.api.isUp) await victim.api.terminate();
    await victim.restart(undefined, { SHUTDOWN_DELAY_MS: '300' });
    const startedAt = performance.now();
    expect(await victim.api.terminate()).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(300);
  });
});

describe('admission control', () => {
  it('rejects excess requests with 503 before money moves, and health endpoints still respond', async () => {
    const account = lane.accounts[1]!;
    const recharges = Array.from({ length: 70 }, () => newRecharge(account));
    lane.watchCalls(recharges.map(({ mobile }) => mobile));
    lane.victim.provider.hold(recharges.map(({ mobile }) => mobile));
    let responded = 0;
    const responses = recharges.map(async (recharge, n) => {
      const reply = await lane.victim.call(n % 2 ? restRecharge(recharge) : graphqlRecharge(recharge));
      responded++;
      return reply;
    });
    await until('the process is full', () => responded === recharges.length - 40);
    expect((await fetch(`${lane.victim.baseUrl}/livez`)).status).toBe(200);
    expect((await fetch(`${lane.victim.baseUrl}/readyz`)).status).toBe(200);
    lane.victim.provider.deliver();
    const replies = await Promise.all(responses);
    const rejected = recharges.filter((_, n) => replies[n]?.status === 503);
    expect(rejected.length).toBe(recharges.length - 40);
    for (const recharge of rejected) expect(await lane.orderOf(recharge.key)).toBeUndefined();
    for (const reply of replies.filter((candidate) => candidate?.status === 503)) {
      expect(reportedBy(reply).outcome).toBe('OVERLOADED');
      expect(reply?.headers.get('retry-after')).toBe('1');
    }
    expect(replies.filter((reply) => reply?.status === 200)).toHaveLength(40);
    // rejected requests are accepted when there is capacity
    expect(reportedBy(await lane.victim.call(restRecharge(rejected[0]!))).outcome).toBe('success');
  });
});

describe('a process that exits', () => {
  it('leaves its order to the other process, which finds it when the lease has expired and checks the status instead of sending', async () => {
    const recharge = newRecharge(lane.accounts[0]!, scriptedMobile('0002', 1)); // processed by the provider, which never responds
    lane.watchCalls([recharge.mobile]);
    const response = lane.victim.call(restRecharge(recharge));
    await until('the provider has the call', () => lane.callsOf(recharge.mobile) === 1);
    expect(await lane.victim.api.kill()).toBe('SIGKILL');
    expect(await response).toBeUndefined();
    expect((await lane.orderOf(recharge.key))?.state).toBe('open');
    await lane.waitUntilSettled();
    expect((await lane.orderOf(recharge.key))?.state).toBe('success');
    expect(reportedBy(await lane.survivor.call(restRecharge(recharge))).outcome).toBe('success');
    expect(lane.callsOf(recharge.mobile)).toBe(1);
  });

  it('or that cannot start reports the reason in one sentence', async () => {
    const busy = await ApiProcess.start({ ...lane.victim.env, UAT_PORT: String(await freePort()) }).catch(
      (error: Error) => error,
    );
    expect(busy).toBeInstanceOf(Error);
    expect((busy as Error).message).toMatch(
      /Port \d+ on 127\.0\.0\.1 is in use by another program\. Set PRODUCTION_PORT to a free port\./,
    );
  });
});
