import { createHash } from 'node:crypto';

const HEX_DIGITS = 32;

/**
 * Names of marks. A mark identifies a password, API secret or webhook URL in the audit log without revealing it. It is a hash
 * of the stored value. The stored value is a salted or peppered hash, or a URL with the endpoint ID, so marks do not help to
 * guess it. Marks are stored under these names and never displayed.
 */
export const MARKS: ReadonlySet<string> = new Set(['passwordMark', 'secretMark', 'urlMark']);

/**
 * Returns the mark of a stored value.
 *
 * @param stored value in the database
 */
export const markOf = (stored: string | Uint8Array): string =>
  createHash('sha256').update(stored).digest('hex').slice(0, HEX_DIGITS);
