import type pg from 'pg';
import { CannotServe } from './trouble.js';

/** The role that every query of the application runs as. The connecting user owns the tables and may become it. */
export const APPLICATION_ROLE = 'gateway_app';

/** Timeouts keep a stuck statement or a forgotten transaction from holding a wallet. */
export const LIMITS_MS = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

type Limit = keyof typeof LIMITS_MS;

const limits = Object.entries(LIMITS_MS) as [Limit, number][];

/**
 * Of migrations: they may take hours, but wait for a lock only for a moment. Whoever waits for a table's exclusive lock has everybody
 * who comes later wait behind it.
 */
export const MIGRATION_LIMITS_MS = {
  statement_timeout: 0,
  lock_timeout: 1_000,
  idle_in_transaction_session_timeout: 0,
  idle_session_timeout: 0,
} as const;

/** What a connection asks for when it starts. */
export const startupOptions = (role: string | undefined, limitsMs: Readonly<Record<string, number>>): string =>
  [
    ...(role === undefined ? [] : [`role=${role}`]),
    ...Object.entries(limitsMs).map((limit) => limit.join('=')),
    'timezone=UTC',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ');

/** A connection that goes silent right after it was made is given up. */
const ANSWER_LIMIT_MS = 5_000;

const IN_FORCE = {
  text: `select current_user::text as role, current_setting('timezone') as timezone, ${limits
    .map(([name]) => `(extract(epoch from current_setting('${name}')::interval) * 1000)::float8 as ${name}`)
    .join(', ')}`,
  query_timeout: ANSWER_LIMIT_MS,
};

type InForce = { role: string; timezone: string } & Record<Limit, number>;

/**
 * Asks a new connection whether it has the role and the limits: a pooler may drop what was asked for at the start. Limits may be
 * stricter. Errors: CannotServe; those of the connection.
 */
export async function requireGuards(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<InForce>(IN_FORCE);
  const { role, timezone, ...limitsMs } = rows[0]!;
  const wrong = [
    ...(role === APPLICATION_ROLE ? [] : [`the role is ${role}`]),
    ...limits.flatMap(([name, most]) => {
      const ms = limitsMs[name];
      return ms > 0 && ms <= most ? [] : [`${name} is ${ms === 0 ? 'off' : `${ms} ms`}`];
    }),
    ...(/^(Etc\/)?UTC$/.test(timezone) ? [] : [`the time zone is ${timezone}`]),
  ];
  if (wrong.length > 0)
    throw new CannotServe(
      `The connection to the database lacks its guards (${wrong.join(', ')}): give the login its settings, see "Connection pooler" in docs/install.md.`,
    );
}
