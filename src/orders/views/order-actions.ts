import { type WordOf, words } from '../../graphql-toolkit/words.js';
import type { StatusCheckRegistry } from '../outcomes.js';
import type { StoredOrder } from '../stored-order.js';

export const OrderActionEnum = words('OrderAction', 'What admins may do to an order.', {
  check_status: 'checkOrderStatus.',
  resolve: 'resolveOrder: it waits for a decision, or its provider contradicts the one that was made.',
  reverse: 'reverseOrder: it is a success.',
  reverse_refund: 'reverseRefund, because the amount was refunded.',
});
export type OrderAction = WordOf<typeof OrderActionEnum>;

/** What the rules below look at. */
export type JudgedOrder = Pick<
  StoredOrder,
  'operation' | 'provider' | 'state' | 'unknownSince' | 'reversedAt' | 'statusConflictAt'
>;

/** Nobody knows what became of it, and a person has to say. */
export const waitsForDecision = ({ state }: Pick<JudgedOrder, 'state'>): boolean => state === 'review';

export const isCharged = ({ state, reversedAt }: Pick<JudgedOrder, 'state' | 'reversedAt'>): boolean =>
  state === 'success' && reversedAt === null;

export const isGivenBack = ({ state, reversedAt }: Pick<JudgedOrder, 'state' | 'reversedAt'>): boolean =>
  state === 'failed' || reversedAt !== null;

/** Its own answer comes first: as order_ask says, which decides. */
const isBeingSent = ({ state, unknownSince }: JudgedOrder): boolean => state === 'open' && unknownSince === null;

/** Whether its provider knows a status check. */
export const canBeAsked = (
  { operation, provider }: JudgedOrder,
  statusChecks: Pick<StatusCheckRegistry, 'of'>,
): boolean => statusChecks.of(operation, provider)?.canCheckStatus === true;

/** What the state of an order allows now. Each mutation judges again, under the lock of the order. */
export function actionsOf(order: JudgedOrder, statusChecks: Pick<StatusCheckRegistry, 'of'>): OrderAction[] {
  const allowed: Readonly<Record<OrderAction, boolean>> = {
    check_status: canBeAsked(order, statusChecks) && !isBeingSent(order),
    resolve: waitsForDecision(order) || order.statusConflictAt !== null,
    reverse: isCharged(order),
    reverse_refund: isGivenBack(order),
  };
  return Object.values(OrderActionEnum).filter((action) => allowed[action]);
}
