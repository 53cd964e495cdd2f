import { createHash } from 'node:crypto';

const HEX_DIGITS = 32;

/**
 * What the audit log says of a password, a key's secret or the URL of a webhook endpoint: which of them it is, and nothing of what it
 * is. It is made of what is stored: a hash with a salt or under the pepper, which helps nobody to guess, and of a URL with the
 * endpoint's id. Entries have it under these names; nobody is shown it.
 */
export const MARKS: ReadonlySet<string> = new Set(['passwordMark', 'secretMark', 'urlMark']);

/** @param stored what stands in the database */
export const markOf = (stored: string | Uint8Array): string =>
  createHash('sha256').update(stored).digest('hex').slice(0, HEX_DIGITS);
