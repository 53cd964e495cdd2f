import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { Queryable } from '../db/pool.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { EarlierOrders } from './earlier-orders.js';
import type { OrderStore } from './order.store.js';
import { Order, OrderArguments, OrderEvent } from './order.types.js';
import { orderView } from './order.view.js';
import { timelineOf } from './timeline.js';

@Resolver(() => Order)
export class OrderResolver {
  readonly #earlier: Pick<EarlierOrders, 'byKey'>;
  readonly #store: OrderStore;
  readonly #ledger: LedgerService;
  readonly #db: Queryable;

  constructor(earlier: Pick<EarlierOrders, 'byKey'>, store: OrderStore, ledger: LedgerService, db: Queryable) {
    this.#earlier = earlier;
    this.#store = store;
    this.#ledger = ledger;
    this.#db = db;
  }

  @Query(() => Order, {
    nullable: true,
    description: 'One recharge or card payment of the caller, by the caller’s own key or by api_request_id.',
  })
  async order(
    @Arguments(OrderArguments) { kind, clientRequestId, apiRequestId }: OrderArguments,
    @Ctx() context: RequestContext,
  ): Promise<Order> {
    const { developerId, environment } = developerOf(context);
    const order =
      clientRequestId === undefined
        ? await this.#store.byReference(developerId, apiRequestId!)
        : await this.#earlier.byKey({ developerId, environment }, kind!, clientRequestId);
    if (!order || order.environment !== environment || (kind && order.operation !== kind))
      throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such order.' });
    const walletBalance = await this.#ledger.balance(developerId, environment);
    return orderView(order, this.#store, { walletBalance, masked: false });
  }

  @FieldResolver(() => [OrderEvent], {
    nullable: true,
    description: 'Everything that happened to it: debit, send, answers, enquiries, refund, reversal.',
  })
  timeline(@Root() order: Order): Promise<OrderEvent[]> {
    return timelineOf(this.#db, order.source);
  }
}
