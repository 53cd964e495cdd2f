import { LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../../core/errors.js';
import type { DeveloperId, OnboardingStatus } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';
import { DeveloperEntity, type DeveloperRow } from '../account.entities.js';

/** Returns the subject of an audit entry about a developer. */
export const subjectOf = (developerId: string): string => `developer:${developerId}`;

/** Audit entry about a record of the account. */
export interface Traced {
  subject: string;
  before: object;
  after: object;
}

/** State fields, which only functions that check the current state may change. */
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

/** Locked account for verbs. A verb that sets a state field itself does not compile. */
export type HeldDeveloper = Omit<DeveloperRow, State> & Readonly<Pick<DeveloperRow, State>>;

/** Locks the row until the transaction ends, so that concurrent changes run one after the other. Throws RECORD_NOT_FOUND. */
export async function lockDeveloper(developerId: DeveloperId, tx: EntityManager): Promise<DeveloperRow> {
  const developer = await tx.findOne(DeveloperEntity, { id: developerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!developer) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown developer.' });
  return developer;
}

/** Onboarding steps from sign-up to approval, with their allowed states and the resulting state. */
export const onboardingSteps = {
  verify_email: { from: ['registered'], to: 'email_verified' },
  submit_kyc: { from: ['email_verified', 'kyc_changes_requested', 'rejected'], to: 'kyc_submitted' },
  request_changes: { from: ['kyc_submitted'], to: 'kyc_changes_requested' },
  approve: { from: ['kyc_submitted'], to: 'approved' },
  reject: { from: ['kyc_submitted'], to: 'rejected' },
} as const satisfies Record<string, { from: readonly OnboardingStatus[]; to: OnboardingStatus }>;
export type OnboardingStep = keyof typeof onboardingSteps;

/**
 * Applies an onboarding step. Only rejected accounts and accounts with requested changes have a reason. Throws CONFLICT if the
 * current state does not allow the step.
 */
export function advance(developer: DeveloperRow, step: OnboardingStep, rejectionReason: string | null = null): void {
  requireStatus(developer, ...onboardingSteps[step].from);
  developer.onboardingStatus = onboardingSteps[step].to;
  developer.rejectionReason = rejectionReason;
  developer.rejectedAt = step === 'reject' ? new Date() : null;
  if (step === 'verify_email') developer.emailVerifiedAt = new Date();
  if (step === 'submit_kyc') developer.kycSubmittedAt = new Date();
}

/** Requests Production access. Throws CONFLICT if the account is not approved, or if access is granted or already requested. */
export function requestProduction(developer: DeveloperRow, message: string | undefined): void {
  requireUnlockable(developer);
  if (developer.productionRequestedAt)
    throw new AppError('CONFLICT', { message: 'Production access was already requested and is under review.' });
  developer.productionRequestedAt = new Date();
  developer.productionRequest = message ?? null;
}

/** Throws CONFLICT if the account is not approved or already has Production access. */
export function requireUnlockable(developer: DeveloperRow): void {
  requireStatus(developer, 'approved');
  if (developer.productionUnlocked)
    throw new AppError('CONFLICT', { message: 'This account already has Production access.' });
}

/** Grants Production access. Throws CONFLICT if the account is not approved or already has access. */
export function unlockProduction(developer: DeveloperRow): void {
  requireUnlockable(developer);
  developer.productionUnlocked = true;
  developer.productionUnlockedAt = new Date();
}

/** Revokes Production access, which can be requested again. Throws CONFLICT if the account has no Production access. */
export function lockProduction(developer: DeveloperRow): void {
  if (!developer.productionUnlocked)
    throw new AppError('CONFLICT', { message: 'This account has no Production access.' });
  endProduction(developer);
}

function endProduction(developer: DeveloperRow): void {
  developer.productionUnlocked = false;
  developer.productionUnlockedAt = null;
  developer.productionRequestedAt = null;
  developer.productionRequest = null;
}

/** Permanently closes an account. The caller has checked for obstacles and revoked everything that belongs to the account. */
export function close(developer: DeveloperRow, reason: string): void {
  requireOpen(developer);
  developer.closedAt = new Date();
  developer.suspendedAt ??= developer.closedAt;
  developer.suspensionReason ??= reason;
  endProduction(developer);
}

/** Throws CONFLICT if the account is closed. */
export function requireOpen({ closedAt }: Pick<DeveloperRow, 'closedAt'>): void {
  if (closedAt) throw new AppError('CONFLICT', { message: 'This account is permanently closed.' });
}

/** Prevents closing until the transaction ends. Throws CONFLICT if the account is closed. */
export async function holdOpen(id: DeveloperId, tx: EntityManager): Promise<void> {
  requireOpen(await tx.findOneOrFail(DeveloperEntity, { id }, { lockMode: LockMode.PESSIMISTIC_READ }));
}

export function requireStatus(developer: DeveloperRow, ...expected: readonly OnboardingStatus[]): void {
  if (expected.includes(developer.onboardingStatus)) return;
  throw new AppError('CONFLICT', {
    message: `The account state must be ${expected.map(inGraph).join(' or ')}, but it is ${inGraph(developer.onboardingStatus)}.`,
  });
}

/** Returns the name of the state in the GraphQL enum. Only console users take these steps. */
const inGraph = (status: OnboardingStatus): string => status.toUpperCase();

/** Returns the audited fields of a developer. They describe decisions and contain no personal data. */
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
