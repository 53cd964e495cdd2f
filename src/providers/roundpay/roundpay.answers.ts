import { z } from 'zod';
import type { Paise } from '../../core/money.js';
import type { ProviderAnswer } from '../http-client.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';
import type { RechargeOrder, RechargeReceipt, RechargeStatusCheck } from '../ports/recharge.port.js';
import { isHttpSuccess, judgeCall, judgeStatusCheck, type Reported, type Verdict } from '../verdict.js';
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

/** Shape of a response. Keys can have any case, and numbers can be sent as text. Missing and null values become "". */
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

/** Returns the balance of our deposit in the response of `/API/Balance`. Returns undefined if the response contains none. */
export const balanceIn = (answer: ProviderAnswer): Paise | undefined =>
  answer.kind === 'response' && isHttpSuccess(answer) ? balanceShape.safeParse(answer.body).data?.bal : undefined;

/** Returns the outcome of `/API/TransactionAPI`. */
export const judgeRecharge = (answer: ProviderAnswer, order: RechargeOrder): Outcome<RechargeReceipt> =>
  judgeCall(answer, (body, verdict) => {
    const parsed = answerShape.safeParse(body).data;
    if (!parsed) return verdict.unexpected();
    const more = { namesTransaction: namesTransaction(parsed, order), isRepeated: saysRepeated(parsed.msg) };
    return compare(parsed, order, verdict, concludeRecharge({ status: parsed.status, code: parsed.errorcode }, more));
  });

/**
 * Returns the outcome of `/API/StatusCheck`. A reversal is `declined` with STATUS 4 as `providerStatus`, or ERRORCODE 303 as
 * `providerCode`. The caller must check whether the order had succeeded.
 */
export const judgeStatus = (answer: ProviderAnswer, order: RechargeStatusCheck): StatusCheckOutcome<RechargeReceipt> =>
  judgeStatusCheck(answer, (body, verdict) => {
    const parsed = answerShape.safeParse(body).data;
    // A rejected status check (for example with HTTP 401) proves nothing about the recharge, whatever its body contains.
    if (!parsed || !isHttpSuccess(answer)) return verdict.unexpected();
    const shows = namesTransaction(parsed, order) && showsMoreThanAsked(parsed, order);
    const conclusion = concludeStatus({ status: parsed.status, code: parsed.errorcode }, shows);
    if (conclusion !== 'not_found') return compare(parsed, order, verdict, conclusion);
    return isAboutAnother(parsed, order)
      ? verdict.unknown('reference_mismatch')
      : verdict.notFound(reportedBy(parsed, order));
  });

/** Compares a response with our order. A response about a different order proves neither success nor failure of our order. */
function compare(
  answer: Answer,
  order: RechargeOrder & { providerTxnId?: string },
  verdict: Verdict,
  conclusion: Exclude<Conclusion, 'not_found'>,
): Outcome<RechargeReceipt> {
  const reported = reportedBy(answer, order);
  // The result omits the transaction ID, because it belongs to a different order and a status check must not use it.
  if (isAboutAnother(answer, order)) return verdict.unknown('reference_mismatch', { ...reported, txnId: undefined });
  return verdict.concluded(conclusion, reported, () =>
    answer.amount === '' || isSameAmount(answer.amount, order.amountPaise)
      ? verdict.accepted(receiptOf(answer.rpid || (order.providerTxnId ?? ''), answer.opid), reported)
      : verdict.unknown('amount_mismatch', reported),
  );
}

/**
 * Returns whether the response is about another order. The reference is unique, so it is compared if it is present. Otherwise
 * the provider's own ID is compared, if known.
 */
function isAboutAnother(answer: Answer, order: RechargeOrder & { providerTxnId?: string }): boolean {
  if (!mayBeAccount(answer.account, order.accountNumber)) return true;
  if (answer.agentid !== '') return !sameReference(answer.agentid, order.reference);
  return Boolean(answer.rpid && order.providerTxnId) && answer.rpid !== order.providerTxnId;
}

const namesTransaction = ({ rpid, agentid }: Answer, { reference }: RechargeOrder): boolean =>
  rpid !== '' && sameReference(agentid, reference);

/**
 * Returns whether the response contains a value that was not in the request. A status check sends the reference and, if known,
 * the transaction; an error response can echo both without having looked them up.
 */
const showsMoreThanAsked = ({ account, amount }: Answer, order: RechargeStatusCheck): boolean =>
  amount === '' ? account !== '' || !order.providerTxnId : isSameAmount(amount, order.amountPaise);

/** Compares two references. References are base36, so they are not case-sensitive. */
const sameReference = (answered: string, reference: string): boolean =>
  answered.toUpperCase() === reference.toUpperCase();

const reportedBy = (answer: Answer, order: RechargeOrder): Reported => ({
  status: String(answer.status),
  code: answer.errorcode,
  txnId: evidenceTxnId(answer.rpid, order.accountNumber),
});

/** Conclusion from a response, before it is compared with our order. */
type Conclusion = 'success' | 'failure' | 'pending' | 'not_found' | 'unexpected';

interface StatusAndCode {
  /** Received value: text (including numbers) or boolean; "" if missing. */
  status: string | boolean;
  /** ERRORCODE; "" if missing. */
  code: string;
}

type Status = 'pending' | 'success' | 'failed' | 'refunded' | 'missing' | 'unlisted';

/** STATUS values: the numbers of responses, and the words in callbacks. */
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

/** Codes for an invalid token or parameter. The request was rejected and nothing was booked, even if STATUS is pending. */
const rejections: ReadonlySet<string> = new Set(['101', '102']);
/** Codes for "accepted" and "OK", which no failure has. */
const assents: ReadonlySet<string> = new Set(['100', '200']);
/** Codes of final failures. A status check with one of these codes needs no transaction. */
const finalFailures: ReadonlySet<string> = new Set(['224', '302', '303', '501']);
/** Generic failure code. It is used for "Duplicate APIRequestID". */
const ANY_FAILURE = '302';
/** Assumed response to a status check with an ID that the provider never booked. */
const notFound = { status: '0', code: '404' };

function statusOf({ status, code }: StatusAndCode): Status {
  if (typeof status === 'string') return statuses.get(status.toUpperCase()) ?? 'unlisted';
  // Booleans are not documented, so "true" requires a matching code.
  return status && code === '200' ? 'success' : 'unlisted';
}

/**
 * Evaluates the response to a recharge. If the reference was already used (its order was lost in a restore), the provider rejects
 * it with the generic failure code. The earlier recharge with this reference may have succeeded, so a status check follows.
 *
 * @param more whether the response contains a transaction of ours, and whether its text reports that the reference was already
 * used
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
 * Judges the response to a status check. "Failed" can mean that the *status check* failed while the recharge succeeded, and a
 * rejected call can echo the request. A failure therefore applies to the recharge only with a code of final failure. Without
 * a code, the response must contain the transaction that the provider created for our order. An unlisted code is never a failure.
 *
 * @param showsTransaction whether the response contains our reference, the provider's transaction and a value that was not in the
 * request
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
