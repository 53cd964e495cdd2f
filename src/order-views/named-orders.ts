import { developerOf, maySeeOrder, type RequestContext } from '../core/context.js';
import { orderIdOf } from '../graphql-toolkit/node.js';
import { type ArchivedOrder, noOrder } from '../orders/archived-orders.js';
import type { OrderStore } from '../orders/order.store.js';
import type { EarlierOrders } from '../orders/repetition.js';
import { isPayment } from '../orders/states.js';
import type { StoredOrder } from '../orders/stored-order.js';
import type { OrderNames } from './order.types.js';

type Owner = Parameters<EarlierOrders['byKey']>[0];

/** Payments as their callers name them. */
export class NamedOrders {
  readonly #earlier: Pick<EarlierOrders, 'byKey' | 'archivedByKey'>;
  readonly #store: OrderStore;

  constructor(earlier: Pick<EarlierOrders, 'byKey' | 'archivedByKey'>, store: OrderStore) {
    this.#earlier = earlier;
    this.#store = store;
  }

  /** @param which has exactly one name. Errors: RECORD_NOT_FOUND, also for one that the caller may not see, and ORDER_ARCHIVED. */
  async find(which: OrderNames, context: RequestContext): Promise<StoredOrder> {
    const { developerId, environment } = developerOf(context);
    const owner = { developerId, environment };
    const { kind } = which;
    const isMeant = (found: ArchivedOrder | StoredOrder): boolean =>
      isPayment(found.operation) && maySeeOrder(context, found) && (kind === undefined || found.operation === kind);
    const order = await this.#find(which, owner);
    if (!order || !isMeant(order)) throw noOrder(await this.#findArchived(which, owner), isMeant);
    return order;
  }

  #find({ id, kind, clientRequestId, apiRequestId }: OrderNames, owner: Owner): Promise<StoredOrder | undefined> {
    if (id !== undefined) return this.#store.byId(owner.developerId, orderIdOf(id));
    return clientRequestId === undefined
      ? this.#store.byReference(owner.developerId, apiRequestId!)
      : this.#earlier.byKey(owner, kind!, clientRequestId);
  }

  #findArchived(
    { id, kind, clientRequestId, apiRequestId }: OrderNames,
    owner: Owner,
  ): Promise<ArchivedOrder | undefined> {
    if (id !== undefined) return this.#store.archived.byId(orderIdOf(id));
    return clientRequestId === undefined
      ? this.#store.archived.byReference(apiRequestId!)
      : this.#earlier.archivedByKey(owner, kind!, clientRequestId);
  }
}
