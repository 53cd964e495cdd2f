import { hash } from 'node:crypto';

/*
 * Every sample is a function of its seed, so identical requests get identical responses from any process at any time. A seed
 * starts with the purpose of the value ("utr:…"), so two values of a request do not resemble each other.
 */

/** Returns lowercase hexadecimal digits, 64 at most. */
export const sampleHex = (seed: string, length: number): string => hash('sha256', seed, 'hex').slice(0, length);

/** Returns an integer from `min` to `max`, both inclusive. */
export const sampleInteger = (seed: string, min: number, max: number): number =>
  min + (Number.parseInt(sampleHex(seed, 12), 16) % (max - min + 1));

/** Returns decimal digits, at most 14. */
export const sampleDigits = (seed: string, length: number): string =>
  String(sampleInteger(seed, 0, 10 ** length - 1)).padStart(length, '0');

/** Returns an entry of a non-empty list. */
export const samplePick = <T>(seed: string, list: readonly T[]): T => list[sampleInteger(seed, 0, list.length - 1)]!;

/** Returns URL-safe text of 43 characters, for example an encrypted ID. */
export const sampleToken = (seed: string): string => hash('sha256', seed, 'base64url');
