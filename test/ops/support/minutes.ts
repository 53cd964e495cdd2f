/** How long the long drills go on: DRILL_MINUTES. */
export const DRILL_MINUTES = Number(process.env.DRILL_MINUTES ?? 30);

/** For what comes before and after the load. */
export const AROUND_MS = 600_000;
