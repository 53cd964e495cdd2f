/** Duration of the long drills: DRILL_MINUTES. */
export const DRILL_MINUTES = Number(process.env.DRILL_MINUTES ?? 30);

/** Time for the steps before and after the load. */
export const AROUND_MS = 600_000;
