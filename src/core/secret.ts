import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import { crc32 } from 'node:zlib';

/** Value that must not be logged, included in an error or converted to JSON by accident. Only `reveal()` returns it. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return '[secret]';
  }
  toJSON(): string {
    return '[secret]';
  }
  [inspect.custom](): string {
    return '[secret]';
  }
}

/** One of several keys. Its ID is stored with the data for which the key was used, so that keys can be rotated. */
export interface NamedKey {
  id: string;
  /** Key in base64. */
  key: Secret;
}

/** Returns the CRC-32 of a text, which has 4 bytes, encoded as 6 URL-safe characters. */
function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}

const CHECKSUM_LENGTH = 6;

/**
 * Returns `prefix` + 32 random bytes + a checksum, URL-safe. The checksum lets scanners recognize our secrets, and lets the
 * service reject mistyped ones without a database query.
 */
export function randomToken(prefix: string): string {
  const token = prefix + randomBytes(32).toString('base64url');
  return token + checksumOf(token);
}

/** Returns whether a text has the format of `randomToken`. The text may not have been issued. */
export const hasChecksum = (token: string): boolean =>
  token.endsWith(checksumOf(token.slice(0, -CHECKSUM_LENGTH))) && token.length > CHECKSUM_LENGTH;

/** Returns the SHA-256 of text that is compared or counted. For stored tokens, use `RowKeys.lookup`. */
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Returns JSON with sorted keys and without undefined values, for hashing or comparison: equivalent values produce identical
 * text. Bigints are written as decimal text.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return String(inner);
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** Returns the HMAC-SHA256 of a text with a server-side key; `purpose` separates different uses of the key. */
export const keyedHash = (key: Secret, purpose: string, value: string): Buffer =>
  createHmac('sha256', key.reveal()).update(`${purpose}\0${value}`).digest();

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Masks a card number: "376543211008" → "xxxx1008" (interface.md 2.6, card payment). Only the last four digits are shown. */
export const maskedCard = (card: string): string => `xxxx${card.slice(-4)}`;

/** Masks a number: "9876543210" → "xxxxxx3210". This is just enough for a person to recognize a number. */
export const maskDigits = (digits: string): string => digits.slice(-4).padStart(digits.length, 'x');
