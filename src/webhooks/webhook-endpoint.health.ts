import { sql } from 'kysely';
import { firstIdAt } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';

/** Attempts in a row without an answer before an endpoint is paused: each of them keeps a place for 15 seconds. */
const PAUSE_AFTER = 5;
const PAUSE_S = 30;
const PAUSE_MAX_S = 15 * 60;
/** An attempt that finds out whether a paused endpoint answers again ends within this. */
export const PROBE_S = 20;

export interface EndpointKey {
  developerId: DeveloperId;
  endpointId: string;
}

/** A 2xx: whatever was counted against the endpoint is forgotten. Writes nothing where nothing was. */
export async function recordSuccess({ developerId, endpointId }: EndpointKey, tx: EntityManager): Promise<void> {
  await sql`update webhook_endpoint set failing_since = null, unanswered = 0, paused_until = null
    where developer_id = ${developerId} and id = ${endpointId} and failing_since is not null`.execute(tx.getKysely());
}

/**
 * An attempt failed. From the fifth in a row without an answer on, the endpoint is paused: half a minute, doubled each time, at
 * most a quarter of an hour. Returns since when nothing was delivered to it; undefined when it is disabled or gone.
 */
export async function recordFailure(
  { developerId, endpointId }: EndpointKey,
  answered: boolean,
  tx: EntityManager,
): Promise<{ failingForMs: number } | undefined> {
  const { rows } = await sql<{ failing_for_ms: number }>`
    update webhook_endpoint set failing_since = coalesce(failing_since, now()),
      unanswered = case when ${answered} then 0 else unanswered + 1 end,
      paused_until = case when not ${answered} and unanswered + 1 >= ${PAUSE_AFTER}::integer
        then now() + least(${PAUSE_S} * power(2, least(unanswered + 1 - ${PAUSE_AFTER}::integer, 10)), ${PAUSE_MAX_S}) * interval '1 s' end
    where developer_id = ${developerId} and id = ${endpointId} and disabled_at is null
    returning (extract(epoch from now() - failing_since) * 1000)::float8 as failing_for_ms`.execute(tx.getKysely());
  return rows[0] && { failingForMs: rows[0].failing_for_ms };
}

/** Whether this attempt is the one that may try an endpoint whose pause has ended; the others wait for what becomes of it. */
export async function claimProbe({ developerId, endpointId }: EndpointKey, db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ id: string }>({
    name: 'webhook-probe',
    text: `update webhook_endpoint set paused_until = now() + ${PROBE_S} * interval '1 s'
      where developer_id = $1 and id = $2 and paused_until <= now() returning id`,
    values: [developerId, endpointId],
  });
  return rows.length > 0;
}

/** A person wants it tried now: the pause ends, the next attempt is the one that finds out. */
export async function endPause({ developerId, endpointId }: EndpointKey, tx: EntityManager): Promise<void> {
  await sql`update webhook_endpoint set paused_until = now()
    where developer_id = ${developerId} and id = ${endpointId} and paused_until > now()`.execute(tx.getKysely());
}

/** What was posted to an endpoint in the last 24 hours, tests left out. */
export interface RecentDeliveries {
  delivered: number;
  /** Attempts that failed, whatever became of their events. */
  failedAttempts: number;
  /** Events that were given up. */
  failedDeliveries: number;
  /** 95 of 100 attempts took no longer; null without any. */
  p95Ms: number | null;
}

const DAY_MS = 24 * 3_600_000;
/** The newest deliveries of an endpoint that are counted: more would make a page wait. */
const MOST_COUNTED = 5_000;

/** Of each endpoint, in the order of the keys, with one statement along the log of each. */
export async function recentDeliveries(keys: readonly EndpointKey[], db: Queryable): Promise<RecentDeliveries[]> {
  const { rows } = await db.query<RecentDeliveries>({
    name: 'webhook-health',
    text: `select h.* from unnest($1::uuid[], $2::uuid[]) with ordinality k(owner, endpoint, n)
      cross join lateral (
        with recent as materialized (
          select x.state, x.attempts from webhook_delivery x
          where x.developer_id = k.owner and x.endpoint_id = k.endpoint and x.id >= $3::uuid and x.operation <> 'test'
          order by x.id desc limit ${MOST_COUNTED}),
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
