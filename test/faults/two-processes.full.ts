import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { Lane } from './support/lane.js';
import { graphqlRecharge, plainMobile, reportedBy, restRecharge, scriptedMobile } from './support/recharges.js';

const full = process.env.FAULTS === 'full';
const KEYS = full ? 1_000 : 60;
const DUPLICATES = 20;
/** Concurrent idempotency keys, each with all its duplicates at the same time. */
const CONCURRENT_KEYS = full ? 20 : 8;
const SLOW_MS = 1_000;
const BROWNOUT_MS = full ? 20_000 : 4_000;
const REQUESTS_PER_SECOND = 50;

let lane: Lane;
beforeAll(async () => {
  lane = await Lane.open({
    accounts: 3,
    settings: { PROVIDER_TIMEOUT_MS: '3000', SYNC_WINDOW_MS: '15000', VISIBILITY_DELAY_MS: '5s' },
  });
});
afterAll(() => lane?.close());
afterEach(async () => {
  await lane.waitUntilSettled();
  expect(await lane.violations()).toEqual([]);
  expect(lane.complaints).toEqual([]);
});

describe('two API processes on one database', () => {
  it(`process ${KEYS} keys × ${DUPLICATES} simultaneous duplicates with one hold and one call to the provider each`, async () => {
    const account = lane.accounts[0]!;
    await lane.simulator.reset();
    // long enough for the duplicates to meet the first call in progress
    await lane.simulator.latency('roundpay', 60);
    const play = async (n: number) => {
      const declined = n % 10 === 9;
      const recharge = {
        account,
        key: `dup-${n}`,
        mobile: declined ? scriptedMobile('0001', n) : plainMobile(n),
      };
      const reported = await Promise.all(
        Array.from({ length: DUPLICATES }, async (_, copy) => {
          const station = copy % 2 ? lane.victim : lane.survivor;
          return reportedBy(await station.call(copy % 4 < 2 ? restRecharge(recharge) : graphqlRecharge(recharge)));
        }),
      );
      expect(new Set(reported.map(({ outcome }) => outcome))).toEqual(
        new Set([declined ? 'PROVIDER_DECLINED' : 'success']),
      );
      const ids = new Set(reported.map(({ apiRequestId }) => apiRequestId));
      expect(ids.size).toBe(1);
      expect([...ids][0]).toMatch(/^[0-9A-Z]{25}$/);
    };
    for (let n = 0; n < KEYS; n += CONCURRENT_KEYS)
      await Promise.all(Array.from({ length: Math.min(CONCURRENT_KEYS, KEYS - n) }, (_, k) => play(n + k)));
    await lane.simulator.latency('roundpay', 0);

    const transfers = await lane.db.query<{ kind: string; n: number }>(
      `select kind, count(*)::int as n from transfer where developer_id = $1 and kind <> 'top_up' group by kind order by kind`,
      [account.developerId],
    );
    expect(transfers).toEqual([
      { kind: 'hold', n: KEYS },
      { kind: 'refund', n: KEYS / 10 },
      { kind: 'settle', n: KEYS - KEYS / 10 },
    ]);
    const sends = (await lane.simulator.calls()).filter(({ path }) => path.endsWith('/TransactionAPI'));
    expect(sends).toHaveLength(KEYS);
    expect(await lane.simulator.book()).toHaveLength(KEYS - KEYS / 10);
  });
});

const FEWEST = 16;

