import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { prepare, type Trial } from './matrix/calls.js';
import type { Operation, Outcome } from './matrix/cells.js';
import type { Account } from './support/accounts.js';
import { Lane } from './support/lane.js';

const full = process.env.FAULTS === 'full';
/** Without status checks that find no order, the value only has to exceed the time for which a process is stopped. */
const VISIBILITY_MS = full ? 6_000 : 60_000;
const operations = ['recharge ROUNDPAY', 'bill pay', 'recharge MOKSHIQ'] as const;

type Point = readonly [gate: string, operation: Operation];

/** Points at which one order waits while the process is stopped, in the order in which they are reached. */
const points: readonly Point[] = [
  ['dispatch', 'recharge ROUNDPAY'],
  ['dispatch', 'bill pay'],
  ['dispatch', 'recharge MOKSHIQ'],
  ['claim:before', 'recharge MOKSHIQ'],
  ['claim:after', 'recharge MOKSHIQ'],
  ['look:before', 'recharge MOKSHIQ'],
  ['look:after', 'recharge MOKSHIQ'],
];
/**
 * Pairs of holds. A process sends at most two holds concurrently, so pairs take turns, beside the other points and only in the
 * full run.
 */
const holds: readonly (readonly [Point, Point])[] = [
  [
    ['hold:before', 'bill pay'],
    ['hold:after', 'recharge ROUNDPAY'],
  ],
  [
    ['hold:before', 'recharge ROUNDPAY'],
    ['hold:after', 'bill pay'],
  ],
  [
    ['hold:before', 'recharge MOKSHIQ'],
    ['hold:after', 'recharge MOKSHIQ'],
  ],
];
const rounds = full ? [[...points, ...holds[0]!], ...holds.slice(1)] : [[...points, ...holds[0]!]];

interface Row {
  state: string;
  statusChecks: number;
  ageMs: number;
  conflicting: boolean;
}

let lane: Lane;
let accounts: Account[];
beforeAll(async () => {
  lane = await Lane.open({
    accounts: rounds.flat().length + 2 * operations.length,
    settings: {
      PROVIDER_TIMEOUT_MS: '1000',
      SYNC_WINDOW_MS: '1500',
      LEASE_MARGIN_MS: '1500',
      STATUS_CHECK_SCHEDULE_MS: '200ms',
      VISIBILITY_DELAY_MS: String(VISIBILITY_MS),
      DATABASE_POOL_SIZE: '24',
    },
  });
  accounts = [...lane.accounts];
});
afterAll(() => lane?.close());
afterEach(async () => {
  lane.victim.api.signal('SIGCONT');
  for (const provider of ['roundpay', 'inspay'] as const) await lane.simulator.blind(provider, false);
  await lane.waitUntilSettled();
  expect(await lane.violations()).toEqual([]);
  expect(lane.complaints).toEqual([]);
});

const trialsOf = (cells: readonly (readonly [Operation, Outcome])[]): Promise<Trial[]> =>
  prepare(
    lane,
    cells.map(([operation, outcome]) => ({ point: 'after T1', fault: 'SIGKILL', operation, outcome })),
    accounts.splice(0, cells.length),
  );

/** Undefined before the hold. */
const rowOf = async ({ account }: Trial): Promise<Row | undefined> =>
  (
    await lane.db.query<Row>(
      `select state, status_checks as "statusChecks", extract(epoch from now() - created_at)::float8 * 1000 as "ageMs", status_conflict_at is not null as conflicting
       from orders where developer_id = $1 and operation <> 'card_bill'`,
      [account.developerId],
    )
  )[0];

/** Whether the other process checked the status, or found that no status check is possible. */
const isTakenOver = async (trial: Trial): Promise<boolean> => {
  const row = await rowOf(trial);
  return row !== undefined && (row.state !== 'open' || row.statusChecks > 0);
};

const isState = async (trial: Trial, state: string): Promise<boolean> => (await rowOf(trial))?.state === state;

const isBooked = async ({ text }: Trial): Promise<boolean> =>
  (await lane.simulator.book()).some(({ account, outcome }) => account === text && outcome === 'succeeded');

/** Makes the victim stop the orders of the trials at these gates. */
const watch = (trials: readonly Trial[], gateOf: (trial: Trial) => string): Promise<void> =>
  lane.victim.api.watch({
    subjects: trials.map(({ account, text }) => ({ developerId: account.developerId, texts: [text] })),
    stops: trials.map((trial) => [gateOf(trial), trial.account.developerId]),
  });

