import type { lookup } from 'node:dns';
import { Agent, buildConnector, request } from 'undici';
import { AddressNotPublic, addressOfHost, isPublicAddress, publicLookup } from './public-address.js';

/**
 * Result of an attempt. Contains only codes, because an error text may quote the URL, whose path may contain a secret of the
 * receiver.
 */
export type Attempt = (
  | { kind: 'answered'; httpStatus: number; retryAfterMs: number }
  | { kind: 'failed'; error: AttemptError }
) & { durationMs: number };

/**
 * Reason why an attempt failed. `not_https`: the URL was stored while http was allowed. `interrupted`: this process was
 * stopping.
 */
export type AttemptError =
  | 'not_https'
  | 'timeout'
  | 'address_not_public'
  | 'dns_failed'
  | 'tls_failed'
  | 'connection_failed'
  | 'interrupted';

export interface SenderOptions {
  /** Whether local receivers and http are allowed, for the demo and tests. */
  allowPrivate: boolean;
  timeoutMs?: number;
  resolve?: typeof lookup;
}

/** Time limit of the whole attempt: DNS, connection, TLS and response. */
export const RECEIVER_TIMEOUT_MS = 15_000;
/**
 * Maximum size of a response body that is read and discarded, so that the connection can be reused. If the body is longer, the
 * connection is closed.
 */
const RESPONSE_LIMIT_BYTES = 16 * 1024;
export const CONNECTIONS_PER_RECEIVER = 8;
const IDLE_SOCKET_MS = 4_000;

/** Sends signed events. Redirects are not followed, so that only the checked address is called. */
export class WebhookSender {
  readonly #agent: Agent;
  readonly #schemes: RegExp;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();

  constructor({ allowPrivate, timeoutMs = RECEIVER_TIMEOUT_MS, resolve }: SenderOptions) {
    this.#timeoutMs = timeoutMs;
    this.#schemes = allowPrivate ? /^https?:/ : /^https:/;
    this.#agent = new Agent({
      connect: allowPrivate
        ? { timeout: timeoutMs }
        : publicConnector(buildConnector({ timeout: timeoutMs, lookup: publicLookup(resolve) })),
      connections: CONNECTIONS_PER_RECEIVER,
      keepAliveTimeout: IDLE_SOCKET_MS,
      keepAliveMaxTimeout: IDLE_SOCKET_MS,
    });
  }

  /** Makes one attempt. Never rejects. */
  async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Attempt> {
    const startedMs = performance.now();
    const timing = () => ({ durationMs: Math.round(performance.now() - startedMs) });
    if (!this.#schemes.test(url)) return { kind: 'failed', error: 'not_https', ...timing() };
    const signal = AbortSignal.any([AbortSignal.timeout(this.#timeoutMs), this.#closing.signal]);
    try {
      const response = await request(url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: { 'content-type': 'application/json', 'user-agent': 'recharge-gateway-webhooks/1', ...headers },
        body,
        signal,
      });
      const attempt = {
        kind: 'answered',
        httpStatus: response.statusCode,
        retryAfterMs: retryAfterMsOf(response.statusCode, response.headers['retry-after']),
        ...timing(),
      } as const;
      // only the status is used, so errors in the body are ignored
      await response.body.dump({ limit: RESPONSE_LIMIT_BYTES, signal }).catch(() => {});
      return attempt;
    } catch (error) {
      return { kind: 'failed', error: this.#closing.signal.aborted ? 'interrupted' : codeOf(error), ...timing() };
    }
  }

  /** Aborts attempts in progress and closes all connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
  }
}

/** Returns a connector that checks URLs with an IP address, because they need no DNS lookup. */
function publicConnector(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    const address = addressOfHost(options.hostname);
    if (address !== undefined && !isPublicAddress(address)) return callback(new AddressNotPublic(), null);
    return connect(options, callback);
  };
}

const THROTTLED: readonly number[] = [429, 503];
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Parses `Retry-After` (RFC 9110), which contains seconds or an HTTP date. Returns 0 for an invalid value, a past date and any
 * other status.
 */
export function retryAfterMsOf(httpStatus: number, value: string | string[] | undefined, nowMs = Date.now()): number {
  if (!THROTTLED.includes(httpStatus) || typeof value !== 'string') return 0;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  return HTTP_DATE.test(value) ? Math.max(0, Date.parse(value) - nowMs || 0) : 0;
}

function codeOf(error: unknown): AttemptError {
  const { code = '', name } = error as { code?: string; name?: string };
  if (code === 'ADDRESS_NOT_PUBLIC') return 'address_not_public';
  if (name === 'TimeoutError' || code.endsWith('TIMEOUT') || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'dns_failed';
  if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)) return 'tls_failed';
  return 'connection_failed';
}
