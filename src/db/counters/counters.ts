/** What a counter has come to, and how long it counts on before it begins anew. */
export interface Count {
  count: number;
  msLeft: number;
}

/** Counters of rates and attempts. The window of one begins with its first point and does not move. */
export interface Counters {
  /** Adds one point, or so many; fewer than none are taken back. Errors: DEPENDENCY_DOWN. */
  add(key: string, windowS: number, points?: number): Promise<Count>;
}
