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
