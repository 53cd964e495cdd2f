import { randomUUIDv7 } from 'node:crypto';

/** Returns a time-ordered 128-bit ID, created by the application so that shards need no shared sequence. */
export const newId = (): string => randomUUIDv7();

/** Returns the creation time of a version 7 UUID, which starts with this time in milliseconds. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** Returns the lowest ID that can be created at a given time. IDs created at or after this time are not lower. */
export function firstIdAt(instant: Date): string {
  const hex = Math.max(0, instant.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Converts 128 bits (a UUID or hexadecimal) to 25 characters in upper-case base36. This is short enough for RoundPay's
 * APIRequestID.
 */
export function referenceOf(id: string): string {
  return BigInt(`0x${id.replaceAll('-', '')}`)
    .toString(36)
    .toUpperCase()
    .padStart(25, '0');
}

const REFERENCE = /^[0-9A-Z]{25}$/;

/** Returns whether a text has the format of our references. Other text is never looked up. */
export const isReference = (text: string): boolean => REFERENCE.test(text);

/** Returns the ID of a reference, the inverse of `referenceOf`, or undefined if the text is not a reference. */
export function idOfReference(reference: string): string | undefined {
  if (!isReference(reference)) return undefined;
  let value = 0n;
  for (const digit of reference) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  if (value >= 1n << 128n) return undefined;
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
