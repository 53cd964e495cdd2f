import { SLOW_RESPONSE_MS } from '../../core/magic-numbers.js';
import type { Evidence, Outcome, StatusCheckOutcome } from '../outcome.js';
import type { SandboxOptions } from './sandbox.options.js';
import type { SendReply, StatusCheckReply } from './sandbox.scripts.js';

const evidenceOf = (reason: Evidence['reason'], providerStatus: string, providerTxnId?: string): Evidence =>
  providerTxnId === undefined
    ? { reason, httpStatus: 200, providerStatus }
    : { reason, httpStatus: 200, providerStatus, providerTxnId };

export const accepted = <T>(value: T, providerTxnId?: string): Outcome<T> => ({
  kind: 'accepted',
  value,
  evidence: evidenceOf('provider_success', 'success', providerTxnId),
});

/**
 * Returns a declined outcome.
 * @param providerCode provider code for the reason; omitted if the provider returns none
 */
export const declined = (providerCode?: string): Outcome<never> => ({
  kind: 'declined',
  evidence: { ...evidenceOf('provider_failure', 'failed'), ...(providerCode === undefined ? {} : { providerCode }) },
});

const unknown = (evidence: Evidence): Outcome<never> => ({ kind: 'unknown', evidence });

/**
 * Returns the outcome that a production adapter would determine from the response to a status check. The sandbox responds to
 * status checks immediately.
 */
export function statusCheckOutcome<T>(
  reply: StatusCheckReply,
  value: () => T,
  providerTxnId: string,
  failureCode?: string,
): StatusCheckOutcome<T> {
  switch (reply) {
    case 'success':
      return accepted(value(), providerTxnId);
    case 'failure':
      return declined(failureCode);
    case 'reversed':
      return { kind: 'declined', evidence: evidenceOf('provider_failure', 'reversed', providerTxnId) };
    case 'pending':
      return unknown(evidenceOf('provider_pending', 'pending', providerTxnId));
    case 'not_found':
      return { kind: 'not_found', evidence: evidenceOf('provider_not_found', 'not_found') };
  }
}

type ResponseDelays = Pick<SandboxOptions, 'responseTimeoutMs' | 'slowResponseMs'>;

/** Converts scripted replies, with their delays, to the outcomes that a production adapter would determine. */
export class ScriptedResponses {
  readonly #timers = new CancellableDelays();

  constructor(private readonly delays: ResponseDelays) {}

  /**
   * Returns the outcome of a scripted reply.
   * @param value called only if the call is accepted
   */
  async respond<T>(
    reply: SendReply,
    value: () => T,
    providerTxnId?: string,
    failureCode?: string,
  ): Promise<Outcome<T>> {
    switch (reply) {
      case 'success':
        return accepted(value(), providerTxnId);
      case 'slow_success':
        return (await this.#delay(this.delays.slowResponseMs ?? SLOW_RESPONSE_MS)) ?? accepted(value(), providerTxnId);
      case 'failure':
        return declined(failureCode);
      case 'pending':
        return unknown(evidenceOf('provider_pending', 'pending', providerTxnId));
      case 'silence':
        return (await this.#delay(Number.POSITIVE_INFINITY)) ?? accepted(value(), providerTxnId);
      case 'html_500':
        return unknown({ reason: 'http_error', httpStatus: 500 });
      case 'truncated':
        return unknown({ reason: 'not_json', httpStatus: 200 });
      case 'reset':
        return unknown({ reason: 'connection_lost' });
      case 'other_amount':
        return unknown(evidenceOf('amount_mismatch', 'success', providerTxnId));
      case 'away':
        return { kind: 'declined', evidence: { reason: 'breaker_open' } };
    }
  }

  close(): void {
    this.#timers.close();
  }

  /**
   * Waits for a delayed response. Returns an outcome if the timeout or `close` came first, or undefined if the response was in
   * time.
   */
  async #delay(delayMs: number): Promise<Outcome<never> | undefined> {
    const { responseTimeoutMs } = this.delays;
    if ((await this.#timers.wait(Math.min(delayMs, responseTimeoutMs))) === 'closed') {
      return unknown({ reason: 'connection_lost' });
    }
    return delayMs < responseTimeoutMs ? undefined : unknown({ reason: 'timeout', elapsedMs: responseTimeoutMs });
  }
}

type WaitEnd = 'elapsed' | 'closed';

/**
 * Waits of one adapter. The timers never keep the process alive, and `close` ends all of them, so that scripts with a late or
 * missing response do not delay the shutdown of a server.
 */
class CancellableDelays {
  readonly #waiting = new Map<NodeJS.Timeout, (end: WaitEnd) => void>();
  #isClosed = false;

  wait(delayMs: number): Promise<WaitEnd> {
    if (this.#isClosed) return Promise.resolve('closed');
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(timer);
        resolve('elapsed');
      }, delayMs);
      timer.unref();
      this.#waiting.set(timer, resolve);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const [timer, resolve] of this.#waiting) {
      clearTimeout(timer);
      resolve('closed');
    }
    this.#waiting.clear();
  }
}
