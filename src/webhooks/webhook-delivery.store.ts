import { sql } from 'kysely';
import { clientKeyOf, type KeptKey, orderContext } from '../core/client-key.js';
import type { Environment } from '../core/environment.js';
import { paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { Secret } from '../core/secret.js';
import type { FieldEncryption } from '../db/field-encryption.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { WebhookEvent, WebhookEventKind } from './webhook-event.js';
import type { QueuedDelivery } from './webhook-jobs.js';

/** pending → delivered | dead | cancelled; a redelivery makes any of them pending again. */
export type DeliveryState = 'pending' | 'delivered' | 'dead' | 'cancelled';

/** All that one attempt needs. */
export interface DueDelivery extends WebhookEvent {
  developerId: DeveloperId;
  id: string;
  endpointId: string;
  url: string;
  /** The current secret, and the one before it while both are valid. */
  secrets: Secret[];
  endpointDisabled: boolean;
  /** The endpoint does not answer: no attempt before this, and then one at first. Null when it is not paused. */
  pausedUntil: Date | null;
}

/** How an attempt went, in codes. */
export interface AttemptRecord {
  state: DeliveryState;
  nextAttemptAt: Date | null;
  httpStatus: number | null;
  error: string | null;
}

interface DueRow {
  endpoint_id: string;
  order_id: string;
  reference: string;
  event: WebhookEventKind;
  step: number;
  environment: Environment;
  operation: WebhookEvent['operation'];
  client_key: string | null;
  /** Of the order, encrypted, where the key is a hash. */
  request: Buffer | null;
  amount_paise: string;
  occurred_at: string;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  endpoint_disabled: boolean;
  paused_until: string | null;
}

/** The context that secrets are encrypted with, so that one copied to another endpoint does not decrypt. */
export const secretContext = (endpointId: string): string => `webhook_endpoint:${endpointId}`;

/** Deliveries under way: what they say was written once by `webhook_dispatch`, how they go is recorded here. */
export class WebhookDeliveryStore {
  readonly #db: Queryable;
  readonly #encryption: FieldEncryption;

  constructor(db: Queryable, encryption: FieldEncryption) {
    this.#db = db;
    this.#encryption = encryption;
  }

  /** The delivery of a job; undefined when its endpoint was deleted or another job has replaced this one. */
  async due({ developerId, deliveryId }: QueuedDelivery, jobId: string): Promise<DueDelivery | undefined> {
    const { rows } = await this.#db.query<DueRow>({
      name: 'webhook-due',
      text: `select d.endpoint_id, d.order_id, d.reference, d.event, d.step, d.environment, d.operation, d.client_key, case when d.client_key like 'h:%' then o.request end as request, d.amount_paise::text, d.occurred_at, e.url, e.secret,
          case when e.previous_secret_until > now() then e.previous_secret end as previous_secret, e.disabled_at is not null as endpoint_disabled, e.paused_until
        from webhook_delivery d join webhook_endpoint e on e.developer_id = d.developer_id and e.id = d.endpoint_id
          left join orders o on o.developer_id = d.developer_id and o.id = d.order_id
        where d.developer_id = $1 and d.id = $2 and d.job_id = $3`,
      values: [developerId, deliveryId, jobId],
    });
    const row = rows[0];
    if (!row) return undefined;
    const encrypted = row.previous_secret ? [row.secret, row.previous_secret] : [row.secret];
    return {
      developerId: developerId as DeveloperId,
      id: deliveryId,
      endpointId: row.endpoint_id,
      orderId: row.order_id,
      reference: row.reference,
      event: row.event,
      step: row.step,
      environment: row.environment,
      operation: row.operation,
      clientKey: clientKeyOf(row.client_key, () =>
        row.request ? this.#encryption.decrypt<KeptKey>(orderContext(row.order_id), row.request) : {},
      ),
      amountPaise: paise(row.amount_paise),
      occurredAt: new Date(row.occurred_at),
      url: row.url,
      secrets: encrypted.map((bytes) => new Secret(this.#encryption.decrypt(secretContext(row.endpoint_id), bytes))),
      endpointDisabled: row.endpoint_disabled,
      pausedUntil: row.paused_until === null ? null : new Date(row.paused_until),
    };
  }

  /** Writes how an attempt went, in the transaction that settles its job. */
  async recordAttempt({ developerId, id }: DueDelivery, result: AttemptRecord, em: EntityManager): Promise<void> {
    await sql`update webhook_delivery set state = ${result.state}, attempts = attempts + 1, last_attempt_at = now(),
        next_attempt_at = ${result.nextAttemptAt?.toISOString() ?? null}::timestamptz, http_status = ${result.httpStatus}, error = ${result.error}
      where developer_id = ${developerId} and id = ${id}`.execute(em.getKysely());
  }

  /** No attempt was made, because the endpoint is paused; `null` when that was the last one. */
  async postpone({ developerId, id }: DueDelivery, until: Date | null, em: EntityManager): Promise<void> {
    await sql`update webhook_delivery set state = ${until ? 'pending' : 'dead'}, next_attempt_at = ${until?.toISOString() ?? null}::timestamptz,
        error = 'endpoint_paused'
      where developer_id = ${developerId} and id = ${id}`.execute(em.getKysely());
  }

  /** Nothing is to be delivered any more: the endpoint was disabled before an attempt was made. */
  async cancel({ developerId, id }: DueDelivery, em: EntityManager): Promise<void> {
    await sql`update webhook_delivery set state = 'cancelled', next_attempt_at = null, error = 'endpoint_disabled'
      where developer_id = ${developerId} and id = ${id}`.execute(em.getKysely());
  }
}
