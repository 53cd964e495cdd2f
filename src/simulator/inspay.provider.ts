import { indianTime } from '../core/clock.js';
import { type Paise, paise, paiseFromDecimal, rupees, rupeesNumber } from '../core/money.js';
import { stateOf, type Transaction } from './book.js';
import { cardBillOf, fetchIdFor, isFetchId } from './inspay-bills.js';
import { lookUp, type MoneyAnswers, perform } from './perform.js';
import { type Refusal, refusedWith } from './refusals.js';
import { json } from './reply.js';
import type { Route, Routes, World } from './world.js';

/** Minimum amount of payments that require a PAN. */
const PAN_LIMIT = rupees(50_000);

const failure = (message: string, errorCode: string) => ({ status: 'Failure', message, error_code: errorCode });
const refused = (message: string, errorCode: string) => json(failure(message, errorCode));
const INVALID_CREDENTIALS = failure('Invalid username or token', 'INVALID_CREDENTIALS');
const badCredentials = json(INVALID_CREDENTIALS);
const missing = (field: string) => refused(`Please enter ${field}`, 'INVALID_PARAMETER');
/** Assumption: an unknown order has a specific error code. A failed payment has no error code, but a txid. */
const NOT_FOUND = failure('Order not found', 'ORDER_NOT_FOUND');

const utrOf = ({ serial, time }: Transaction): string =>
  `TJ${indianTime(new Date(time)).replace(/\D/g, '').slice(2, 8)}${serial.toString(36).toUpperCase()}`;

function paymentAnswer(transaction: Transaction, status: string, message: string, amountPaise: Paise): object {
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
const oddly = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [key, key === 'status' ? value.toUpperCase() : String(value)]),
  );

const statusWords = { pending: 'Pending', success: 'Success', failed: 'Failed', reversed: 'Failed' } as const;
const messages = {
  pending: 'Bill payment is under process',
  success: 'Bill paid Successfully',
  failed: 'Bill payment failed',
  reversed: 'Bill payment refunded',
} as const;

function currentAnswer(transaction: Transaction): object {
  const state = stateOf(transaction);
  const answer = paymentAnswer(transaction, statusWords[state], messages[state], paise(transaction.amount));
  return transaction.script === 'odd_but_valid' ? oddly(answer) : answer;
}

const answers: MoneyAnswers = {
  success: (transaction, amountPaise) => paymentAnswer(transaction, 'Success', messages.success, amountPaise),
  pending: currentAnswer,
  declined: currentAnswer,
  odd: currentAnswer,
};

/** Returns the fields that a simulated error response repeats. Payment and status check use different names for the amount. */
const refusal = (configured: Refusal, transaction: Transaction, amount: 'dr_amount' | 'amount', asked: object) =>
  refusedWith(configured, {
    asked: { ...asked },
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
  if (absent) return missing(absent);
  if (!/^\d{10}$/.test(get('mobile'))) return missing('a correct mobile');
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
  if (absent) return missing(absent);
  const { mobile, card, opcode, orderid } = Object.fromEntries(billFields.map((name) => [name, get(name)])) as Record<
    (typeof billFields)[number],
    string
  >;
  const existing = world.book.find('inspay', orderid);
  if (existing) {
    await world.book.durable();
    return json(currentAnswer(existing));
  }
  const amountPaise = paiseFromDecimal(get('amount'));
  if (amountPaise === undefined || amountPaise <= 0n) return missing('a correct amount');
  if (amountPaise >= PAN_LIMIT && !/^[A-Z]{5}\d{4}[A-Z]$/.test(get('pan'))) return missing('a correct pan');
  if (!isFetchId(get('fetch_id'), { card, mobile, opcode })) return refused('Invalid fetch id', 'INVALID_FETCH_ID');
  const order = {
    provider: 'inspay',
    reference: orderid,
    account: mobile,
    amountPaise,
    cardTail: card.slice(-4),
  } as const;
  const reply = await perform(world, { ...order, identifier: mobile }, answers);
  const configured = world.refusals.of('inspay', 'payment', mobile);
  const booked = configured && world.book.find('inspay', orderid);
  return booked ? refusal(configured, booked, 'dr_amount', { orderid, mobile, dr_amount: get('amount') }) : reply;
};

/**
 * Status check, which is known for the provider's recharges. Our assumption is that card payments are checked in the same way.
 * Whether an error response echoes the request is not known; here it does.
 */
const status: Route = async ({ query }, world) => {
  const get = (name: string): string => query.get(name) ?? '';
  const asked = { orderid: get('orderid') };
  if (!isAuthorised(get, world)) return json({ ...INVALID_CREDENTIALS, ...asked });
  if (!get('orderid')) return missing('orderid');
  const transaction = world.book.find('inspay', get('orderid'));
  if (!transaction || world.traffic.isBlind('inspay')) return json({ ...NOT_FOUND, ...asked });
  const configured = world.refusals.of('inspay', 'status_check', transaction.account);
  if (configured) return refusal(configured, transaction, 'amount', asked);
  await world.book.countStatusCheck(transaction);
  const state = stateOf(transaction);
  const answer = {
    txid: transaction.serial,
    status: statusWords[state],
    opid: state === 'success' ? utrOf(transaction) : '',
    number: transaction.account,
    amount: rupeesNumber(paise(transaction.amount)),
    orderid: transaction.reference,
  };
  return json(transaction.script === 'odd_but_valid' ? oddly(answer) : answer);
};

export const inspayRoutes: Routes = {
  '/v4/credit_card/bill_fetch': { method: 'POST', handle: billFetch },
  '/v4/credit_card/bill_pay': { method: 'POST', handle: billPay },
  '/v3/recharge/status': { method: 'GET', handle: status },
};
