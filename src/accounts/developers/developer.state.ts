import { LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../../core/errors.js';
import type { DeveloperId, OnboardingStatus } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';
import { DeveloperEntity, type DeveloperRow } from '../account.entities.js';

/** The subject of an audit entry about a developer. */
export const subjectOf = (developerId: string): string => `developer:${developerId}`;

/** An audit entry about something below the account. */
export interface Traced {
  subject: string;
  before: object;
  after: object;
}

/** What only functions that check the present state may change. */
type State =
  | 'onboardingStatus'
  | 'emailVerifiedAt'
  | 'kycSubmittedAt'
  | 'rejectionReason'
  | 'rejectedAt'
  | 'closedAt'
  | 'productionRequestedAt'
  | 'productionRequest'
  | 'productionUnlocked'
  | 'productionUnlockedAt'
  | 'suspendedAt'
  | 'suspensionReason';

/** A locked account as a verb gets it: a verb that sets one of the states itself does not compile. */
export type HeldDeveloper = Omit<DeveloperRow, State> & Readonly<Pick<DeveloperRow, State>>;

/** The row, held until the transaction ends: of two people who decide at once, the second sees what the first did. Errors: RECORD_NOT_FOUND. */
export async function lockDeveloper(developerId: DeveloperId, tx: EntityManager): Promise<DeveloperRow> {
  const developer = await tx.findOne(DeveloperEntity, { id: developerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!developer) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
  return developer;
}

/** Every step of an account from sign-up to approval: from which states it may be taken, and where it leads. */
export const onboardingSteps = {
  verify_email: { from: ['registered'], to: 'email_verified' },
  submit_kyc: { from: ['email_verified', 'kyc_changes_requested', 'rejected'], to: 'kyc_submitted' },
  request_changes: { from: ['kyc_submitted'], to: 'kyc_changes_requested' },
  approve: { from: ['kyc_submitted'], to: 'approved' },
  reject: { from: ['kyc_submitted'], to: 'rejected' },
} as const satisfies Record<string, { from: readonly OnboardingStatus[]; to: OnboardingStatus }>;
export type OnboardingStep = keyof typeof onboardingSteps;

/**
 * Takes a step; only an account that was rejected, or has something to mend, has a reason why. Errors: CONFLICT when it cannot be
 * taken from here.
 */
export function advance(developer: DeveloperRow, step: OnboardingStep, rejectionReason: string | null = null): void {
  requireStatus(developer, ...onboardingSteps[step].from);
  developer.onboardingStatus = onboardingSteps[step].to;
  developer.rejectionReason = rejectionReason;
  developer.rejectedAt = step === 'reject' ? new Date() : null;
  if (step === 'verify_email') developer.emailVerifiedAt = new Date();
  if (step === 'submit_kyc') developer.kycSubmittedAt = new Date();
}

/** Asks for live access. Errors: CONFLICT unless approved, when it is unlocked, or was asked for and nobody has decided yet. */
export function requestProduction(developer: DeveloperRow, message: string | undefined): void {
  requireUnlockable(developer);
  if (developer.productionRequestedAt)
    throw new AppError('CONFLICT', { message: 'Live access was asked for already; it waits for an admin.' });
  developer.productionRequestedAt = new Date();
  developer.productionRequest = message ?? null;
}

/** Errors: CONFLICT unless approved, or when live access is unlocked already. */
export function requireUnlockable(developer: DeveloperRow): void {
  requireStatus(developer, 'approved');
  if (developer.productionUnlocked) throw new AppError('CONFLICT', { message: 'Live access is unlocked already.' });
}

/** Live access. Errors: CONFLICT unless approved, or when it is unlocked already. */
export function unlockProduction(developer: DeveloperRow): void {
  requireUnlockable(developer);
  developer.productionUnlocked = true;
  developer.productionUnlockedAt = new Date();
}

/** It may be asked for again. Errors: CONFLICT when it is locked. */
export function lockProduction(developer: DeveloperRow): void {
  if (!developer.productionUnlocked) throw new AppError('CONFLICT', { message: 'Live access is locked already.' });
  endProduction(developer);
}

function endProduction(developer: DeveloperRow): void {
  developer.productionUnlocked = false;
  developer.productionUnlockedAt = null;
  developer.productionRequestedAt = null;
  developer.productionRequest = null;
}

/** Ends an account for good; nothing leads back. Whoever closes it has ended what belongs to it, and looked at what stands in the way. */
export function close(developer: DeveloperRow, reason: string): void {
  requireOpen(developer);
  developer.closedAt = new Date();
  developer.suspendedAt ??= developer.closedAt;
  developer.suspensionReason ??= reason;
  endProduction(developer);
}

/** Errors: CONFLICT when it is closed. */
export function requireOpen({ closedAt }: Pick<DeveloperRow, 'closedAt'>): void {
  if (closedAt) throw new AppError('CONFLICT', { message: 'This account is closed for good.' });
}

/** Until the transaction ends nobody closes the account. Errors: CONFLICT when it is closed. */
export async function holdOpen(id: DeveloperId, tx: EntityManager): Promise<void> {
  requireOpen(await tx.findOneOrFail(DeveloperEntity, { id }, { lockMode: LockMode.PESSIMISTIC_READ }));
}

/** Errors: CONFLICT in any other state. */
export function requireStatus(developer: DeveloperRow, ...expected: readonly OnboardingStatus[]): void {
  if (expected.includes(developer.onboardingStatus)) return;
  throw new AppError('CONFLICT', {
    message: `This needs an account that is ${expected.map(inGraph).join(' or ')}; it is ${inGraph(developer.onboardingStatus)}.`,
  });
}

/** As the enum of the graph names it: only people on the console take these steps. */
const inGraph = (status: OnboardingStatus): string => status.toUpperCase();

/** What the audit log shows of a developer: decisions, no personal data. */
export const stateOf = (developer: DeveloperRow) => ({
  onboardingStatus: developer.onboardingStatus,
  productionRequested: developer.productionRequestedAt != null,
  productionUnlocked: developer.productionUnlocked,
  rechargeProvider: developer.rechargeProvider,
  whiteLabelId: developer.whiteLabel?.id ?? null,
  rateLimitPerMinute: developer.rateLimitPerMinute ?? null,
  duplicateGuardS: developer.duplicateGuardS,
  sessionIdleMinutes: developer.sessionIdleMinutes,
  tokenIdleDays: developer.tokenIdleDays ?? null,
  tokenMaxDays: developer.tokenMaxDays ?? null,
  suspended: developer.suspendedAt != null,
  closed: developer.closedAt != null,
});
