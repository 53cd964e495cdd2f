import type { RequestContext } from '../core/context.js';
import { ZERO } from '../core/money.js';
import type { Charged } from '../ledger/charged.types.js';
import type { LookupAnswer } from './charged-lookup.js';

/** What every charged answer says; a repetition that cost nothing is marked on the response. */
export function chargedView(
  { feePaise, wallet, replayed }: Omit<LookupAnswer<unknown>, 'value'>,
  context: RequestContext,
): Charged {
  if (replayed) context.replayed = true;
  if (feePaise > ZERO) context.notes?.keptMoney();
  if (wallet) context.shownWallet?.charged(wallet);
  return { fee: feePaise, replayed, walletAfter: wallet };
}
