import type { Base } from '../db/database.js';
import { DailyStatementService } from './daily-statement.service.js';
import { LedgerService } from './ledger.service.js';
import { StatementService } from './statement.service.js';
import { WalletResolver } from './wallet.resolver.js';

/** Wallets, their postings and statements. */
export function createLedger({ pool }: Base) {
  const ledger = new LedgerService(pool);
  const statement = new StatementService(pool);
  const daily = new DailyStatementService(pool);
  return { ledger, statement, daily, room: { resolvers: [new WalletResolver(ledger, statement, daily)] } };
}
