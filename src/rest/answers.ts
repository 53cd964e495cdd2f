import type { RestAnswer } from './route.js';

/** How long a client waits before it asks again about a pending order. */
const PENDING_RETRY_S = 5;

/** The envelope of the calls that have a fee (interface.md 2.1): all business calls but recharge and bill pay. */
export const charged = (
  { message, fee, walletBalance }: { message: string; fee: number; walletBalance: number },
  data: object,
): RestAnswer => ({ body: { fee, data, status: 'success', message, wallet_balance: walletBalance } });

/**
 * The envelope of what became of an order: 200 whatever it is, `status` says it, and `code` why it failed. `data` always holds
 * the documented keys; those without a value are null while nobody knows the outcome, and "" later.
 *
 * @param data makes the data, given what stands for a value that there is not
 */
export const ordered = (
  { status, message, code }: { status: 'SUCCESS' | 'PENDING' | 'FAILED'; message: string; code?: string | null },
  data: (missing: null | '') => object,
): RestAnswer => ({
  ...(status === 'PENDING' ? { retryAfterS: PENDING_RETRY_S } : {}),
  body: {
    status: status.toLowerCase(),
    message,
    ...(status === 'FAILED' ? { code } : {}),
    data: data(status === 'PENDING' ? null : ''),
  },
});
