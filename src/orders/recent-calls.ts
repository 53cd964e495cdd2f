import type { Environment } from '../core/environment.js';
import type { Queryable } from '../db/pool.js';

/** How the newest calls of a provider went. */
export interface RecentCalls {
  environment: Environment;
  provider: string;
  /** Of those that are decided; null when none is. */
  successRate: number | null;
  /** From placing to outcome; null when none is decided. */
  p95Ms: number | null;
}

/** Backwards along the index of ids, which begin with their time: however many orders there are, it reads so many. */
const RECENT = `
  select environment, provider, avg((state = 'success' and reversed_at is null)::integer)::float8 as "successRate",
    round(percentile_disc(0.95) within group (order by extract(epoch from settled_at - created_at) * 1000))::integer as "p95Ms"
  from (select o.environment, o.provider, o.state, o.reversed_at, o.settled_at, o.created_at from orders o
    where o.id > (select uuidv7(interval '-1 hour')) order by o.id desc limit 10000) recent
  where settled_at is not null group by environment, provider`;

/** The newest calls that were charged for, of the last hour, by provider; those without any are left out. */
export async function recentCalls(db: Queryable): Promise<RecentCalls[]> {
  const { rows } = await db.query<RecentCalls>({ name: 'recent-calls', text: RECENT });
  return rows;
}
