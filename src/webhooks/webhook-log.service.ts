import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { instantOrNull } from '../core/clock.js';
import { AppError } from '../core/errors.js';
import { isUuid, newId, referenceOf, UUID } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import type { DeliveryState } from './webhook-delivery.store.js';
import type { EndpointRow } from './webhook-endpoint.entity.js';
import { endPause } from './webhook-endpoint.health.js';
import { type Endpoint, lockEndpoint, type Owner } from './webhook-endpoint.store.js';
import { eventTypeOf, retriesOf, type WebhookEvent } from './webhook-event.js';
import type { WebhookJobs } from './webhook-jobs.js';

/** One line of the delivery log: codes and times, never a body. */
export interface LoggedDelivery {
  id: string;
  endpointId: string;
  type: string;
  apiRequestId: string;
  occurredAt: Date;
  state: DeliveryState;
  attempts: number;
  lastAttemptAt: Date | null;
  nextAttemptAt: Date | null;
  httpStatus: number | null;
  error: string | null;
}

interface Row extends Pick<WebhookEvent, 'operation' | 'event'> {
  id: string;
  developer_id: DeveloperId;
  endpoint_id: string;
  reference: string;
  occurred_at: string;
  state: DeliveryState;
  attempts: number;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  http_status: number | null;
  error: string | null;
  job_id: string;
}

const COLUMNS = `id, developer_id, endpoint_id, reference, operation, event, occurred_at, state, attempts, last_attempt_at, next_attempt_at,
  http_status, error, job_id`;
const columns = sql.raw(COLUMNS);
/** Above every id: where the first page begins. */
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const logged = (row: Row): LoggedDelivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  type: eventTypeOf(row),
  apiRequestId: row.reference,
  occurredAt: new Date(row.occurred_at),
  state: row.state,
  attempts: row.attempts,
  lastAttemptAt: instantOrNull(row.last_attempt_at),
  nextAttemptAt: instantOrNull(row.next_attempt_at),
  httpStatus: row.http_status,
  error: row.error,
});

/** The delivery log, and a person's wish to have an event once more, or a test. */
export class WebhookLogService {
  readonly #orm: MikroORM;
  readonly #db: Queryable;
  readonly #jobs: WebhookJobs;
  readonly #audit: AuditService;

  constructor(parts: { orm: MikroORM; db: Queryable; audit: AuditService }, jobs: WebhookJobs) {
    this.#orm = parts.orm;
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#jobs = jobs;
  }

  /** The deliveries of an endpoint, newest first. Errors: VALIDATION_FAILED. */
  async page(
    { developerId, id }: Pick<Endpoint, 'developerId' | 'id'>,
    request: PageRequest,
  ): Promise<Page<LoggedDelivery>> {
    const slice = sliceOf('deliveries', request, UUID);
    const { rows } = await this.#db.query<Row>({
      name: slice.backwards ? 'webhook-log-back' : 'webhook-log',
      text: `select ${COLUMNS} from webhook_delivery where developer_id = $1 and endpoint_id = $2 and id < $3::uuid
        and ($4::uuid is null or id > $4) order by webhook_delivery.id ${slice.backwards ? 'asc' : 'desc'} limit $5`,
      values: [developerId, id, slice.after ?? NEWEST, slice.before ?? null, slice.size + 1],
    });
    return pageOf(rows, slice, (row) => row.id, logged);
  }

  /**
   * Tries a delivery anew, now and with all its retries, whatever became of it; the message keeps its id.
   * Errors: RECORD_NOT_FOUND, also for another developer's or environment's; CONFLICT when its endpoint is disabled.
   */
  redeliver(id: string, owner: Owner, by: Actor): Promise<LoggedDelivery> {
    return inTransaction(this.#orm, async (tx) => {
      await this.#jobs.start();
      const former = await deliveryById(id, owner, tx);
      // locks job, endpoint, delivery, in this order, as the courier does
      await this.#jobs.remove(former.job_id, id, tx);
      const endpoint = await this.#enabled(former.endpoint_id, owner, tx);
      const renewed = await renew(former, tx);
      await this.#queue(renewed, endpoint, tx);
      const after = { delivery: id, type: eventTypeOf(renewed), apiRequestId: renewed.reference };
      await this.#audit.record(
        by,
        { action: 'webhook.redeliver', subject: subjectOf(endpoint), before: { state: former.state }, after },
        tx,
      );
      return logged(renewed);
    });
  }

  /**
   * A signed message that stands for no order, delivered and logged as any other, with few retries; that it fails is not counted
   * against the endpoint. Errors: RECORD_NOT_FOUND, also for another developer's; CONFLICT when the endpoint is disabled.
   */
  sendTest(endpointId: string, owner: Owner, by: Actor): Promise<LoggedDelivery> {
    return inTransaction(this.#orm, async (tx) => {
      await this.#jobs.start();
      const endpoint = await this.#enabled(endpointId, owner, tx);
      const made = await makeTest(endpoint, tx);
      await this.#queue(made, endpoint, tx);
      const after = { delivery: made.id, type: eventTypeOf(made) };
      await this.#audit.record(
        by,
        { action: 'webhook.send_test', subject: subjectOf(endpoint), before: null, after },
        tx,
      );
      return logged(made);
    });
  }

  /** Locked until the transaction ends. */
  async #enabled(id: string, owner: Owner, tx: EntityManager): Promise<EndpointRow> {
    const endpoint = await lockEndpoint(id, owner, tx);
    if (endpoint.disabledAt) throw new AppError('CONFLICT', { message: 'The endpoint is disabled; enable it first.' });
    return endpoint;
  }

  /** To be tried now, even where the endpoint is paused. */
  async #queue(row: Row, { id: endpointId, environment }: EndpointRow, tx: EntityManager): Promise<void> {
    const { id: deliveryId, developer_id: developerId, job_id: jobId } = row;
    await endPause({ developerId, endpointId }, tx);
    await this.#jobs.add([{ developerId, deliveryId, environment, jobId, retries: retriesOf(row) }], tx);
  }
}

async function deliveryById(id: string, owner: Owner, tx: EntityManager): Promise<Row> {
  const { rows } = await sql<Row>`select ${columns} from webhook_delivery
    where id = ${isUuid(id) ? id : null}::uuid and developer_id = coalesce(${owner?.developerId ?? null}, developer_id)
      and environment = coalesce(${owner?.environment ?? null}, environment)`.execute(tx.getKysely());
  if (!rows[0]) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such delivery.' });
  return rows[0];
}

/** Due now, under a new job. Errors: CONFLICT when somebody else was faster. */
async function renew(former: Row, tx: EntityManager): Promise<Row> {
  const { rows } =
    await sql<Row>`update webhook_delivery set state = 'pending', next_attempt_at = now(), job_id = gen_random_uuid()
    where developer_id = ${former.developer_id} and id = ${former.id} and job_id = ${former.job_id} returning ${columns}`.execute(
      tx.getKysely(),
    );
  if (!rows[0]) throw new AppError('CONFLICT');
  return rows[0];
}

/** A delivery whose reference says that it is a test, and no order has it. */
async function makeTest({ developerId, id }: EndpointRow, tx: EntityManager): Promise<Row> {
  const testId = newId();
  const reference = `test-${referenceOf(testId)}`;
  const { rows } =
    await sql<Row>`select ${columns} from webhook_test(${developerId}, ${id}, ${testId}, ${reference})`.execute(
      tx.getKysely(),
    );
  return rows[0]!;
}

const subjectOf = ({ developerId, environment, id }: EndpointRow): string =>
  `developer:${developerId}/${environment}/webhook:${id}`;
