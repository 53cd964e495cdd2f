import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { isWaiting } from '../accounts/newcomers.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import { isUuid, newId, referenceOf } from '../core/ids.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { EndpointRow } from './webhook-endpoint.entity.js';
import { endPause } from './webhook-endpoint.health.js';
import { lockEndpoint, type Owner } from './webhook-endpoint.store.js';
import { eventTypeOf, retriesOf } from './webhook-event.js';
import type { WebhookJobs } from './webhook-jobs.js';
import { COLUMNS, type LoggedDelivery, type LoggedRow, logged, TEST } from './webhook-log.service.js';

const columns = sql.raw(COLUMNS);

/** A person's wish to have an event once more, or a test. */
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
   * Tries a delivery anew, now and with all its retries, whatever became of it; the message keeps its id.
   * Errors: RECORD_NOT_FOUND, also for another developer's or environment's; CONFLICT when its endpoint is disabled.
   */
  redeliver(id: string, owner: Owner, by: Actor): Promise<LoggedDelivery> {
    return inTransaction(this.#orm, async (tx) => {
      await this.jobs.start();
      const former = await deliveryById(id, owner, tx);
      // locks job, endpoint, delivery, in this order, as the courier does
      await this.jobs.remove(former.jobId, id, tx);
      const endpoint = await this.#enabled(former.endpointId, owner, tx);
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
   * against the endpoint. Errors: RECORD_NOT_FOUND, also for another developer's; CONFLICT when the endpoint is disabled or has not started.
   */
  sendTest(endpointId: string, owner: Owner, by: Actor): Promise<LoggedDelivery> {
    return inTransaction(this.#orm, async (tx) => {
      await this.jobs.start();
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
    if (await isWaiting(endpoint, tx))
      throw new AppError('CONFLICT', { message: 'The endpoint has not started. Wait until its start time.' });
    return endpoint;
  }

  /** To be tried now, even where the endpoint is paused. */
  async #queue(row: LoggedRow, { id: endpointId, environment }: EndpointRow, tx: EntityManager): Promise<void> {
    const { id: deliveryId, developerId, jobId } = row;
    await endPause({ developerId, endpointId }, tx);
    await this.jobs.add([{ developerId, deliveryId, environment, jobId, retries: retriesOf(row) }], tx);
  }
}

async function deliveryById(id: string, owner: Owner, tx: EntityManager): Promise<LoggedRow> {
  const { rows } = await sql<LoggedRow>`select ${columns} from webhook_delivery
    where id = ${isUuid(id) ? id : null}::uuid and developer_id = coalesce(${owner?.developerId ?? null}, developer_id)
      and environment = coalesce(${owner?.environment ?? null}, environment)`.execute(tx.getKysely());
  if (!rows[0]) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such delivery.' });
  return rows[0];
}

/** Due now, under a new job. Errors: CONFLICT when somebody else was faster. */
async function renew(former: LoggedRow, tx: EntityManager): Promise<LoggedRow> {
  const { rows } =
    await sql<LoggedRow>`update webhook_delivery set state = 'pending', next_attempt_at = now(), job_id = gen_random_uuid()
    where developer_id = ${former.developerId} and id = ${former.id} and job_id = ${former.jobId} returning ${columns}`.execute(
      tx.getKysely(),
    );
  if (!rows[0]) throw new AppError('CONFLICT');
  return rows[0];
}

/** A delivery whose reference says that it is a test, and no order has it. */
async function makeTest({ developerId, id }: EndpointRow, tx: EntityManager): Promise<LoggedRow> {
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
