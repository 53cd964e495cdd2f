import type { Environment } from '../core/environment.js';
import type { Queryable } from '../db/pool.js';

/** How the newest calls of a provider went. */
export interface RecentCalls {
  environment: Environment;
  provider: string;
  /** Of those that the provider decided; null when there is none. */
  successRate: number | null;
  /** From placing to outcome, of the same. */
  p95Ms: number | null;
}

/**
 * Whether a person can have decided it: it was unknown, or is not what an answer made it. Only then the events are looked at, and
 * what a person decided is left out: it says nothing of the provider.
 */
const BY_PERSON = `left join lateral (select true as yes from order_event e
    where (o.unknown_since is not null or o.reversed_at is not null or (o.state = 'success' and o.decline_reason is not null))
      and e.developer_id = o.developer_id and e.order_id = o.id and e.kind = 'resolution' limit 1) person on true`;

/** Backwards along the index of ids, which begin with their time: however many orders there are, it reads so many. */
const RECENT = `
  select environment, provider, avg((state = 'success' and reversed_at is null)::integer)::float8 as "successRate",
    round(percentile_disc(0.95) within group (order by extract(epoch from settled_at - created_at) * 1000))::integer as "p95Ms"
  from (select * from orders o where o.id > (select uuidv7(interval '-1 hour')) order by o.id desc limit 10000) o ${BY_PERSON}
  where settled_at is not null and person.yes is null group by environment, provider`;

/** The newest calls that were charged for, of the last hour, by provider; those without any are left out. */
export async function recentCalls(db: Queryable): Promise<RecentCalls[]> {
  const { rows } = await db.query<RecentCalls>({ name: 'recent-calls', text: RECENT });
  return rows;
}
