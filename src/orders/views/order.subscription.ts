import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import { canSee, canSeeOrder, developerOf, isClientToken, type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { Source } from '../../core/room.js';
import { orderIdOf } from '../../graphql-toolkit/node.js';
import { noOrder } from '../archived-orders.js';
import type { OrderStore } from '../order.store.js';
import { isPayment, statusOf } from '../states.js';
import type { StoredOrder } from '../stored-order.js';
import { Order } from './order.types.js';
import { maskingFor, orderView } from './order.view.js';
import { LONGEST_STREAM_MS, type OrderFeed, type OrderStream } from './order-feed.js';
import type { Ending, OrderWaiters, Waiter } from './order-waiters.js';

/** One order, from its present state until it is decided. */
class OrderChanges {
  constructor(
    private readonly store: OrderStore,
    private readonly waiters: OrderWaiters,
  ) {}

  /** Takes a place for it if the order is pending. Errors: RATE_LIMITED when none is left. */
  of(first: StoredOrder, caller: Waiter, context: RequestContext): AsyncGenerator<Order> {
    if (statusOf(first) !== 'pending') return this.#stream(first, context);
    const ending = this.waiters.wait(first, LONGEST_STREAM_MS, { caller, gone: context.gone });
    context.leaveAdmission?.();
    return this.#stream(first, context, ending);
  }

  /** Errors: STREAM_REPLACED, STREAM_ENDED. */
  async *#stream(first: StoredOrder, context: RequestContext, ending?: Promise<Ending>): AsyncGenerator<Order> {
    const view = (order: StoredOrder): Order => orderView(order, this.store, maskingFor(context));
    yield view(first);
    if (!ending) return;
    const why = await ending;
    if (why === 'replaced') throw new AppError('STREAM_REPLACED');
    const last = await this.store.byId(first.developerId, first.id);
    if (last && statusOf(last) !== 'pending') yield view(last);
    else if (why === 'draining') throw new AppError('STREAM_ENDED');
  }
}

/** What becomes of orders of the caller's account, streamed when it happens. */
@Resolver()
export class OrderChangesResolver {
  readonly #changes: OrderChanges;

  constructor(
    private readonly store: OrderStore,
    waiters: OrderWaiters,
    private readonly feed: OrderFeed,
  ) {
    this.#changes = new OrderChanges(store, waiters);
  }

  @Subscription(() => Order, {
    subscribe: fedByItsSource,
    description:
      'An order of the caller: as it is now first, then every change of its status until it is decided, or for a quarter of an hour. Of the streams of client tokens about one order the newest is served, and an older one ends with the error STREAM_REPLACED. When the process ends, the last event is the error STREAM_ENDED. Over POST with Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0.',
  })
  orderChanged(@Root() order: Order, @Arg('id', () => ID, { description: 'The order.' }) _id: string): Order {
    return order;
  }

  @Subscription(() => Order, {
    subscribe: fedByItsSource,
    description:
      'The orders of the account in this environment whose status changes from now on, each as it is then: placed, decided, taken back or charged again. Changes that follow each other closely may be one event. It ends with the error STREAM_ENDED after a quarter of an hour, when the process ends, or for a reader that is too slow: subscribe again, and list the orders for what was missed. Not for client tokens. Over POST with Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0.',
  })
  ordersChanged(@Root() order: Order): Order {
    return order;
  }

  readonly sources = {
    /** Errors: RECORD_NOT_FOUND, ORDER_ARCHIVED, RATE_LIMITED. */
    orderChanged: async ({ id }, context) => {
      const caller = developerOf(context);
      const key = orderIdOf(String(id), isClientToken(context));
      const order = await this.store.byId(caller.developerId, key);
      if (!order || !isPayment(order.operation) || !canSeeOrder(context, order))
        throw noOrder(await this.store.archived.byId(key), (left) => canSeeOrder(context, left));
      return this.#changes.of(order, caller, context);
    },
    /** Errors: RATE_LIMITED, STREAM_ENDED. */
    ordersChanged: async (_args, context) => {
      const stream = await this.feed.open(developerOf(context), context.gone?.());
      context.leaveAdmission?.();
      return this.#ordersOf(stream, context);
    },
  } satisfies Record<string, Source>;

  async *#ordersOf(stream: OrderStream, context: RequestContext): AsyncGenerator<Order> {
    try {
      for (let order = await stream.next(); order; order = await stream.next())
        yield orderView(order, this.store, maskingFor(context));
      if (!context.gone?.().aborted) throw new AppError('STREAM_ENDED');
    } finally {
      stream.end();
    }
  }
}

/** The same of one order for people. */
@Resolver()
export class ConsoleOrderChangesResolver {
  readonly #changes: OrderChanges;

  constructor(
    private readonly store: OrderStore,
    waiters: OrderWaiters,
  ) {
    this.#changes = new OrderChanges(store, waiters);
  }

  @Subscription(() => Order, {
    subscribe: fedByItsSource,
    description:
      'An order, any for staff, one of the own account for a developer: as it is now first, then every change of its status until it is decided, or for a quarter of an hour. When the process ends, the last event is the error STREAM_ENDED. An open stream is no use of the session. Over POST with Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0.',
  })
  orderChanged(@Root() order: Order, @Arg('id', () => ID, { description: 'The order.' }) _id: string): Order {
    return order;
  }

  readonly sources = {
    /** Errors: RECORD_NOT_FOUND, ORDER_ARCHIVED, RATE_LIMITED. */
    orderChanged: async ({ id }, context) => {
      const key = orderIdOf(String(id));
      const order = await this.store.payment(key);
      if (!order || !canSee(context, order))
        throw noOrder(await this.store.archived.byId(key), (left) => canSee(context, left));
      return this.#changes.of(order, sessionOf(context), context);
    },
  } satisfies Record<string, Source>;
}

/** The schema puts the source of the room here, behind the checks of the policy table. */
function fedByItsSource(): never {
  throw new Error('A subscription without a source.');
}
