import { maySeeOrder, seesMasked } from '../core/context.js';
import { isUuid } from '../core/ids.js';
import type { LoadNode } from '../core/room.js';
import type { OrderStore } from './order.store.js';
import { orderView } from './order.view.js';

export const orderNode =
  (store: OrderStore): LoadNode =>
  async (key, context) => {
    const order = isUuid(key) ? await store.payment(key) : undefined;
    return order && maySeeOrder(context, order) ? orderView(order, store, { masked: seesMasked(context) }) : undefined;
  };
