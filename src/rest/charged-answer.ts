import type { RestAnswer } from './route.js';

/** The envelope (interface.md 2.1) of calls that show their fee: everything but recharge and bill pay. */
export const chargedAnswer = (
  { message, fee, walletBalance }: { message: string; fee: number; walletBalance: number },
  data: object,
): RestAnswer => ({ body: { fee, data, status: 'success', message, wallet_balance: walletBalance } });
