export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

/** An instant in Indian time, as every answer shows it: 2026-03-01T10:00:00.000+05:30. */
export function indianTime(instant: Date): string {
  return `${new Date(instant.getTime() + 330 * 60_000).toISOString().slice(0, -1)}+05:30`;
}
