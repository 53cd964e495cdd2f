import type { Reference } from './reference.js';
import { events as known } from './reference-order.js';

/** Which sequences to run: `MODEL_SEED` repeats a run, `FAULTS=full` makes it ten times as long on the database. */
export function sequencesFor(name: string, numRuns: number): { seed: number; numRuns: number } {
  const seed = process.env.MODEL_SEED ? Number(process.env.MODEL_SEED) : Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`model/${name}: ${numRuns} sequences, MODEL_SEED=${seed}\n`);
  return { seed, numRuns };
}

/** Adds up what happened in many sequences. */
export function tally(totals: Map<string, number>, { events }: Pick<Reference, 'events'>): void {
  for (const [event, times] of events) totals.set(event, (totals.get(event) ?? 0) + times);
}

/** Everything that a run is about, with how often it happened. */
export const happened = (totals: ReadonlyMap<string, number>): { event: string; times: number }[] =>
  known.map((event) => ({ event, times: totals.get(event) ?? 0 }));
