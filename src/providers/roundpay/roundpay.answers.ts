import { z } from 'zod';
import type { Paise } from '../../core/money.js';
import type { ProviderAnswer } from '../http-client.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';
import type { RechargeOrder, RechargeReceipt, RechargeStatusCheck } from '../ports/recharge.port.js';
import { isHttpSuccess, judgeCall, judgeStatusCheck, type Said, type Verdict } from '../verdict.js';
import {
  evidenceTxnId,
  isSameAmount,
  mayBeAccount,
  receiptOf,
  saysRepeated,
  wireObject,
  wirePaise,
  wireTextOrEmpty,
} from '../wire.js';

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

const balanceShape = wireObject({ bal: wirePaise });

/** What `/API/Balance` says is left of our deposit; undefined where it does not say. */
export const balanceIn = (answer: ProviderAnswer): Paise | undefined =>
  answer.kind === 'response' && isHttpSuccess(answer) ? balanceShape.safeParse(answer.body).data?.bal : undefined;

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
export const judgeStatus = (answer: ProviderAnswer, order: RechargeStatusCheck): StatusCheckOutcome<RechargeReceipt> =>
  judgeStatusCheck(answer, (body, verdict) => {
    const parsed = answerShape.safeParse(body).data;
    // A status call that was refused (HTTP 401, say) says nothing about the recharge, whatever its body says.
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
  // Without the transaction id: it is another order's, and a status check must not ask for it.
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
const showsMoreThanAsked = ({ account, amount }: Answer, order: RechargeStatusCheck): boolean =>
  amount === '' ? account !== '' || !order.providerTxnId : isSameAmount(amount, order.amountPaise);

/** References are base36, so that their case carries nothing. */
const sameReference = (answered: string, reference: string): boolean =>
  answered.toUpperCase() === reference.toUpperCase();

const saidBy = (answer: Answer, order: RechargeOrder): Said => ({
  status: String(answer.status),
  code: answer.errorcode,
  txnId: evidenceTxnId(answer.rpid, order.accountNumber),
});

/** What an answer amounts to, before it is compared with our order. */
type Conclusion = 'success' | 'failure' | 'pending' | 'not_found' | 'unexpected';

interface StatusAndCode {
  /** As it came: text (numbers too) or boolean; "" when missing. */
  status: string | boolean;
  /** ERRORCODE; "" when missing. */
  code: string;
}

type Status = 'pending' | 'success' | 'failed' | 'refunded' | 'missing' | 'unlisted';

/** STATUS by number, and by the words that the provider's callback uses. */
const statuses: ReadonlyMap<string, Status> = new Map([
  ['', 'missing'],
  ['1', 'pending'],
  ['2', 'success'],
  ['3', 'failed'],
  ['4', 'refunded'],
  ['5', 'pending'],
  ['SUCCESS', 'success'],
  ['FAILED', 'failed'],
]);

/** Bad token, bad parameter: the request was rejected and nothing was booked, even where STATUS says pending. */
const rejections: ReadonlySet<string> = new Set(['101', '102']);
/** Accepted, ok: no failure says that. */
const assents: ReadonlySet<string> = new Set(['100', '200']);
/** Final failures of a recharge: a status call that says so needs no transaction. */
const finalFailures: ReadonlySet<string> = new Set(['224', '302', '303', '501']);
/** Any failure, "Duplicate APIRequestID" too. */
const ANY_FAILURE = '302';
/** Our reading of a status call for an id that the provider never booked. */
const notFound = { status: '0', code: '404' };

function statusOf({ status, code }: StatusAndCode): Status {
  if (typeof status === 'string') return statuses.get(status.toUpperCase()) ?? 'unlisted';
  // Nobody documented a boolean: "true" counts only where the code says the same.
  return status && code === '200' ? 'success' : 'unlisted';
}

/**
 * The answer to a recharge. A reference that was used before (its order was lost by a restore) is refused with any failure's code, and
 * what was sent with it then may have been performed: that is asked about.
 *
 * @param more whether it names a transaction of ours, and whether its text says that the reference was used before
 */
export function concludeRecharge(
  answer: StatusAndCode,
  more = { namesTransaction: false, isRepeated: false },
): Exclude<Conclusion, 'not_found'> {
  const { code } = answer;
  switch (statusOf(answer)) {
    case 'success':
      return code === '' || code === '200' ? 'success' : 'unexpected';
    case 'failed':
    case 'refunded':
      if (assents.has(code) || more.isRepeated) return 'unexpected';
      return code === ANY_FAILURE && !more.namesTransaction ? 'unexpected' : 'failure';
    case 'pending':
      return rejections.has(code) ? 'failure' : 'pending';
    case 'missing':
      return rejections.has(code) ? 'failure' : 'unexpected';
    case 'unlisted':
      return 'unexpected';
  }
}

/**
 * The answer to a status call. "Failed" may be the failure of the *status call* while the recharge went through, and a call that
 * was refused may echo what it was asked: so it counts as the recharge's only with a code of final failure, or without any when it
 * shows the transaction that the provider made of our order. A code that is not listed is never a failure.
 *
 * @param showsTransaction it has our reference, the provider's transaction and something that it was not asked with
 */
function concludeStatus(answer: StatusAndCode, showsTransaction: boolean): Conclusion {
  const { status, code } = answer;
  switch (statusOf(answer)) {
    case 'success':
      return code === '' || code === '200' ? 'success' : 'unexpected';
    case 'failed':
    case 'refunded':
      if (code === notFound.code) return 'not_found';
      return finalFailures.has(code) || (code === '' && showsTransaction) ? 'failure' : 'unexpected';
    case 'pending':
      return rejections.has(code) ? 'unexpected' : 'pending';
    case 'missing':
      return 'unexpected';
    case 'unlisted':
      return status === notFound.status && code === notFound.code ? 'not_found' : 'unexpected';
  }
}
