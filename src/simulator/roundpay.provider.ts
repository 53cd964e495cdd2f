import { indianDay, indianTime } from '../core/clock.js';
import {
  decimalText,
  type Paise,
  paise,
  paiseFromDecimal,
  rupees,
  rupeesNumber,
  shortDecimalText,
  subtract,
} from '../core/money.js';
import { type OperatorType, operatorOfSpKey } from '../core/operators.js';
import { type Book, stateOf, type Transaction } from './book.js';
import { type Rejection, replyWithRejection } from './rejections.js';
import { json } from './reply.js';
import { type PaymentBodies, processPayment } from './scripted-replies.js';
import type { Route, Routes, World } from './world.js';

/** Initial deposit of the caller with the provider. */
const DEPOSIT = rupees(1_00_00_00_000);

const INVALID_TOKEN = { STATUS: '3', MSG: 'Invalid Token', ERRORCODE: '101' };
const badToken = json(INVALID_TOKEN);
/** Returns the response to an invalid parameter. As a documented pitfall, it is pending although nothing was booked. */
const badParameter = (name: string) => json({ STATUS: '1', MSG: `Invalid parameter ${name}`, ERRORCODE: '102' });
/** Assumption: the provider's response for an ID that it never booked is not documented. */
const NOT_FOUND = { STATUS: '0', MSG: 'Transaction not found', ERRORCODE: '404' };
const operatorDown = { STATUS: '3', MSG: 'Operator Down or Invalid Account', ERRORCODE: '501' };

const balance = (book: Book): Paise => subtract(DEPOSIT, book.spentPaise('roundpay'));

const stamp = (transaction: Transaction): string =>
  indianTime(new Date(transaction.time)).replace(/\D/g, '').slice(2, 14);
const serialText = (transaction: Transaction): string => transaction.serial.toString(36).toUpperCase();
const rpidOf = (transaction: Transaction): string => `S${stamp(transaction)}${serialText(transaction)}`;
const opidOf = (transaction: Transaction): string => `BR${serialText(transaction)}`;

/** Returns a complete response, with the keys and types of the provider's example. */
function body(
  book: Book,
  transaction: Transaction,
  [status, message, code]: readonly [string, string, string],
  amountPaise = paise(transaction.amount),
): Record<string, string> {
  const isSuccessful = transaction.outcome === 'succeeded' && stateOf(transaction) !== 'pending';
  return {
    STATUS: status,
    MSG: message,
    BAL: decimalText(balance(book)),
    ERRORCODE: code,
    ACCOUNT: transaction.account,
    AMOUNT: shortDecimalText(amountPaise),
    RPID: rpidOf(transaction),
    AGENTID: transaction.reference ?? '',
    OPID: isSuccessful ? opidOf(transaction) : '',
  };
}

/** Returns the response to a status check or a duplicate request. */
function currentBody(book: Book, transaction: Transaction): object {
  switch (stateOf(transaction)) {
    case 'pending':
      return body(book, transaction, ['1', 'REQUEST ACCEPTED', '100']);
    case 'failed':
      return body(book, transaction, ['3', 'FAILED', '302']);
    case 'reversed':
      return body(book, transaction, ['4', 'REFUNDED', '303']);
    case 'success': {
      const responseBody = body(book, transaction, ['2', 'SUCCESS', '200']);
      return transaction.script === 'odd_but_valid' ? withOddFormat(responseBody) : responseBody;
    }
  }
}

/** Returns lowercase keys, and numbers where the example has text. */
const withOddFormat = (responseBody: Record<string, string>): object =>
  Object.fromEntries(
    Object.entries(responseBody).map(([key, text]) => [
      key.toLowerCase(),
      ['STATUS', 'BAL', 'ERRORCODE', 'AMOUNT'].includes(key) ? Number(text) : text,
    ]),
  );

const bodiesOf = (book: Book): PaymentBodies => ({
  success: (transaction, amountPaise) => body(book, transaction, ['2', 'SUCCESS', '200'], amountPaise),
  pending: (transaction) => currentBody(book, transaction),
  declined: () => operatorDown,
  odd: (transaction) => currentBody(book, transaction),
});

