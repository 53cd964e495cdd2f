import { z } from 'zod';
import type { ProviderResponse } from '../http-client.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';
import {
  isHttpSuccess,
  judgeByShape,
  judgeCall,
  judgeStatusCheck,
  type OutcomeFactory,
  type Reported,
  type StatusWords,
} from '../outcome-factory.js';
import type { CardBill, CardPaymentOrder, CardPaymentReceipt } from '../ports/card-bills.port.js';
import {
  evidenceTxnId,
  referenceText,
  reportsDuplicate,
  wireId,
  wireInteger,
  wireObject,
  wirePaise,
  wireText,
  wireTextOrEmpty,
  wireWord,
} from '../wire.js';

/**
 * Status words. The map excludes the boolean `false`. It is not documented as a final failure, and a declined payment would be
 * refunded.
 */
const statusWords: StatusWords = new Map([
  ['success', 'success'],
  ['true', 'success'],
  ['pending', 'pending'],
  ['failure', 'failure'],
  ['failed', 'failure'],
]);

/**
 * Code in a status check for an order that the provider does not have. It is in lowercase because codes are compared in
 * lowercase.
 */
const NOT_FOUND_CODE = 'order_not_found';

/** Parses "28/12/2024" or "2024-12-28" to "2024-12-28". Returns undefined if it is not a calendar date. */
function isoDateOf(text: string): string | undefined {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const iso = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso)) return undefined;
  const instant = new Date(`${iso}T00:00:00Z`);
  // Date converts 31 February to a date in March instead of rejecting it
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso) ? iso : undefined;
}

const wireDate = wireText.transform((text, context): string => {
  const iso = isoDateOf(text);
  if (iso !== undefined) return iso;
  context.addIssue('not a date');
  return z.NEVER;
});

const billShape = wireObject({
  fetch_id: wireId,
  customername: wireTextOrEmpty,
  billdate: wireDate,
  billduedate: wireDate,
  billamount: wirePaise,
  minimum_due: wirePaise,
}).transform(
  (bill): CardBill => ({
    fetchId: bill.fetch_id,
    customerName: bill.customername,
    billDate: bill.billdate,
    billDueDate: bill.billduedate,
    billAmountPaise: bill.billamount,
    minimumDuePaise: bill.minimum_due,
  }),
);

export const judgeBill = (response: ProviderResponse): Outcome<CardBill> =>
  judgeByShape(response, statusWords, billShape);

/** Fields that affect money are parsed separately, so that an invalid detail cannot change a documented failure. */
const headShape = wireObject({
  status: wireWord,
  error_code: wireWord.optional().catch(undefined),
  txid: wireInteger.optional().catch(undefined),
  orderid: wireTextOrEmpty,
  message: wireTextOrEmpty.catch(''),
});

/** Responses to payments and status checks use different names for the same fields. */
const paidShape = wireObject({ txid: wireInteger, utr: wireTextOrEmpty, dr_amount: wirePaise.nullish() }).transform(
  ({ txid, utr, dr_amount }) => ({ receipt: { txid, utr: referenceText(utr) }, amountPaise: dr_amount }),
);
const checkedShape = wireObject({ txid: wireInteger, opid: wireTextOrEmpty, amount: wirePaise.nullish() }).transform(
  ({ txid, opid, amount }) => ({ receipt: { txid, utr: referenceText(opid) }, amountPaise: amount }),
);

type Payment = Pick<CardPaymentOrder, 'reference' | 'amountPaise' | 'mobile'>;

/**
 * Evaluates the response to `bill_pay`. A success contains an integer txid and, if present, our reference and amount. A failure
 * because the reference was already used does not apply to the payment that used it.
 */
export const judgePayment = (response: ProviderResponse, payment: Payment): Outcome<CardPaymentReceipt> =>
  judgeCall(response, (body, outcomes) => {
    const head = headShape.safeParse(body).data;
    if (head && statusWords.get(head.status) === 'failure' && reportsDuplicate(`${head.error_code} ${head.message}`))
      return outcomes.unexpected(reportedIn(head, payment));
    return head ? judgeMoney(head, paidShape.safeParse(body).data, payment, outcomes) : outcomes.unexpected();
  });

/**
 * Evaluates the response to `/v3/recharge/status`. It applies to the payment only if it contains our reference. A failure also
 * requires HTTP 2xx, the provider's transaction and no error code: a rejected status check (invalid token, rate limit) can echo
 * the request, and no error code of a failed payment is documented.
 */
export const judgeStatus = (response: ProviderResponse, payment: Payment): StatusCheckOutcome<CardPaymentReceipt> =>
  judgeStatusCheck(response, (body, outcomes) => {
    const head = headShape.safeParse(body).data;
    if (!head) return outcomes.unexpected();
    const reported = reportedIn(head, payment);
    if (isOfOtherOrder(head, payment)) return outcomes.unknown('reference_mismatch', reported);
    const isFailure = statusWords.get(head.status) === 'failure';
    if (isFailure && head.error_code === NOT_FOUND_CODE) return outcomes.notFound(reported);
    if (head.orderid === '' || !isHttpSuccess(response)) return outcomes.unexpected(reported);
    if (isFailure && (head.txid === undefined || head.error_code !== undefined)) return outcomes.unexpected(reported);
    return judgeMoney(head, checkedShape.safeParse(body).data, payment, outcomes);
  });

type Head = z.infer<typeof headShape>;

const isOfOtherOrder = ({ orderid }: Head, { reference }: Payment): boolean => orderid !== '' && orderid !== reference;

const reportedIn = (head: Head, payment: Payment): Reported => ({
  status: head.status,
  code: head.error_code,
  txnId: head.txid === undefined ? undefined : evidenceTxnId(String(head.txid), payment.mobile),
});

/**
 * Evaluates a response about a payment.
 * @param details undefined if they do not match their shape, which matters only for a success
 */
function judgeMoney(
  head: Head,
  details: z.infer<typeof paidShape> | undefined,
  payment: Payment,
  outcomes: OutcomeFactory,
): Outcome<CardPaymentReceipt> {
  const reported = reportedIn(head, payment);
  if (isOfOtherOrder(head, payment)) return outcomes.unknown('reference_mismatch', reported);
  return outcomes.fromMeaning(statusWords.get(head.status), reported, () => {
    if (!details) return outcomes.unexpected(reported);
    const isOurAmount = (details.amountPaise ?? payment.amountPaise) === payment.amountPaise;
    return isOurAmount ? outcomes.accepted(details.receipt, reported) : outcomes.unknown('amount_mismatch', reported);
  });
}
