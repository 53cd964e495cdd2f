import { sql } from 'kysely';
import { firstIdAt } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';

/** Consecutive attempts without a response before an endpoint is paused. Each of them occupies a slot for 15 seconds. */
const PAUSE_AFTER = 5;
const PAUSE_S = 30;
const PAUSE_MAX_S = 15 * 60;
/** Time limit of the attempt that probes a paused endpoint. */
export const PROBE_S = 20;

export interface EndpointKey {
  developerId: DeveloperId;
  endpointId: string;
}

/** Resets the failure counters after a 2xx response. Writes nothing if there were no failures. */
export async function recordSuccess({ developerId, endpointId }: EndpointKey, tx: EntityManager): Promise<void> {
  await sql`update webhook_endpoint set failing_since = null, unanswered = 0, paused_until = null
    where developer_id = ${developerId} and id = ${endpointId} and failing_since is not null`.execute(tx.getKysely());
}

/**
 * Records a failed attempt. After the fifth consecutive attempt without a response, the endpoint is paused for 30 seconds; the
 * pause doubles each time, up to 15 minutes. Returns how long all deliveries to the endpoint have been failing, or undefined
 * if it is disabled or deleted.
 */
export async function recordFailure(
  { developerId, endpointId }: EndpointKey,
  hasResponse: boolean,
  tx: EntityManager,
): Promise<{ failingForMs: number } | undefined> {
  const { rows } = await sql<{ failing_for_ms: number }>`
    update webhook_endpoint set failing_since = coalesce(failing_since, now()),
      unanswered = case when ${hasResponse} then 0 else unanswered + 1 end,
      paused_until = case when not ${hasResponse} and unanswered + 1 >= ${PAUSE_AFTER}::integer
        then now() + least(${PAUSE_S} * power(2, least(unanswered + 1 - ${PAUSE_AFTER}::integer, 10)), ${PAUSE_MAX_S}) * interval '1 s' end
    where developer_id = ${developerId} and id = ${endpointId} and disabled_at is null
    returning (extract(epoch from now() - failing_since) * 1000)::float8 as failing_for_ms`.execute(tx.getKysely());
  return rows[0] && { failingForMs: rows[0].failing_for_ms };
}

/** Whether this attempt can probe an endpoint whose pause has ended. Other deliveries wait for the result. */
export async function claimProbe({ developerId, endpointId }: EndpointKey, db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ id: string }>({
    name: 'webhook-probe',
    text: `update webhook_endpoint set paused_until = now() + ${PROBE_S} * interval '1 s'
      where developer_id = $1 and id = $2 and paused_until <= now() returning id`,
    values: [developerId, endpointId],
  });
  return rows.length > 0;
}

/** Ends the pause because a user requested a delivery. The next attempt probes the endpoint. */
export async function endPause({ developerId, endpointId }: EndpointKey, tx: EntityManager): Promise<void> {
  await sql`update webhook_endpoint set paused_until = now()
    where developer_id = ${developerId} and id = ${endpointId} and paused_until > now()`.execute(tx.getKysely());
}

/** Deliveries to an endpoint in the last 24 hours, excluding tests. */
export interface RecentDeliveries {
  delivered: number;
  /** Number of failed attempts, including those of events that were delivered later. */
  failedAttempts: number;
  /** Number of failed deliveries (retries exhausted). */
  failedDeliveries: number;
  /** 95th percentile of the attempt latency in milliseconds. Null if there were no attempts. */
  p95Ms: number | null;
}

const DAY_MS = 24 * 3_600_000;
/** Maximum number of deliveries counted per endpoint, so that the page loads quickly. */
const MAX_COUNTED = 5_000;

/** Returns the statistics of each endpoint, in the order of the keys. One statement reads them from the log of each endpoint. */
export async function recentDeliveries(keys: readonly EndpointKey[], db: Queryable): Promise<RecentDeliveries[]> {
  const { rows } = await db.query<RecentDeliveries>({
    name: 'webhook-health',
    text: `select h.* from unnest($1::uuid[], $2::uuid[]) with ordinality k(owner, endpoint, n)
      cross join lateral (
        with recent as materialized (
          select x.state, x.attempts from webhook_delivery x
          where x.developer_id = k.owner and x.endpoint_id = k.endpoint and x.id >= $3::uuid and x.operation <> 'test'
          order by x.id desc limit ${MAX_COUNTED}),
        tried as (
          select (t ->> 'durationMs')::integer as ms, t ->> 'error' is not null as has_failed
          from recent, jsonb_array_elements(recent.attempts) t)
        select (select count(*)::integer from recent where state = 'delivered') as delivered,
          (select count(*)::integer from tried where has_failed) as "failedAttempts",
          (select count(*)::integer from recent where state = 'failed') as "failedDeliveries",
          (select percentile_disc(0.95) within group (order by ms) from tried) as "p95Ms") h
      order by k.n`,
    values: [
      keys.map(({ developerId }) => developerId),
      keys.map(({ endpointId }) => endpointId),
      firstIdAt(new Date(Date.now() - DAY_MS)),
    ],
  });
  return rows;
}
