import type { RequestContext } from '../core/context.js';
import type { Charged } from '../ledger/charged.types.js';
import type { LookupAnswer } from './charged-lookup.js';

/** What every charged answer says; a repetition that cost nothing is marked on the response. */
export function chargedView({ feePaise, wallet, replayed }: LookupAnswer<unknown>, context: RequestContext): Charged {
  if (replayed) context.replayed = true;
  return { fee: feePaise, replayed, walletAfter: wallet };
}
