import type { Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import { ChargedResolver } from './charged.resolver.js';
import { DailyStatementService } from './daily-statement.service.js';
import { type LedgerOptions, LedgerService } from './ledger.service.js';
import { StatementService } from './statement.service.js';
import { walletNodes } from './wallet.nodes.js';
import { OwnWalletResolver, WalletResolver } from './wallet.resolver.js';

/** Wallets, their postings and statements. */
export function createLedger({ pool }: Base, onBatch: NonNullable<LedgerOptions['onBatch']>) {
  const ledger = new LedgerService(pool, { onBatch });
  const statement = new StatementService(pool);
  const daily = new DailyStatementService(pool);
  const wallets = new WalletResolver(pool, statement, daily);
  const resolvers: Room['resolvers'] = {
    api: [new OwnWalletResolver(ledger), new ChargedResolver(ledger), wallets],
    console: [wallets],
  };
  const nodes = walletNodes(ledger, statement);
  return { ledger, statement, daily, room: { resolvers, nodes: { api: nodes, console: nodes } } };
}
