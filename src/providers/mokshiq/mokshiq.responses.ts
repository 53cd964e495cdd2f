import { z } from 'zod';
import { type Circle, circleOf } from '../../core/circles.js';
import type { ProviderResponse } from '../http-client.js';
import type { Outcome } from '../outcome.js';
import { judgeByShape, judgeCall, type StatusWords } from '../outcome-factory.js';
import type { RechargeOrder, RechargeReceipt } from '../ports/recharge.port.js';
import {
  evidenceTxnId,
  isSameAmount,
  mayBeAccount,
  receiptOf,
  wireField,
  wireFilledText,
  wireObject,
  wireTextOrEmpty,
} from '../wire.js';

/** The outcome depends on `status`, which is a word or a boolean. `message` is ignored. */
const statusWords: StatusWords = new Map([
  ['success', 'success'],
  ['true', 'success'],
  ['failure', 'failure'],
  ['failed', 'failure'],
  ['false', 'failure'],
  ['pending', 'pending'],
]);

const responseShape = wireObject({
  status: z.union([wireTextOrEmpty, z.boolean().transform(String)]),
  txn_id: wireTextOrEmpty,
  reference_num: wireTextOrEmpty,
  opid: wireTextOrEmpty,
  // These fields are not part of the known responses. If they are present, their values must match ours.
  number: wireTextOrEmpty,
  amount: wireTextOrEmpty,
});

/** The only documented error response without a `status`: HTTP 403 with exactly this `detail`. */
const rejection = wireField('detail', z.literal('Invalid token'));
const isRejection = (response: ProviderResponse, body: unknown): boolean =>
  response.kind === 'response' && response.httpStatus === 403 && rejection.safeParse(body).success;

/** Returns the outcome of `/create_mobile_recharge` and `/create_dth_recharge`. */
export const judgeRecharge = (response: ProviderResponse, order: RechargeOrder): Outcome<RechargeReceipt> =>
  judgeCall(response, (body, outcomes) => {
    const parsed = responseShape.safeParse(body).data;
    if (!parsed) return outcomes.unexpected();
    const providerTxnId = parsed.txn_id || parsed.reference_num;
    const reported = { status: parsed.status, txnId: evidenceTxnId(providerTxnId, order.accountNumber) };
    if (parsed.status === '' && isRejection(response, body)) return outcomes.declined({ code: '403' });
    if (!mayBeAccount(parsed.number, order.accountNumber)) return outcomes.unknown('reference_mismatch', reported);
    return outcomes.fromMeaning(statusWords.get(parsed.status.toLowerCase()), reported, () =>
      parsed.amount === '' || isSameAmount(parsed.amount, order.amountPaise)
        ? outcomes.accepted(receiptOf(providerTxnId, parsed.opid), reported)
        : outcomes.unknown('amount_mismatch', reported),
    );
  });

const lookupShape = wireObject({ circle: wireFilledText });

/** Returns the circle of a successful operator lookup. All known spellings are accepted. */
export function circleOfLookup(response: ProviderResponse): Circle | undefined {
  const outcome = judgeByShape(response, statusWords, lookupShape);
  return outcome.kind === 'accepted' ? circleOf(outcome.value.circle) : undefined;
}
