import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../../faults/support/accounts.js';
import { newRecharge, type Recharge, restRecharge } from '../../faults/support/recharges.js';
import { type Call, type Reply } from '../../faults/support/station.js';

/** A recharge that was sent once, and its response. */
export interface Shot {
  recharge: Recharge;
  /**
   * HTTP status and the status or code in the response, such as "200 success"; or the reason for a missing response, such as
   * "ECONNRESET".
   */
  result: string;
  elapsedMs: number;
}

export interface LoadOptions {
  accounts: readonly Account[];
  /** URL of the production host, or of the proxy in front of it. */
  baseUrl: string;
  perSecond: number;
  seconds: number;
  /** Number of the nth recharge, if it should not succeed. */
  mobileOf?: (n: number) => string | undefined;
}

const RESPONSE_LIMIT_MS = 40_000;

/** Recharges at a steady rate, independent of responses. Each has its own idempotency key and number, and none is sent twice. */
export async function fire({ accounts, baseUrl, perSecond, seconds, mobileOf }: LoadOptions): Promise<Shot[]> {
  const startedAt = performance.now();
  const shots: Promise<Shot>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = startedAt + (n * 1_000) / perSecond - performance.now();
    if (wait > 1) await sleep(wait);
    const recharge = newRecharge(accounts[n % accounts.length]!, mobileOf?.(n));
    shots.push(shoot(baseUrl, recharge));
  }
  return Promise.all(shots);
}

async function shoot(baseUrl: string, recharge: Recharge): Promise<Shot> {
  const startedAt = performance.now();
  const result = await send(baseUrl, restRecharge(recharge)).then(
    ({ status, body }) => `${status} ${body.status === 'error' ? body.code : (body.code ?? body.status)}`,
    (error: Error) => causeOf(error),
  );
  return { recharge, result, elapsedMs: performance.now() - startedAt };
}

async function send(baseUrl: string, { method, path, token, body }: Call): Promise<Pick<Reply, 'status' | 'body'>> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
  });
  return { status: response.status, body: await response.json() };
}

function causeOf(error: Error): string {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? error.name;
}

/** "11,250 sent: 11,200 × 200 success, 50 × 503 DEPENDENCY_DOWN; p50 9 ms, p99 40 ms". */
export function summary(shots: readonly Shot[]): string {
  const groups = [...Map.groupBy(shots, ({ result }) => result)].toSorted(([, a], [, b]) => b.length - a.length);
  const times = shots.map(({ elapsedMs }) => elapsedMs).toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(times[Math.floor((times.length - 1) * share)]!)} ms`;
  const responses = groups.map(([result, list]) => `${list.length.toLocaleString('en')} × ${result}`).join(', ');
  return `${shots.length.toLocaleString('en')} sent: ${responses}; p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`;
}
