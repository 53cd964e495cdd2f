import { sql } from 'kysely';
import type { Actor } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { EntityManager } from '../db/orm.js';

/** How long a person who joined by invitation is a newcomer, and how long what a newcomer creates for Production waits. */
const WAIT = sql.raw(`interval '24 hours'`);

/** The audit log cannot be changed by who can write the tables of accounts, and a person's id is that of the invitation. */
const isNewcomer = (actor: string) => sql<boolean>`exists (
  select from audit_entry joined where joined.subject = ${actor} and joined.action = 'user.create' and joined.at > now() - ${WAIT}
    and exists (select from audit_entry invited where invited.subject = joined.subject and invited.action = 'user.invite'))`;

/**
 * When an API key or a webhook endpoint that somebody creates starts, by the clock of the database: after 24 hours for Production,
 * where a newcomer creates it and the account has another active owner, who can cancel it. Null: at once.
 */
export async function startOf(
  { developerId, environment }: { developerId: string; environment: Environment },
  { actor }: Actor,
  tx: EntityManager,
): Promise<Date | null> {
  if (environment !== 'production') return null;
  const { rows } = await sql<{ starts_at: string }>`
    select date_trunc('milliseconds', now() + ${WAIT}) as starts_at where ${isNewcomer(actor)} and exists (
      select from app_user u where u.developer_id = ${developerId} and u.team_role = 'owner' and u.disabled_at is null
        and 'user:' || u.id <> ${actor})`.execute(tx.getKysely());
  return rows[0] ? new Date(rows[0].starts_at) : null;
}

/** Whether a start time is still to come, by the clock of the database. */
export async function isWaiting({ startsAt }: { startsAt?: Date | null }, tx: EntityManager): Promise<boolean> {
  if (!startsAt) return false;
  const { rows } = await sql<{ waits: boolean }>`select ${startsAt}::timestamptz > now() as waits`.execute(
    tx.getKysely(),
  );
  return rows[0]!.waits;
}

/**
 * Keeps a newcomer from removing or demoting an owner: who could do that could create a key that starts at once, and nobody could
 * cancel it. Errors: CONFLICT.
 */
export async function requireNoNewcomer({ actor }: Actor, tx: EntityManager): Promise<void> {
  const { rows } = await sql<{ yes: boolean }>`select ${isNewcomer(actor)} as yes`.execute(tx.getKysely());
  if (rows[0]!.yes)
    throw new AppError('CONFLICT', {
      message: 'You joined this account less than 24 hours ago. Ask another owner, or try again later.',
    });
}
