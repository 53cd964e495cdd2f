import type { Transaction } from './book.js';
import { reversalCallback } from './roundpay.provider.js';

export interface CallbackTarget {
  /** The production host that takes callbacks; its path is appended. */
  baseUrl: string;
  /** Sent as `secret` when there is one. */
  secret?: string;
}

const ATTEMPTS = 3;
const BETWEEN_ATTEMPTS_MS = 1_000;
const TIMEOUT_MS = 5_000;

/**
 * Announces RoundPay's reversals to the production host; the other providers have no callback. A host that cannot be reached is
 * tried again twice, and not after that: a callback is only a hint.
 */
export function announcer(target: CallbackTarget | undefined, closing: AbortSignal) {
  return async (transaction: Transaction): Promise<void> => {
    if (!target || transaction.provider !== 'roundpay') return;
    const url = new URL(`${target.baseUrl.replace(/\/+$/, '')}/callbacks/roundpay`);
    for (const [name, value] of Object.entries(reversalCallback(transaction))) url.searchParams.set(name, value);
    if (target.secret) url.searchParams.set('secret', target.secret);
    for (let attempt = 1; attempt <= ATTEMPTS && !closing.aborted; attempt++) {
      if (await delivered(url, closing)) return;
      if (attempt < ATTEMPTS) await pause(BETWEEN_ATTEMPTS_MS, closing);
    }
  };
}

async function delivered(url: URL, closing: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)]) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Resolves after the time, or at once when the simulator closes. */
export const pause = (ms: number, closing: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (closing.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      closing.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    closing.addEventListener('abort', done, { once: true });
  });
