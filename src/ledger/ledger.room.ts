import { OperationTypeNode } from 'graphql';
import type { Metrics } from '../core/metrics.js';
import type { Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import type { Queryable } from '../db/pool.js';
import { DailyStatementService } from './daily-statement.service.js';
import { LedgerService } from './ledger.service.js';
import { StatementService } from './statement.service.js';
import { walletNodes } from './wallet.nodes.js';
import { ChargedResolver, type MayLag, OwnWalletResolver, type Statements, WalletResolver } from './wallet.resolver.js';
import { createWeeklyCheck } from './weekly-check.js';

const statementsOf = (db: Queryable): Statements => ({
  statement: new StatementService(db),
  daily: new DailyStatementService(db),
});

/** Returns whether the field is part of a query. The response to a mutation must include the mutation's own changes. */
const isQuery: MayLag = ({ operation }) => operation.operation === OperationTypeNode.QUERY;
/**
 * Returns whether the wallet is the root field of a query. The response to a lookup, which is also a query, must include the
 * fee; its wallet is not the root field.
 */
const isRequestedWallet: MayLag = (info) => isQuery(info) && info.path.prev?.prev === undefined;

/** Creates the services for wallets, postings and statements. */
export function createLedger({ pool, reads, log, config }: Base, metrics: Metrics) {
  const ledger = new LedgerService(pool, { metrics });
  const fresh = statementsOf(pool);
  const statements = reads === pool ? fresh : statementsOf(reads);
  const createWalletResolver = (mayLag: MayLag): WalletResolver =>
    new WalletResolver(pool, { fresh, lagging: statements, mayLag });
  const resolvers: Room['resolvers'] = {
    api: [new OwnWalletResolver(ledger), new ChargedResolver(ledger), createWalletResolver(isRequestedWallet)],
    console: [createWalletResolver(isQuery)],
  };
  const nodes = walletNodes(ledger, fresh.statement);
  const room: Room = {
    resolvers,
    nodes: { api: nodes, console: nodes },
    ...createWeeklyCheck(ledger, log, config.ledgerCheck),
  };
  return { ledger, ...statements, room };
}
