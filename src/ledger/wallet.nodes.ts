import { canSee } from '../core/context.js';
import { type Environment, environments } from '../core/environment.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { LoadNode } from '../core/room.js';
import type { LedgerService } from './ledger.service.js';
import type { StatementService } from './statement.service.js';
import type { WalletKey } from './wallet.reader.js';
import { entryView, ownWallet, walletView } from './wallet.types.js';

/**
 * Parses the wallet at the start of a key, and the version after it, if any. Returns undefined if the key contains no valid
 * wallet.
 */
function walletIn(key: string): { wallet: WalletKey; version: string } | undefined {
  const [environment, developerId = '', version = ''] = key.split('_');
  if (!environments.includes(environment as Environment) || !isUuid(developerId)) return undefined;
  return {
    wallet: { environment: environment as Environment, developerId: developerId as DeveloperId },
    version,
  };
}

/** Creates the loaders of wallets and their entries by ID. */
export const walletNodes = (
  ledger: LedgerService,
  statement: StatementService,
): { Wallet: LoadNode; StatementEntry: LoadNode } => ({
  async Wallet(key, context) {
    const found = walletIn(key);
    if (!found || found.version !== '' || !canSee(context, found.wallet)) return undefined;
    if (context.principal?.kind === 'developer') return ownWallet(context, ledger);
    const { developerId, environment } = found.wallet;
    const state = await ledger.findWallet(developerId, environment);
    return state && walletView(found.wallet, state);
  },
  async StatementEntry(key, context) {
    const found = walletIn(key);
    if (!found || !/^\d{1,18}$/.test(found.version) || !canSee(context, found.wallet)) return undefined;
    const line = await statement.line(found.wallet, found.version);
    return line && entryView(line);
  },
});
