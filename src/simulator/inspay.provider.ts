import { indianTime } from '../core/clock.js';
import { type Paise, paise, paiseFromDecimal, rupees, rupeesNumber } from '../core/money.js';
import { stateOf, type Transaction } from './book.js';
import { cardBillOf, fetchIdFor, isFetchId } from './inspay-bills.js';
import { type Rejection, replyWithRejection } from './rejections.js';
import { json } from './reply.js';
import { lookUp, type PaymentBodies, processPayment } from './scripted-replies.js';
import type { Route, Routes, World } from './world.js';

/** Minimum amount of payments that require a PAN. */
const PAN_LIMIT = rupees(50_000);

const failure = (message: string, errorCode: string) => ({ status: 'Failure', message, error_code: errorCode });
const failureReply = (message: string, errorCode: string) => json(failure(message, errorCode));
const INVALID_CREDENTIALS = failure('Invalid username or token', 'INVALID_CREDENTIALS');
const badCredentials = json(INVALID_CREDENTIALS);
const missingField = (field: string) => failureReply(`Please enter ${field}`, 'INVALID_PARAMETER');
/** Assumption: an unknown order has a specific error code. A failed payment has no error code, but a txid. */
const NOT_FOUND = failure('Order not found', 'ORDER_NOT_FOUND');

const utrOf = ({ serial, time }: Transaction): string =>
  `TJ${indianTime(new Date(time)).replace(/\D/g, '').slice(2, 8)}${serial.toString(36).toUpperCase()}`;

function paymentBody(transaction: Transaction, status: string, message: string, amountPaise: Paise): object {
  return {
    txid: transaction.serial,
    status,
    utr: status === 'Success' ? utrOf(transaction) : '',
    mobile: transaction.account,
    card: `xxxx${transaction.cardTail ?? ''}`,
    dr_amount: rupeesNumber(amountPaise),
    message,
    orderid: transaction.reference,
  };
}

/** Returns an unusual but valid variant: numbers as text and the status word in capitals. The keys are already lowercase. */
const withOddFormat = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, key === 'status' ? value.toUpperCase() : String(value)]),
  );

const statusWords = { pending: 'Pending', success: 'Success', failed: 'Failed', reversed: 'Failed' } as const;
const messages = {
  pending: 'Bill payment is under process',
  success: 'Bill paid Successfully',
  failed: 'Bill payment failed',
  reversed: 'Bill payment refunded',
} as const;

function currentBody(transaction: Transaction): object {
  const state = stateOf(transaction);
  const body = paymentBody(transaction, statusWords[state], messages[state], paise(transaction.amount));
  return transaction.script === 'odd_but_valid' ? withOddFormat(body) : body;
}

const bodies: PaymentBodies = {
  success: (transaction, amountPaise) => paymentBody(transaction, 'Success', messages.success, amountPaise),
  pending: currentBody,
  declined: currentBody,
  odd: currentBody,
};

/** Returns the fields that a simulated error response repeats. Payment and status check use different names for the amount. */
const rejectionReply = (
  rejection: Rejection,
  transaction: Transaction,
  amount: 'dr_amount' | 'amount',
  requestFields: object,
) =>
  replyWithRejection(rejection, {
    request: { ...requestFields },
    transaction: {
      orderid: transaction.reference,
      [amount]: rupeesNumber(paise(transaction.amount)),
      txid: transaction.serial,
    },
    names: ['orderid', amount, 'txid'],
  });

const isAuthorised = (get: (name: string) => string, { credentials: { inspay } }: World): boolean =>
  get('username') === inspay.username && get('token') === inspay.token;

const billFields = ['mobile', 'card', 'opcode', 'orderid'] as const;

