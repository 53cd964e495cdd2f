import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ProcessClocks } from '../support/skewed-clock.js';
import { type Command, sequence } from './commands.js';
import { DatabaseMachine } from './database-machine.js';
import { openServices, type SharedServices } from './database-services.js';
import { run } from './interpreter.js';
import type { Reference } from './reference.js';
import { regressions } from './regressions.js';
import { eventCounts, FULL, sequencesFor, tally } from './runs.js';
import { World } from './world.js';

/** Concurrent sequences, each with a separate developer, so that their postings share batches. */
const GROUP_SIZE = 12;

let db: TestDatabase;
let shared: SharedServices;
let clocks: ProcessClocks;
beforeAll(async () => {
  db = await createTestDatabase();
  shared = await openServices(db);
  clocks = new ProcessClocks();
});
afterAll(async () => {
  clocks.close();
  await shared.close();
  await db.drop();
});

function runSequence(commands: readonly Command[]): Promise<Reference> {
  const world = new World();
  const clock = { aheadMs: 0 };
  return clocks.run(clock, async () => run(commands, await DatabaseMachine.open(shared, world, clock), world));
}

/**
 * Groups of constant size. In a group that fails, the failing sequence shrinks to its shortest form and the others to nothing.
 */
const groupsOf = (arbitrary: fc.Arbitrary<Command[]>): fc.Arbitrary<Command[][]> =>
  fc.tuple(...Array.from({ length: GROUP_SIZE }, () => fc.option(arbitrary, { nil: [] as Command[], freq: 1_000 })));

/** Also ends the search for the shortest failing sequence; the best result so far is printed. */
const LIMIT_MS = FULL ? 1_800_000 : 240_000;

it('the services on PostgreSQL agree with the reference in every sequence', {
  timeout: LIMIT_MS + 30_000,
}, async () => {
  const { seed, numRuns } = sequencesFor('database', FULL ? 3_000 : 150);
  const totals = new Map<string, number>();
  const groups = groupsOf(sequence(14));
  const examples = Array.from({ length: Math.ceil(regressions.length / GROUP_SIZE) }, (_, group): [Command[][]] => [
    regressions.slice(group * GROUP_SIZE, (group + 1) * GROUP_SIZE).map((commands) => [...commands]),
  ]);
  await fc.assert(
    fc.asyncProperty(groups, async (sequences) => {
      for (const reference of await Promise.all(sequences.map(runSequence))) {
        tally(totals, reference);
      }
      expect(await shared.ledger.check()).toEqual([]);
    }),
    {
      seed,
      numRuns: Math.ceil(numRuns / GROUP_SIZE) + examples.length,
      examples,
      interruptAfterTimeLimit: LIMIT_MS,
      markInterruptAsFailure: true,
    },
  );
  expect(eventCounts(totals).filter(({ times }) => times === 0)).toEqual([]);
});
