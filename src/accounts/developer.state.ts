import { LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../core/errors.js';
import type { DeveloperId, OnboardingStatus } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import { DeveloperEntity, type DeveloperRow } from './account.entities.js';

/** The subject of an audit entry about a developer. */
export const subjectOf = (developerId: number): string => `developer:${developerId}`;

/** The row, held until the transaction ends: of two people who decide at once, the second sees what the first did. Errors: RECORD_NOT_FOUND. */
export async function lockDeveloper(developerId: DeveloperId, tx: EntityManager): Promise<DeveloperRow> {
  const developer = await tx.findOne(DeveloperEntity, { id: developerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!developer) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
  return developer;
}

/** Errors: CONFLICT in any other state. */
export function requireStatus(developer: DeveloperRow, expected: OnboardingStatus): void {
  if (developer.onboardingStatus === expected) return;
  throw new AppError('CONFLICT', {
    message: `This needs an account in state ${expected}; it is ${developer.onboardingStatus}.`,
  });
}

/** What the audit trail shows of a developer: decisions, no personal data. */
export const stateOf = (developer: DeveloperRow) => ({
  onboardingStatus: developer.onboardingStatus,
  productionUnlocked: developer.productionUnlocked,
  rechargeProvider: developer.rechargeProvider,
  whiteLabelId: developer.whiteLabel?.id ?? null,
  rateLimitPerMinute: developer.rateLimitPerMinute ?? null,
});
