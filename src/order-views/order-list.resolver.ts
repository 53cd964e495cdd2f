import { Ctx, Query, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import type { AppError } from '../core/errors.js';
import { noteOrder } from '../core/scope.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { counted, Entries } from '../graphql-toolkit/rows.js';
import { noOrder } from '../orders/archived-orders.js';
import type { OrderStore } from '../orders/order.store.js';
import type { EarlierOrders } from '../orders/repetition.js';
import type { StoredOrder } from '../orders/stored-order.js';
import { Order } from './order.types.js';
import { orderView } from './order.view.js';
import type { OrderList } from './order-list.js';
import { MAX_KEYS, OrderConnection, OrdersArguments, OrdersByKeyArguments } from './order-list.types.js';

/** Too many keys are refused. */
const byKey = counted('a row for each key', ({ clientRequestIds: keys }) => {
  const count = Array.isArray(keys) ? keys.length : 1;
  return count <= MAX_KEYS ? count : 0;
});

/** Many orders of the caller at once. */
@Resolver()
export class OrderListResolver {
  readonly #history: OrderList;
  readonly #earlier: Pick<EarlierOrders, 'storedKeyOf'>;
  readonly #store: OrderStore;

  constructor(history: OrderList, earlier: Pick<EarlierOrders, 'storedKeyOf'>, store: OrderStore) {
    this.#history = history;
    this.#earlier = earlier;
    this.#store = store;
  }

  @Query(() => OrderConnection, {
    nullable: true,
    description: 'Recharges and card payments of the caller in this environment, newest first.',
  })
  async orders(
    @Arguments(OrdersArguments) { filter = {}, ...request }: OrdersArguments,
    @Ctx() context: RequestContext,
  ): Promise<OrderConnection> {
    const { edges, ...beside } = await this.#history.page(developerOf(context), filter, request);
    return { ...beside, edges: edges.map(({ cursor, node }) => ({ cursor, node: this.#view(node) })) };
  }

  @Query(() => [Order], {
    // a list of nullable items: null where there is no order with the key
    nullable: 'itemsAndList',
    description:
      'What became of many orders, in the order of the keys; null where there is none, with the error ORDER_ARCHIVED where there was one. Counts as one call.',
  })
  @Entries(byKey)
  async ordersByKey(
    @Arguments(OrdersByKeyArguments) { kind, clientRequestIds }: OrdersByKeyArguments,
    @Ctx() context: RequestContext,
  ): Promise<(Order | AppError | null)[]> {
    const { developerId, environment } = developerOf(context);
    return Promise.all(
      clientRequestIds.map(async (key) => {
        const storedKey = this.#earlier.storedKeyOf(key);
        const order = await this.#store.byStoredKey(developerId, environment, kind, storedKey);
        if (order) {
          noteOrder(order);
          return this.#view(order);
        }
        const archived = await this.#store.archived.byKey({ developerId, environment, operation: kind, storedKey });
        // as a value: the others of the list are answered all the same
        return archived ? noOrder(archived) : null;
      }),
    );
  }

  #view(order: StoredOrder): Order {
    return orderView(order, this.#store, { masked: false });
  }
}
