import { FieldResolver, Resolver, Root } from 'type-graphql';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import { Entries } from '../graphql-toolkit/rows.js';
import type { OrderKey } from '../orders/stored-order.js';
import { Order } from '../orders/views/order.types.js';
import { WebhookDelivery } from './webhook.types.js';
import { deliveryView } from './webhook.views.js';
import type { LoggedDelivery, WebhookLogService } from './webhook-log.service.js';

/** Resolver for the deliveries of orders. All deliveries of one event loop turn are read with one statement. */
@Resolver(() => Order)
export class OrderDeliveriesResolver {
  readonly #deliveries: Loader<OrderKey, LoggedDelivery[]>;

  constructor(log: WebhookLogService) {
    this.#deliveries = batchedLoader((keys) => log.ofOrders(keys));
  }

  @FieldResolver(() => [WebhookDelivery], {
    nullable: true,
    description: 'Webhook deliveries for the order in the last 90 days, oldest first.',
  })
  @Entries(2)
  async deliveries(@Root() { developerId, id }: Order): Promise<WebhookDelivery[]> {
    return (await this.#deliveries.load({ developerId, id })).map(deliveryView);
  }
}
