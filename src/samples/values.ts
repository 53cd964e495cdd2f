import { hash } from 'node:crypto';

/*
 * Every sample is a function of its seed, so that the same request gets the same answer from any process at any time.
 * A seed starts with the purpose of the value ("utr:…"), so that two values of one request do not resemble each other.
 */

/** Lower-case hexadecimal digits, at most 64. */
export const sampleHex = (seed: string, length: number): string => hash('sha256', seed, 'hex').slice(0, length);

/** An integer from `min` to `max`, both included. */
export const sampleInteger = (seed: string, min: number, max: number): number =>
  min + (Number.parseInt(sampleHex(seed, 12), 16) % (max - min + 1));

/** Decimal digits, at most 14. */
export const sampleDigits = (seed: string, length: number): string =>
  String(sampleInteger(seed, 0, 10 ** length - 1)).padStart(length, '0');

/** One of a list that is not empty. */
export const samplePick = <T>(seed: string, list: readonly T[]): T => list[sampleInteger(seed, 0, list.length - 1)]!;

/** URL-safe text of 43 characters, such as an encrypted id. */
export const sampleToken = (seed: string): string => hash('sha256', seed, 'base64url');
