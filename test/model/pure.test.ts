import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Command, sequence } from './commands.js';
import { run } from './interpreter.js';
import { PureMachine } from './pure-machine.js';
import { regressions } from './regressions.js';
import { eventCounts, FULL, sequencesFor, tally } from './runs.js';
import { World } from './world.js';

/** Events that need three commands for the same order or bill. */
const RARE = new Set(['not charged again for a bill that was paid', 'correction too late']);

it('the pure machine agrees with the reference in every sequence', {
  timeout: FULL ? 1_200_000 : 300_000,
}, async () => {
  const { seed, numRuns } = sequencesFor('pure', FULL ? 200_000 : 20_000);
  const totals = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(sequence(24), async (commands) => {
      const world = new World();
      tally(totals, await run(commands, new PureMachine(world), world));
    }),
    {
      seed,
      numRuns: numRuns + regressions.length,
      examples: regressions.map((commands): [Command[]] => [[...commands]]),
    },
  );
  expect(eventCounts(totals).filter(({ event, times }) => times < (RARE.has(event) ? 1 : numRuns / 1_000))).toEqual([]);
});
