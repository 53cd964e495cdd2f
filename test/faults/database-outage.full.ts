import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { Lane } from './support/lane.js';
import { graphqlRecharge, newRecharge, type Recharge, reportedBy, restRecharge } from './support/recharges.js';
import type { Reply, Station } from './support/station.js';

let lane: Lane;
beforeAll(async () => {
  lane = await Lane.open({
    accounts: 4,
    ownServer: true,
    settings: {
      PROVIDER_TIMEOUT_MS: '3000',
      SYNC_WINDOW_MS: '5000',
      LEASE_MARGIN_MS: '3000',
      VISIBILITY_DELAY_MS: '7s',
    },
  });
});
afterAll(() => lane?.close());
afterEach(async () => {
  await lane.waitUntilSettled();
  expect(await lane.violations()).toEqual([]);
  expect(lane.complaints).toEqual([]);
});

describe('a database outage', () => {
  const sane = (reply: Reply | undefined): boolean =>
    reply !== undefined &&
    // a hold that was committed too late is refunded without sending, which is a final status
    ([200, 503].includes(reply.status) || reply.body.code === 'PROVIDER_DECLINED') &&
    (reply.status !== 503 || reply.headers.has('retry-after'));

  it('is survived by reconnecting: no recharge is lost, sent twice or wrongly reported as failed', async () => {
    const recharges: Recharge[] = [];
    const replies = new Map<Recharge, Reply | undefined>();
    let isLoading = true;
    const client = async (n: number): Promise<void> => {
      const account = lane.accounts[n % lane.accounts.length]!;
      for (const station = n % 2 ? lane.victim : lane.survivor; isLoading; await sleep(5)) {
        const recharge = newRecharge(account);
        recharges.push(recharge);
        replies.set(recharge, await station.call(restRecharge(recharge)));
      }
    };
    const clients = Array.from({ length: 12 }, (_, n) => client(n));
    const count = (status: number): number => [...replies.values()].filter((reply) => reply?.status === status).length;
    await until('recharges receive responses', () => count(200) > 0);
    await lane.server!.stopImmediately();
    await until('the outage has an effect', () => count(503) > 0);
    await lane.server!.start();
    // short enough that most requests outlast it
    await sleep(400);
    await lane.server!.stopImmediately();
    await sleep(400);
    await lane.server!.start();
    const countBefore = count(200);
    await until('recharges receive responses again', () => count(200) > countBefore);
    isLoading = false;
    await Promise.all(clients);
    expect(
      [...replies.values()].filter((reply) => !sane(reply)).map((reply) => reply && [reply.status, reply.body]),
    ).toEqual([]);

    await lane.waitUntilSettled();
    const states = new Map(
      (
        await lane.db.query<{ client_key: string; state: string }>(
          'select client_key, state from orders where client_key is not null',
        )
      ).map(({ client_key, state }) => [client_key, state]),
    );
    const processed = Map.groupBy(await lane.simulator.book(), ({ account }) => account);
    for (const recharge of recharges) {
      const state = states.get(recharge.key);
      const outcome = reportedBy(replies.get(recharge)).outcome;
      if (outcome === 'success') expect([recharge.key, state]).toEqual([recharge.key, 'success']);
      if (outcome === 'PROVIDER_DECLINED') expect([recharge.key, state]).toEqual([recharge.key, 'failed']);
      if (outcome === 'DEPENDENCY_DOWN') expect([recharge.key, state]).not.toEqual([recharge.key, 'success']);
      expect([recharge.key, processed.get(recharge.mobile)?.length ?? 0]).toEqual([
        recharge.key,
        state === 'success' ? 1 : 0,
      ]);
    }
  });

  /** Longer than the ledger retries. */
  const OUTAGE_MS = 21_000;

  it.each([
    ['stored by the same process', '120000', 'response'],
    ['also if a sweeper checks it first', '3000', undefined],
  ])(
    'loses no outcome that a provider returned during the outage: each is a success with its transaction ID, %s',
    async (_, margin, last) => {
      const { victim, accounts } = lane;
      if (victim.api.isUp) await victim.api.kill();
      const visibility = String(Number(margin) + 4_000);
      await victim.restart(undefined, {
        LEASE_MARGIN_MS: margin,
        VISIBILITY_DELAY_MS: visibility,
        PROVIDER_TIMEOUT_MS: '3000',
      });
      await lane.db.query(
        `update developer set recharge_provider = case when id = $1 then 'MOKSHIQ' else 'ROUNDPAY' end where id = any($2)`,
        [accounts[1]!.developerId, [accounts[1]!.developerId, accounts[2]!.developerId]],
      );
      const recharges = [1, 2].flatMap((n) => Array.from({ length: 6 }, () => newRecharge(accounts[n]!)));
      const mobiles = recharges.map(({ mobile }) => mobile);
      lane.watchCalls(mobiles);
      victim.provider.hold(mobiles);
      const replies = recharges.map((recharge) => victim.call(restRecharge(recharge)));
      await until('the provider has processed them', () =>
        mobiles.every((mobile) => victim.provider.hasWithheldResponse(mobile)),
      );
      await lane.server!.stopImmediately();
      victim.provider.deliver();
      await sleep(OUTAGE_MS);
      await lane.server!.start();
      for (const reply of await Promise.all(replies)) expect(reportedBy(reply).outcome).toBe('pending');
      const keys = recharges.map(({ key }) => key);
      const storedOrders = () =>
        lane.db.query<{ state: string; provider: string; txn: string; mobile: string; words: string[] }>(
          `select o.state, o.provider, o.provider_txn_id as txn,
           (select array_agg(e.kind || ' ' || (e.detail ->> 'reason') order by e.at) from order_event e
            where e.order_id = o.id and e.detail ? 'reason') as words
         from orders o where o.client_key = any($1) order by array_position($1, o.client_key)`,
          [keys],
        );
      await until(
        'each order has a final status',
        async () => (await storedOrders()).every(({ state }) => state === 'success'),
        30_000,
      );
      const orders = await storedOrders();
      expect(orders.map(({ provider }) => provider)).toEqual(
        recharges.map((_one, n) => (n < 6 ? 'MOKSHIQ' : 'ROUNDPAY')),
      );
      expect(new Set(orders.flatMap(({ txn }) => txn || [])).size).toBe(recharges.length);
      // a provider without a status check returns the outcome only once, so the response is the only evidence
      for (const { provider, words } of orders)
        if (last === 'response') expect(words).toEqual(['response provider_success']);
        else if (provider === 'MOKSHIQ') expect(words.at(-1)).toBe('response provider_success');
      expect(mobiles.map((mobile) => lane.callsOf(mobile) >= 1)).not.toContain(false);
    },
  );

  it('is reported by 503 with Retry-After over both protocols and by readiness, but not by liveness', async () => {
    await lane.server!.stopImmediately();
    const recharge = newRecharge(lane.accounts[0]!);
    const [rest, graphql] = await Promise.all([
      lane.victim.call(restRecharge(recharge)),
      lane.victim.call(graphqlRecharge(recharge)),
    ]);
    const [live, ready] = await Promise.all(
      ['/livez', '/readyz'].map((path) => fetch(`${lane.victim.baseUrl}${path}`)),
    );
    await lane.server!.start();
    expect([rest?.status, rest?.body.status, reportedBy(rest).outcome]).toEqual([503, 'error', 'DEPENDENCY_DOWN']);
    expect(Number(rest?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect([graphql?.status, reportedBy(graphql).outcome]).toEqual([503, 'DEPENDENCY_DOWN']);
    expect([live?.status, ready?.status]).toEqual([200, 503]);
    const retry = await lane.victim.call(restRecharge(recharge));
    expect(reportedBy(retry).outcome).toBe('success'); // the rejected request did not use the idempotency key
  });

  it('ends only when a returning standby is promoted, also for a process that starts in between', async () => {
    const { victim, survivor, server } = lane;
    const readinessOf = async ({ baseUrl }: Station) => {
      const response = await fetch(`${baseUrl}/readyz`);
      return [response.status, await response.json()];
    };
    await server!.stopImmediately();
    await victim.api.kill();
    await victim.restart();
    const unavailable = [503, { status: 'not ready', detail: 'The database is unavailable.' }];
    expect(await Promise.all([readinessOf(victim), readinessOf(survivor)])).toEqual([unavailable, unavailable]);
    await server!.start({ standby: true });
    const standby = [503, { status: 'not ready', detail: 'The database is a standby and does not accept writes.' }];
    expect(await readinessOf(victim)).toEqual(standby);
    await until('the survivor has noticed too', async () => isDeepStrictEqual(await readinessOf(survivor), standby));
    const recharge = newRecharge(lane.accounts[1]!);
    expect(reportedBy(await victim.call(restRecharge(recharge))).outcome).toBe('DEPENDENCY_DOWN');
    await lane.db.query('select pg_promote()');
    expect(await readinessOf(victim)).toEqual([200, { status: 'ready' }]);
    expect(reportedBy(await victim.call(restRecharge(recharge))).outcome).toBe('success');
  });

  it('can hide the commit of a hold: the order is then read again by its ID and sent once', async () => {
    const recharge = newRecharge(lane.accounts[0]!);
    const { developerId } = recharge.account;
    lane.watchCalls([recharge.mobile]);
    const { api, database } = lane.victim;
    await api.watch({ subjects: [{ developerId, texts: [recharge.mobile] }], stops: [['hold:before', developerId]] });
    const response = lane.victim.call(restRecharge(recharge));
    await until('the hold is about to be written', () => api.at('hold:before', developerId) !== undefined);
    const { port, pid } = api.at('hold:before', developerId)!;
    database.withhold(port!);
    await api.go('hold:before', [developerId]);
    await database.waitUntilFinished(port!);
    const committed = await lane.orderOf(recharge.key);
    expect(committed?.state).toBe('open');
    await lane.db.query('select pg_terminate_backend($1)', [pid]);
    expect(reportedBy(await response).outcome).toBe('success');
    // the order was written once, although the statement was sent twice
    expect(api.reached.filter(({ gate }) => gate === 'hold:before')).toHaveLength(2);
    expect(await lane.orderOf(recharge.key)).toEqual({ id: committed!.id, state: 'success' });
    expect(lane.callsOf(recharge.mobile)).toBe(1);
    await api.watch({ subjects: [], stops: [] });
  });
});

describe('a wallet that another session keeps locked', () => {
  it('makes only its own recharge time out with 503, and no transaction waits forever', async () => {
    const account = lane.accounts[3]!;
    const recharge = newRecharge(account);
    lane.watchCalls([recharge.mobile]);
    const lock = await lane.db.connect();
    await lock.query('begin');
    await lock.query('select 1 from wallet where developer_id = $1 for update', [account.developerId]);
    const startedAt = Date.now();
    const reply = await lane.victim.call(restRecharge(recharge));
    await lock.end();
    expect([reply?.status, reportedBy(reply).outcome, reply?.headers.get('retry-after')]).toEqual([
      503,
      'DEPENDENCY_DOWN',
      '1',
    ]);
    expect(Date.now() - startedAt).toBeLessThan(12_000);
    expect(await lane.orderOf(recharge.key)).toBeUndefined();
    expect(lane.callsOf(recharge.mobile)).toBe(0);
    expect(reportedBy(await lane.victim.call(restRecharge(recharge))).outcome).toBe('success');
  });
});
