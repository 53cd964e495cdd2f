import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/ports.js';
import { ApiProcess } from './support/api-process.js';
import { Lane } from './support/lane.js';
import { graphqlRecharge, plainMobile, type Recharge, restRecharge, scriptedMobile, toldBy } from './support/recharges.js';
import type { Reply } from './support/station.js';
import { until } from './support/until.js';

let lane: Lane;
beforeAll(async () => {
  lane = await Lane.open({
    accounts: 4,
    settings: {
      PROVIDER_TIMEOUT_MS: '2000',
      SYNC_WINDOW_MS: '1200',
      LEASE_MARGIN_MS: '4000',
      VISIBILITY_DELAY_MS: '3s',
      MAX_IN_FLIGHT: '40',
    },
  });
});
afterAll(() => lane.close());
afterEach(async () => {
  await lane.simulator.latency('roundpay', 0);
  await lane.settled();
  expect(await lane.violations()).toEqual([]);
  expect(lane.complaints).toEqual([]);
});

let serial = 0;
const recharge = (more: Partial<Recharge> = {}): Recharge => {
  const n = ++serial;
  return { account: lane.accounts[0]!, mobile: plainMobile(n), key: `life-${n}`, ...more };
};
const orderOf = async ({ key }: Recharge) =>
  (await lane.db.query<{ id: string; state: string }>('select id, state from orders where client_key = $1', [key]))[0];
const sendsOf = ({ mobile }: Recharge): number => lane.victim.provider.calls(mobile) + lane.survivor.provider.calls(mobile);
const watchSends = (...recharges: Recharge[]): void => {
  for (const { provider } of [lane.victim, lane.survivor]) provider.watch(recharges.map(({ mobile }) => mobile));
};
const isRefused = (baseUrl: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) });
    socket.on('error', () => resolve(true));
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });

describe('SIGTERM', () => {
  it('lets a recharge under way get its answer, takes no new connection, and ends with 0', async () => {
    const under = recharge();
    watchSends(under);
    await lane.simulator.latency('roundpay', 900);
    const answer = lane.victim.call(restRecharge(under));
    await until('the provider has the call', () => sendsOf(under) === 1);
    const exit = lane.victim.api.terminate();
    await until('new connections are refused', () => isRefused(lane.victim.baseUrl), 600);
    expect((await orderOf(under))?.state).toBe('open'); // it is still under way
    expect(toldBy(await answer).outcome).toBe('success');
    const answeredAt = Date.now();
    expect(await exit).toBe(0);
    expect(Date.now() - answeredAt).toBeLessThan(2_000); // the client's idle connection holds nothing up
    await lane.victim.restart();
  });

  it('finishes a recharge whose client was told "pending" before it ends', async () => {
    const pending = recharge();
    await lane.simulator.latency('roundpay', 1_700);
    const answer = await lane.victim.call(restRecharge(pending));
    expect([answer?.status, toldBy(answer).outcome]).toEqual([202, 'pending']);
    expect(await lane.victim.api.terminate()).toBe(0);
    const events = await lane.db.query<{ kind: string }>(
      'select kind from order_event join orders on orders.id = order_id where client_key = $1',
      [pending.key],
    );
    expect(events).toEqual([{ kind: 'answer' }]); // not an enquiry: nobody had to find out
    expect((await orderOf(pending))?.state).toBe('success');
    await lane.victim.restart();
  });
});

