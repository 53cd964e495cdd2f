import type { Config } from '../config.js';
import type { Logger } from '../core/log.js';
import type { Channel } from './channel.js';
import { locks } from './locks.js';
import type { Queryable } from './pool.js';

/** Number of available connections to PostgreSQL, and the maximum that the running processes can use. */
export interface ConnectionBudget {
  available: number;
  claimed: number;
  processes: number;
}

const BUDGET = `select
  current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
    - coalesce(current_setting('reserved_connections', true), '0')::integer as available, c.*
  from ${locks.claims()} c`;

/**
 * Returns the maximum number of connections of a process: its pools and the notification connection. Behind a pooler, the pools
 * do not count.
 */
export function connectionsOf({
  databaseUrl,
  databaseListenUrl,
  databasePoolSize,
  consolePoolSize,
  hosts,
}: Config): number {
  if (databaseListenUrl !== databaseUrl) return 1;
  return databasePoolSize + (hosts.has('console') ? consolePoolSize : 0) + 1;
}

export async function connectionBudget(db: Queryable): Promise<ConnectionBudget> {
  const { rows } = await db.query<ConnectionBudget>({ text: BUDGET });
  return rows[0]!;
}

/**
 * Announces the maximum number of connections of this process to the other processes while it runs. Warns if the total exceeds
 * the limit.
 */
export function claimConnections(channel: Channel, own: number, log: Logger): void {
  channel.onConnect(async () => {
    await channel.query({ text: `select ${locks.claim(own)}` });
    const [budget] = await channel.query<ConnectionBudget & Record<string, number>>({ text: BUDGET });
    const { available, claimed, processes } = budget!;
    if (own > available)
      log.warn(
        { own, available },
        'the connections of this process exceed the limit of PostgreSQL, lower DATABASE_POOL_SIZE',
      );
    else if (claimed > available)
      log.warn(
        { own, available, claimed, processes },
        'the connections of all processes exceed the limit of PostgreSQL',
      );
  });
}
