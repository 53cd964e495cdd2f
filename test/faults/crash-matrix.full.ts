import { afterAll, describe, expect, it } from 'vitest';
import { allCells, faults } from './matrix/cells.js';
import { play, problemsOf } from './matrix/play.js';
import type { CellResult } from './matrix/run-batch.js';

const results: CellResult[] = [];

describe.concurrent('the crash matrix', () => {
  afterAll(() => {
    const passed = results.filter(({ missed, problems }) => !missed && problems.length === 0);
    process.stdout.write(
      `crash matrix: ${allCells.length} applicable, ${results.filter(({ missed }) => !missed).length} fired, ${passed.length} passed\n`,
    );
  });

  it.each(faults)('%s: nothing is lost, sent twice or reported wrongly', { timeout: 3_600_000 }, async (fault) => {
    const cells = allCells.filter((cell) => cell.fault === fault);
    const own = await play(fault, cells);
    results.push(...own);
    expect(problemsOf(own)).toEqual([]);
    expect(own).toHaveLength(cells.length);
  });
});
