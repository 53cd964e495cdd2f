import { afterAll, describe, expect, it } from 'vitest';
import { batchesOf } from './matrix/batches.js';
import { allCells, type Cell, type Fault, faults, nameOf } from './matrix/cells.js';
import { ACCOUNTS_PER_LANE, type CellResult, runBatch } from './matrix/run-batch.js';
import { sampleOf } from './matrix/sample.js';
import { Lane } from './support/lane.js';

const full = process.env.FAULTS === 'full';
/** What takes the database away has tests of its own beside this one; with all calls at all points it is played in full alone. */
const played: readonly Fault[] = full ? faults : ['SIGKILL', 'provider cut'];
const applicable = allCells.filter(({ fault }) => played.includes(fault));
const cells = full ? applicable : sampleOf(applicable);

/** Short waits: what takes minutes in production takes seconds. The lease outlasts a call that is alive. */
const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '2500',
  SYNC_WINDOW_MS: '6000',
  LEASE_MARGIN_MS: '2500',
  ENQUIRY_SCHEDULE_MS: '1s,200ms',
  VISIBILITY_DELAY_MS: '5500ms',
  GIVE_UP_AFTER_MS: '13s',
  // each call of a batch may stop in a statement, with its connection
  DATABASE_POOL_SIZE: '24',
};

/** A busy machine brings a call too late to its point; twice in a row is rare, a third time says that the cell is wrong. */
const ROUNDS = 3;
const results: CellResult[] = [];

/** With closed breakers. */
async function freshProcesses({ victim, survivor }: Lane): Promise<void> {
  for (const station of [victim, survivor]) {
    await station.api.kill();
    await station.restart();
  }
}

/** Plays the cells of one fault in a lane of its own; a cell whose fault did not fire is played again. */
async function play(fault: Fault): Promise<CellResult[]> {
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

describe.concurrent('the crash matrix', () => {
  afterAll(() => {
    const passed = results.filter(({ missed, problems }) => !missed && problems.length === 0);
    process.stdout.write(
      `crash matrix: ${applicable.length} applicable, ${cells.length} selected, ${results.filter(({ missed }) => !missed).length} fired, ${passed.length} passed\n`,
    );
  });

  it.each(played)(
    '%s: nothing is lost, sent twice or answered wrongly',
    async (fault) => {
      const own = await play(fault);
      results.push(...own);
      const wrong = own.flatMap(({ cell, missed, problems }) =>
        [...(missed ? [missed] : []), ...problems].map((problem) => `${nameOf(cell)}: ${problem}`),
      );
      expect(wrong).toEqual([]);
      expect(own).toHaveLength(cells.filter((cell) => cell.fault === fault).length);
    },
    full ? 3_600_000 : 900_000,
  );
});
