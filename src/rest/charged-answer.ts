import type { RestAnswer } from './route.js';

/** The envelope of sections 2.1 and 4 for calls that tell their fee: everything but recharge and bill pay. */
export const chargedAnswer = (
  { message, fee, walletBalance }: { message: string; fee: number; walletBalance: number },
  data: object,
): RestAnswer => ({ body: { fee, data, status: 'success', message, wallet_balance: walletBalance } });
