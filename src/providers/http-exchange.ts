import { type Dispatcher, errors } from 'undici';
import { elapsedMeter } from '../core/clock.js';
import type { ProviderRequest, ProviderResponse, SendPermit } from './http-client.js';
import type { Evidence, EvidenceReason } from './outcome.js';

/**
 * - `waiting`: the request is in the queue of the bulkhead
 * - `connecting`: the request was passed to undici, which has not started to write
 * - `sent`: undici has started to write, so the request may have arrived
 * - `settled`: the result is final
 */
type Phase = 'waiting' | 'connecting' | 'sent' | 'settled';

/**
 * Lifecycle of one request, from its creation to its single result. One deadline covers everything: the queue, the connection,
 * the headers and a slow body.
 *
 * undici calls `onRequestStart` right before it writes the first byte, and at no other time. An earlier error (`ECONNREFUSED`,
 * DNS, TLS, connect timeout) therefore proves that nothing was sent, and a later one proves nothing. The phase is
 * decisive, not a list of error codes: ECONNRESET has different meanings in a TLS handshake and on a reused socket.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<ProviderResponse>;
  readonly #settle: (response: ProviderResponse) => void;
  readonly #startedAtMs = performance.now();
  readonly #elapsedMs = elapsedMeter();
  readonly #deadline: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #phase: Phase = 'waiting';
  #controller: Dispatcher.DispatchController | undefined;
  #httpStatus: number | undefined;
  /** Number of truncated texts in the response. */
  textsCut = 0;
  /** Whether the deadline passed while connecting or waiting for the response. */
  timedOut = false;

  constructor(
    private readonly timeoutMs: number,
    private readonly permit?: SendPermit,
  ) {
    const { promise, resolve } = Promise.withResolvers<ProviderResponse>();
    this.response = promise;
    this.#deadline = setTimeout(() => this.#expire(), timeoutMs);
    this.#settle = (response) => {
      this.#phase = 'settled';
      clearTimeout(this.#deadline);
      resolve(response);
    };
  }

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAtMs);
  }

  /**
   * Ends an exchange that was not passed to undici: the queue is full, the breaker is open, or the request must no longer be
   * sent.
   */
  reject(reason: 'breaker_open' | 'never_sent' = 'breaker_open'): void {
    if (this.#phase === 'waiting') this.#neverSent(reason);
  }

  get needsPermit(): boolean {
    return this.permit !== undefined;
  }

  /** Returns whether the permit is valid, as far as known before the connection exists. Returns false if unknown. */
  async isPermitted(): Promise<boolean> {
    if (this.permit?.isOver()) return false;
    return (await this.permit?.isStillClaimed?.().catch(() => false)) ?? true;
  }

  /** Passes the request to undici. Returns false if it is too late. */
  begin(): boolean {
    if (this.#phase !== 'waiting') return false;
    this.#phase = 'connecting';
    return true;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A process that was suspended while connecting can get here before its timer fires and after its lease has expired.
    if (this.#phase === 'connecting' && (this.#elapsedMs() >= this.timeoutMs || this.permit?.isOver())) this.#expire();
    // The deadline passed while connecting, or undici starts the request a second time to retry it. Aborting here prevents the
    // write.
    if (this.#phase !== 'connecting') {
      controller.abort(new Error('This request must not be written'));
      return;
    }
    this.#phase = 'sent';
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, httpStatus: number): void {
    // 1xx is informational; the final response follows.
    if (httpStatus >= 200) this.#httpStatus = httpStatus;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#phase !== 'sent' || this.#httpStatus === undefined) return;
    const { elapsedMs } = this;
    const httpStatus = this.#httpStatus;
    const bytes = Buffer.concat(this.#chunks);
    const { isWithinLimits, isReadable } = summaryOf(bytes);
    if (!isWithinLimits) return this.#unreadable('unexpected_answer');
    const parsed = parseJson(bytes);
    if (!parsed) return this.#unreadable();
    const { body, textsCut } = isReadable ? { ...parsed, textsCut: 0 } : withReadableTexts(parsed.body);
    this.textsCut = textsCut;
    this.#settle({ kind: 'response', httpStatus, body, elapsedMs });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    switch (this.#phase) {
      case 'waiting':
      case 'connecting':
        return this.#neverSent('never_sent');
      case 'sent':
        // An error after the headers, or a body above the size limit, means that the body is truncated. Bytes that are not HTTP
        // are unreadable as well. Otherwise the connection was lost without a response.
        return this.#httpStatus !== undefined || error instanceof errors.HTTPParserError
          ? this.#unreadable()
          : this.#unknown('connection_lost');
      case 'settled':
        return undefined;
    }
  }

  #expire(): void {
    switch (this.#phase) {
      case 'waiting':
        return this.#neverSent('breaker_open');
      case 'connecting':
        this.timedOut = true;
        return this.#neverSent('never_sent');
      case 'sent': {
        this.timedOut = true;
        this.#unknown('timeout');
        // Only frees the socket. The result is final, so errors that undici reports for the abort are ignored.
        this.#controller?.abort(new Error('Deadline'));
        return undefined;
      }
      case 'settled':
        return undefined;
    }
  }

  #neverSent(reason: 'never_sent' | 'breaker_open'): void {
    this.#settle({ kind: 'never_sent', evidence: { reason, elapsedMs: this.elapsedMs } });
  }

  #unreadable(reason: 'not_json' | 'unexpected_answer' = 'not_json'): void {
    this.#unknown((this.#httpStatus ?? 0) >= 500 ? 'http_error' : reason);
  }

  #unknown(reason: EvidenceReason): void {
    const evidence: Evidence = { reason, elapsedMs: this.elapsedMs };
    if (this.#httpStatus !== undefined) evidence.httpStatus = this.#httpStatus;
    this.#settle({ kind: 'unknown', evidence });
  }
}

