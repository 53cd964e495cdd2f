import { z } from 'zod';
import type { ProviderAnswer } from '../http-client.js';
import type { EnquiryOutcome, Outcome } from '../outcome.js';
import type { RechargeEnquiry, RechargeOrder, RechargeReceipt } from '../ports/recharge.port.js';
import { evidenceTxnId, isSameAmount, mayBeAccount, receiptOf, saysRepeated } from '../recharge-wire.js';
import { isHttpSuccess, judgeCall, judgeEnquiry, type Said, type Verdict } from '../verdict.js';
import { wireObject, wireTextOrEmpty } from '../wire.js';
import { type Conclusion, concludeRecharge, concludeStatus } from './roundpay.rules.js';

/** Keys come in either case and numbers as text or number; missing and null are "". */
const answerShape = wireObject({
  status: z.union([wireTextOrEmpty, z.boolean()]),
  errorcode: wireTextOrEmpty,
  msg: wireTextOrEmpty.catch(''),
  account: wireTextOrEmpty,
  amount: wireTextOrEmpty,
  rpid: wireTextOrEmpty,
  agentid: wireTextOrEmpty,
  opid: wireTextOrEmpty,
});
type Answer = z.infer<typeof answerShape>;

/** The outcome of `/API/TransactionAPI`. */
export const judgeRecharge = (answer: ProviderAnswer, order: RechargeOrder): Outcome<RechargeReceipt> =>
  judgeCall(answer, (body, verdict) => {
    const parsed = answerShape.safeParse(body).data;
    if (!parsed) return verdict.unexpected();
    const more = { namesTransaction: namesTransaction(parsed, order), isRepeated: saysRepeated(parsed.msg) };
    return compare(parsed, order, verdict, concludeRecharge({ status: parsed.status, code: parsed.errorcode }, more));
  });

/**
 * The outcome of `/API/StatusCheck`. A reversal found here is `declined` with STATUS 4 as `providerStatus`, or ERRORCODE 303 as
 * `providerCode`; the caller knows whether the order had been a success.
 */
export const judgeStatus = (answer: ProviderAnswer, order: RechargeEnquiry): EnquiryOutcome<RechargeReceipt> =>
  judgeEnquiry(answer, (body, verdict) => {
    const parsed = answerShape.safeParse(body).data;
    // A status call that was refused (HTTP 401, say) tells nothing about the recharge, whatever its body says.
    if (!parsed || !isHttpSuccess(answer)) return verdict.unexpected();
    const shows = namesTransaction(parsed, order) && showsMoreThanAsked(parsed, order);
    const conclusion = concludeStatus({ status: parsed.status, code: parsed.errorcode }, shows);
    if (conclusion !== 'not_found') return compare(parsed, order, verdict, conclusion);
    return isAboutAnother(parsed, order)
      ? verdict.unknown('reference_mismatch')
      : verdict.notFound(saidBy(parsed, order));
  });

/** An answer about another order proves nothing about ours, neither success nor failure. */
function compare(
  answer: Answer,
  order: RechargeOrder & { providerTxnId?: string },
  verdict: Verdict,
  conclusion: Exclude<Conclusion, 'not_found'>,
): Outcome<RechargeReceipt> {
  const said = saidBy(answer, order);
  // Without the transaction id: it is another order's, and an enquiry must not ask for it.
  if (isAboutAnother(answer, order)) return verdict.unknown('reference_mismatch', { ...said, txnId: undefined });
  return verdict.concluded(conclusion, said, () =>
    answer.amount === '' || isSameAmount(answer.amount, order.amountPaise)
      ? verdict.accepted(receiptOf(answer.rpid || (order.providerTxnId ?? ''), answer.opid), said)
      : verdict.unknown('amount_mismatch', said),
  );
}

/** The reference is unique and decides when it came; without it the provider's own id does, where we know it. */
function isAboutAnother(answer: Answer, order: RechargeOrder & { providerTxnId?: string }): boolean {
  if (!mayBeAccount(answer.account, order.accountNumber)) return true;
  if (answer.agentid !== '') return !sameReference(answer.agentid, order.reference);
  return Boolean(answer.rpid && order.providerTxnId) && answer.rpid !== order.providerTxnId;
}

const namesTransaction = ({ rpid, agentid }: Answer, { reference }: RechargeOrder): boolean =>
  rpid !== '' && sameReference(agentid, reference);

/** Reference and transaction, once it is known, are what we ask with: a refusal may echo both, and has never looked for either. */
const showsMoreThanAsked = ({ account, amount }: Answer, order: RechargeEnquiry): boolean =>
  amount === '' ? account !== '' || !order.providerTxnId : isSameAmount(amount, order.amountPaise);

/** References are base36, so that their case carries nothing. */
const sameReference = (answered: string, reference: string): boolean =>
  answered.toUpperCase() === reference.toUpperCase();

const saidBy = (answer: Answer, order: RechargeOrder): Said => ({
  status: String(answer.status),
  code: answer.errorcode,
  txnId: evidenceTxnId(answer.rpid, order.accountNumber),
});
