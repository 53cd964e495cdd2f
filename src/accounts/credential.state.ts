import { LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../core/errors.js';
import type { EntityManager } from '../db/orm.js';
import { CredentialEntity, type CredentialRow } from './account.entities.js';

/** What the audit trail shows of a key. */
export const stateOf = ({ clientId, suspendedAt }: CredentialRow) => ({ clientId, suspended: suspendedAt != null });

/**
 * The key that something is made with which outlives a request, held until the transaction ends: who ends the key sees what it made.
 * Errors: UNAUTHENTICATED when it ended in the same instant.
 */
export async function holdKey(clientId: string, tx: EntityManager): Promise<void> {
  const key = await tx.findOneOrFail(CredentialEntity, { clientId }, { lockMode: LockMode.PESSIMISTIC_READ });
  if (key.revokedAt) throw new AppError('UNAUTHENTICATED');
}
