import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { isWaiting } from '../accounts/newcomers.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import { firstIdAt, isUuid, newId, referenceOf } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { type DeliveryState, REDELIVERED_AT_ONCE } from './webhook-delivery.store.js';
import type { EndpointRow } from './webhook-endpoint.entity.js';
import { endPause } from './webhook-endpoint.health.js';
import { endpointById, lockEndpoint, type Owner } from './webhook-endpoint.store.js';
import { eventTypeOf, retriesOf, type WebhookEventType } from './webhook-event.js';
import type { WebhookJobs } from './webhook-jobs.js';
import { COLUMNS, type LoggedDelivery, type LoggedRow, loggedDelivery, TEST } from './webhook-log.service.js';

const columns = sql.raw(COLUMNS);

/** Range of an endpoint's events recorded at or after `from` and before `to`. */
export interface RedeliveryRange {
  endpointId: string;
  from: Date;
  to: Date;
  /** Event types. Defaults to all types. */
  type?: readonly WebhookEventType[] | undefined;
  /** Delivery states. Defaults to failed and cancelled. */
  state?: readonly DeliveryState[] | undefined;
}

export interface RedeliveredRange {
  count: number;
  /** Start of the remaining range if the range has more events than one call resends, otherwise null. */
  nextFrom: Date | null;
}

type FormerDelivery = Pick<LoggedRow, 'developerId' | 'id' | 'jobId'> & { recordedAt: Date };

/** Redeliveries and test messages requested by a user or a client. */
export class WebhookRedeliveryService {
  readonly #orm: MikroORM;
  readonly #audit: AuditService;

  constructor(
    parts: { orm: MikroORM; audit: AuditService },
    private readonly jobs: WebhookJobs,
  ) {
    this.#orm = parts.orm;
    this.#audit = parts.audit;
  }

  /**
   * Resends a delivery immediately with all its retries, regardless of its status. The message keeps its ID. Throws
   * RECORD_NOT_FOUND, also if the delivery belongs to another developer or environment, and CONFLICT if its endpoint is
   * disabled.
   */
  redeliver(id: string, owner: Owner, by: Actor): Promise<LoggedDelivery> {
    return inTransaction(this.#orm, async (tx) => {
      await this.jobs.start();
      const former = await deliveryById(id, owner, tx);
      // locks job, endpoint and delivery in this order, like the courier
      await this.jobs.remove([former], tx);
      const endpoint = await this.#enabled(former.endpointId, owner, tx);
      const [renewed] = await renew([former], tx);
      if (!renewed) throw new AppError('CONFLICT');
      await this.#queue([renewed], endpoint, tx);
      const after = { delivery: id, type: eventTypeOf(renewed), apiRequestId: renewed.reference };
      await this.#audit.record(
        by,
        { action: 'webhook.redeliver', subject: subjectOf(endpoint), before: { state: former.state }, after },
        tx,
      );
      return loggedDelivery(renewed);
    });
  }

  /**
   * Resends the events of a range in the same way as `redeliver`, oldest first, at most `REDELIVERED_AT_ONCE`. Throws
   * RECORD_NOT_FOUND, also if the endpoint belongs to another developer or environment, and CONFLICT if the endpoint is
   * disabled.
   */
  redeliverRange(range: RedeliveryRange, owner: Owner, by: Actor): Promise<RedeliveredRange> {
    return inTransaction(this.#orm, async (tx) => {
      await this.jobs.start();
      const { developerId } = await endpointById(range.endpointId, owner, tx);
      const found = await deliveriesIn(developerId as DeveloperId, range, tx);
      const former = found.slice(0, REDELIVERED_AT_ONCE);
      await this.jobs.remove(former, tx);
      const endpoint = await this.#enabled(range.endpointId, owner, tx);
      const renewed = await renew(former, tx);
      await this.#queue(renewed, endpoint, tx);
      const nextFrom = found[REDELIVERED_AT_ONCE]?.recordedAt ?? null;
      const after = {
        from: range.from,
        to: nextFrom ?? range.to,
        type: range.type,
        state: range.state,
        count: renewed.length,
      };
      if (renewed.length > 0)
        await this.#audit.record(
          by,
          { action: 'webhook.redeliver_range', subject: subjectOf(endpoint), before: null, after },
          tx,
        );
      return { count: renewed.length, nextFrom };
    });
  }

  /**
   * Sends a signed message that does not belong to an order. It is delivered and logged like any other message, but has fewer
   * retries, and a failure does not count for the endpoint. Throws RECORD_NOT_FOUND, also if the endpoint belongs to another
   * developer, and CONFLICT if the endpoint is disabled or has not started.
   */
  sendTest(endpointId: string, owner: Owner, by: Actor): Promise<LoggedDelivery> {
    return inTransaction(this.#orm, async (tx) => {
      await this.jobs.start();
      const endpoint = await this.#enabled(endpointId, owner, tx);
      const test = await createTest(endpoint, tx);
      await this.#queue([test], endpoint, tx);
      const after = { delivery: test.id, type: eventTypeOf(test) };
      await this.#audit.record(
        by,
        { action: 'webhook.send_test', subject: subjectOf(endpoint), before: null, after },
        tx,
      );
      return loggedDelivery(test);
    });
  }

  /** Returns an enabled endpoint and locks it until the transaction ends. */
  async #enabled(id: string, owner: Owner, tx: EntityManager): Promise<EndpointRow> {
    const endpoint = await lockEndpoint(id, owner, tx);
    if (endpoint.disabledAt) throw new AppError('CONFLICT', { message: 'The endpoint is disabled. Enable it first.' });
    if (await isWaiting(endpoint, tx))
      throw new AppError('CONFLICT', { message: 'The endpoint has not started. Wait until its start time.' });
    return endpoint;
  }

  /** Queues deliveries for an immediate attempt, even if the endpoint is paused. */
  async #queue(rows: readonly LoggedRow[], endpoint: EndpointRow, tx: EntityManager): Promise<void> {
    if (rows.length === 0) return;
    const { id: endpointId, environment } = endpoint;
    await endPause({ developerId: endpoint.developerId as DeveloperId, endpointId }, tx);
    const deliveries = rows.map((row) => ({
      developerId: row.developerId,
      deliveryId: row.id,
      environment,
      jobId: row.jobId,
      retries: retriesOf(row),
    }));
    await this.jobs.add(deliveries, tx);
  }
}

