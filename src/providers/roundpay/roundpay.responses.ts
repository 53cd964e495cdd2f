import { z } from 'zod';
import type { Paise } from '../../core/money.js';
import type { ProviderResponse } from '../http-client.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';
import { isHttpSuccess, judgeCall, judgeStatusCheck, type OutcomeFactory, type Reported } from '../outcome-factory.js';
import type { RechargeOrder, RechargeReceipt, RechargeStatusCheck } from '../ports/recharge.port.js';
import {
  evidenceTxnId,
  isSameAmount,
  mayBeAccount,
  receiptOf,
  reportsDuplicate,
  wireObject,
  wirePaise,
  wireTextOrEmpty,
} from '../wire.js';

/** Shape of a response. Keys can have any case, and numbers can be sent as text. Missing and null values become "". */
const responseShape = wireObject({
  status: z.union([wireTextOrEmpty, z.boolean()]),
  errorcode: wireTextOrEmpty,
  msg: wireTextOrEmpty.catch(''),
  account: wireTextOrEmpty,
  amount: wireTextOrEmpty,
  rpid: wireTextOrEmpty,
  agentid: wireTextOrEmpty,
  opid: wireTextOrEmpty,
});
type ParsedResponse = z.infer<typeof responseShape>;

const balanceShape = wireObject({ bal: wirePaise });

/** Returns the balance of our deposit in the response of `/API/Balance`. Returns undefined if the response contains none. */
export const balanceIn = (response: ProviderResponse): Paise | undefined =>
  response.kind === 'response' && isHttpSuccess(response) ? balanceShape.safeParse(response.body).data?.bal : undefined;

/** Returns the outcome of `/API/TransactionAPI`. */
export const judgeRecharge = (response: ProviderResponse, order: RechargeOrder): Outcome<RechargeReceipt> =>
  judgeCall(response, (body, outcomes) => {
    const parsed = responseShape.safeParse(body).data;
    if (!parsed) return outcomes.unexpected();
    const hints = { namesTransaction: namesTransaction(parsed, order), isDuplicate: reportsDuplicate(parsed.msg) };
    return compare(parsed, order, outcomes, concludeRecharge({ status: parsed.status, code: parsed.errorcode }, hints));
  });

/**
 * Returns the outcome of `/API/StatusCheck`. A reversal is `declined` with STATUS 4 as `providerStatus`, or ERRORCODE 303 as
 * `providerCode`. The caller must check whether the order had succeeded.
 */
export const judgeStatus = (
  response: ProviderResponse,
  order: RechargeStatusCheck,
): StatusCheckOutcome<RechargeReceipt> =>
  judgeStatusCheck(response, (body, outcomes) => {
    const parsed = responseShape.safeParse(body).data;
    // A rejected status check (for example with HTTP 401) proves nothing about the recharge, whatever its body contains.
    if (!parsed || !isHttpSuccess(response)) return outcomes.unexpected();
    const isDescribed = namesTransaction(parsed, order) && containsMoreThanRequest(parsed, order);
    const conclusion = concludeStatus({ status: parsed.status, code: parsed.errorcode }, isDescribed);
    if (conclusion !== 'not_found') return compare(parsed, order, outcomes, conclusion);
    return isOfOtherOrder(parsed, order)
      ? outcomes.unknown('reference_mismatch')
      : outcomes.notFound(reportedBy(parsed, order));
  });

/** Compares a response with our order. A response about a different order proves neither success nor failure of our order. */
function compare(
  response: ParsedResponse,
  order: RechargeOrder & { providerTxnId?: string },
  outcomes: OutcomeFactory,
  conclusion: Exclude<Conclusion, 'not_found'>,
): Outcome<RechargeReceipt> {
  const reported = reportedBy(response, order);
  // The result omits the transaction ID, because it belongs to a different order and a status check must not use it.
  if (isOfOtherOrder(response, order)) return outcomes.unknown('reference_mismatch', { ...reported, txnId: undefined });
  return outcomes.fromMeaning(conclusion, reported, () =>
    response.amount === '' || isSameAmount(response.amount, order.amountPaise)
      ? outcomes.accepted(receiptOf(response.rpid || (order.providerTxnId ?? ''), response.opid), reported)
      : outcomes.unknown('amount_mismatch', reported),
  );
}

/**
 * Returns whether the response is about another order. The reference is unique, so it is compared if it is present. Otherwise
 * the provider's own ID is compared, if known.
 */
function isOfOtherOrder(response: ParsedResponse, order: RechargeOrder & { providerTxnId?: string }): boolean {
  if (!mayBeAccount(response.account, order.accountNumber)) return true;
  if (response.agentid !== '') return !sameReference(response.agentid, order.reference);
  return Boolean(response.rpid && order.providerTxnId) && response.rpid !== order.providerTxnId;
}

const namesTransaction = ({ rpid, agentid }: ParsedResponse, { reference }: RechargeOrder): boolean =>
  rpid !== '' && sameReference(agentid, reference);

/**
 * Returns whether the response contains a value that was not in the request. A status check sends the reference and, if known,
 * the transaction; an error response can echo both without having looked them up.
 */
const containsMoreThanRequest = ({ account, amount }: ParsedResponse, order: RechargeStatusCheck): boolean =>
  amount === '' ? account !== '' || !order.providerTxnId : isSameAmount(amount, order.amountPaise);

/** Compares two references. References are base36, so they are not case-sensitive. */
const sameReference = (reportedReference: string, reference: string): boolean =>
  reportedReference.toUpperCase() === reference.toUpperCase();

const reportedBy = (response: ParsedResponse, order: RechargeOrder): Reported => ({
  status: String(response.status),
  code: response.errorcode,
  txnId: evidenceTxnId(response.rpid, order.accountNumber),
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
const acceptanceCodes: ReadonlySet<string> = new Set(['100', '200']);
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
 * @param hints whether the response contains a transaction of ours, and whether its text reports that the reference was already
 * used
 */
export function concludeRecharge(
  response: StatusAndCode,
  hints = { namesTransaction: false, isDuplicate: false },
): Exclude<Conclusion, 'not_found'> {
  const { code } = response;
  switch (statusOf(response)) {
    case 'success':
      return code === '' || code === '200' ? 'success' : 'unexpected';
    case 'failed':
    case 'refunded':
      if (acceptanceCodes.has(code) || hints.isDuplicate) return 'unexpected';
      return code === ANY_FAILURE && !hints.namesTransaction ? 'unexpected' : 'failure';
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
 * @param isTransactionDescribed whether the response contains our reference, the provider's transaction and a value that was not in the
 * request
 */
function concludeStatus(response: StatusAndCode, isTransactionDescribed: boolean): Conclusion {
  const { status, code } = response;
  switch (statusOf(response)) {
    case 'success':
      return code === '' || code === '200' ? 'success' : 'unexpected';
    case 'failed':
    case 'refunded':
      if (code === notFound.code) return 'not_found';
      return finalFailures.has(code) || (code === '' && isTransactionDescribed) ? 'failure' : 'unexpected';
    case 'pending':
      return rejections.has(code) ? 'unexpected' : 'pending';
    case 'missing':
      return 'unexpected';
    case 'unlisted':
      return status === notFound.status && code === notFound.code ? 'not_found' : 'unexpected';
  }
}
