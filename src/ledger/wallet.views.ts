import { developerOf, type RequestContext, type WalletReading } from '../core/context.js';
import type { LedgerService } from './ledger.service.js';
import type { WalletState } from './postings.js';
import type { StatementLine } from './statement.service.js';
import type { WalletKey } from './wallet.reader.js';
import type { StatementEntry, Wallet } from './wallet.types.js';

export const walletView = (
  { developerId, environment }: WalletKey,
  { balancePaise, version }: WalletState,
): Wallet => ({ developerId, environment, balance: balancePaise, version });

export const entryView = ({ amountPaise, balanceAfterPaise, ...line }: StatementLine): StatementEntry => ({
  ...line,
  amount: amountPaise,
  balanceAfter: balanceAfterPaise,
});

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