/** Returns a simulated error response, with the fields that it repeats. */
const rejectionReply = (rejection: Rejection, book: Book, transaction: Transaction, requestFields: object) => {
  const { ACCOUNT, AMOUNT, RPID, AGENTID } = body(book, transaction, ['', '', '']);
  return replyWithRejection(rejection, {
    request: { ...requestFields },
    transaction: { ACCOUNT, AMOUNT, RPID, AGENTID },
    names: ['AGENTID', 'AMOUNT', 'RPID'],
  });
};

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Returns the day under which a transaction is filed, for example "12 JUL 2023": its booking day by the provider's clock. */
function fileOf(transaction: Transaction): string {
  const [year, month, day] = indianDay(new Date(transaction.time)).split('-');
  return `${day} ${months[Number(month) - 1]} ${year}`;
}

const isAuthorised = (query: URLSearchParams, { credentials: { roundpay } }: World): boolean =>
  query.get('UserID') === roundpay.userId && query.get('Token') === roundpay.token;

const accountShapes: Readonly<Record<OperatorType, RegExp>> = { mobile: /^\d{10}$/, dth: /^\w{4,20}$/ };

const transactionApi: Route = async ({ query }, world) => {
  if (!isAuthorised(query, world)) return badToken;
  const [account, reference, spKey] = ['Account', 'APIRequestID', 'SPKey'].map((name) => query.get(name) ?? '') as [
    string,
    string,
    string,
  ];
  const amountPaise = paiseFromDecimal(query.get('Amount') ?? '');
  if (!account) return badParameter('Account');
  if (amountPaise === undefined || amountPaise <= 0n) return badParameter('Amount');
  if (!/^\d+$/.test(spKey)) return badParameter('SPKey');
  if (!/^[\w-]{1,25}$/.test(reference)) return badParameter('APIRequestID');
  if (query.get('Format') !== '1') return badParameter('Format');

  const existing = world.book.find('roundpay', reference);
  if (existing) {
    await world.book.whenDurable();
    return json(currentBody(world.book, existing));
  }
  const order = { provider: 'roundpay', reference, account, amountPaise } as const;
  const operator = operatorOfSpKey(Number(spKey));
  if (!operator || !accountShapes[operator.type].test(account)) {
    await world.book.record({ ...order, script: 'declined' });
    return json(operatorDown);
  }
  const reply = await processPayment(world, { ...order, identifier: account }, bodiesOf(world.book));
  const rejection = world.rejections.of('roundpay', 'payment', account);
  const booked = rejection && world.book.find('roundpay', reference);
  if (!booked) return reply;
  return rejectionReply(rejection, world.book, booked, {
    ACCOUNT: account,
    AMOUNT: query.get('Amount'),
    AGENTID: reference,
  });
};

/** Status check. Every response to a status check echoes the request. Whether the real provider does so is not known. */
const statusCheck: Route = async ({ query }, world) => {
  const reference = query.get('AGENTID') ?? '';
  const requestFields = { AGENTID: reference, RPID: query.get('RPID') ?? '' };
  if (!isAuthorised(query, world)) return json({ ...INVALID_TOKEN, ...requestFields });
  if (!reference) return badParameter('AGENTID');
  const day = query.get('Optional1') ?? '';
  if (!/^\d{2} [A-Z]{3} \d{4}$/.test(day)) return badParameter('Optional1');
  const transaction = world.book.find('roundpay', reference);
  if (!transaction || fileOf(transaction) !== day || world.traffic.isBlind('roundpay'))
    return json({ ...NOT_FOUND, ...requestFields });
  const rejection = world.rejections.of('roundpay', 'status_check', transaction.account);
  if (rejection) return rejectionReply(rejection, world.book, transaction, requestFields);
  await world.book.countStatusCheck(transaction);
  return json(currentBody(world.book, transaction));
};

const balanceApi: Route = ({ query }, world) =>
  isAuthorised(query, world) ? json({ bal: rupeesNumber(balance(world.book)) }) : badToken;

export const roundpayRoutes: Routes = {
  '/API/TransactionAPI': { method: 'GET', handle: transactionApi },
  '/API/StatusCheck': { method: 'GET', handle: statusCheck },
  '/API/Balance': { method: 'GET', handle: balanceApi },
};

/** Returns the query of the callback for a reversal. */
export function reversalCallback(transaction: Transaction): Record<string, string> {
  return {
    status: 'FAILED',
    rpid: rpidOf(transaction),
    mobile: transaction.account,
    amount: shortDecimalText(paise(transaction.amount)),
    agentid: transaction.reference ?? '',
    opid: opidOf(transaction),
  };
}
