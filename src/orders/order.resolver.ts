import { Ctx, Query, Resolver } from 'type-graphql';
import { developerOf, maySeeOrder, type RequestContext, seesMasked } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { noteOrder } from '../core/scope.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { orderIdOf } from '../graphql-toolkit/node.js';
import { type EarlierOrders, statusOf } from './earlier-orders.js';
import type { OrderStore } from './order.store.js';
import { Order, OrderArguments } from './order.types.js';
import { orderView } from './order.view.js';
import type { OrderWaiters } from './order-waiters.js';
import { isPayment } from './states.js';
import type { StoredOrder } from './stored-order.js';

/** One payment of the caller. */
@Resolver()
export class OrderResolver {
  readonly #earlier: Pick<EarlierOrders, 'byKey'>;
  readonly #store: OrderStore;

  readonly #waiters: OrderWaiters;

  constructor(earlier: Pick<EarlierOrders, 'byKey'>, store: OrderStore, waiters: OrderWaiters) {
    this.#earlier = earlier;
    this.#store = store;
    this.#waiters = waiters;
  }

  @Query(() => Order, {
    nullable: true,
    description: 'One recharge or card payment of the caller, by its id, by api_request_id or by the caller’s own key.',
  })
  async order(@Arguments(OrderArguments) which: OrderArguments, @Ctx() context: RequestContext): Promise<Order> {
    const { developerId, environment } = developerOf(context);
    const order = await this.#find(which, { developerId, environment });
    const { kind } = which;
    if (!order || !isPayment(order.operation) || !maySeeOrder(context, order) || (kind && order.operation !== kind))
      throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such order.' });
    noteOrder(order);
    const { waitMs = 0 } = which;
    const masked = seesMasked(context);
    if (waitMs === 0 || statusOf(order) !== 'pending') return orderView(order, this.#store, { masked });
    // it does no work meanwhile
    context.leaveAdmission?.();
    await this.#waiters.wait(order, waitMs, context);
    return orderView((await this.#store.byId(developerId, order.id)) ?? order, this.#store, { masked });
  }

  #find(
    { id, kind, clientRequestId, apiRequestId }: OrderArguments,
    owner: Parameters<EarlierOrders['byKey']>[0],
  ): Promise<StoredOrder | undefined> {
    if (id !== undefined) return this.#store.byId(owner.developerId, orderIdOf(id));
    return clientRequestId === undefined
      ? this.#store.byReference(owner.developerId, apiRequestId!)
      : this.#earlier.byKey(owner, kind!, clientRequestId);
  }
}
