import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Lane } from '../faults/support/lane.js';
import { startOwnPostgres } from '../faults/support/own-postgres.js';
import { scriptedMobile } from '../faults/support/recharges.js';
import { print, violationsOf } from './support/books.js';
import { fire, type Shot, summary } from './support/load.js';
import { AROUND_MS, DRILL_MINUTES } from './support/minutes.js';

const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '5000',
  SYNC_WINDOW_MS: '8000',
  LEASE_MARGIN_MS: '3000',
  VISIBILITY_DELAY_MS: '1h',
  // both kinds are always due: pending orders and rechecks of successful orders
  STATUS_CHECK_SCHEDULE_MS: '200ms',
  RECHECK_AFTER_MS: '300ms',
  POLL_INTERVAL_MS: '50',
  EXPOSURE_LIMIT: '0',
};
/** Enough orders to keep both sweepers busy. */
const PER_SECOND = 20;
const WINDOW_S = 60;
/** Number of orders that become due again at once, four times a second. */
const DUE_AGAIN = 200;
const SETTLE_LIMIT_MS = 120_000;
/** Final after the third status check; there are 4,000 numbers of this kind. */
const PENDING = '0005';
/** Messages of PostgreSQL if one of its processes crashes, or a statement requests a negative number of rows (2201W). */
const CRASH =
  /was terminated by signal|server process|crash of another|in recovery|not properly shut down|PANIC|Failed process was running|LIMIT must not be negative/;

let serverLog: string;
let lane: Lane;
beforeAll(async () => {
  const server = await startOwnPostgres({
    autovacuum: 'on',
    // includes the statement during which a process crashed
    log_error_verbosity: 'default',
  });
  serverLog = path.join(path.dirname(server.cluster), 'server.log');
  lane = await Lane.open({ ownServer: server, accounts: 20, settings: SETTINGS });
  // slow status checks, during which more orders become due
  await lane.simulator.latency('roundpay', 100);
});
afterAll(() => lane?.close());

/** Log lines about a crash, or about a statement with a negative number of rows. */
const crashLines = (): string[] =>
  readFileSync(serverLog, 'utf8')
    .split('\n')
    .filter((line) => CRASH.test(line));

interface Due {
  waitedFor: number;
  rechecked: number;
}

/** Makes every success due for a recheck, as a day later. Returns the number of due orders of each kind just before. */
async function makeDue(): Promise<Due> {
  const [due] = await lane.db.query<{ waited: number; again: number }>(
    `select count(*) filter (where waited_for)::int as waited, count(*) filter (where not waited_for)::int as again
     from order_due where due_at <= now()`,
  );
  await lane.db.query(
    `select order_due_set(o, false, now()) from (
       select * from orders where state = 'success' and doubted_since is null order by random() limit $1 for no key update skip locked) o`,
    [DUE_AGAIN],
  );
  return { waitedFor: due!.waited, rechecked: due!.again };
}

/** Every second recharge is pending at its provider. */
let scripted = 0;
const mobileOf = (n: number): string | undefined =>
  n % 2 === 0 ? scriptedMobile(PENDING, scripted++ % 4_000) : undefined;

it(
  `two sweepers lease orders for ${DRILL_MINUTES} minutes with both kinds due, and PostgreSQL does not crash`,
  async () => {
    const shots: Shot[] = [];
    let checkCount = 0;
    let both = 0;
    for (let minute = 1; minute <= DRILL_MINUTES && crashLines().length === 0; minute++) {
      let isOver = false;
      const load = Promise.all(
        [lane.victim, lane.survivor].map(({ baseUrl }) =>
          fire({ accounts: lane.accounts, baseUrl, perSecond: PER_SECOND / 2, seconds: WINDOW_S, mobileOf }),
        ),
      ).finally(() => (isOver = true));
      while (!isOver) {
        const { waitedFor, rechecked } = await makeDue();
        checkCount++;
        if (waitedFor > 0 && rechecked > 0) both++;
        await sleep(250);
      }
      const results = (await load).flat();
      shots.push(...results);
      print(`minute ${minute}: ${summary(results)}; both kinds due at ${both} of ${checkCount} checks`);
    }
    expect(crashLines()).toEqual([]);
    await lane.waitUntilSettled(SETTLE_LIMIT_MS);
    const [checked] = await lane.db.query<{ n: number }>('select sum(status_checks)::int as n from orders');
    print(`${checked!.n.toLocaleString('en')} status checks by two processes; ${summary(shots)}`);
    expect(shots.filter(({ result: results }) => !/^20\d /.test(results))).toEqual([]);
    expect(await violationsOf(lane, shots)).toEqual([]);
    // otherwise the drill proves nothing
    expect(both).toBeGreaterThan(checkCount / 2);
    expect(crashLines()).toEqual([]);
  },
  DRILL_MINUTES * 120_000 + AROUND_MS,
);
