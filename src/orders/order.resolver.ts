import { Ctx, Query, Resolver } from 'type-graphql';
import { developerOf, maySeeOrder, type RequestContext, requireDeveloperStill, seesMasked } from '../core/context.js';
import { noteOrder } from '../core/scope.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { orderIdOf } from '../graphql-toolkit/node.js';
import { type ArchivedOrder, noOrder } from './archived-orders.js';
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
  readonly #earlier: Pick<EarlierOrders, 'byKey' | 'archivedByKey'>;
  readonly #store: OrderStore;

  readonly #waiters: OrderWaiters;

  constructor(earlier: Pick<EarlierOrders, 'byKey' | 'archivedByKey'>, store: OrderStore, waiters: OrderWaiters) {
    this.#earlier = earlier;
    this.#store = store;
    this.#waiters = waiters;
  }

  @Query(() => Order, {
    nullable: true,
    description: 'One recharge or card payment of the caller, by its id, by api_request_id or by the caller’s own key.',
  })
  async order(@Arguments(OrderArguments) which: OrderArguments, @Ctx() context: RequestContext): Promise<Order> {
    const caller = developerOf(context);
    const { developerId, environment } = caller;
    const owner = { developerId, environment };
    const order = await this.#find(which, owner);
    const { kind } = which;
    const isMeant = (found: ArchivedOrder | StoredOrder): boolean =>
      isPayment(found.operation) && maySeeOrder(context, found) && (kind === undefined || found.operation === kind);
    if (!order || !isMeant(order)) throw noOrder(await this.#findArchived(which, owner), isMeant);
    noteOrder(order);
    const { waitMs = 0 } = which;
    const masked = seesMasked(context);
    if (waitMs === 0 || statusOf(order) !== 'pending') return orderView(order, this.#store, { masked });
    // it does no work meanwhile
    context.leaveAdmission?.();
    await this.#waiters.wait(order, waitMs, { caller, gone: context.gone });
    await requireDeveloperStill(context);
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

  #findArchived(
    { id, kind, clientRequestId, apiRequestId }: OrderArguments,
    owner: Parameters<EarlierOrders['byKey']>[0],
  ): Promise<ArchivedOrder | undefined> {
    if (id !== undefined) return this.#store.archived.byId(orderIdOf(id));
    return clientRequestId === undefined
      ? this.#store.archived.byReference(apiRequestId!)
      : this.#earlier.archivedByKey(owner, kind!, clientRequestId);
  }
}
