import { developerOf, type RequestContext, type WalletReading } from '../core/context.js';
import type { LedgerService } from './ledger.service.js';
import type { Wallet } from './wallet.types.js';
import { walletView } from './wallet.views.js';

/**
 * The wallet of an API caller. The answer to a query shows it in one state, however often and wherever it stands.
 *
 * @param after what the call of a mutation left in it, where that is known
 */
export async function ownWallet(
  context: RequestContext,
  ledger: Pick<LedgerService, 'wallet'>,
  after?: WalletReading,
): Promise<Wallet> {
  const { developerId, environment } = developerOf(context);
  const read = () => ledger.wallet(developerId, environment);
  const state = context.shownWallet ? await context.shownWallet.state(read) : (after ?? (await read()));
  return walletView({ developerId, environment }, state);
}