const billFetch: Route = ({ fields }, world) => {
  const get = (name: string): string => fields.get(name) ?? '';
  if (!isAuthorised(get, world)) return badCredentials;
  const absent = billFields.find((name) => !get(name));
  if (absent) return missingField(absent);
  if (!/^\d{10}$/.test(get('mobile'))) return missingField('a correct mobile');
  const owner = { card: get('card'), mobile: get('mobile'), opcode: get('opcode') };
  const bill = { ...cardBillOf(owner), fetch_id: fetchIdFor(owner, get('orderid')) };
  return lookUp(world.scripts.lookupOf(owner.mobile), {
    success: () => ({ status: 'Success', ...bill, message: 'Bill fetched Successfully' }),
    failure: () => ({ status: 'Failure', message: 'Bill details not found' }),
    odd: () => ({
      ...Object.fromEntries(Object.entries(bill).map(([key, value]) => [key.toLowerCase(), value])),
      status: 'SUCCESS',
      billamount: Number(bill.billAmount),
    }),
  });
};

const billPay: Route = async ({ fields }, world) => {
  const get = (name: string): string => fields.get(name) ?? '';
  if (!isAuthorised(get, world)) return badCredentials;
  const absent = [...billFields, 'fetch_id'].find((name) => !get(name));
  if (absent) return missingField(absent);
  const { mobile, card, opcode, orderid } = Object.fromEntries(billFields.map((name) => [name, get(name)])) as Record<
    (typeof billFields)[number],
    string
  >;
  const existing = world.book.find('inspay', orderid);
  if (existing) {
    await world.book.whenDurable();
    return json(currentBody(existing));
  }
  const amountPaise = paiseFromDecimal(get('amount'));
  if (amountPaise === undefined || amountPaise <= 0n) return missingField('a correct amount');
  if (amountPaise >= PAN_LIMIT && !/^[A-Z]{5}\d{4}[A-Z]$/.test(get('pan'))) return missingField('a correct pan');
  if (!isFetchId(get('fetch_id'), { card, mobile, opcode }))
    return failureReply('Invalid fetch id', 'INVALID_FETCH_ID');
  const order = {
    provider: 'inspay',
    reference: orderid,
    account: mobile,
    amountPaise,
    cardTail: card.slice(-4),
  } as const;
  const reply = await processPayment(world, { ...order, identifier: mobile }, bodies);
  const rejection = world.rejections.of('inspay', 'payment', mobile);
  const booked = rejection && world.book.find('inspay', orderid);
  return booked ? rejectionReply(rejection, booked, 'dr_amount', { orderid, mobile, dr_amount: get('amount') }) : reply;
};

/**
 * Status check, which is known for the provider's recharges. Our assumption is that card payments are checked in the same way.
 * Whether an error response echoes the request is not known; here it does.
 */
const status: Route = async ({ query }, world) => {
  const get = (name: string): string => query.get(name) ?? '';
  const requestFields = { orderid: get('orderid') };
  if (!isAuthorised(get, world)) return json({ ...INVALID_CREDENTIALS, ...requestFields });
  if (!get('orderid')) return missingField('orderid');
  const transaction = world.book.find('inspay', get('orderid'));
  if (!transaction || world.traffic.isBlind('inspay')) return json({ ...NOT_FOUND, ...requestFields });
  const rejection = world.rejections.of('inspay', 'status_check', transaction.account);
  if (rejection) return rejectionReply(rejection, transaction, 'amount', requestFields);
  await world.book.countStatusCheck(transaction);
  const state = stateOf(transaction);
  const body = {
    txid: transaction.serial,
    status: statusWords[state],
    opid: state === 'success' ? utrOf(transaction) : '',
    number: transaction.account,
    amount: rupeesNumber(paise(transaction.amount)),
    orderid: transaction.reference,
  };
  return json(transaction.script === 'odd_but_valid' ? withOddFormat(body) : body);
};

export const inspayRoutes: Routes = {
  '/v4/credit_card/bill_fetch': { method: 'POST', handle: billFetch },
  '/v4/credit_card/bill_pay': { method: 'POST', handle: billPay },
  '/v3/recharge/status': { method: 'GET', handle: status },
};
