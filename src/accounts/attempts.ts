/** Counts failed attempts per key in a shared store. Implemented by the rate limiter. */
export interface FailedAttempts {
  /** Milliseconds until the key may try again; undefined when it may now. */
  blockedForMs(key: string): Promise<number | undefined>;
  recordFailure(key: string): Promise<void>;
  /** Counts an attempt whatever comes of it; milliseconds until there may be another once there were too many, else undefined. */
  count(key: string): Promise<number | undefined>;
}

/** Ten failures in 15 minutes per identifier and address. */
export const FAILED_ATTEMPTS_LIMIT = 10;
export const FAILED_ATTEMPTS_WINDOW_S = 15 * 60;
