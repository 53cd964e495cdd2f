import { sql } from 'kysely';
import { instantOrNull } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { Secret } from '../core/secret.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { OrderStore } from '../orders/order.store.js';
import type { Reverser } from '../orders/stored-order.js';
import type { Order } from '../orders/views/order.types.js';
import { type DisplayedOrder, outcomeView } from '../orders/views/order.view.js';
import type { OrderOperation, WebhookEvent } from './webhook-event.js';
import type { QueuedDelivery } from './webhook-jobs.js';
import type { AttemptError } from './webhook-sender.js';

/** State of a delivery: pending → delivered | failed | cancelled. A redelivery resets any of these states to pending. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'cancelled';

/** Data that an attempt needs. */
export interface DueDelivery extends WebhookEvent {
  developerId: DeveloperId;
  id: string;
  endpointId: string;
  url: string;
  /** Current secret and, during a rotation, the previous one. */
  secrets: Secret[];
  endpointDisabled: boolean;
  /**
   * Time until which the endpoint is paused because it does not respond. After that, a single attempt probes it. Null if it is
   * not paused.
   */
  pausedUntil: Date | null;
  /**
   * Time until which the delivery is held because an earlier event of the order is not delivered yet. Null if there is no such
   * event.
   */
  heldUntil: Date | null;
}

/** Reason why an attempt failed, or was not made (`endpoint_disabled`, `endpoint_paused`). */
export type WebhookError = AttemptError | 'http_status' | 'gone' | 'endpoint_disabled' | 'endpoint_paused';

/** Maximum time that an event is held for an earlier one of the same order and endpoint. */
export const HOLD_MINUTES = 10;
/** Seconds between the next attempt of the earlier event and the next check of the held delivery. */
const HOLD_CHECK_S = 5;
/** SQL: time until which a delivery `d` is held, or null if it is not held. Uses webhook_delivery_once. */
const HELD_UNTIL = `(select least(greatest(x.next_attempt_at, now()) + ${HOLD_CHECK_S} * interval '1 s', d.created_at + ${HOLD_MINUTES} * interval '1 min')
    from webhook_delivery x
    where x.developer_id = d.developer_id and x.order_id = d.order_id and x.endpoint_id = d.endpoint_id and x.step < d.step and x.state = 'pending'
      and d.created_at > now() - ${HOLD_MINUTES} * interval '1 min'
    order by x.step desc limit 1)`;

/** Maximum number of deliveries that one call resends. */
export const REDELIVERED_AT_ONCE = 1_000;

/** Maximum number of attempts kept per delivery. Adding another one removes the oldest. */
const MAX_ATTEMPTS = 50;
/** SQL: attempts that are kept when another one is added. */
const OTHER_ATTEMPTS = sql.raw(
  `case when jsonb_array_length(attempts) < ${MAX_ATTEMPTS} then attempts else attempts - 0 end`,
);

/** Result of an attempt, as codes. */
export interface AttemptRecord {
  state: DeliveryState;
  nextAttemptAt: Date | null;
  httpStatus: number | null;
  error: WebhookError | null;
  durationMs: number;
}

/** Source columns of a message. */
export interface EventRow {
  developer_id: DeveloperId;
  order_id: string;
  reference: string;
  event: WebhookEvent['event'];
  step: number;
  environment: Environment;
  operation: WebhookEvent['operation'];
  client_key: string | null;
  amount_paise: string;
  /** Encrypted request of the order. It never changes. Null for a test message. */
  request: Buffer | null;
  answer: Buffer | null;
  provider_txn_id: string | null;
  settled_at: string | null;
  occurred_at: string;
  reversed_by: Reverser | null;
}

/** Columns of a delivery `d` and its order `o` that `eventOf` reads. */
export const EVENT_COLUMNS = `d.developer_id, d.order_id, d.reference, d.event, d.step, d.reversed_by, d.environment, d.operation, d.client_key, d.amount_paise::text,
  o.request, d.answer, d.provider_txn_id, d.settled_at, d.occurred_at`;
/**
 * SQL that joins the order of a delivery `d`. Forces a lookup by key, because the planner might otherwise scan months of
 * orders.
 */
export const ORDER_OF_DELIVERY =
  'left join lateral (select x.request from orders x where x.developer_id = d.developer_id and x.id = d.order_id limit 1) o on true';

interface DueRow extends EventRow {
  endpoint_id: string;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  endpoint_disabled: boolean;
  paused_until: string | null;
  held_until: string | null;
}

/** Returns the event of a delivery. It uses the values stored with the delivery, so it does not change with the order. */
export const eventOf = (row: EventRow, orders: OrderStore): WebhookEvent => ({
  orderId: row.order_id,
  reference: row.reference,
  event: row.event,
  step: row.step,
  environment: row.environment,
  operation: row.operation,
  occurredAt: new Date(row.occurred_at),
  order: row.operation === 'test' ? null : orderAtEvent(row, row.operation, orders),
});

