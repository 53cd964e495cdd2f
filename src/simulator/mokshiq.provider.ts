import { circles } from '../core/circles.js';
import { paise, paiseFromDecimal, shortDecimalText } from '../core/money.js';
import { type OperatorType, operators } from '../core/operators.js';
import type { Transaction } from './book.js';
import type { Call } from './call.js';
import { json } from './reply.js';
import { type PaymentBodies, processPayment } from './scripted-replies.js';
import { subscriberOf } from './subscribers.js';
import type { Route, Routes, World } from './world.js';

const invalidToken = json({ detail: 'Invalid token' }, 403);
const failureReply = (message: string) => json({ status: false, message });

const operatorNames: Readonly<Record<OperatorType, ReadonlySet<string>>> = {
  mobile: new Set(operators.filter(({ type }) => type === 'mobile').map(({ mokshiq }) => mokshiq)),
  dth: new Set(operators.filter(({ type }) => type === 'dth').map(({ mokshiq }) => mokshiq)),
};
const circleNames: ReadonlySet<string> = new Set(circles.map(({ mokshiq }) => mokshiq));
const numberShapes: Readonly<Record<OperatorType, RegExp>> = { mobile: /^\d{10}$/, dth: /^\w{4,20}$/ };

const ids = ({ serial }: Transaction) => ({ txn_id: `MQ${serial}`, opid: `OP${serial.toString(36).toUpperCase()}` });

/** Known responses of the provider contain no amount. Only a different amount is included here, so 0011 can be detected. */
const bodies: PaymentBodies = {
  success: (transaction, amountPaise) => ({
    status: 'success',
    message: 'Recharge Successful',
    ...ids(transaction),
    ...(amountPaise === paise(transaction.amount) ? {} : { amount: shortDecimalText(amountPaise) }),
  }),
  pending: (transaction) => ({ status: 'pending', message: 'Recharge is in process', txn_id: ids(transaction).txn_id }),
  declined: () => ({ status: false, message: 'Recharge unsuccessful' }),
  odd: ({ serial }) => ({ message: 'Recharge done successfully', status: true, reference_num: String(serial) }),
};

const isAuthorised = ({ headers }: Call, { credentials: { mokshiq } }: World): boolean =>
  headers.authorization === `Bearer ${mokshiq.token}` && headers.origin === mokshiq.origin;

const recharge =
  (type: OperatorType): Route =>
  (call, world) => {
    if (!isAuthorised(call, world)) return invalidToken;
    const field = (name: string): string => call.fields.get(name) ?? '';
    const account = field('number');
    const amountPaise = paiseFromDecimal(field('amount'));
    if (!numberShapes[type].test(account)) return failureReply('Invalid number');
    if (amountPaise === undefined || amountPaise <= 0n) return failureReply('Invalid amount');
    if (!operatorNames[type].has(field('operator'))) return failureReply('Invalid operator');
    if (type === 'mobile' && !circleNames.has(field('circle'))) return failureReply('Invalid circle');
    if (field('pin') !== world.credentials.mokshiq.pin) return failureReply('Invalid pin');
    return processPayment(
      world,
      { provider: 'mokshiq', reference: null, account, amountPaise, identifier: account },
      bodies,
    );
  };

/**
 * Route of the operator lookup, which is our assumption about the provider. The lookup belongs to a recharge, and the magic
 * number applies to the recharge, so the lookup ignores it. It fails for numbers that no operator serves (those that do not
 * begin with 6 to 9).
 */
const operatorLookup: Route = (call, world) => {
  if (!isAuthorised(call, world)) return invalidToken;
  const subscriber = subscriberOf(call.fields.get('number') ?? '');
  if (!subscriber) return failureReply('Operator not found');
  return json({ status: 'success', operator: subscriber.operator.mokshiq, circle: subscriber.circle.mokshiq });
};

export const mokshiqRoutes: Routes = {
  '/create_mobile_recharge': { method: 'POST', handle: recharge('mobile') },
  '/create_dth_recharge': { method: 'POST', handle: recharge('dth') },
  '/operator_lookup': { method: 'POST', handle: operatorLookup },
};