it.each(rounds.map((round) => [round.slice(-2).join(' and '), round] as const))(
  'a process that is stopped between hold and send until its lease expires sends nothing, wherever it was (%s)',
  async (_name, round) => {
    const trials = await trialsOf(round.map(([, operation]) => [operation, 'silent_performed']));
    const gateOf = (trial: Trial): string => round[trials.indexOf(trial)]![0];
    const { api } = lane.victim;
    await watch(trials, gateOf);
    const replies: Promise<unknown>[] = [];
    for (const trial of trials) {
      replies.push(lane.victim.call(trial.call));
      await until(`it is at ${gateOf(trial)}`, () => api.at(gateOf(trial), trial.account.developerId) !== undefined);
    }
    api.signal('SIGSTOP');
    // an order without a hold cannot be taken over, because its lease starts before that of the next hold
    for (const trial of trials)
      if (gateOf(trial) !== 'hold:before') await until(`${gateOf(trial)} is taken over`, () => isTakenOver(trial));
    // an admin resolves it by the panel of the provider, which has no status check and does not list it
    const claimed = trials.find((trial) => gateOf(trial) === 'claim:after');
    if (claimed) {
      expect(await rowOf(claimed)).toMatchObject({ state: 'review' });
      await lane.db.query(
        `select ledger_resolve(array[developer_id], array[id], array[false], array[null::bytea], array[''], array['resolution'],
           array['{}'::jsonb], array[null::integer]) from orders where developer_id = $1`,
        [claimed.account.developerId],
      );
    }
    api.signal('SIGCONT');
    await watch([], gateOf);
    for (const trial of trials)
      await until(
        `${gateOf(trial)} has a final status`,
        async () => !['open', undefined].includes((await rowOf(trial))?.state),
      );
    await Promise.all(replies);
    const ends = await Promise.all(
      trials.map(async (trial) => ({ ...(await rowOf(trial)), gate: gateOf(trial), booked: await isBooked(trial) })),
    );
    expect(ends.map(({ gate, state, conflicting, booked }) => ({ gate, state, conflicting, booked }))).toEqual(
      round.map(([gate]) => ({ gate, state: 'failed', conflicting: false, booked: false })),
    );
  },
);

describe.runIf(full)('a process that is stopped with an open connection', () => {
  /** @param ageMs minimum age of its order when the process continues */
  const stopped = async (gate: string, operation: Operation, ageMs = 0): Promise<Trial> => {
    const [trial] = await trialsOf([[operation, 'silent_performed']]);
    for (const provider of ['roundpay', 'inspay'] as const) await lane.simulator.blind(provider, true);
    await watch([trial!], () => gate);
    void lane.victim.call(trial!.call);
    await until(`it is at ${gate}`, () => lane.victim.api.at(gate, trial!.account.developerId) !== undefined);
    await until('it is taken over', () => isTakenOver(trial!));
    await until('it is old enough', async () => (await rowOf(trial!))!.ageMs > ageMs);
    lane.victim.api.signal('SIGCONT');
    return trial!;
  };

  it.each(operations)('sends nothing if it stops before the last check: %s', async (operation) => {
    const trial = await stopped('connected', operation);
    await until('it is refunded', () => isState(trial, 'failed'));
    expect(await isBooked(trial)).toBe(false);
  });

  it.each(operations)(
    'loses nothing if it stops after the last check and the provider lists payments late: %s',
    async (operation) => {
      const trial = await stopped('write', operation, VISIBILITY_MS - 1_000);
      await until('it is processed', () => isBooked(trial));
      const canCheckStatus = operation !== 'recharge MOKSHIQ';
      // as often as a refund would need if "not found" counted from the hold; the first status check may be older than its
      // response
      await until('it was not found three times when it was old', async () => {
        const [found] = await lane.db.query<{ n: number }>(
          `select count(*)::int as n from order_event e join orders o on o.developer_id = e.developer_id and o.id = e.order_id
           where o.developer_id = $1 and e.detail->>'reason' = 'provider_not_found' and e.at > o.created_at + $2 * interval '1 ms'`,
          [trial.account.developerId, VISIBILITY_MS],
        );
        return found!.n > 2 || !(await isState(trial, 'open'));
      });
      expect(await rowOf(trial)).toMatchObject({ state: canCheckStatus ? 'open' : 'review', conflicting: false });
      if (!canCheckStatus) return;
      await lane.simulator.blind(operation === 'bill pay' ? 'inspay' : 'roundpay', false);
      await until('it is a success', () => isState(trial, 'success'));
    },
  );
});
