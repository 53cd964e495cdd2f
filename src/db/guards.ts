import type pg from 'pg';
import { CannotServe } from './database-errors.js';

/** Role of all queries of the application. The connecting user must be a member of the role. */
export const APPLICATION_ROLE = 'gateway_app';

/** Timeouts, so that a stuck statement or an open transaction cannot keep a wallet locked. */
export const LIMITS_MS = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

type Limit = keyof typeof LIMITS_MS;

const limits = Object.entries(LIMITS_MS) as [Limit, number][];

/**
 * Timeouts of migrations. A migration can take hours but waits only briefly for a lock, because all later transactions queue
 * behind a transaction that waits for an exclusive lock of a table.
 */
export const MIGRATION_LIMITS_MS = {
  statement_timeout: 0,
  lock_timeout: 1_000,
  idle_in_transaction_session_timeout: 0,
  idle_session_timeout: 0,
} as const;

/** Returns the startup options of a connection. */
export const startupOptions = (role: string | undefined, limitsMs: Readonly<Record<string, number>>): string =>
  [
    ...(role === undefined ? [] : [`role=${role}`]),
    ...Object.entries(limitsMs).map((limit) => limit.join('=')),
    'timezone=UTC',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ');

/** Time after which a new connection that does not respond is closed. */
const RESPONSE_LIMIT_MS = 5_000;

const IN_FORCE = {
  text: `select current_user::text as role, current_setting('timezone') as timezone, ${limits
    .map(([name]) => `(extract(epoch from current_setting('${name}')::interval) * 1000)::float8 as ${name}`)
    .join(', ')}`,
  query_timeout: RESPONSE_LIMIT_MS,
};

type InForce = { role: string; timezone: string } & Record<Limit, number>;

/**
 * Checks that a new connection has the role and the timeouts, because a pooler can drop startup options. Shorter timeouts are
 * accepted. Throws CannotServe and the errors of the connection.
 */
export async function requireGuards(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<InForce>(IN_FORCE);
  const { role, timezone, ...limitsMs } = rows[0]!;
  const wrong = [
    ...(role === APPLICATION_ROLE ? [] : [`the role is ${role}`]),
    ...limits.flatMap(([name, max]) => {
      const ms = limitsMs[name];
      return ms > 0 && ms <= max ? [] : [`${name} is ${ms === 0 ? 'off' : `${ms} ms`}`];
    }),
    ...(/^(Etc\/)?UTC$/.test(timezone) ? [] : [`the time zone is ${timezone}`]),
  ];
  if (wrong.length > 0)
    throw new CannotServe(
      `The connection to the database has wrong settings (${wrong.join(', ')}). Configure them for the login, see "Connection pooler" in docs/install.md.`,
    );
}
