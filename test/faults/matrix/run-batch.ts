import type { Lane } from '../support/lane.js';
import { assembleCalls, assembleSweep, isAtPoint } from './assemble.js';
import type { Batch } from './batches.js';
import { prepare, type Trial } from './calls.js';
import type { Cell } from './cells.js';
import { inject } from './inject.js';
import { Scene } from './scene.js';
import { problemsOf, recordsOf } from './verify.js';

export interface CellResult {
  cell: Cell;
  /** Reason that the fault does not count: it did not happen, or not while the call was at its point. undefined: it fired. */
  missed: string | undefined;
  problems: string[];
}

/** Number of accounts that a lane needs for the largest batch and its plugs. */
export const ACCOUNTS_PER_LANE = 20;
const PLUG: Cell = { point: 'before T1', fault: 'SIGKILL', operation: 'recharge ROUNDPAY', outcome: 'success' };

/**
 * Runs one batch: brings the calls to their points, injects the fault, recovers, retries as the clients do, and checks every
 * cell.
 */
export async function runBatch(lane: Lane, { fault, family, cells }: Batch): Promise<CellResult[]> {
  const all = await prepare(lane, [...cells, PLUG, PLUG, PLUG, PLUG], lane.accounts);
  const trials = all.slice(0, cells.length);
  const [a, b, c, d] = all.slice(cells.length) as [Trial, Trial, Trial, Trial];
  const scene = new Scene(lane, trials, { hold: [a, b], resolve: [c, d] });
  const since = (await lane.db.query<{ now: string }>('select now()::text as now'))[0]!.now;

  await (family === 'swept' ? assembleSweep(scene) : assembleCalls(scene));
  const atPoint = new Map(trials.map((trial) => [trial, isAtPoint(scene, trial)]));
  const isInjected = await inject(scene, fault);
  lane.survivor.api.signal('SIGCONT');

  const started = [...scene.replies.keys()];
  const firsts = new Map<Trial, Awaited<ReturnType<typeof lane.victim.call>>>();
  for (const [trial, reply] of scene.replies) firsts.set(trial, await reply);
  await lane.waitUntilSettled();
  const recordsBefore = await recordsOf(lane, started, since);
  const seconds = new Map(
    await Promise.all(started.map(async (trial) => [trial, await lane.survivor.call(trial.call)] as const)),
  );
  await lane.waitUntilSettled();
  const after = await recordsOf(lane, started, since);
  const book = await lane.simulator.book();
  const violations = await lane.violations();

  const died = fault === 'SIGKILL' || family === 'swept';
  const missed = (trial: Trial): string | undefined =>
    !isInjected ? 'the fault did not happen' : atPoint.get(trial) ? undefined : 'the call was not at its point';
  const problemsOfTrial = (trial: Trial): string[] =>
    problemsOf({
      trial,
      first: firsts.get(trial),
      second: seconds.get(trial),
      before: recordsBefore.get(trial)!,
      after: after.get(trial)!,
      book,
      sent: lane.callsOf(trial.text),
      fired: missed(trial) === undefined,
      mayHaveNoResponse: died,
    });
  const plugProblems = started.filter((trial) => !trials.includes(trial)).flatMap((trial) => problemsOfTrial(trial));
  return trials.map((trial) => ({
    cell: trial.cell,
    missed: missed(trial),
    problems: [...problemsOfTrial(trial), ...plugProblems.map((text) => `a bystander: ${text}`), ...violations],
  }));
}
