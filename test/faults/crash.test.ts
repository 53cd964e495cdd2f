import { expect, it } from 'vitest';
import { batchesOf } from './matrix/batches.js';
import { allCells } from './matrix/cells.js';
import { play, problemsOf } from './matrix/play.js';

/** One kill hits one call at each of these points. `npm run test:full` runs every cell of the matrix. */
it('a process that is killed while it serves loses nothing, sends nothing twice and reports nothing wrong', async () => {
  const killed = allCells.filter(({ fault }) => fault === 'SIGKILL');
  const ofEachPoint = [...Map.groupBy(killed, ({ point }) => point).values()].map(([first]) => first!);
  const { cells } = batchesOf('SIGKILL', ofEachPoint).find(({ family }) => family === 'answered')!;
  const results = await play('SIGKILL', cells);
  expect(problemsOf(results)).toEqual([]);
  expect(results.length).toBeGreaterThan(2);
});
