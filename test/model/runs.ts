import type { Reference } from './reference.js';
import { events as known } from './reference-order.js';

/** A separate run (`npm run test:model`): many times longer, and with a report of its events. */
export const FULL = process.env.FAULTS === 'full';

/** Selects the sequences; `MODEL_SEED` repeats a run. */
export function sequencesFor(name: string, numRuns: number): { seed: number; numRuns: number } {
  const seed = process.env.MODEL_SEED ? Number(process.env.MODEL_SEED) : Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`model/${name}: ${numRuns} sequences, MODEL_SEED=${seed}\n`);
  return { seed, numRuns };
}

/** Adds up the events of many sequences. */
export function tally(totals: Map<string, number>, { events }: Pick<Reference, 'events'>): void {
  for (const [event, times] of events) totals.set(event, (totals.get(event) ?? 0) + times);
}

/** All events with their numbers of occurrences. */
export function eventCounts(totals: ReadonlyMap<string, number>): { event: string; times: number }[] {
  const all = known.map((event) => ({ event, times: totals.get(event) ?? 0 }));
  if (FULL) process.stdout.write(`${all.map(({ event, times }) => `  ${event}: ${times}`).join('\n')}\n`);
  return all;
}
