import { requesterOf } from '../approval-requests/approval-request.service.js';
import { AppError, insufficientBalance } from '../core/errors.js';
import { newId } from '../core/ids.js';
import { balanceIn, lastLineOf } from '../ledger/line.reader.js';
import { noOrder } from '../orders/archived-orders.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { isCharged, isRefunded } from '../orders/views/order-actions.js';
import { approvalRequestAbout, encryptedAnswer, lockOrder, subjectOf } from './locked-order.js';
import type { DecisionParts, MoneyDecision } from './money-decision.js';

/** Each undoes the other, as often as people change their minds; `note` is for the order's timeline. */
const CORRECTIONS = {
  'order.reverse': {
    kind: 'reversal',
    opposite: 'order.reverse_refund',
    to: 'reversed',
    note: 'taken back by a person',
    fits: isCharged,
    wrongState: 'Only a success can be taken back, and only once until it is charged again.',
  },
  'order.reverse_refund': {
    kind: 'refund_reversal',
    opposite: 'order.reverse',
    to: 'success',
    note: 'charged again by a person',
    fits: isRefunded,
    wrongState: 'Only an order that has failed or was reversed can be charged again.',
  },
} as const;

/** Which order, and why its outcome was wrong. */
export interface Correction {
  orderId: string;
  reason: string;
}

/**
 * What people undo when the outcome of an order was wrong. Real money always takes two of them. Errors: RECORD_NOT_FOUND,
 * ORDER_ARCHIVED, CONFLICT when the order is in no state to be corrected so or its card bill was paid otherwise,
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
      // the ledger decides again when it posts; this is for who requests
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
      // an order that has been a success before keeps the answer that it had then
      const answer = order.state === 'failed' ? encryptedAnswer(order, true, parts) : undefined;
      const posting = { developerId, orderId, kind, postingId, answer, detail: { note } };
      switch (await parts.ledger.correct(posting, tx)) {
        case 'missing':
          throw noOrder();
        case 'not_charged':
        case 'not_given_back':
          throw new AppError('CONFLICT', { message: wrongState });
        case 'insufficient':
          throw insufficientBalance(amountPaise, await balanceIn(order, tx));
        case 'bill_paid':
          throw new AppError('CONFLICT', { message: 'Another payment of this card bill was made meanwhile.' });
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
