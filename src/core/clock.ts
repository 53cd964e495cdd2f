export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

export const instantOrNull = (text: string | null | undefined): Date | null => (text == null ? null : new Date(text));

const INDIAN_OFFSET_MS = 330 * 60_000;
const DAY_MS = 86_400_000;

/** Returns the date whose UTC fields are the IST fields of the given time. */
export const indianFields = (instant: Date): Date => new Date(instant.getTime() + INDIAN_OFFSET_MS);

/** Formats a time in IST, as in every response: 2026-03-01T10:00:00.000+05:30. */
export function indianTime(instant: Date): string {
  return `${indianFields(instant).toISOString().slice(0, -1)}+05:30`;
}

/** Returns the calendar day (IST, YYYY-MM-DD) of a time. */
export const indianDay = (instant: Date): string => indianTime(instant).slice(0, 10);

/** Truncates a time to whole seconds, as REST returns it: PHP's DateTime::ATOM does not accept fractions. */
export const wholeSeconds = (indianTimeText: string): string => indianTimeText.replace(/\.\d+(?=[+-])/, '');

/** Returns the start of a calendar day (IST, YYYY-MM-DD), or of a later day. */
export const startOfIndianDay = (date: string, daysLater = 0): Date =>
  new Date(Date.parse(`${date}T00:00:00Z`) - INDIAN_OFFSET_MS + daysLater * DAY_MS);

/**
 * Returns the number of calendar days (YYYY-MM-DD) in a range with inclusive boundaries, without creating the list. The number
 * is zero or negative if the range is reversed.
 */
export const dayCount = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS + 1;

/**
 * Returns all calendar days in a range with inclusive boundaries. The result is empty if the range is reversed. The caller must
 * check the length with `dayCount` first.
 */
export function indianDays(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = Date.parse(`${from}T00:00:00Z`); day <= Date.parse(`${to}T00:00:00Z`); day += DAY_MS)
    days.push(new Date(day).toISOString().slice(0, 10));
  return days;
}

/**
 * Returns a function that measures the milliseconds since this call, for limits that must not be exceeded. It uses the larger
 * advance of the monotonic and the wall clock, because the monotonic clock can stop while a machine is suspended. If the wall
 * clock is set back, the limit is not extended; if it is set ahead, the limit ends early.
 */
export function elapsedMeter(): () => number {
  const startedAt = performance.now();
  const startedAtMs = Date.now();
  return () => Math.max(performance.now() - startedAt, Date.now() - startedAtMs);
}

/** Returns a function that checks whether the time limit has passed since this call. */
export function timeLimit(limitMs: number): () => boolean {
  const elapsedMs = elapsedMeter();
  return () => elapsedMs() >= limitMs;
}
