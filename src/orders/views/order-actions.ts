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

/** Fields of an order that determine the allowed actions. */
export type JudgedOrder = Pick<
  StoredOrder,
  'operation' | 'provider' | 'state' | 'unknownSince' | 'reversedAt' | 'statusConflictAt'
>;

/** Whether the outcome is unknown and must be resolved manually. */
export const needsReview = ({ state }: Pick<JudgedOrder, 'state'>): boolean => state === 'review';

export const isCharged = ({ state, reversedAt }: Pick<JudgedOrder, 'state' | 'reversedAt'>): boolean =>
  state === 'success' && reversedAt === null;

export const isRefunded = ({ state, reversedAt }: Pick<JudgedOrder, 'state' | 'reversedAt'>): boolean =>
  state === 'failed' || reversedAt !== null;

/**
 * Whether the order still waits for the response to its own call. The SQL function order_ask makes the same check and is
 * authoritative.
 */
const isBeingSent = ({ state, unknownSince }: JudgedOrder): boolean => state === 'open' && unknownSince === null;

/** Whether the provider of the order has a status check. */
export const hasStatusCheck = (
  { operation, provider }: JudgedOrder,
  statusChecks: Pick<StatusCheckRegistry, 'of'>,
): boolean => statusChecks.of(operation, provider)?.canCheckStatus === true;

/** Returns the actions that the current state allows. Each mutation checks the state again under the lock of the order. */
export function actionsOf(order: JudgedOrder, statusChecks: Pick<StatusCheckRegistry, 'of'>): OrderAction[] {
  const allowed: Readonly<Record<OrderAction, boolean>> = {
    check_status: hasStatusCheck(order, statusChecks) && !isBeingSent(order),
    resolve: needsReview(order) || order.statusConflictAt !== null,
    reverse: isCharged(order),
    reverse_refund: isRefunded(order),
  };
  return Object.values(OrderActionEnum).filter((action) => allowed[action]);
}
