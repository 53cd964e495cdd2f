import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Lane } from '../support/lane.js';
import { Station } from '../support/station.js';
import { cause, faults, type SoakFault } from './chaos.js';
import { type SoakCall, SoakClient } from './clients.js';
import { type BookLine, violationsOf } from './violations.js';

const SECONDS = Number(process.env.SOAK_SECONDS || 600);
const CLIENTS = 32;
/** Maximum time from the last fault until no order is open. */
const SETTLE_LIMIT_MS = 60_000;
const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '3000',
  SYNC_WINDOW_MS: '5000',
  LEASE_MARGIN_MS: '4000',
  STATUS_CHECK_SCHEDULE_MS: '500ms,1s,2s,5s',
  VISIBILITY_DELAY_MS: '8s',
  MANUAL_REVIEW_AFTER_MS: '40s',
  // later than the provider reverses payments
  RECHECK_AFTER_MS: '3s',
};

it(
  `survives ${SECONDS} seconds of faults with ${CLIENTS} clients`,
  async () => {
    const lane = await Lane.open({ ownServer: true, accounts: 8, settings: SETTINGS });
    // a third process, which is never killed, and whose memory must stay flat
    const old = await Station.open(lane.server!, lane.db.name, lane.simulator.port, SETTINGS);
    const all = [lane.victim, lane.survivor, old];
    try {
      const mokshiq = lane.accounts.slice(4).map(({ developerId }) => developerId);
      await lane.db.query(`update developer set recharge_provider = 'MOKSHIQ' where id = any($1::uuid[])`, [mokshiq]);
      const endsAt = Date.now() + SECONDS * 1_000;
      const isOver = (): boolean => Date.now() >= endsAt;
      const clients = Array.from({ length: CLIENTS }, (_, n) => new SoakClient(lane.accounts[n % 8]!, all));
      const memory: number[] = [];
      const load = Promise.all(clients.map((client) => client.run(isOver)));
      const meter = watchMemory(old, memory, isOver);
      const { caused, lastEndedAt } = await causeFaults(lane, all, isOver);
      await Promise.all([load, meter]);
      await lane.waitUntilSettled(SETTLE_LIMIT_MS - (Date.now() - lastEndedAt));
      await lane.waitUntilRechecked(SETTLE_LIMIT_MS);
      const settledMs = Date.now() - lastEndedAt;
      const calls = clients.flatMap((client) => client.calls);
      const problems = await violationsOf(lane, calls);
      await report(lane, { calls, caused, settledMs, memory, problems });
      expect(problems).toEqual([]);
      expect([...lane.complaints, ...old.complaints]).toEqual([]);
      for (const fault of faults) expect([fault, caused.get(fault)! > 0]).toEqual([fault, true]);
      expect(growthOf(memory)).toBeLessThan(1.5);
    } finally {
      await old.close();
      await lane.close();
    }
  },
  (SECONDS + 180) * 1_000,
);

/** Causes a fault every 5 to 10 seconds, each kind in turn. */
async function causeFaults(lane: Lane, all: readonly Station[], isOver: () => boolean) {
  const caused = new Map<SoakFault, number>(faults.map((fault) => [fault, 0]));
  let lastEndedAt = Date.now();
  for (let n = 0; !isOver(); n++) {
    const nextAt = Date.now() + 5_000 + Math.random() * 5_000;
    const fault = faults[n % faults.length]!;
    const nth = caused.get(fault)!;
    caused.set(fault, nth + 1);
    await cause(fault, nth, lane, all.slice(0, 2), all);
    lastEndedAt = Date.now();
    while (Date.now() < nextAt && !isOver()) await sleep(50);
  }
  return { caused, lastEndedAt };
}

async function watchMemory({ api }: Station, samples: number[], isOver: () => boolean): Promise<void> {
  for (; !isOver(); await sleep(2_000)) samples.push((await api.heapBytes())!);
}

/** Ratio of the last third to the second, because the first third is the warm-up. */
function growthOf(samples: readonly number[]): number {
  const third = Math.floor(samples.length / 3);
  const median = (part: readonly number[]): number => part.toSorted((a, b) => a - b)[part.length >> 1]!;
  return median(samples.slice(2 * third)) / median(samples.slice(third, 2 * third));
}

const count = (book: readonly BookLine[], outcome: BookLine['outcome']): number =>
  book.filter((line) => line.outcome === outcome).length;

interface Result {
  calls: readonly SoakCall[];
  caused: Map<SoakFault, number>;
  settledMs: number;
  memory: readonly number[];
  problems: readonly string[];
}

async function report(lane: Lane, { calls, caused, settledMs, memory, problems }: Result): Promise<void> {
  const replies = calls.flatMap((call) => call.replies);
  const statuses = Object.entries(Object.groupBy(replies, (reply) => String(reply?.status ?? 'none')));
  const states = await lane.db.query<{ operation: string; state: string; n: number }>(
    'select operation, state, count(*)::int as n from orders group by 1, 2 order by 1, 2',
  );
  const book = await lane.simulator.book();
  const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  const lines = [
    `soak: ${SECONDS} s, ${CLIENTS} clients, ${calls.length} calls with ${replies.length} requests (${(replies.length / SECONDS).toFixed(0)}/s)`,
    `faults: ${[...caused].map(([fault, n]) => `${n} × ${fault}`).join(', ')}`,
    `answers: ${statuses.map(([status, list]) => `${list!.length} × ${status}`).join(', ')}`,
    `orders: ${states.map(({ operation, state, n }) => `${n} ${operation} ${state}`).join(', ')}`,
    `provider's book: ${count(book, 'succeeded')} performed, ${count(book, 'reversed')} reversed`,
    `settled ${(settledMs / 1_000).toFixed(1)} s after the last fault; ${problems.length} violations`,
    `heap still needed in the process that lived through it: ${mb(memory[0]!)} at first, ${mb(memory.at(-1)!)} at last, growth × ${growthOf(memory).toFixed(2)}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
