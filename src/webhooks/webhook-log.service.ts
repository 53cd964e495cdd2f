import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { instantOrNull } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { firstIdAt, idOfReference, isUuid, newId, referenceOf, UUID } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { Queryable, RowOf } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, type Slice, sliceOf } from '../graphql-toolkit/connection.js';
import type { OrderStore } from '../orders/order.store.js';
import {
  type DeliveryState,
  EVENT_COLUMNS,
  type EventRow,
  eventOf,
  ORDER_OF_DELIVERY,
  type WebhookError,
} from './webhook-delivery.store.js';
import type { EndpointRow } from './webhook-endpoint.entity.js';
import { endPause } from './webhook-endpoint.health.js';
import { lockEndpoint, type Owner } from './webhook-endpoint.store.js';
import { bodyOf, eventTypeOf, retriesOf, type WebhookEvent, type WebhookEventType } from './webhook-event.js';
import type { WebhookJobs } from './webhook-jobs.js';

/** One line of the delivery log: codes and times. */
export interface LoggedDelivery {
  id: string;
  developerId: DeveloperId;
  endpointId: string;
  /** Null of a test. */
  orderId: string | null;
  type: WebhookEventType;
  apiRequestId: string;
  occurredAt: Date;
  state: DeliveryState;
  attempts: number;
  lastAttemptAt: Date | null;
  nextAttemptAt: Date | null;
  httpStatus: number | null;
  error: WebhookError | null;
  /** Oldest first. */
  tries: Try[];
}

export interface Try {
  at: Date;
  httpStatus: number | null;
  error: WebhookError | null;
  durationMs: number;
}

/** Which deliveries: those that fit everything that is given. */
export interface DeliverySelection {
  /** Left out: of all accounts, which only what is dead has an index for. */
  developerId?: DeveloperId;
  environment?: Environment | undefined;
  endpointId?: string | undefined;
  state?: readonly DeliveryState[] | undefined;
  type?: readonly WebhookEventType[] | undefined;
  apiRequestId?: string | undefined;
  /** When they were recorded. */
  from?: Date | undefined;
  to?: Date | undefined;
}

interface Row
  extends Omit<RowOf<LoggedDelivery>, 'type' | 'apiRequestId' | 'tries'>,
    Pick<WebhookEvent, 'operation' | 'event'> {
  orderId: string;
  reference: string;
  tries: RowOf<Try>[];
  jobId: string;
}

const COLUMNS = `id, developer_id as "developerId", endpoint_id as "endpointId", order_id as "orderId", reference, operation, event, occurred_at as "occurredAt",
  state, attempts, last_attempt_at as "lastAttemptAt", next_attempt_at as "nextAttemptAt", http_status as "httpStatus", error, tries, job_id as "jobId"`;
const columns = sql.raw(COLUMNS);
/** What names a test begins so. */
const TEST = 'test-';
/** Five endpoints, and as many outcomes as people ever give an order. */
export const DELIVERIES_OF_ORDER = 100;

const logged = ({ operation, event, reference, jobId: _, ...row }: Row): LoggedDelivery => ({
  ...row,
  orderId: operation === 'test' ? null : row.orderId,
  type: eventTypeOf({ operation, event }),
  apiRequestId: reference,
  occurredAt: new Date(row.occurredAt),
  lastAttemptAt: instantOrNull(row.lastAttemptAt),
  nextAttemptAt: instantOrNull(row.nextAttemptAt),
  tries: row.tries.map(({ at, ...attempt }) => ({ at: new Date(at), ...attempt })),
});

/** The delivery log, and a person's wish to have an event once more, or a test. */
export class WebhookLogService {
  readonly #orm: MikroORM;
  readonly #db: Queryable;
  readonly #audit: AuditService;
  readonly #orders: OrderStore;

  constructor(
    parts: { orm: MikroORM; db: Queryable; audit: AuditService; orders: OrderStore },
    private readonly jobs: WebhookJobs,
  ) {
    this.#orm = parts.orm;
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#orders = parts.orders;
  }

  /** Newest first. Errors: VALIDATION_FAILED for a page size or cursor that is none. */
  async page(selection: DeliverySelection, request: PageRequest): Promise<Page<LoggedDelivery>> {
    const slice = sliceOf('deliveries', request, UUID);
    const byEndpoint = isOfEndpoints(selection);
    const { environment, ...beside } = selection;
    const { values, conditions } = conditionsOf(byEndpoint ? beside : selection, slice);
    const direction = slice.backwards ? 'asc' : 'desc';
    const end = `webhook_delivery.id ${direction} limit ${slice.size + 1}`;
    const order = [
      ...(selection.developerId ? [`developer_id ${direction}`] : []),
      ...(selection.endpointId || byEndpoint ? [`endpoint_id ${direction}`] : []),
      end,
    ].join(', ');
    const page = (columnsOf: string, where: readonly string[]): string =>
      `select ${columnsOf} from webhook_delivery where ${where.join(' and ')} order by ${order}`;
    const text = byEndpoint
      ? `select ${COLUMNS} from (select id as endpoint from webhook_endpoint where developer_id = $1 and environment = $${values.push(environment)}) e
          cross join lateral (${page('*', [...conditions, 'endpoint_id = e.endpoint'])}) webhook_delivery order by ${end}`
      : page(COLUMNS, conditions);
    const { rows } = await this.#db.query<Row>({ text, values });
    return pageOf(rows, slice, (row) => row.id, logged);
  }

