import type { Transaction } from './book.js';
import type { ProviderName } from './provider-name.js';
import { reversalCallback } from './roundpay.provider.js';

export interface CallbackTarget {
  /** URL of the Production host that receives callbacks. The path is appended. */
  baseUrl: string;
  /** Secrets by provider, sent as `secret` if present. */
  secrets: ReadonlyMap<string, string>;
}

/** Query of the callback for a reversal, for providers that send callbacks. */
const announcements: Partial<Record<ProviderName, (transaction: Transaction) => Record<string, string>>> = {
  roundpay: reversalCallback,
};

const ATTEMPTS = 3;
const BETWEEN_ATTEMPTS_MS = 1_000;
const TIMEOUT_MS = 5_000;

/**
 * Sends callbacks for reversals to the Production host, for providers that send callbacks. If the host is unreachable, the
 * callback is retried twice and then dropped, because a callback is only a hint.
 */
export function announcer(target: CallbackTarget | undefined, closeSignal: AbortSignal) {
  return async (transaction: Transaction): Promise<void> => {
    const announce = announcements[transaction.provider];
    if (!target || !announce) return;
    const url = new URL(`${target.baseUrl.replace(/\/+$/, '')}/callbacks/${transaction.provider}`);
    for (const [name, value] of Object.entries(announce(transaction))) url.searchParams.set(name, value);
    const secret = target.secrets.get(transaction.provider);
    if (secret) url.searchParams.set('secret', secret);
    for (let attempt = 1; attempt <= ATTEMPTS && !closeSignal.aborted; attempt++) {
      if (await deliver(url, closeSignal)) return;
      if (attempt < ATTEMPTS) await pause(BETWEEN_ATTEMPTS_MS, closeSignal);
    }
  };
}

async function deliver(url: URL, closeSignal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([closeSignal, AbortSignal.timeout(TIMEOUT_MS)]) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Waits. Resolves after the time, or immediately when the simulator closes. */
export const pause = (ms: number, closeSignal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (closeSignal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      closeSignal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    closeSignal.addEventListener('abort', done, { once: true });
  });