describe('a provider in a brownout', () => {
  it('keeps no transaction open and does not slow down the other provider', async () => {
    const [, slow, quick] = lane.accounts;
    await lane.db.query(`update developer set recharge_provider = 'MOKSHIQ' where id = $1`, [quick!.developerId]);
    let serial = 500_000;
    const timed = async (): Promise<number> => {
      const startedAt = performance.now();
      const n = ++serial;
      const reply = await lane.survivor.call(restRecharge({ account: quick!, key: `q${n}`, mobile: plainMobile(n) }));
      expect(reply?.status).toBe(200);
      return performance.now() - startedAt;
    };
    const sample = async (forMs: number): Promise<number[]> => {
      const tookMs: number[] = [];
      // with fewer samples, one stall of the machine would affect a quarter
      for (const end = Date.now() + forMs; Date.now() < end || tookMs.length < FEWEST; await sleep(40))
        tookMs.push(await timed());
      return tookMs;
    };
    const load: Promise<unknown>[] = [];
    const ticker = setInterval(() => {
      const n = ++serial;
      load.push(lane.survivor.call(restRecharge({ account: slow!, key: `s${n}`, mobile: plainMobile(n) })));
    }, 1_000 / REQUESTS_PER_SECOND);
    await sample(500); // warms up connections, plans and compiled queries
    // with the same load, so that only the brownout differs
    const baselineMs = quartile(await sample(1_500));

    await lane.simulator.latency('roundpay', SLOW_MS);
    let isWatching = true;
    const samples: { open: number; busy: number }[] = [];
    const watch = async (): Promise<void> => {
      for (; isWatching; await sleep(20)) {
        const [row] = await lane.db.query<{ open: number; busy: number }>(
          `select (count(*) filter (where state like 'idle in transaction%'))::int as open, (count(*) filter (where state = 'active'))::int as busy
           from pg_stat_activity where datname = current_database() and application_name = 'recharge-gateway'`,
        );
        samples.push(row!);
      }
    };
    const watcher = watch();
    await sleep(SLOW_MS + 100); // from now on about fifty calls wait for the provider
    const during = quartile(await sample(BROWNOUT_MS - SLOW_MS));
    clearInterval(ticker);
    isWatching = false;
    await watcher;
    await lane.simulator.latency('roundpay', 0);

    const replies = (await Promise.all(load)) as Awaited<ReturnType<typeof lane.survivor.call>>[];
    expect(replies.length).toBeGreaterThan((REQUESTS_PER_SECOND * BROWNOUT_MS) / 1_000 / 2);
    expect(new Set(replies.map((reply) => reply?.status))).toEqual(new Set([200]));
    expect(samples.length).toBeGreaterThan(20);
    expect(Math.max(...samples.map(({ open }) => open))).toBe(0);
    process.stdout.write(
      `brownout: other provider ${baselineMs.toFixed(1)} ms before, ${during.toFixed(1)} ms during\n`,
    );
    // as fast as before, within the variation of a busy machine; a call that waits for one to the slow provider would take as
    // long as that
    expect(during).toBeLessThan(Math.max(3 * baselineMs + 30, SLOW_MS / 2));
  });
});

const RECHECKS = 400;
const OPEN = 10;

describe('the sweepers of two processes', () => {
  it(`check ${OPEN} open orders and ${RECHECKS} successes that are due at the same time, without overloading the server`, async () => {
    const [account] = lane.accounts;
    const startedAt = () => lane.db.query('select pg_postmaster_start_time() as at');
    const startedBefore = await startedAt();
    let serial = 700_000;
    const place = (mobile: string) => {
      const station = ++serial % 2 ? lane.victim : lane.survivor;
      return station.call(restRecharge({ account: account!, key: `sweep-${serial}`, mobile }));
    };
    for (let n = 0; n < RECHECKS; n += 40)
      await Promise.all(Array.from({ length: 40 }, (_, k) => place(plainMobile(serial + n + k))));
    for (let round = 0; round < 2; round++) {
      const opened = await Promise.all(
        Array.from({ length: OPEN }, (_, n) => place(scriptedMobile('0007', 10 * round + n))),
      );
      expect(new Set(opened.map((reply) => reply?.body.status))).toEqual(new Set(['pending']));
      await lane.db.query(
        `insert into order_due (developer_id, order_id, provider, waited_for, due_at)
         select developer_id, id, provider, state = 'open', now() from orders
         where provider = 'ROUNDPAY' and state in ('open', 'success')
         on conflict (developer_id, order_id) do update set waited_for = excluded.waited_for, due_at = excluded.due_at`,
      );
      await lane.waitUntilSettled();
      const due = () => lane.db.query('select 1 from order_due where due_at <= now() limit 1');
      await until('the status of every order was checked', async () => (await due()).length === 0, undefined, 50);
    }
    expect(await startedAt()).toEqual(startedBefore);
  });
});

/** Lower quartile, because other load on the machine affects the slow half. */
const quartile = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 2]!;
