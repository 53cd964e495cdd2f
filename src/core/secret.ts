import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

/** A value that must never reach a log, an error or JSON by accident; `reveal()` is the only way to it. */
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

/** One of several keys; the id is written beside what it was used for, so that keys can be rotated. */
export interface NamedKey {
  id: string;
  /** Base64. */
  key: Secret;
}

/** `prefix` + 32 random bytes, URL-safe. */
export const randomToken = (prefix: string): string => prefix + randomBytes(32).toString('base64url');

/** Tokens are 256 random bits, so a plain hash is enough to store them by. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** HMAC-SHA256 with a server-side key; `purpose` separates the uses of one key. */
export const keyedHash = (key: Secret, purpose: string, value: string): Buffer =>
  createHmac('sha256', key.reveal()).update(`${purpose}\0${value}`).digest();

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

/** "376543211008" → "xxxx1008" (section 2.6): only the last four of a card are shown. */
export const maskedCard = (card: string): string => `xxxx${card.slice(-4)}`;

/** "9876543210" → "xxxxxx3210": what a person needs to recognise a number, and no more. */
export const maskDigits = (digits: string): string => digits.slice(-4).padStart(digits.length, 'x');