async function deliveryById(id: string, owner: Owner, tx: EntityManager): Promise<LoggedRow> {
  const { rows } = await sql<LoggedRow>`select ${columns} from webhook_delivery
    where id = ${isUuid(id) ? id : null}::uuid and developer_id = coalesce(${owner?.developerId ?? null}, developer_id)
      and environment = coalesce(${owner?.environment ?? null}, environment)`.execute(tx.getKysely());
  if (!rows[0]) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown delivery.' });
  return rows[0];
}

/** Returns the deliveries of a range, oldest first, and one more than can be resent at once. */
async function deliveriesIn(
  developerId: DeveloperId,
  { endpointId, from, to, type, state = ['failed', 'cancelled'] }: RedeliveryRange,
  tx: EntityManager,
): Promise<FormerDelivery[]> {
  const { rows } = await sql<FormerDelivery & { recordedAt: string }>`
    select id, job_id as "jobId", uuid_extract_timestamp(id) as "recordedAt" from webhook_delivery
    where developer_id = ${developerId} and endpoint_id = ${endpointId} and id >= ${firstIdAt(from)} and id < ${firstIdAt(to)}
      and state = any(${state}::text[]) and (${type ?? null}::text[] is null or operation || '.' || event = any(${type ?? null}::text[]))
    order by id limit ${REDELIVERED_AT_ONCE + 1}`.execute(tx.getKysely());
  return rows.map(({ recordedAt, ...row }) => ({ ...row, developerId, recordedAt: new Date(recordedAt) }));
}

/** Makes deliveries due immediately, each with a new job. Skips deliveries that another call has already renewed. */
async function renew(
  former: readonly Pick<LoggedRow, 'developerId' | 'id' | 'jobId'>[],
  tx: EntityManager,
): Promise<LoggedRow[]> {
  const [first] = former;
  if (!first) return [];
  const { rows } =
    await sql<LoggedRow>`update webhook_delivery set state = 'pending', next_attempt_at = now(), job_id = gen_random_uuid()
    where developer_id = ${first.developerId} and (id, job_id) in (select * from unnest(${former.map(({ id }) => id)}::uuid[],
      ${former.map(({ jobId }) => jobId)}::uuid[])) returning ${columns}`.execute(tx.getKysely());
  return rows;
}

/** Creates a test delivery. The prefix of its reference cannot occur in order references. */
async function createTest({ developerId, id }: EndpointRow, tx: EntityManager): Promise<LoggedRow> {
  const testId = newId();
  const reference = TEST + referenceOf(testId);
  const { rows } =
    await sql<LoggedRow>`select ${columns} from webhook_test(${developerId}, ${id}, ${testId}, ${reference})`.execute(
      tx.getKysely(),
    );
  return rows[0]!;
}

const subjectOf = ({ developerId, environment, id }: EndpointRow): string =>
  `developer:${developerId}/${environment}/webhook:${id}`;
