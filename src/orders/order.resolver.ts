import { Args, Ctx, Extensions, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { referenceOf } from '../core/ids.js';
import type { Queryable } from '../db/pool.js';
import type { OrderStore, StoredOrder } from './order.store.js';
import { Order, OrderArguments, OrderEvent, type OrderKind } from './order.types.js';
import type { OrderState } from './states.js';
import { timelineOf } from './timeline.js';

const STATUS: Record<OrderState, Order['status']> = {
  open: 'pending',
  review: 'pending',
  success: 'success',
  failed: 'failed',
};

export function orderView(order: StoredOrder): Order {
  return {
    source: order,
    id: order.id,
    kind: order.operation as OrderKind,
    status: order.reversedAt ? 'failed' : STATUS[order.state],
    amount: order.amountPaise,
    clientKey: order.clientKey,
    apiRequestId: referenceOf(order.id),
    createdAt: order.createdAt,
    settledAt: order.settledAt,
    reversedAt: order.reversedAt,
  };
}

@Resolver(() => Order)
export class OrderResolver {
  readonly #store: OrderStore;
  readonly #db: Queryable;

  constructor(store: OrderStore, db: Queryable) {
    this.#store = store;
    this.#db = db;
  }

  @Query(() => Order, {
    nullable: true,
    description: 'One recharge or card payment of the caller, by the caller’s own key or by api_request_id.',
  })
  @Extensions({ arguments: OrderArguments })
  async order(
    @Args(() => OrderArguments) { kind, clientKey, apiRequestId }: OrderArguments,
    @Ctx() context: RequestContext,
  ): Promise<Order> {
    const { developerId, environment } = developerOf(context);
    const order =
      clientKey === undefined
        ? await this.#store.byReference(developerId, apiRequestId!)
        : await this.#store.byKey(developerId, environment, kind, clientKey);
    if (!order || order.environment !== environment || order.operation !== kind)
      throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such order.' });
    return orderView(order);
  }

  @FieldResolver(() => [OrderEvent], {
    description: 'Everything that happened to it: debit, send, answers, enquiries, refund, reversal.',
  })
  timeline(@Root() order: Order): Promise<OrderEvent[]> {
    return timelineOf(this.#db, order.source);
  }
}
