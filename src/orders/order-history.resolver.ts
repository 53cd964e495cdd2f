import { Ctx, Query, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { noteOrder } from '../core/scope.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import type { EarlierOrders } from './earlier-orders.js';
import type { OrderStore } from './order.store.js';
import { Order } from './order.types.js';
import { orderView } from './order.view.js';
import type { OrderHistory } from './order-history.js';
import { OrderConnection, OrdersArguments, OrdersByKeyArguments } from './order-history.types.js';
import type { StoredOrder } from './stored-order.js';

/** Many orders of the caller at once. */
@Resolver()
export class OrderHistoryResolver {
  readonly #history: OrderHistory;
  readonly #earlier: Pick<EarlierOrders, 'storedKeyOf'>;
  readonly #store: OrderStore;

  constructor(history: OrderHistory, earlier: Pick<EarlierOrders, 'storedKeyOf'>, store: OrderStore) {
    this.#history = history;
    this.#earlier = earlier;
    this.#store = store;
  }

  @Query(() => OrderConnection, {
    nullable: true,
    description: 'Recharges and card payments of the caller in this environment, newest first.',
  })
  async orders(
    @Arguments(OrdersArguments) { filter: { clientRequestId, ...filter } = {}, ...request }: OrdersArguments,
    @Ctx() context: RequestContext,
  ): Promise<OrderConnection> {
    const storedKey = clientRequestId === undefined ? undefined : this.#earlier.storedKeyOf(clientRequestId);
    const { edges, pageInfo } = await this.#history.page(developerOf(context), { ...filter, storedKey }, request);
    return { pageInfo, edges: edges.map(({ cursor, node }) => ({ cursor, node: this.#view(node) })) };
  }

  @Query(() => [Order], {
    // a list of nullable items: null where there is no order with the key
    nullable: 'itemsAndList',
    description: 'What became of many orders, in the order of the keys; null where there is none. Counts as one call.',
  })
  async ordersByKey(
    @Arguments(OrdersByKeyArguments) { kind, clientRequestIds }: OrdersByKeyArguments,
    @Ctx() context: RequestContext,
  ): Promise<(Order | null)[]> {
    const { developerId, environment } = developerOf(context);
    const orders = await Promise.all(
      clientRequestIds.map((key) =>
        this.#store.byStoredKey(developerId, environment, kind, this.#earlier.storedKeyOf(key)),
      ),
    );
    return orders.map((order) => {
      if (order) noteOrder(order);
      return order ? this.#view(order) : null;
    });
  }

  #view(order: StoredOrder): Order {
    return orderView(order, this.#store, { masked: false });
  }
}
