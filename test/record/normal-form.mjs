// What two plays of one service may differ in: ids, tokens, instants, addresses. A random text is written as its place in the order
// of appearance, so that two answers which name the same order still do; an instant is written as a word, because two of them may
// or may not fall into one millisecond.
const INSTANT =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\b1[789]\d{8}(?:\d{3})?\b/g;
/** Words and names in code have no digit, or are shorter. */
const RANDOM = /(?=[\w-]*\d)[\w-]{16,}/g;

/** Written with the number of their last one alone: how long, how many until when. */
const OF_TIME = new Set([
  'retry-after',
  'ratelimit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'age',
]);
/** Of the connection, or a function of the body. */
const LEFT_OUT = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);
const LONG = 4_000;

export class NormalForm {
  #names = new Map();
  #addresses;

  /** Addresses of this play by what they are written as. */
  constructor(addresses) {
    this.#addresses = Object.entries(addresses).map(([name, url]) => [new URL(url).host, `<${name}>`]);
  }

  /** `sent` is what the caller wrote: what comes back of it is no random text. */
  text(text, sent = '') {
    let written = text;
    for (const [host, name] of this.#addresses) written = written.replaceAll(host, name);
    const today = new Date().toISOString().slice(0, 10);
    return written
      .replaceAll(INSTANT, (instant) => (sent.includes(instant) ? instant : '<time>'))
      .replaceAll(RANDOM, (random) => (sent.includes(random) ? random : this.#nameOf(random)))
      .replaceAll(today, '<today>');
  }

  #nameOf(random) {
    if (!this.#names.has(random)) this.#names.set(random, `<${this.#names.size + 1}>`);
    return this.#names.get(random);
  }

  headers(headers, sent) {
    const kept = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name));
    return Object.fromEntries(
      kept.map(([name, value]) => [name, OF_TIME.has(name) ? value.replaceAll(/\d+/g, 'n') : this.text(value, sent)]),
    );
  }

  /** A long body is its beginning and what its whole normal form comes to. */
  body(text, sent, hash) {
    const written = this.text(text, sent);
    return written.length > LONG
      ? `${written.slice(0, LONG)}… ${written.length} characters, ${hash(written)}`
      : written;
  }
}
