export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

/** An instant as the database writes it. */
export const instantOrNull = (text: string | null | undefined): Date | null => (text == null ? null : new Date(text));

const INDIAN_OFFSET_MS = 330 * 60_000;
const DAY_MS = 86_400_000;

/** The time whose fields in UTC are those of an instant in India. */
export const indianFields = (instant: Date): Date => new Date(instant.getTime() + INDIAN_OFFSET_MS);

/** An instant in Indian time, as every answer shows it: 2026-03-01T10:00:00.000+05:30. */
export function indianTime(instant: Date): string {
  return `${indianFields(instant).toISOString().slice(0, -1)}+05:30`;
}

/** The calendar day (YYYY-MM-DD) of an instant in India. */
export const indianDay = (instant: Date): string => indianTime(instant).slice(0, 10);

/** The same time in whole seconds, as REST answers it: PHP's DateTime::ATOM reads no fraction. */
export const wholeSeconds = (indianTimeText: string): string => indianTimeText.replace(/\.\d+(?=[+-])/, '');

/** The instant at which a calendar day (YYYY-MM-DD) begins in India, or the day so many days later. */
export const startOfIndianDay = (date: string, daysLater = 0): Date =>
  new Date(Date.parse(`${date}T00:00:00Z`) - INDIAN_OFFSET_MS + daysLater * DAY_MS);

/** How many calendar days (YYYY-MM-DD) there are from one to another, both included, without building them; not positive when they are the wrong way round. */
export const dayCount = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS + 1;

/** Every calendar day from one to another, both included; none when they are the wrong way round. Bound the range first, with `dayCount`. */
export function indianDays(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = Date.parse(`${from}T00:00:00Z`); day <= Date.parse(`${to}T00:00:00Z`); day += DAY_MS)
    days.push(new Date(day).toISOString().slice(0, 10));
  return days;
}

/**
 * Milliseconds since it was made, for what must not happen after a while: the larger advance of the monotonic and the wall clock.
 * The monotonic clock may stand still while a machine is paused; a wall clock may be set back, which lengthens nothing here. One
 * that is set ahead ends the time too soon.
 */
export function elapsedMeter(): () => number {
  const startedAt = performance.now();
  const startedAtMs = Date.now();
  return () => Math.max(performance.now() - startedAt, Date.now() - startedAtMs);
}

/** Whether so much time has passed since now. */
export function timeLimit(limitMs: number): () => boolean {
  const elapsedMs = elapsedMeter();
  return () => elapsedMs() >= limitMs;
}
