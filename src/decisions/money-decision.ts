import type { Decision } from '../approval-requests/approval-request.service.js';
import type { AuditService } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import type { DeveloperId } from '../core/principal.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { StatementLine } from '../ledger/statement.service.js';
import type { OrderStore } from '../orders/order.store.js';
import type { StatusCheckRegistry } from '../orders/outcomes.js';
import type { AloneLimits } from './alone-allowance.js';
import type { ResolvedOrder } from './bulk-decision.types.js';

/** What a decision about money has done. */
export interface MoneyMoved {
  /** Whose money it was; undefined when it was a list's. */
  wallet?: { developerId: DeveloperId; environment: Environment };
  /** The movement of the wallet; undefined when none moved. */
  line?: StatementLine | undefined;
  /** The order that it was about; undefined when it was about none. */
  orderId?: string;
  /** What became of each order of a list; undefined when it was about none. */
  results?: readonly ResolvedOrder[];
}

export type MoneyDecision<Command, Case = Command> = Decision<Command, Case, MoneyMoved>;

export interface DecisionParts {
  ledger: LedgerService;
  audit: AuditService;
  store: OrderStore;
  statusChecks: StatusCheckRegistry;
  /** What one person may credit alone in production. */
  creditAlone: AloneLimits;
  /** Up to these one admin says alone in production what became of an order or a list; above, two have to agree. */
  resolveAlone: AloneLimits;
  /** Age at which an order without an outcome enters manual review. */
  manualReviewAfterMs: number;
  /** How long after the last possible send a provider need not show a payment. */
  visibilityDelayMs: number;
}
