import { indianDays } from '../core/clock.js';

/** GraphQL answers days in one piece; the CSV streams, so a year of them needs no memory. */
export const MAX_DAYS_IN_ANSWER = 92;
export const MAX_DAYS_IN_FILE = 366;

/** What is wrong with a range of calendar days (YYYY-MM-DD, both included), in words for the caller; undefined when nothing is. */
export function dayRangeProblem(from: string, to: string, maxDays: number): string | undefined {
  if (to < from) return 'Must not be before the first day.';
  return indianDays(from, to).length > maxDays ? `Must be at most ${maxDays} days, the first one included.` : undefined;
}
