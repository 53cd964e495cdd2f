import { requesterOf } from '../approval-requests/approval-request.service.js';
import { AppError, insufficientBalance } from '../core/errors.js';
import { newId } from '../core/ids.js';
import { balanceIn, lastLineOf } from '../ledger/line.reader.js';
import { orderNotFound } from '../orders/archived-orders.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { isCharged, isRefunded } from '../orders/views/order-actions.js';
import { approvalRequestAbout, encryptedAnswer, lockOrder, subjectOf } from './locked-order.js';
import type { DecisionParts, MoneyDecision } from './money-decision.js';

/** Corrections. Each undoes the other, any number of times. `note` appears in the timeline of the order. */
const CORRECTIONS = {
  'order.reverse': {
    kind: 'reversal',
    opposite: 'order.reverse_refund',
    to: 'reversed',
    note: 'reversed by support',
    fits: isCharged,
    wrongState: 'Only a successful order can be reversed.',
  },
  'order.reverse_refund': {
    kind: 'refund_reversal',
    opposite: 'order.reverse',
    to: 'success',
    note: 'refund reversed by support',
    fits: isRefunded,
    wrongState: 'Only the refund of a failed or reversed order can be reversed.',
  },
} as const;

/** Order to correct, and the reason its outcome was wrong. */
export interface Correction {
  orderId: string;
  reason: string;
}

/**
 * Corrections of a wrong final status. For Production orders they always require two people. Throws RECORD_NOT_FOUND,
 * ORDER_ARCHIVED, CONFLICT if the order state does not allow the correction or its card bill was paid otherwise, and
 * INSUFFICIENT_BALANCE.
 */
export const correctionDecision = (
  action: keyof typeof CORRECTIONS,
  parts: Pick<DecisionParts, 'ledger' | 'audit' | 'store' | 'statusChecks'>,
): MoneyDecision<Correction, { order: StoredOrder; reason: string }> => {
  const { kind, opposite, to, note, fits, wrongState } = CORRECTIONS[action];
  return {
    async lock({ orderId, reason }, tx) {
      const order = await lockOrder(orderId, tx);
      // checks early, for the requester; the ledger checks again when it posts
      if (!fits(order)) throw new AppError('CONFLICT', { message: wrongState });
      return { order, reason };
    },
    approvalRequest: ({ order, reason }) => approvalRequestAbout(order, action, reason),
    alone: ({ order }) => order.environment === 'uat',
    opposite,
    reopen: async ({ orderId }, { reason }, tx) => ({ order: await lockOrder(orderId!, tx), reason }),
    async apply({ order, reason }, by, tx, approvalRequest) {
      const { developerId, id: orderId, amountPaise } = order;
      const postingId = newId();
      // an order that was successful before keeps its earlier receipt
      const answer = order.state === 'failed' ? encryptedAnswer(order, true, parts) : undefined;
      const posting = { developerId, orderId, kind, postingId, answer, detail: { note } };
      switch (await parts.ledger.correct(posting, tx)) {
        case 'missing':
          throw orderNotFound();
        case 'not_charged':
        case 'not_given_back':
          throw new AppError('CONFLICT', { message: wrongState });
        case 'insufficient':
          throw insufficientBalance(amountPaise, await balanceIn(order, tx));
        case 'bill_paid':
          throw new AppError('CONFLICT', { message: 'This card bill has been paid by another payment.' });
        case 'posted':
          break;
      }
      const entry = {
        action,
        subject: subjectOf(order),
        before: { state: order.reversedAt ? 'reversed' : order.state },
        after: { state: to, amountPaise: String(amountPaise), ...(approvalRequest && requesterOf(approvalRequest)) },
        reason,
        posting: { id: postingId, amountPaise },
      };
      await parts.audit.record(by, entry, tx);
      return { wallet: order, line: await lastLineOf(developerId, orderId, tx), orderId };
    },
  };
};
