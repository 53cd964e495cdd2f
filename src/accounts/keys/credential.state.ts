import { LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../../core/errors.js';
import type { EntityManager } from '../../db/orm.js';
import { CredentialEntity, type CredentialRow } from '../account.entities.js';

/** SQL: whether an API key `c` is neither revoked nor expired. */
export const KEY_IS_LIVE = 'c.revoked_at is null and (c.expires_at is null or c.expires_at > now())';

/** SQL: whether an API key `c` has started. */
export const KEY_HAS_STARTED = '(c.starts_at is null or c.starts_at <= now())';

/** Whether the API key of a row has ended. Negation of KEY_IS_LIVE. */
export const hasEnded = ({ revokedAt, expiresAt }: CredentialRow): boolean =>
  revokedAt != null || (expiresAt != null && expiresAt <= new Date());

/** Returns the audited fields of an API key. */
export const stateOf = ({ clientId, suspendedAt }: CredentialRow) => ({ clientId, suspended: suspendedAt != null });

/**
 * Locks an API key that creates something that outlives the request, so that the user who revokes the API key sees it. Throws
 * UNAUTHENTICATED if the API key has just ended, and CONFLICT if it was rotated, because its expiry would leave the new item
 * unassigned.
 */
export async function holdKey(clientId: string, tx: EntityManager): Promise<void> {
  const key = await tx.findOneOrFail(CredentialEntity, { clientId }, { lockMode: LockMode.PESSIMISTIC_READ });
  if (hasEnded(key)) throw new AppError('UNAUTHENTICATED');
  if (key.expiresAt)
    throw new AppError('CONFLICT', { message: 'This API key was rotated. Use the API key that replaced it.' });
}
