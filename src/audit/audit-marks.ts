import { createHash } from 'node:crypto';

const HEX_DIGITS = 32;

/**
 * What the trail says of a password or a key's secret: which of them it is, and nothing of what it is. It is made of what is stored,
 * a hash with a salt or under the pepper, so it helps nobody to guess. Entries have it under these names; nobody is shown it.
 */
export const MARKS: ReadonlySet<string> = new Set(['passwordMark', 'secretMark']);

/** @param stored the hash that stands in the database */
export const markOf = (stored: string | Uint8Array): string =>
  createHash('sha256').update(stored).digest('hex').slice(0, HEX_DIGITS);
