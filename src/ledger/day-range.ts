import { dayCount } from '../core/clock.js';

/** GraphQL answers days in one piece; the CSV streams, so a year of them needs no memory. */
export const MAX_DAYS_IN_ANSWER = 92;
export const MAX_DAYS_IN_FILE = 366;

const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2100-12-31';

/** What is wrong with one end of a range; undefined when nothing is. No wallet was there before, and no table of days reaches beyond. */
export const DAY_PROBLEM = `Must be between ${FIRST_DAY} and ${LAST_DAY}.`;
export const isStatementDay = (day: string): boolean => day >= FIRST_DAY && day <= LAST_DAY;

/**
 * What is wrong with a range of calendar days (YYYY-MM-DD, both included), in words for the caller; undefined when nothing is.
 * The days are counted by subtraction: a range of millennia costs no more than one of a week.
 */
export function dayRangeProblem(from: string, to: string, maxDays: number): string | undefined {
  if (to < from) return 'Must not be before the first day.';
  return dayCount(from, to) > maxDays ? `Must be at most ${maxDays} days, the first one included.` : undefined;
}
