import { instantOrNull } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { firstIdAt, idOfReference, UUID } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
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
import { bodyOf, eventTypeOf, type WebhookEvent, type WebhookEventType } from './webhook-event.js';

/** Entry of the delivery log. It contains only codes and times. */
export interface LoggedDelivery {
  id: string;
  developerId: DeveloperId;
  endpointId: string;
  /** ID of the order. Null for a test message. */
  orderId: string | null;
  type: WebhookEventType;
  apiRequestId: string;
  occurredAt: Date;
  state: DeliveryState;
  attemptCount: number;
  lastAttemptAt: Date | null;
  nextAttemptAt: Date | null;
  httpStatus: number | null;
  error: WebhookError | null;
  /** Attempts of the delivery, oldest first. */
  attempts: Attempt[];
}

export interface Attempt {
  at: Date;
  httpStatus: number | null;
  error: WebhookError | null;
  durationMs: number;
}

/** Filters for deliveries. A delivery must match all given fields. */
export interface DeliverySelection {
  /** Account of the deliveries. Omitted for all accounts, for which only failed deliveries have an index. */
  developerId?: DeveloperId;
  environment?: Environment | undefined;
  endpointId?: string | undefined;
  state?: readonly DeliveryState[] | undefined;
  type?: readonly WebhookEventType[] | undefined;
  apiRequestId?: string | undefined;
  /** Start and end of the range of recording times. */
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface LoggedRow
  extends Omit<RowOf<LoggedDelivery>, 'type' | 'apiRequestId' | 'attempts'>,
    Pick<WebhookEvent, 'operation' | 'event'> {
  orderId: string;
  reference: string;
  attempts: RowOf<Attempt>[];
  jobId: string;
}

/** Columns of a `LoggedRow`. */
export const COLUMNS = `id, developer_id as "developerId", endpoint_id as "endpointId", order_id as "orderId", reference, operation, event, occurred_at as "occurredAt",
  state, attempt_count as "attemptCount", last_attempt_at as "lastAttemptAt", next_attempt_at as "nextAttemptAt", http_status as "httpStatus", error, attempts, job_id as "jobId"`;
/** Prefix of the reference of a test message. */
export const TEST = 'test-';
/** Maximum number of deliveries returned per order. It is sufficient for five endpoints and the maximum number of outcomes. */
export const DELIVERIES_OF_ORDER = 100;

export const loggedDelivery = ({ operation, event, reference, jobId: _, ...row }: LoggedRow): LoggedDelivery => ({
  ...row,
  orderId: operation === 'test' ? null : row.orderId,
  type: eventTypeOf({ operation, event }),
  apiRequestId: reference,
  occurredAt: new Date(row.occurredAt),
  lastAttemptAt: instantOrNull(row.lastAttemptAt),
  nextAttemptAt: instantOrNull(row.nextAttemptAt),
  attempts: row.attempts.map(({ at, ...attempt }) => ({ at: new Date(at), ...attempt })),
});

export class WebhookLogService {
  constructor(
    private readonly db: Queryable,
    private readonly orders: OrderStore,
  ) {}

  /** Returns a page of the log, newest first. Throws VALIDATION_FAILED for an invalid page size or cursor. */
  async page(selection: DeliverySelection, request: PageRequest): Promise<Page<LoggedDelivery>> {
    const slice = sliceOf('deliveries', request, UUID);
    const byEndpoint = isOfEndpoints(selection);
    const { environment, ...others } = selection;
    const { values, conditions } = conditionsOf(byEndpoint ? others : selection, slice);
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
    const { rows } = await this.db.query<LoggedRow>({ text, values });
    return pageOf(rows, slice, (row) => row.id, loggedDelivery);
  }

  /** Returns the message bodies of deliveries, in the order of the keys. Undefined for a delivery that does not exist. */
  async bodies(keys: readonly Pick<LoggedDelivery, 'developerId' | 'id'>[]): Promise<(string | undefined)[]> {
    const { rows } = await this.db.query<EventRow & { id: string }>({
      name: 'webhook-bodies',
      text: `select d.id, ${EVENT_COLUMNS} from unnest($1::uuid[], $2::uuid[]) k(owner, delivery)
        join webhook_delivery d on d.developer_id = k.owner and d.id = k.delivery ${ORDER_OF_DELIVERY}`,
      values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
    });
    const found = new Map(rows.map((row) => [row.id, bodyOf(eventOf(row, this.orders))]));
    return keys.map(({ id }) => found.get(id));
  }

  /** Returns the deliveries of each order, in the order of the keys, oldest first, at most DELIVERIES_OF_ORDER. */
  async ofOrders(keys: readonly { developerId: DeveloperId; id: string }[]): Promise<LoggedDelivery[][]> {
    const { rows } = await this.db.query<LoggedRow & { n: number }>({
      name: 'webhook-log-of-orders',
      text: `select k.n::integer, d.* from unnest($1::uuid[], $2::uuid[]) with ordinality k(owner, subject, n)
        cross join lateral (
          select ${COLUMNS} from webhook_delivery w where w.developer_id = k.owner and w.order_id = k.subject
          order by w.id limit ${DELIVERIES_OF_ORDER}) d
        order by k.n, d.id`,
      values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
    });
    const byKey = Map.groupBy(rows, ({ n }) => n);
    return keys.map((_key, index) => (byKey.get(index + 1) ?? []).map(loggedDelivery));
  }
}

/** Whether a page is merged from the endpoints of an account in one environment. Each endpoint has its own index range. */
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

/** Returns the conditions of a page. IDs start with their time, so a time range becomes an index range. */
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
  // "any" makes the planner use the developer indexes. With the ID index, it would read the deliveries of all developers.
  add(developerId, (id) => `developer_id = any(array[${id}::uuid])`);
  add(environment, (name) => `environment = ${name}`);
  add(endpointId, (id) => `endpoint_id = ${id}`);
  add(after, (id) => `id < ${id}::uuid`);
  add(before, (id) => `id > ${id}::uuid`);
  add(from && firstIdAt(from), (id) => `id >= ${id}::uuid`);
  add(to && firstIdAt(to), (id) => `id < ${id}::uuid`);
  // failed and undelivered deliveries each have an index; a redundant condition would make the planner underestimate the number
  // of rows
  if (state?.every((word) => word === 'failed')) conditions.push(`state = 'failed'`);
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
