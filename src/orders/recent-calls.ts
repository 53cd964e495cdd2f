import type { Environment } from '../core/environment.js';
import type { Queryable } from '../db/pool.js';

/** Results of the latest calls to a provider. */
export interface RecentCalls {
  environment: Environment;
  provider: string;
  /** Success rate of the calls that the provider resolved. Null if there were none. */
  successRate: number | null;
  /** 95th percentile of the time from placing to outcome for the same calls, in milliseconds. */
  p95Ms: number | null;
}

/**
 * SQL that finds orders that staff may have resolved, because the outcome was unknown or differs from the response. Events are
 * read only for these orders. Orders resolved by staff are excluded, because they do not reflect the provider.
 */
const BY_PERSON = `left join lateral (select true as yes from order_event e
    where (o.unknown_since is not null or o.reversed_at is not null or (o.state = 'success' and o.decline_reason is not null))
      and e.developer_id = o.developer_id and e.order_id = o.id and e.kind = 'resolution' limit 1) person on true`;

/** SQL that scans backwards along the index of IDs, which start with the creation time. It reads at most 10,000 orders. */
const RECENT = `
  select environment, provider, avg((state = 'success' and reversed_at is null)::integer)::float8 as "successRate",
    round(percentile_disc(0.95) within group (order by extract(epoch from settled_at - created_at) * 1000))::integer as "p95Ms"
  from (select * from orders o where o.id > (select uuidv7(interval '-1 hour')) order by o.id desc limit 10000) o ${BY_PERSON}
  where settled_at is not null and person.yes is null group by environment, provider`;

/** Returns the charged calls of the last hour by provider. Providers without calls are omitted. */
export async function recentCalls(db: Queryable): Promise<RecentCalls[]> {
  const { rows } = await db.query<RecentCalls>({ name: 'recent-calls', text: RECENT });
  return rows;
}
