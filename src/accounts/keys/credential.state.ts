import { LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../../core/errors.js';
import type { EntityManager } from '../../db/orm.js';
import { CredentialEntity, type CredentialRow } from '../account.entities.js';

/** SQL: whether a key `c` works, as far as it is up to the key: it was not revoked, and has not expired. */
export const KEY_IS_LIVE = 'c.revoked_at is null and (c.expires_at is null or c.expires_at > now())';

/** SQL: whether a key `c` has started; it does nothing before. */
export const KEY_HAS_STARTED = '(c.starts_at is null or c.starts_at <= now())';

/** The opposite of KEY_IS_LIVE, of a row. */
export const hasEnded = ({ revokedAt, expiresAt }: CredentialRow): boolean =>
  revokedAt != null || (expiresAt != null && expiresAt <= new Date());

/** What the audit log shows of a key. */
export const stateOf = ({ clientId, suspendedAt }: CredentialRow) => ({ clientId, suspended: suspendedAt != null });

/**
 * The key that something is made with which outlives a request, held until the transaction ends: who ends the key sees what it made.
 * Errors: UNAUTHENTICATED when it ended in the same instant, CONFLICT when it was rotated: what it makes now nobody would be asked
 * about when it ends.
 */
export async function holdKey(clientId: string, tx: EntityManager): Promise<void> {
  const key = await tx.findOneOrFail(CredentialEntity, { clientId }, { lockMode: LockMode.PESSIMISTIC_READ });
  if (hasEnded(key)) throw new AppError('UNAUTHENTICATED');
  if (key.expiresAt)
    throw new AppError('CONFLICT', { message: 'This key was rotated: use the one that took its place.' });
}
