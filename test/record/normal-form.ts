import { hash } from 'node:crypto';
import { indianDay } from '../../src/core/clock.js';

// Normalizes the values in which two runs of one service may differ: IDs, tokens, times, addresses. A random text is replaced by
// its index in order of appearance, so that two responses with the same order still match. A time is replaced by a constant,
// because two times may or may not be in the same millisecond.
const INSTANT =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\b1[789]\d{8}(?:\d{3})?\b/g;
/** Durations and waiting times. */
const DURATION = /(?<=(?:durationMs|retryAfterMs|p95Ms)\\*": ?)\d+|(?<=\bafter )\d+(?= ms\b)/g;
/**
 * Random texts. Words and names in code have no digit, or are shorter; a client ID may have none too. ETags and webhook secrets
 * have separate patterns, because of their characters. Transaction IDs of the simulator and the ends of secrets are shorter.
 */
const RANDOM =
  /whsec_[\w+/]+=*|(?<=W?\/?")[\w+/]{27}=(?=")|\b[A-Z]{2}(?:M[\dA-Z]{7}|[\dA-F]{8}|\d{13})\b|(?<="secretLast4\\*":\\*")[\w-]{4}|(?:key_)?cid_[a-z]+_[\w-]{20}|(?=[\w-]*\d)[\w-]{16,}/g;

/** Headers whose numbers are replaced, because they are durations or times. */
const OF_TIME = new Set([
  'retry-after',
  'ratelimit',
  // the value is that of the field that ran last
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'age',
]);
/** Headers of the connection, or derived from the body. */
const LEFT_OUT = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);
const LONG = 4_000;

/** Sorts errors, because parallel fields fail in any order. */
function inOrder(text: string): string {
  if (!text.startsWith('{"errors":[')) return text;
  const response = JSON.parse(text) as { errors: object[] };
  const keyOf = ({ path, locations, message }: { path?: unknown; locations?: unknown; message?: unknown }) =>
    JSON.stringify([path, locations, message]);
  const sorted = response.errors.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return JSON.stringify({ ...response, errors: sorted });
}

export class NormalForm {
  readonly #names = new Map<string, string>();
  readonly #addresses: readonly (readonly [host: string, name: string])[];

  /** @param addresses replacements for the addresses of this run */
  constructor(addresses: Readonly<Record<string, string>>) {
    this.#addresses = Object.entries(addresses).map(([name, url]) => [new URL(url).host, `<${name}>`]);
  }

  /** `sent` is the request of the caller; its values in the response are not random texts. */
  text(text: string, sent = ''): string {
    let result = inOrder(text);
    for (const [host, name] of this.#addresses) result = result.replaceAll(host, name);
    const today = indianDay(new Date());
    return result
      .replaceAll(INSTANT, (instant) => (sent.includes(instant) ? instant : '<time>'))
      .replaceAll(DURATION, 'n')
      .replaceAll(RANDOM, (random) => (sent.includes(random) ? random : this.#nameOf(random)))
      .replaceAll(today, '<today>');
  }

  #nameOf(random: string): string {
    const name = this.#names.get(random) ?? `<${this.#names.size + 1}>`;
    this.#names.set(random, name);
    return name;
  }

  headers(headers: Readonly<Record<string, string>>, sent = ''): Record<string, string> {
    const kept = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name));
    return Object.fromEntries(
      kept.map(([name, value]) => [
        name,
        OF_TIME.has(name) ? value.replaceAll(/\d+/g, 'n').replaceAll(/"[^"]*"/g, '"limit"') : this.text(value, sent),
      ]),
    );
  }

  /** Keeps the start of a long body and the hash of its normal form. */
  body(text: string, sent: string): string {
    const normalized = this.text(text, sent);
    return normalized.length > LONG
      ? `${normalized.slice(0, LONG)}… ${normalized.length} characters, ${hash('sha256', normalized)}`
      : normalized;
  }
}