/**
 * Parses strict JSON after an optional byte order mark. An invalid byte in a text becomes U+FFFD, so that the status in the same
 * response remains readable.
 */
function parseJson(bytes: Buffer): { body: unknown } | undefined {
  try {
    return { body: JSON.parse(new TextDecoder().decode(bytes)) };
  } catch {
    return undefined;
  }
}

interface EncodedBody {
  contentType: string;
  bytes: Uint8Array | string;
}

/** Encodes the body to bytes, so that its length is known and the whole request is sent in one write. */
export async function encodeBody(body: ProviderRequest['body']): Promise<EncodedBody | undefined> {
  if (body === undefined) return undefined;
  if ('json' in body) return { contentType: 'application/json', bytes: JSON.stringify(body.json) };
  if ('form' in body) {
    return { contentType: 'application/x-www-form-urlencoded', bytes: new URLSearchParams(body.form).toString() };
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body.multipart)) form.set(name, value);
  // a Response encodes the form and provides its boundary
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', bytes: await encoded.bytes() };
}

/**
 * Encodes a query as "?a=1&b=" or "". Undefined values are omitted. A space becomes %20, which every server accepts, even in
 * paths.
 */
export function encodeQuery(query: ProviderRequest['query'] = {}): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return present.length === 0 ? '' : `?${new URLSearchParams(present).toString().replaceAll('+', '%20')}`;
}

/**
 * Limits for the response of a provider, checked before the response is mapped. A provider that is compromised or defective must
 * not exhaust memory, block the process, or put invisible characters into databases, consoles and spreadsheets.
 */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
/** Maximum number of values in a body. Two thousand plans have about ten thousand. */
const MAX_VALUES = 50_000;
const MAX_TEXT = 500;
/** Links can be longer, because a truncated link does not work. */
const LINK = /^https?:\/\/[\x21-\x7e]{1,2000}$/i;

/** Result of scanning the bytes of a JSON text before it is parsed. */
interface JsonSummary {
  /** Whether nesting and number of values are within the limits. */
  isWithinLimits: boolean;
  /** Whether all texts are short and printable ASCII, so that `withReadableTexts` would not change anything. */
  isReadable: boolean;
}

export function summaryOf(json: Uint8Array): JsonSummary {
  let depth = 0;
  let values = 0;
  let textStart = NONE;
  let isReadable = true;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!;
    if (textStart !== NONE) {
      if (byte === QUOTE) {
        if (index - textStart > MAX_TEXT) isReadable = false;
        textStart = NONE;
      } else if (byte < BLANK || byte > TILDE) isReadable = false;
      else if (byte === BACKSLASH) {
        index++;
        if (json[index] !== QUOTE && json[index] !== BACKSLASH && json[index] !== SLASH) isReadable = false;
      }
    } else if (byte === QUOTE) textStart = index + 1;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      depth++;
      if (depth > MAX_DEPTH) return { isWithinLimits: false, isReadable };
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (values > MAX_VALUES) return { isWithinLimits: false, isReadable };
  }
  return { isWithinLimits: true, isReadable };
}

const NONE = -1;
const [BLANK, TILDE, SLASH] = [0x20, 0x7e, 0x2f];
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Matches texts without special characters. Most texts match and need no further check. */
const PLAIN = /^[\x20-\x7e]*$/;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
/**
 * Control characters including NUL, and characters that change the writing direction or have no width. The two joiners are
 * allowed because Indian scripts need them.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;
const JOINERS = new Set(['\u200c', '\u200d']);

/**
 * Converts text so that it can be stored and displayed: well-formed, single-line, printable, at most 500 characters. Characters
 * are replaced and never removed, so that no text becomes a word that the provider did not send.
 */
function readableText(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
  return short
    .toWellFormed()
    .replace(LINE_BREAKS, ' ')
    .replace(INVISIBLE, (character) => (JOINERS.has(character) ? character : '\ufffd'));
}

/** Makes all texts of a parsed response readable, including keys, and counts the truncated texts. Changes the parsed object. */
export function withReadableTexts(body: unknown): { body: unknown; textsCut: number } {
  let textsCut = 0;
  const tidy = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value.length > MAX_TEXT) {
        if (LINK.test(value)) return value;
        textsCut++;
      } else if (PLAIN.test(value)) return value;
      return readableText(value);
    }
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) value[index] = tidy(value[index]);
      return value;
    }
    const fields = value as Record<string, unknown>;
    const keys = Object.keys(fields);
    if (!keys.every((key) => key.length <= MAX_TEXT && PLAIN.test(key)))
      return Object.fromEntries(keys.map((key) => [tidy(key), tidy(fields[key])]));
    for (const key of keys) fields[key] = tidy(fields[key]);
    return fields;
  };
  return { body: tidy(body), textsCut };
}
