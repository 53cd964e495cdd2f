import type { Environment } from '../core/environment.js';
import type { ErrorCode } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import type { StatementLine } from '../ledger/statement.service.js';
import type { StoredProposal } from '../proposals/proposal.store.js';

/** What became of one order of a list. */
export interface DecidedOrder {
  orderId: string;
  result: 'resolved' | 'proposed' | 'refused';
  /** Why it was refused; null when it was not. */
  code: ErrorCode | null;
}

/** What became of a decision about a list of orders. */
export interface ListDecision {
  results: readonly DecidedOrder[];
  /** What waits for a second person; undefined when nothing does. */
  proposal: StoredProposal | undefined;
  /** The same was proposed before; nothing changed. */
  replayed: boolean;
}

/** What became of a decision about money: it is carried out, or it waits for a second person and nothing has moved. */
export interface MoneyDecision {
  developerId: DeveloperId;
  environment: Environment;
  /** The movement of the wallet; undefined while it waits, and when none moved. */
  line: StatementLine | undefined;
  /** The order that it was about; undefined when it was about none. */
  orderId: string | undefined;
  /** What waits for a second person; undefined when it is done. */
  proposal: StoredProposal | undefined;
  /** The same was decided before; nothing changed. */
  replayed: boolean;
}