describe('a database that goes away', () => {
  const sane = (reply: Reply | undefined): boolean =>
    reply !== undefined && [200, 202, 503].includes(reply.status) && (reply.status !== 503 || reply.headers.has('retry-after'));

  it('is waited for and reconnected to: no recharge is lost, sent twice or wrongly called failed', async () => {
    const recharges: Recharge[] = [];
    const replies = new Map<Recharge, Reply | undefined>();
    let loading = true;
    const client = async (n: number): Promise<void> => {
      const account = lane.accounts[n % lane.accounts.length]!;
      for (const station = n % 2 ? lane.victim : lane.survivor; loading; await sleep(5)) {
        const one = recharge({ account });
        recharges.push(one);
        replies.set(one, await station.call(restRecharge(one)));
      }
    };
    const clients = Array.from({ length: 12 }, (_, n) => client(n));
    for (let restart = 0; restart < 2; restart++) {
      await sleep(400);
      await lane.postgres.stopImmediately();
      await sleep(400);
      await lane.postgres.start();
    }
    await sleep(400);
    loading = false;
    await Promise.all(clients);
    expect([...replies.values()].filter((reply) => !sane(reply)).map((reply) => reply && [reply.status, reply.body])).toEqual([]);
    const count = (status: number): number => [...replies.values()].filter((reply) => reply?.status === status).length;
    expect(count(200)).toBeGreaterThan(20);
    expect(count(503)).toBeGreaterThan(0); // the outage was felt

    await lane.settled();
    const states = new Map(
      (await lane.db.query<{ client_key: string; state: string }>('select client_key, state from orders where client_key is not null')).map(
        ({ client_key, state }) => [client_key, state],
      ),
    );
    const performed = Map.groupBy(await lane.simulator.book(), ({ account }) => account);
    for (const one of recharges) {
      const state = states.get(one.key);
      const outcome = toldBy(replies.get(one)).outcome;
      if (outcome === 'success') expect([one.key, state]).toEqual([one.key, 'success']);
      if (outcome === 'DEPENDENCY_DOWN') expect([one.key, state]).not.toEqual([one.key, 'success']);
      expect([one.key, performed.get(one.mobile)?.length ?? 0]).toEqual([one.key, state === 'success' ? 1 : 0]);
    }
  }, 30_000);

  it('is told by 503 with Retry-After over both protocols while it is away, and by readiness, not by liveness', async () => {
    await lane.postgres.stopImmediately();
    const one = recharge();
    const [rest, graphql] = await Promise.all([
      lane.victim.call(restRecharge(one)),
      lane.victim.call(graphqlRecharge(one)),
    ]);
    const [live, ready] = await Promise.all(['/livez', '/readyz'].map((path) => fetch(`${lane.victim.baseUrl}${path}`)));
    await lane.postgres.start();
    expect([rest?.status, rest?.body.status, toldBy(rest).outcome]).toEqual([503, 'failed', 'DEPENDENCY_DOWN']);
    expect(Number(rest?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect([graphql?.status, toldBy(graphql).outcome]).toEqual([503, 'DEPENDENCY_DOWN']);
    expect([live?.status, ready?.status]).toEqual([200, 503]);
    const again = await lane.victim.call(restRecharge(one));
    expect(toldBy(again).outcome).toBe('success'); // the refused request had not consumed the key
  });

  it('may have committed a hold that was never heard of: it is read again by its id, and sent once', async () => {
    const one = recharge();
    const { developerId } = one.account;
    watchSends(one);
    const { api, database } = lane.victim;
    await api.watch({ subjects: [{ developerId, texts: [one.mobile] }], stops: [['hold:before', developerId]] });
    const answer = lane.victim.call(restRecharge(one));
    await until('the hold is about to be written', () => api.at('hold:before', developerId) !== undefined);
    const { port, pid } = api.at('hold:before', developerId)!;
    database.withhold(port!);
    await api.go('hold:before', [developerId]);
    await database.finished(port!);
    const committed = await orderOf(one);
    expect(committed?.state).toBe('open');
    await lane.db.query('select pg_terminate_backend($1)', [pid]);
    expect(toldBy(await answer).outcome).toBe('success');
    // the same order, written once, though the statement went out twice
    expect(api.reached.filter(({ gate }) => gate === 'hold:before')).toHaveLength(2);
    expect(await orderOf(one)).toEqual({ id: committed!.id, state: 'success' });
    expect(sendsOf(one)).toBe(1);
    await api.watch({ subjects: [], stops: [] });
  });
});

describe('admission control', () => {
  it('refuses what is too much at once with 503 before money moves, and health endpoints still answer', async () => {
    await lane.simulator.latency('roundpay', 700);
    const account = lane.accounts[1]!;
    const crowd = Array.from({ length: 70 }, () => recharge({ account }));
    watchSends(...crowd);
    const answers = crowd.map((one, n) => lane.victim.call(n % 2 ? restRecharge(one) : graphqlRecharge(one)));
    await until('the process is full', () => crowd.filter((one) => sendsOf(one) > 0).length >= 30);
    expect((await fetch(`${lane.victim.baseUrl}/livez`)).status).toBe(200);
    expect((await fetch(`${lane.victim.baseUrl}/readyz`)).status).toBe(200);
    const replies = await Promise.all(answers);
    const refused = crowd.filter((_, n) => replies[n]?.status === 503);
    expect(refused.length).toBe(crowd.length - 40);
    for (const one of refused) expect(await orderOf(one)).toBeUndefined();
    for (const reply of replies.filter((candidate) => candidate?.status === 503)) {
      expect(toldBy(reply).outcome).toBe('OVERLOADED');
      expect(reply?.headers.get('retry-after')).toBe('1');
    }
    expect(replies.filter((reply) => reply?.status === 200)).toHaveLength(40);
    await lane.simulator.latency('roundpay', 0);
    // the refused ones are welcome when there is room
    expect(toldBy(await lane.victim.call(restRecharge(refused[0]!))).outcome).toBe('success');
  });
});

describe('a process that dies', () => {
  it('leaves its order to the other process, which finds it when its lease has ended, and asks instead of sending', async () => {
    const one = recharge({ mobile: scriptedMobile('0002', 1) }); // performed, and never answered
    watchSends(one);
    const answer = lane.victim.call(restRecharge(one));
    await until('the provider has the call', () => sendsOf(one) === 1);
    expect(await lane.victim.api.kill()).toBe('SIGKILL');
    expect(await answer).toBeUndefined();
    expect((await orderOf(one))?.state).toBe('open');
    await lane.settled();
    expect((await orderOf(one))?.state).toBe('success');
    expect(toldBy(await lane.survivor.call(restRecharge(one))).outcome).toBe('success');
    expect(sendsOf(one)).toBe(1);
    await lane.victim.restart();
  });

  it('or cannot start says why in one sentence', async () => {
    const busy = await ApiProcess.start({ ...lane.victim.env, UAT_PORT: String(await freePort()) }).catch((error: Error) => error);
    expect(busy).toBeInstanceOf(Error);
    expect((busy as Error).message).toMatch(/Port \d+ on 127\.0\.0\.1 is in use by another program; set PRODUCTION_PORT/);
  });
});
