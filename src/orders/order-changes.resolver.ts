import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import { developerOf, maySeeOrder, type RequestContext, seesMasked } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { Source } from '../core/room.js';
import { orderIdOf } from '../graphql-toolkit/node.js';
import { noOrder } from './archived-orders.js';
import { statusOf } from './earlier-orders.js';
import type { OrderStore } from './order.store.js';
import { Order } from './order.types.js';
import { orderView } from './order.view.js';
import type { OrderWaiters } from './order-waiters.js';
import { isPayment } from './states.js';
import type { StoredOrder } from './stored-order.js';

/** A client that still wants to know subscribes again. */
const LONGEST_MS = 15 * 60_000;

/** What becomes of an order, told when it happens. */
@Resolver()
export class OrderChangesResolver {
  readonly #store: OrderStore;
  readonly #waiters: OrderWaiters;

  constructor(store: OrderStore, waiters: OrderWaiters) {
    this.#store = store;
    this.#waiters = waiters;
  }

  @Subscription(() => Order, {
    subscribe: fedByItsSource,
    description:
      'An order of the caller: as it is now first, then every change of its status until it is decided, or for a quarter of an hour. Of the streams of client tokens about one order the newest is served, and an older one ends with the error STREAM_REPLACED. Over POST with Accept: text/event-stream.',
  })
  orderChanged(
    // an error as a value: the event says it, and the stream ends as any other
    @Root() order: Order | AppError,
    @Arg('id', () => ID, { description: 'The order.' }) _id: string,
  ): Order | AppError {
    return order;
  }

  /** The orders that the subscription is fed with. Errors: RECORD_NOT_FOUND, ORDER_ARCHIVED, RATE_LIMITED. */
  readonly source: Source = async ({ id }, context) => {
    const key = orderIdOf(String(id));
    const order = await this.#store.byId(developerOf(context).developerId, key);
    if (!order || !isPayment(order.operation) || !maySeeOrder(context, order))
      throw noOrder(await this.#store.archived.byId(key), (left) => maySeeOrder(context, left));
    return this.#changes(order, context);
  };

  async *#changes(first: StoredOrder, context: RequestContext): AsyncGenerator<Order | AppError> {
    const view = (order: StoredOrder): Order => orderView(order, this.#store, { masked: seesMasked(context) });
    yield view(first);
    if (statusOf(first) !== 'pending') return;
    context.leaveAdmission?.();
    const waiting = { caller: developerOf(context), gone: context.gone };
    if ((await this.#waiters.wait(first, LONGEST_MS, waiting)) === 'replaced') {
      yield new AppError('STREAM_REPLACED');
      return;
    }
    const last = await this.#store.byId(first.developerId, first.id);
    if (last && statusOf(last) !== 'pending') yield view(last);
  }
}

/** The schema puts the source of the room here, behind the checks of the policy table. */
function fedByItsSource(): never {
  throw new Error('A subscription without a source.');
}