  /** What each of these deliveries says, in the order of the keys; undefined where there is none. */
  async bodies(keys: readonly Pick<LoggedDelivery, 'developerId' | 'id'>[]): Promise<(string | undefined)[]> {
    const { rows } = await this.#db.query<EventRow & { id: string }>({
      name: 'webhook-bodies',
      text: `select d.id, ${EVENT_COLUMNS} from unnest($1::uuid[], $2::uuid[]) k(owner, delivery)
        join webhook_delivery d on d.developer_id = k.owner and d.id = k.delivery ${ORDER_OF_DELIVERY}`,
      values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
    });
    const found = new Map(rows.map((row) => [row.id, bodyOf(eventOf(row, this.#orders))]));
    return keys.map(({ id }) => found.get(id));
  }

  /** What was posted about each order, in the order of the keys and oldest first; of one that went to and fro for years not all. */
  async ofOrders(keys: readonly { developerId: DeveloperId; id: string }[]): Promise<LoggedDelivery[][]> {
    const { rows } = await this.#db.query<Row & { n: number }>({
      name: 'webhook-log-of-orders',
      text: `select k.n::integer, d.* from unnest($1::uuid[], $2::uuid[]) with ordinality k(owner, subject, n)
        cross join lateral (
          select ${COLUMNS} from webhook_delivery w where w.developer_id = k.owner and w.order_id = k.subject
          order by w.id limit ${DELIVERIES_OF_ORDER}) d
        order by k.n, d.id`,
      values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
    });
    const byKey = Map.groupBy(rows, ({ n }) => n);
    return keys.map((_key, index) => (byKey.get(index + 1) ?? []).map(logged));
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
   * against the endpoint. Errors: RECORD_NOT_FOUND, also for another developer's; CONFLICT when the endpoint is disabled.
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
    return endpoint;
  }

  /** To be tried now, even where the endpoint is paused. */
  async #queue(row: Row, { id: endpointId, environment }: EndpointRow, tx: EntityManager): Promise<void> {
    const { id: deliveryId, developerId, jobId } = row;
    await endPause({ developerId, endpointId }, tx);
    await this.jobs.add([{ developerId, deliveryId, environment, jobId, retries: retriesOf(row) }], tx);
  }
}

/** A page of all that an account has in an environment is put together from its endpoints, each of which has an index of its own. */
const isOfEndpoints = ({
  developerId,
  environment,
  endpointId,
  state,
  type,
  apiRequestId,
}: DeliverySelection): boolean =>
  developerId !== undefined &&
  environment !== undefined &&
  !endpointId &&
  !state &&
  !type &&
  apiRequestId === undefined;

/** The conditions of a page. Ids begin with their time, so that a range of time is one of the index. */
function conditionsOf(
  { developerId, environment, endpointId, state, type, apiRequestId, from, to }: DeliverySelection,
  { after, before }: Slice,
): { values: unknown[]; conditions: string[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const add = (value: unknown, condition: (parameter: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  // "any" keeps the planner to the indexes of developers: along that of ids alone it would read everybody's
  add(developerId, (id) => `developer_id = any(array[${id}::uuid])`);
  add(environment, (name) => `environment = ${name}`);
  add(endpointId, (id) => `endpoint_id = ${id}`);
  add(after, (id) => `id < ${id}::uuid`);
  add(before, (id) => `id > ${id}::uuid`);
  add(from && firstIdAt(from), (id) => `id >= ${id}::uuid`);
  add(to && firstIdAt(to), (id) => `id < ${id}::uuid`);
  // what was given up has an index of its own, and what did not arrive another one; the planner would multiply what says the same twice
  if (state?.every((word) => word === 'dead')) conditions.push(`state = 'dead'`);
  else {
    add(state, (words) => `state = any(${words})`);
    if (state && !state.includes('delivered')) conditions.push(`state <> 'delivered'`);
  }
  add(type, (words) => `operation || '.' || event = any(${words})`);
  if (apiRequestId?.startsWith(TEST))
    add(idOfReference(apiRequestId.slice(TEST.length)) ?? null, (id) => `order_id = ${id}`);
  else
    add(
      apiRequestId,
      (text) => `order_id = any(array(select r.order_id from order_reference r where r.reference = ${text}))`,
    );
  return { values, conditions };
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
    where developer_id = ${former.developerId} and id = ${former.id} and job_id = ${former.jobId} returning ${columns}`.execute(
      tx.getKysely(),
    );
  if (!rows[0]) throw new AppError('CONFLICT');
  return rows[0];
}

/** A delivery whose reference says that it is a test, and no order has it. */
async function makeTest({ developerId, id }: EndpointRow, tx: EntityManager): Promise<Row> {
  const testId = newId();
  const reference = TEST + referenceOf(testId);
  const { rows } =
    await sql<Row>`select ${columns} from webhook_test(${developerId}, ${id}, ${testId}, ${reference})`.execute(
      tx.getKysely(),
    );
  return rows[0]!;
}

const subjectOf = ({ developerId, environment, id }: EndpointRow): string =>
  `developer:${developerId}/${environment}/webhook:${id}`;
