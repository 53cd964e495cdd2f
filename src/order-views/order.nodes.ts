import { maySeeOrder, seesMasked } from '../core/context.js';
import { isUuid } from '../core/ids.js';
import type { LoadNode } from '../core/room.js';
import { noOrder } from '../orders/archived-orders.js';
import type { OrderStore } from '../orders/order.store.js';
import { orderView } from './order.view.js';

/** Errors: ORDER_ARCHIVED. */
export const orderNode =
  (store: OrderStore): LoadNode =>
  async (key, context) => {
    if (!isUuid(key)) return undefined;
    const order = await store.payment(key);
    if (order)
      return maySeeOrder(context, order) ? orderView(order, store, { masked: seesMasked(context) }) : undefined;
    const archived = await store.archived.byId(key);
    if (archived && maySeeOrder(context, archived)) throw noOrder(archived);
    return undefined;
  };
