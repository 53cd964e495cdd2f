import { type Dispatcher, errors } from 'undici';
import { elapsedMeter } from '../core/elapsed.js';
import { surveyOf, withReadableTexts } from './answer-limits.js';
import type { ProviderAnswer } from './http-client.js';
import type { Evidence, EvidenceReason } from './outcome.js';
import type { SendPermit } from './send-permit.js';

/**
 * waiting     for a place in the bulkhead
 * connecting  handed to undici, which has not begun to write
 * sent        undici began to write: it may have arrived, whatever happens now
 * settled     the answer is fixed
 */
type Phase = 'waiting' | 'connecting' | 'sent' | 'settled';

/**
 * One request's life, from the moment it is asked for to its one answer, within one deadline that covers everything: the
 * queue, the connection, the headers and a body that trickles.
 *
 * undici calls `onRequestStart` right before it writes the first byte, and for nothing else. So an error that comes earlier
 * (refused, DNS, TLS, connect timeout) proves that nothing was sent, and one that comes later proves nothing. The phase
 * decides, not a list of error codes: ECONNRESET means one thing in a TLS handshake and another on a reused socket.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<ProviderAnswer>;
  readonly #settle: (answer: ProviderAnswer) => void;
  readonly #timeoutMs: number;
  readonly #permit: SendPermit | undefined;
  readonly #startedAtMs = performance.now();
  readonly #elapsedMs = elapsedMeter();
  readonly #deadline: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #phase: Phase = 'waiting';
  #controller: Dispatcher.DispatchController | undefined;
  #httpStatus: number | undefined;
  /** Texts of the answer that were too long. */
  textsCut = 0;

  constructor(timeoutMs: number, permit?: SendPermit) {
    this.#timeoutMs = timeoutMs;
    this.#permit = permit;
    const { promise, resolve } = Promise.withResolvers<ProviderAnswer>();
    this.answer = promise;
    this.#deadline = setTimeout(() => this.#expire(), timeoutMs);
    this.#settle = (answer) => {
      this.#phase = 'settled';
      clearTimeout(this.#deadline);
      resolve(answer);
    };
  }

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAtMs);
  }

  /** No place in the bulkhead, the breaker is open, or it must not be sent any more: nothing was handed to undici. */
  refuse(reason: 'breaker_open' | 'never_sent' = 'breaker_open'): void {
    if (this.#phase === 'waiting') this.#neverSent(reason);
  }

  get needsPermit(): boolean {
    return this.#permit !== undefined;
  }

  /** Whether its permit holds, as far as can be said before there is a connection. It does not when nobody can say. */
  async isPermitted(): Promise<boolean> {
    if (this.#permit?.isOver()) return false;
    return (await this.#permit?.isStillClaimed?.().catch(() => false)) ?? true;
  }

  /** Hands the request to undici. False when it is too late for that. */
  begin(): boolean {
    if (this.#phase !== 'waiting') return false;
    this.#phase = 'connecting';
    return true;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A process that was frozen while connecting may come here before its own timer does, and after its lease.
    if (this.#phase === 'connecting' && (this.#elapsedMs() >= this.#timeoutMs || this.#permit?.isOver()))
      this.#expire();
    // A deadline that passed while connecting, or a second start of one request, as undici would do to repeat it: aborting
    // here keeps it from being written.
    if (this.#phase !== 'connecting') {
      controller.abort(new Error('This request must not be written'));
      return;
    }
    this.#phase = 'sent';
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, httpStatus: number): void {
    // 1xx is a notice; the response is still to come.
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
    const { isModest, isReadable } = surveyOf(bytes);
    if (!isModest) return this.#unreadable('unexpected_answer');
    const parsed = parseJson(bytes);
    if (!parsed) return this.#unreadable();
    const { body, textsCut } = isReadable ? { ...parsed, textsCut: 0 } : withReadableTexts(parsed.body);
    this.textsCut = textsCut;
    this.#settle({ kind: 'answer', httpStatus, body, elapsedMs });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    switch (this.#phase) {
      case 'waiting':
      case 'connecting':
        return this.#neverSent('never_sent');
      case 'sent':
        // Broken off after the headers, or longer than we read: a truncated body. Without headers but with bytes that are
        // no HTTP: the same. Otherwise the connection went away in silence.
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
        return this.#neverSent('never_sent');
      case 'sent': {
        this.#unknown('timeout');
        // Only to free the socket: the answer is settled, so what undici reports about this is not heard.
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

/** Strict JSON after an optional byte order mark. A bad byte in some text becomes U+FFFD: it must not hide the status beside it. */
function parseJson(bytes: Buffer): { body: unknown } | undefined {
  try {
    return { body: JSON.parse(new TextDecoder().decode(bytes)) };
  } catch {
    return undefined;
  }
}
