import { Ctx, Query, Resolver } from 'type-graphql';
import { developerOf, type RequestContext, requireDeveloperStill, seesMasked } from '../core/context.js';
import { noteOrder } from '../core/scope.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import type { OrderStore } from '../orders/order.store.js';
import { statusOf } from '../orders/states.js';
import type { NamedOrders } from './named-orders.js';
import { Order, OrderArguments } from './order.types.js';
import { orderView } from './order.view.js';
import type { OrderWaiters } from './order-waiters.js';

/** One payment of the caller. */
@Resolver()
export class OrderResolver {
  readonly #named: NamedOrders;
  readonly #store: OrderStore;

  readonly #waiters: OrderWaiters;

  constructor(named: NamedOrders, store: OrderStore, waiters: OrderWaiters) {
    this.#named = named;
    this.#store = store;
    this.#waiters = waiters;
  }

  @Query(() => Order, {
    nullable: true,
    description: 'One recharge or card payment of the caller, by its id, by api_request_id or by the caller’s own key.',
  })
  async order(@Arguments(OrderArguments) which: OrderArguments, @Ctx() context: RequestContext): Promise<Order> {
    const caller = developerOf(context);
    const order = await this.#named.find(which, context);
    noteOrder(order);
    const { waitMs = 0 } = which;
    const masked = seesMasked(context);
    if (waitMs === 0 || statusOf(order) !== 'pending') return orderView(order, this.#store, { masked });
    // it does no work meanwhile
    context.leaveAdmission?.();
    await this.#waiters.wait(order, waitMs, { caller, gone: context.gone });
    await requireDeveloperStill(context);
    return orderView((await this.#store.byId(caller.developerId, order.id)) ?? order, this.#store, { masked });
  }
}
