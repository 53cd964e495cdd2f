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

/** Result of a money decision. */
export interface MoneyMoved {
  /** Wallet that the money belongs to. Undefined for a list. */
  wallet?: { developerId: DeveloperId; environment: Environment };
  /** Wallet entry. Undefined if no money moved. */
  line?: StatementLine | undefined;
  /** ID of the order that was changed. Undefined if there is none. */
  orderId?: string;
  /** Result for each order of a list. Undefined for other decisions. */
  results?: readonly ResolvedOrder[];
}

export type MoneyDecision<Command, Case = Command> = Decision<Command, Case, MoneyMoved>;

export interface DecisionParts {
  ledger: LedgerService;
  audit: AuditService;
  store: OrderStore;
  statusChecks: StatusCheckRegistry;
  /** Limits for a Production credit by one person. */
  creditAlone: AloneLimits;
  /** Limits for resolving Production orders by one person. Larger amounts require two people. */
  resolveAlone: AloneLimits;
  /** Age at which an order without an outcome enters manual review. */
  manualReviewAfterMs: number;
  /** Time after the last possible send during which the provider may not list the payment. */
  visibilityDelayMs: number;
}