function orderAtEvent(row: EventRow, operation: OrderOperation, orders: OrderStore): Order {
  const stored: DisplayedOrder = {
    developerId: row.developer_id,
    environment: row.environment,
    id: row.order_id,
    reference: row.reference,
    operation,
    state: row.event === 'failed' ? 'failed' : 'success',
    amountPaise: paise(row.amount_paise),
    storedKey: row.client_key,
    providerTxnId: row.provider_txn_id ?? '',
    settledAt: instantOrNull(row.settled_at),
    reversedAt: row.event === 'reversed' ? new Date(row.occurred_at) : null,
    reversedBy: row.reversed_by,
    // orders are kept longer than their deliveries; if an order is missing nevertheless, its request is treated as unreadable
    request: row.request ?? Buffer.alloc(0),
    result: row.answer,
  };
  return outcomeView(stored, orders, { masked: true });
}

/** Returns the encryption context of a secret, so that a secret copied to another endpoint cannot be decrypted. */
export const secretContext = (endpointId: string): string => `webhook_endpoint:${endpointId}`;

/** Deliveries in progress. `webhook_dispatch` writes their messages once, and this class records their progress. */
export class WebhookDeliveryStore {
  constructor(
    private readonly db: Queryable,
    private readonly encryption: FieldEncryption,
    private readonly orders: OrderStore,
  ) {}

  /** Returns the delivery of a job. Undefined if its endpoint was deleted or another job has replaced this one. */
  async due({ developerId, deliveryId }: QueuedDelivery, jobId: string): Promise<DueDelivery | undefined> {
    const { rows } = await this.db.query<DueRow>({
      name: 'webhook-due',
      text: `select ${EVENT_COLUMNS}, d.endpoint_id, e.url, e.secret,
          case when e.previous_secret_until > now() then e.previous_secret end as previous_secret, e.disabled_at is not null as endpoint_disabled, e.paused_until, ${HELD_UNTIL} as held_until
        from webhook_delivery d join webhook_endpoint e on e.developer_id = d.developer_id and e.id = d.endpoint_id
          ${ORDER_OF_DELIVERY}
        where d.developer_id = $1 and d.id = $2 and d.job_id = $3`,
      values: [developerId, deliveryId, jobId],
    });
    const row = rows[0];
    if (!row) return undefined;
    const encrypted = row.previous_secret ? [row.secret, row.previous_secret] : [row.secret];
    return {
      ...eventOf(row, this.orders),
      developerId: row.developer_id,
      id: deliveryId,
      endpointId: row.endpoint_id,
      url: row.url,
      secrets: encrypted.map((bytes) => new Secret(this.encryption.decrypt(secretContext(row.endpoint_id), bytes))),
      endpointDisabled: row.endpoint_disabled,
      pausedUntil: instantOrNull(row.paused_until),
      heldUntil: instantOrNull(row.held_until),
    };
  }

  /** Records the result of an attempt, in the transaction that settles its job. */
  async recordAttempt({ developerId, id }: DueDelivery, result: AttemptRecord, em: EntityManager): Promise<void> {
    await sql`update webhook_delivery set state = ${result.state}, attempt_count = attempt_count + 1, last_attempt_at = now(),
        next_attempt_at = ${result.nextAttemptAt?.toISOString() ?? null}::timestamptz, http_status = ${result.httpStatus}, error = ${result.error},
        attempts = ${OTHER_ATTEMPTS} || jsonb_build_array(jsonb_build_object('at', now(), 'httpStatus', ${result.httpStatus}::integer,
          'error', ${result.error}::text, 'durationMs', ${result.durationMs}::integer))
      where developer_id = ${developerId} and id = ${id}`.execute(em.getKysely());
  }

  /** Records that no attempt was made because the endpoint is paused. `until` is null if no more attempts will be made. */
  async postpone({ developerId, id }: DueDelivery, until: Date | null, em: EntityManager): Promise<void> {
    await sql`update webhook_delivery set state = ${until ? 'pending' : 'failed'}, next_attempt_at = ${until?.toISOString() ?? null}::timestamptz,
        error = 'endpoint_paused'
      where developer_id = ${developerId} and id = ${id}`.execute(em.getKysely());
  }

  /** Records that no attempt was made because an earlier event of the order is not delivered yet. */
  async hold({ developerId, id }: DueDelivery, until: Date, em: EntityManager): Promise<void> {
    await sql`update webhook_delivery set next_attempt_at = ${until.toISOString()}::timestamptz
      where developer_id = ${developerId} and id = ${id}`.execute(em.getKysely());
  }

  /** Cancels a delivery because the endpoint was disabled before an attempt was made. */
  async cancel({ developerId, id }: DueDelivery, em: EntityManager): Promise<void> {
    await sql`update webhook_delivery set state = 'cancelled', next_attempt_at = null, error = 'endpoint_disabled'
      where developer_id = ${developerId} and id = ${id}`.execute(em.getKysely());
  }
}
