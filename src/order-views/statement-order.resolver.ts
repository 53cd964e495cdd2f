import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { type RequestContext, seesMasked } from '../core/context.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import { READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
import { StatementEntry } from '../ledger/wallet.types.js';
import type { OrderStore } from '../orders/order.store.js';
import { isPayment } from '../orders/states.js';
import type { OrderKey, StoredOrder } from '../orders/stored-order.js';
import { Order } from './order.types.js';
import { orderView } from './order.view.js';

/** The orders behind the lines of statements, those of one tick with one statement. */
@Resolver(() => StatementEntry)
export class StatementOrderResolver {
  readonly #store: OrderStore;
  readonly #orders: Loader<OrderKey, StoredOrder | undefined>;

  constructor(store: OrderStore) {
    this.#store = store;
    this.#orders = batchedLoader((keys) => store.byIds(keys));
  }

  @FieldResolver(() => Order, {
    nullable: true,
    description: 'The recharge or card payment that the line belongs to; null for any other, and when it is archived.',
  })
  @RowsBeside(READ_TOGETHER)
  async order(
    @Root() { developerId, subjectId }: StatementEntry,
    @Ctx() context: RequestContext,
  ): Promise<Order | null> {
    const order = await this.#orders.load({ developerId, id: subjectId });
    if (!order || !isPayment(order.operation)) return null;
    return orderView(order, this.#store, { masked: seesMasked(context) });
  }
}
