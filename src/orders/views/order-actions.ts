import { type WordOf, words } from '../../graphql-toolkit/words.js';
import type { StatusCheckRegistry } from '../outcomes.js';
import type { StoredOrder } from '../stored-order.js';

export const OrderActionEnum = words('OrderAction', 'Action that an administrator can take on an order.', {
  check_status: '`checkOrderStatus` is available.',
  resolve: '`resolveOrder` is available: the order needs review, or its provider reports a conflicting status.',
  reverse: '`reverse` is available: the order is successful.',
  reverse_refund: '`reverseRefund` is available: the amount was refunded.',
});
export type OrderAction = WordOf<typeof OrderActionEnum>;

/** Fields of an order that the rules below need. */
export type JudgedOrder = Pick<
  StoredOrder,
  'operation' | 'provider' | 'state' | 'unknownSince' | 'reversedAt' | 'statusConflictAt'
>;

/** The outcome is unknown and must be resolved manually. */
export const needsReview = ({ state }: Pick<JudgedOrder, 'state'>): boolean => state === 'review';

export const isCharged = ({ state, reversedAt }: Pick<JudgedOrder, 'state' | 'reversedAt'>): boolean =>
  state === 'success' && reversedAt === null;

export const isRefunded = ({ state, reversedAt }: Pick<JudgedOrder, 'state' | 'reversedAt'>): boolean =>
  state === 'failed' || reversedAt !== null;

/** The order still waits for the response to its own call, as in the SQL function order_ask, which has the final say. */
const isBeingSent = ({ state, unknownSince }: JudgedOrder): boolean => state === 'open' && unknownSince === null;

/** Whether the provider of the order has a status check. */
export const hasStatusCheck = (
  { operation, provider }: JudgedOrder,
  statusChecks: Pick<StatusCheckRegistry, 'of'>,
): boolean => statusChecks.of(operation, provider)?.canCheckStatus === true;

/** Actions allowed by the current state. Each mutation checks the state again under the lock of the order. */
export function actionsOf(order: JudgedOrder, statusChecks: Pick<StatusCheckRegistry, 'of'>): OrderAction[] {
  const allowed: Readonly<Record<OrderAction, boolean>> = {
    check_status: hasStatusCheck(order, statusChecks) && !isBeingSent(order),
    resolve: needsReview(order) || order.statusConflictAt !== null,
    reverse: isCharged(order),
    reverse_refund: isRefunded(order),
  };
  return Object.values(OrderActionEnum).filter((action) => allowed[action]);
}
