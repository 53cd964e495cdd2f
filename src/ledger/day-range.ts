import { dayCount } from '../core/clock.js';

/**
 * Maximum number of days in a response. GraphQL returns all days in one response. CSV files are streamed, so they can cover a
 * year.
 */
export const MAX_DAYS_IN_RESPONSE = 92;
export const MAX_DAYS_IN_FILE = 366;

const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2100-12-31';

/** Error text for an invalid range boundary. No wallets existed before the first day. */
export const DAY_PROBLEM = `Must be between ${FIRST_DAY} and ${LAST_DAY}.`;
export const isStatementDay = (day: string): boolean => day >= FIRST_DAY && day <= LAST_DAY;

/**
 * Returns the error text for an invalid range of calendar days (YYYY-MM-DD, both inclusive). Returns undefined if the range is
 * valid. The number of days is calculated from the boundaries, so a very long range costs no more than a short one.
 */
export function dayRangeProblem(from: string, to: string, maxDays: number): string | undefined {
  if (to < from) return 'Must not be before the first day.';
  return dayCount(from, to) > maxDays ? `Must span at most ${maxDays} days, including the first one.` : undefined;
}
