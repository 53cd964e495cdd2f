/**
 * ±10 % of a delay, so that orders which a brownout left behind together do not come back together. The one place: everything that
 * is scheduled goes through here.
 */
export const jittered = (delayMs: number, random: () => number = Math.random): number =>
  Math.round(delayMs * (0.9 + 0.2 * random()));
