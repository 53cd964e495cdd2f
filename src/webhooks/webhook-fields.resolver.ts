import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Developer } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { maskedKey } from '../core/card-number.js';
import { mustMaskKeys, type RequestContext } from '../core/context.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import { ExtraReads, READ_SEPARATELY, READ_TOGETHER } from '../graphql-toolkit/rows.js';
import type { OrderStore } from '../orders/order.store.js';
import type { OrderKey, StoredOrder } from '../orders/stored-order.js';
import { Order } from '../orders/views/order.types.js';
import { maskingFor, orderView } from '../orders/views/order.view.js';
import { WebhookDelivery, WebhookEndpoint, WebhookHealth } from './webhook.types.js';
import { type EndpointKey, type RecentDeliveries, recentDeliveries } from './webhook-endpoint.health.js';
import type { WebhookLogService } from './webhook-log.service.js';

/** Resolver for fields that are loaded for deliveries. All deliveries of one event loop turn are read with one statement. */
@Resolver(() => WebhookDelivery)
export class WebhookDeliveryFieldsResolver {
  readonly #orders: Loader<OrderKey, StoredOrder | undefined>;
  readonly #bodies: Loader<WebhookDelivery['key'], string | undefined>;

  constructor(
    private readonly store: OrderStore,
    log: WebhookLogService,
  ) {
    this.#orders = batchedLoader((keys) => store.byIds(keys));
    this.#bodies = batchedLoader((keys) => log.bodies(keys));
  }

  @FieldResolver(() => Order, {
    nullable: true,
    description: 'Current state of the recharge or card bill payment. Null for a test message.',
  })
  @ExtraReads(READ_TOGETHER)
  async order(
    @Root() { key: { developerId }, orderId }: WebhookDelivery,
    @Ctx() context: RequestContext,
  ): Promise<Order | null> {
    const order = orderId === null ? undefined : await this.#orders.load({ developerId, id: orderId });
    return order ? orderView(order, this.store, maskingFor(context)) : null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Message body, byte-identical in every attempt. Null if the endpoint was deleted. For support, card numbers in the client request ID are masked.',
  })
  @ExtraReads(READ_TOGETHER)
  async body(@Root() { key }: WebhookDelivery, @Ctx() context: RequestContext): Promise<string | null> {
    const body = (await this.#bodies.load(key)) ?? null;
    return body !== null && mustMaskKeys(context) ? withMaskedKey(body) : body;
  }
}

const KEYS = ['client_request_id', 'orderid'] as const;

/** Masks an idempotency key that may contain a card number. Any other body is returned unchanged. */
function withMaskedKey(body: string): string {
  const event = JSON.parse(body) as { data: Record<string, unknown> };
  const maskedData = { ...event.data };
  for (const name of KEYS) {
    const key = maskedData[name];
    if (typeof key === 'string') maskedData[name] = maskedKey(key);
  }
  const isMasked = KEYS.some((name) => maskedData[name] !== event.data[name]);
  return isMasked ? JSON.stringify({ ...event, data: maskedData }) : body;
}

/** Resolver for fields of a delivery that exist only in the console. */
@Resolver(() => WebhookDelivery)
export class ConsoleWebhookDeliveryResolver {
  constructor(private readonly developers: Pick<DevelopersReader, 'find'>) {}

  @FieldResolver(() => Developer, { nullable: true, description: 'Developer account that owns the endpoint.' })
  @ExtraReads(READ_TOGETHER)
  async developer(@Root() { key: { developerId } }: WebhookDelivery): Promise<Developer | null> {
    return (await this.developers.find(developerId)) ?? null;
  }
}

/** Resolver for the health of endpoints. All endpoints of one event loop turn are read with one statement. */
@Resolver(() => WebhookEndpoint)
export class WebhookEndpointFieldsResolver {
  readonly #recent: Loader<EndpointKey, RecentDeliveries>;

  constructor(db: Queryable) {
    this.#recent = batchedLoader((keys) => recentDeliveries(keys, db));
  }

  @FieldResolver(() => WebhookHealth, { nullable: true, description: 'Delivery statistics of the last 24 hours.' })
  @ExtraReads(READ_SEPARATELY)
  async health(@Root() { developerId, id, pausedUntil }: WebhookEndpoint): Promise<WebhookHealth> {
    return { ...(await this.#recent.load({ developerId, endpointId: id })), pausedUntil };
  }
}
