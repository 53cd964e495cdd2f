import type { Config } from '../config.js';
import type { Logger } from '../core/log.js';
import type { Channel } from './channel.js';
import { locks } from './locks.js';
import type { Queryable } from './pool.js';

/** Connections to PostgreSQL: how many there may be, and how many the processes that live now would use at most. */
export interface ConnectionBudget {
  available: number;
  claimed: number;
  processes: number;
}

const BUDGET = `select
  current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
    - coalesce(current_setting('reserved_connections', true), '0')::integer as available, c.*
  from ${locks.claims()} c`;

/** What a process uses at most: its pools, and the connection beside them. Behind a pooler the pools are the pooler's business. */
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

/** Announces to the other processes how many connections this one may use, as long as it lives; warns when those of all do not fit. */
export function claimConnections(channel: Channel, own: number, log: Logger): void {
  channel.onConnect(async () => {
    await channel.query({ text: `select ${locks.claim(own)}` });
    const [budget] = await channel.query<ConnectionBudget & Record<string, number>>({ text: BUDGET });
    const { available, claimed, processes } = budget!;
    if (own > available)
      log.warn({ own, available }, 'the connections of this process alone do not fit: lower DATABASE_POOL_SIZE');
    else if (claimed > available)
      log.warn({ own, available, claimed, processes }, 'the connections of all processes do not fit together');
  });
}
