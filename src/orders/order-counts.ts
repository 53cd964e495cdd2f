import type { Environment } from '../core/environment.js';
import type { Operation } from '../ledger/ledger.service.js';
import type { DeclineReason } from '../providers/decline-reasons.js';

/** What is counted of an order. */
export interface CountedOrder {
  operation: Operation;
  provider: string;
  environment: Environment;
}

export type CountedOutcome = 'success' | 'failed' | 'review' | 'reversed';

/** Who counts orders, for metrics: nothing is decided by it. */
export interface OrderCounts {
  /** Its money is held. */
  placed(order: CountedOrder): void;
  /** @param decline why it failed, where the provider said so */
  decided(order: CountedOrder, outcome: CountedOutcome, decline?: DeclineReason): void;
}

export const uncounted: OrderCounts = { placed() {}, decided() {} };
