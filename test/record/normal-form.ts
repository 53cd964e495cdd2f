import { hash } from 'node:crypto';
import { indianDay } from '../../src/core/clock.js';

// What two plays of one service may differ in: ids, tokens, instants, addresses. A random text is written as its place in the order
// of appearance, so that two answers which name the same order still do; an instant is written as a word, because two of them may
// or may not fall into one millisecond.
const INSTANT =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\b1[789]\d{8}(?:\d{3})?\b/g;
/** How long something took, or has to wait. */
const DURATION = /(?<=(?:durationMs|retryAfterMs|p95Ms)\\*": ?)\d+|(?<=\bafter )\d+(?= ms\b)/g;
/**
 * Words and names in code have no digit, or are shorter; a client id may have none too. Tags of pages and secrets of webhooks have characters of their own; what
 * the simulator calls a transaction, and the end of a secret, are shorter.
 */
const RANDOM =
  /whsec_[\w+/]+=*|(?<=W?\/?")[\w+/]{27}=(?=")|\b[A-Z]{2}(?:M[\dA-Z]{7}|[\dA-F]{8}|\d{13})\b|(?<="secretLast4\\*":\\*")[\w-]{4}|(?:key_)?cid_[a-z]+_[\w-]{20}|(?=[\w-]*\d)[\w-]{16,}/g;

/** Written with the number of their last one alone: how long, how many until when. */
const OF_TIME = new Set([
  'retry-after',
  'ratelimit',
  // of the fields that run at once, the last one's
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'age',
]);
/** Of the connection, or a function of the body. */
const LEFT_OUT = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);
const LONG = 4_000;

/** Fields that run at once fail in any order. */
function inOrder(text: string): string {
  if (!text.startsWith('{"errors":[')) return text;
  const answer = JSON.parse(text) as { errors: object[] };
  const keyOf = ({ path, locations, message }: { path?: unknown; locations?: unknown; message?: unknown }) =>
    JSON.stringify([path, locations, message]);
  const sorted = answer.errors.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return JSON.stringify({ ...answer, errors: sorted });
}

export class NormalForm {
  readonly #names = new Map<string, string>();
  readonly #addresses: readonly (readonly [host: string, name: string])[];

  /** Addresses of this play by what they are written as. */
  constructor(addresses: Readonly<Record<string, string>>) {
    this.#addresses = Object.entries(addresses).map(([name, url]) => [new URL(url).host, `<${name}>`]);
  }

  /** `sent` is what the caller wrote: what comes back of it is no random text. */
  text(text: string, sent = ''): string {
    let written = inOrder(text);
    for (const [host, name] of this.#addresses) written = written.replaceAll(host, name);
    const today = indianDay(new Date());
    return written
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

  /** A long body is its beginning and what its whole normal form comes to. */
  body(text: string, sent: string): string {
    const written = this.text(text, sent);
    return written.length > LONG
      ? `${written.slice(0, LONG)}… ${written.length} characters, ${hash('sha256', written)}`
      : written;
  }
}
