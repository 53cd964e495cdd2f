import { sql } from 'kysely';
import type { Actor } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { EntityManager } from '../db/orm.js';

/**
 * Period after joining by invitation in which a user is a newcomer. It is also the delay before items that a newcomer creates
 * for Production start.
 */
const WAIT = sql.raw(`interval '24 hours'`);

/**
 * Whether an actor is a newcomer. Reads the audit log, because write access to the account tables cannot change it. A user has
 * the ID of their invitation.
 */
const isNewcomer = (actor: string) => sql<boolean>`exists (
  select from audit_entry joined where joined.subject = ${actor} and joined.action = 'user.create' and joined.at > now() - ${WAIT}
    and exists (select from audit_entry invited where invited.subject = joined.subject and invited.action = 'user.invite'))`;

/**
 * Returns the start time of a new API key or webhook endpoint, by the database clock. It is 24 hours from now for Production
 * if a newcomer creates the item and the account has another active owner, who can cancel it. Null means immediately.
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

/** Whether a start time is in the future, by the database clock. */
export async function isWaiting({ startsAt }: { startsAt?: Date | null }, tx: EntityManager): Promise<boolean> {
  if (!startsAt) return false;
  const { rows } = await sql<{ waits: boolean }>`select ${startsAt}::timestamptz > now() as waits`.execute(
    tx.getKysely(),
  );
  return rows[0]!.waits;
}

/**
 * Prevents newcomers from removing or demoting an owner. Otherwise they could create an API key that starts immediately and
 * that no owner could cancel. Throws CONFLICT.
 */
export async function requireNoNewcomer({ actor }: Actor, tx: EntityManager): Promise<void> {
  const { rows } = await sql<{ yes: boolean }>`select ${isNewcomer(actor)} as yes`.execute(tx.getKysely());
  if (rows[0]!.yes)
    throw new AppError('CONFLICT', {
      message: 'You joined this account less than 24 hours ago. Ask another owner, or try again later.',
    });
}
