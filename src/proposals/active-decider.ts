import { sql } from 'kysely';
import { newId } from '../core/ids.js';
import { moneyRoles, type UserId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import type { Decider } from './proposal.service.js';

/**
 * The person on whose behalf a command proposes something.
 *
 * @param command as the audit trail names its request, such as `reconcile`
 * Errors: one sentence when nobody may sign in as an admin or as finance with that e-mail address.
 */
export async function activeDecider(email: string, command: string, tx: EntityManager): Promise<Decider> {
  const { rows } = await sql<{ id: UserId }>`
    select id from app_user where email = ${email.trim().toLowerCase()} and role = any(${moneyRoles}) and disabled_at is null`.execute(
    tx.getKysely(),
  );
  if (!rows[0]) throw new Error('--by must be the e-mail address of an active admin or of finance.');
  return {
    userId: rows[0].id,
    actor: `user:${rows[0].id}`,
    requestId: `${command} ${newId()}`,
    confirmedAt: undefined,
  };
}
