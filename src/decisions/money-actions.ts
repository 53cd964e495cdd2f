import type { AccountActions } from '../accounts/developers/account.decisions.js';
import type { Approvable } from '../approval-requests/approval-request.service.js';
import type { ApprovalRequestAction } from '../approval-requests/approval-request.store.js';
import type { BulkDecisionService } from './bulk-decision.service.js';
import { correctionDecision } from './correction.decision.js';
import type { DecisionParts, MoneyMoved } from './money-decision.js';
import { reviewDecision } from './review.decision.js';
import { creditDecision, debitDecision } from './wallet.decisions.js';
import { walletCorrectionDecision } from './wallet-correction.decision.js';

type MoneyAction = Exclude<ApprovalRequestAction, keyof AccountActions>;

/** Creates the money changes that can be requested and approved, by the name of their action. */
export const moneyActions = (parts: DecisionParts, lists: BulkDecisionService) =>
  ({
    'wallet.credit': creditDecision(parts),
    'wallet.debit': debitDecision(parts),
    'wallet.correct': walletCorrectionDecision(parts),
    'order.settle': reviewDecision('success', parts),
    'order.refund': reviewDecision('failed', parts),
    'order.reverse': correctionDecision('order.reverse', parts),
    'order.reverse_refund': correctionDecision('order.reverse_refund', parts),
    'orders.resolve': lists,
  }) satisfies Record<MoneyAction, Approvable<unknown, MoneyMoved>>;
export type MoneyActions = ReturnType<typeof moneyActions>;
