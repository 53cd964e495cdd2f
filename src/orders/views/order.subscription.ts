import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import { canSee, canSeeOrder, developerOf, isClientToken, type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { Source } from '../../core/room.js';
import { orderIdOf } from '../../graphql-toolkit/node.js';
import { orderNotFound } from '../archived-orders.js';
import type { OrderStore } from '../order.store.js';
import { isPayment, statusOf } from '../states.js';
import type { StoredOrder } from '../stored-order.js';
import { Order } from './order.types.js';
import { maskingFor, orderView } from './order.view.js';
import { MAX_STREAM_MS, type OrderFeed, type OrderStream } from './order-feed.js';
import type { OrderWaiters, WaitEnd, Waiter } from './order-waiters.js';

/** Streams one order from its current state until its status is final. */
class OrderChanges {
  constructor(
    private readonly store: OrderStore,
    private readonly waiters: OrderWaiters,
  ) {}

  /** Streams an order. If it is pending, takes a waiting slot. Throws RATE_LIMITED if no slot is free. */
  of(order: StoredOrder, caller: Waiter, context: RequestContext): AsyncGenerator<Order> {
    if (statusOf(order) !== 'pending') return this.#stream(order, context);
    const ending = this.waiters.wait(order, MAX_STREAM_MS, { caller, disconnectSignal: context.disconnectSignal });
    context.leaveAdmission?.();
    return this.#stream(order, context, ending);
  }

  /** Yields the changes of an order. Throws STREAM_REPLACED and STREAM_ENDED. */
  async *#stream(order: StoredOrder, context: RequestContext, ending?: Promise<WaitEnd>): AsyncGenerator<Order> {
    const view = (current: StoredOrder): Order => orderView(current, this.store, maskingFor(context));
    yield view(order);
    if (!ending) return;
    const reason = await ending;
    if (reason === 'replaced') throw new AppError('STREAM_REPLACED');
    const finalOrder = await this.store.byId(order.developerId, order.id);
    if (finalOrder && statusOf(finalOrder) !== 'pending') yield view(finalOrder);
    else if (reason === 'draining') throw new AppError('STREAM_ENDED');
  }
}

/** Resolver for streams of status changes of the account's orders. */
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
    subscribe: requireSource,
    description:
      'Streams an order of the caller: first its current state, then every status change until the status is final, for at most 15 minutes. Only one client-token stream per order can be open: a new one closes the older one with the error STREAM_REPLACED. When the server shuts down, the last event is the error STREAM_ENDED. Send the request as POST with Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0.',
  })
  orderChanged(@Root() order: Order, @Arg('id', () => ID, { description: 'ID of the order.' }) _id: string): Order {
    return order;
  }

  @Subscription(() => Order, {
    subscribe: requireSource,
    description:
      'Streams the orders of the account in this environment whose status changes after the stream is opened: placed, completed, failed, reversed, or refund reversed. Each event is the current state of the order; changes in quick succession may be combined into one event. The stream ends with the error STREAM_ENDED after 15 minutes, when the server shuts down, or if the client reads too slowly. Subscribe again, and list the orders to find missed changes. Not available to client tokens. Send the request as POST with Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0.',
  })
  ordersChanged(@Root() order: Order): Order {
    return order;
  }

  readonly sources = {
    /** Streams an order. Throws RECORD_NOT_FOUND, ORDER_ARCHIVED and RATE_LIMITED. */
    orderChanged: async ({ id }, context) => {
      const caller = developerOf(context);
      const key = orderIdOf(String(id), isClientToken(context));
      const order = await this.store.byId(caller.developerId, key);
      if (!order || !isPayment(order.operation) || !canSeeOrder(context, order))
        throw orderNotFound(await this.store.archived.byId(key), (archived) => canSeeOrder(context, archived));
      return this.#changes.of(order, caller, context);
    },
    /** Streams the orders of the account. Throws RATE_LIMITED and STREAM_ENDED. */
    ordersChanged: async (_args, context) => {
      const stream = await this.feed.open(developerOf(context), context.disconnectSignal?.());
      context.leaveAdmission?.();
      return this.#ordersOf(stream, context);
    },
  } satisfies Record<string, Source>;

  async *#ordersOf(stream: OrderStream, context: RequestContext): AsyncGenerator<Order> {
    try {
      for (let order = await stream.next(); order; order = await stream.next())
        yield orderView(order, this.store, maskingFor(context));
      if (!context.disconnectSignal?.().aborted) throw new AppError('STREAM_ENDED');
    } finally {
      stream.end();
    }
  }
}

/** Resolver for the stream of one order in the console. */
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
    subscribe: requireSource,
    description:
      'Streams an order: any order for staff, an order of their own account for users of a developer. Sends the current state first, then every status change until the status is final, for at most 15 minutes. When the server shuts down, the last event is the error STREAM_ENDED. An open stream does not extend the session. Send the request as POST with Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0.',
  })
  orderChanged(@Root() order: Order, @Arg('id', () => ID, { description: 'ID of the order.' }) _id: string): Order {
    return order;
  }

  readonly sources = {
    /** Streams an order. Throws RECORD_NOT_FOUND, ORDER_ARCHIVED and RATE_LIMITED. */
    orderChanged: async ({ id }, context) => {
      const key = orderIdOf(String(id));
      const order = await this.store.payment(key);
      if (!order || !canSee(context, order))
        throw orderNotFound(await this.store.archived.byId(key), (archived) => canSee(context, archived));
      return this.#changes.of(order, sessionOf(context), context);
    },
  } satisfies Record<string, Source>;
}

/**
 * Placeholder resolver. The schema replaces it with the event source of the module, which runs after the checks of the policy
 * table.
 */
function requireSource(): never {
  throw new Error('This subscription has no source.');
}
