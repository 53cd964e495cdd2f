import { sql } from 'kysely';
import { newId } from '../core/ids.js';
import { moneyRoles, type UserId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import type { ActingUser } from './approval-request.service.js';

/**
 * Returns the user for whom a command requests approval. Throws an error of one sentence if no active administrator or finance
 * user has that email address.
 *
 * @param command name of the command in the audit log, such as `reconcile`
 */
export async function activeUser(email: string, command: string, tx: EntityManager): Promise<ActingUser> {
  const { rows } = await sql<{ id: UserId }>`
    select id from app_user where email = ${email.trim().toLowerCase()} and role = any(${moneyRoles}) and disabled_at is null`.execute(
    tx.getKysely(),
  );
  if (!rows[0]) throw new Error('--by must be the email address of an active administrator or finance user.');
  return {
    userId: rows[0].id,
    actor: `user:${rows[0].id}`,
    requestId: `${command} ${newId()}`,
    confirmedAt: undefined,
  };
}
