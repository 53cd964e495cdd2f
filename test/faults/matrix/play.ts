import { expect } from 'vitest';
import { Lane } from '../support/lane.js';
import { batchesOf } from './batches.js';
import { type Cell, type Fault, nameOf } from './cells.js';
import { ACCOUNTS_PER_LANE, type CellResult, runBatch } from './run-batch.js';

/** Short delays: minutes in production become seconds. The lease is longer than any call in progress. */
const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '2500',
  SYNC_WINDOW_MS: '6000',
  LEASE_MARGIN_MS: '2500',
  STATUS_CHECK_SCHEDULE_MS: '1s,200ms',
  VISIBILITY_DELAY_MS: '5500ms',
  MANUAL_REVIEW_AFTER_MS: '13s',
  // each call of a batch may stop in a statement and keep its connection
  DATABASE_POOL_SIZE: '24',
};

/** On a busy machine a call can reach its point too late: with a load of 16 on two cores, 17 cells missed three rounds. */
const ROUNDS = 6;

/** Starts processes with closed circuit breakers. */
async function freshProcesses({ victim, survivor }: Lane): Promise<void> {
  for (const station of [victim, survivor]) {
    await station.api.kill();
    await station.restart();
  }
}

/** Runs the cells of one fault in separate processes. A cell whose fault did not fire is repeated. */
export async function play(fault: Fault, cells: readonly Cell[]): Promise<CellResult[]> {
  const ownServer = fault === 'server stopped';
  const lane = await Lane.open({ accounts: ACCOUNTS_PER_LANE, settings: SETTINGS, ownServer });
  try {
    const own: CellResult[] = [];
    let rest: Cell[] = cells.filter((cell) => cell.fault === fault);
    for (let round = 1; round <= ROUNDS && rest.length > 0; round++) {
      if (round > 1) await freshProcesses(lane);
      const batchResults: CellResult[] = [];
      for (const batch of batchesOf(fault, rest)) batchResults.push(...(await runBatch(lane, batch)));
      own.push(...batchResults.filter(({ missed, problems }) => !missed || problems.length > 0 || round === ROUNDS));
      rest = batchResults.filter(({ missed, problems }) => missed && problems.length === 0).map(({ cell }) => cell);
    }
    expect(lane.complaints).toEqual([]);
    return own;
  } finally {
    await lane.close();
  }
}

/** Problems of the results, one line each. */
export const problemsOf = (results: readonly CellResult[]): string[] =>
  results.flatMap(({ cell, missed, problems }) =>
    [...(missed ? [missed] : []), ...problems].map((problem) => `${nameOf(cell)}: ${problem}`),
  );
