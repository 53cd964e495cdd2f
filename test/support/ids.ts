import type { DeveloperId, UserId } from '../../src/core/principal.js';

const numbered = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** IDs for tests below the level of accounts, in the order of their numbers and lower than every generated ID. */
export const developerNumber = (n: number): DeveloperId => numbered(n) as DeveloperId;
export const userNumber = (n: number): UserId => numbered(n) as UserId;

/** An ID that no record has. */
export const UNKNOWN_ID = numbered(999_999_999);
