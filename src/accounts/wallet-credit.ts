import { sql } from 'kysely';
import type { Actor, AuditService } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import { AppError, fieldError } from '../core/errors.js';
import { newId } from '../core/ids.js';
import { type Paise, rupees, rupeesNumber } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { utrIn } from '../core/utr.js';
import type { EntityManager } from '../db/orm.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import { lockDeveloper, subjectOf } from './developers/developer.state.js';

export const MAX_CREDIT = rupees(1_00_00_000);

/** Money that staff add to a wallet or take out of it. */
export interface WalletMovement {
  developerId: DeveloperId;
  environment: Environment;
  amountPaise: Paise;
  /**
   * Reference, for example of a bank transfer. Each reference can be used for one credit and one debit per wallet. A retry
   * does not post it again.
   */
  reference: string;
}

/** Credit of a wallet. In Production it requires either a UTR, or a reason and a second person. */
export interface WalletCredit extends WalletMovement {
  /**
   * UTR in the form of `normalUtr`, which can be credited only once across all Production wallets. Undefined if the reference
   * is a UTR; see `transferOf`.
   */
  utr?: string | undefined;
  /** Whether two people approved another credit of the same bank transfer. */
  isUtrShared?: boolean;
  reason?: string;
}

/** Approval request of a credit, for the audit log. */
export interface RequestedBy {
  approvalRequestId: string;
  requestedBy: string;
}

/** Checks the amount. Throws VALIDATION_FAILED. */
export function requireAmount(amountPaise: Paise): void {
  if (amountPaise <= 0n || amountPaise > MAX_CREDIT) {
    const max = rupeesNumber(MAX_CREDIT);
    const message = `Must be greater than 0 and at most ${max} rupees.`;
    throw fieldError('input.amount', { rule: 'RANGE', min: 0.01, max }, message);
  }
}

/** Returns the wallet in the form of the audit log, such as `developer:<id>/production`. */
export const walletOf = ({ developerId, environment }: WalletMovement): string =>
  `${subjectOf(developerId)}/${environment}`;

export const noWallet = (): AppError =>
  new AppError('CONFLICT', { message: 'This developer has no wallet yet. Approve the account first.' });

/** Returns the UTR of a credit: `utr`, or a reference that has the form of a UTR. UAT has none. */
export const transferOf = ({ environment, utr, reference }: Omit<WalletCredit, 'amountPaise'>): string | undefined =>
  environment === 'production' ? (utr ?? utrIn(reference)) : undefined;

/** First credit of a bank transfer. */
export interface TransferUse {
  developerId: DeveloperId;
  postingId: string;
}

/** @param isRequested whether the credit is already an approval request, which then can no longer be approved */
export function utrTaken(
  { developerId, postingId }: TransferUse,
  { utr }: Pick<WalletCredit, 'utr'>,
  isRequested: boolean,
): AppError {
  const used = `This bank transfer was already credited to dev_${developerId} by posting ${postingId}.`;
  if (isRequested)
    return new AppError('CONFLICT', {
      message: `${used} Reject this approval request. If the credit is correct, request it again with a reason.`,
    });
  const message = `${used} To request the approval of a second person, enter a reason.`;
  const path = utr === undefined ? 'input.reference' : 'input.utr';
  return new AppError('CONFLICT', { message, fields: [{ path, rule: 'REFERENCE', message }] });
}

/**
 * Posts a credit and its audit entry in the caller's transaction, and returns the new balance. Throws VALIDATION_FAILED,
 * RECORD_NOT_FOUND, and CONFLICT for a reference or bank transfer that was already credited.
 */
export async function postCredit(
  credit: WalletCredit,
  by: Actor,
  { ledger, audit }: { ledger: LedgerService; audit: AuditService },
  tx: EntityManager,
  approvalRequest?: RequestedBy,
): Promise<Paise> {
  const { developerId, environment, amountPaise, reference, reason, isUtrShared } = credit;
  requireAmount(amountPaise);
  const utr = transferOf(credit);
  if (environment === 'production' && utr === undefined) requireReason(credit);
  const posting = { developerId, environment, subjectId: newId(), kind: 'top_up', amountPaise, reference } as const;
  const sharedBy = isUtrShared ? approvalRequest?.approvalRequestId : undefined;
  const used = utr === undefined ? undefined : await takeTransfer(utr, posting, sharedBy, tx);
  if (used) throw utrTaken(used, credit, approvalRequest !== undefined);
  const posted = await ledger.post(posting, tx);
  switch (posted.outcome) {
    case 'no_wallet':
      await lockDeveloper(developerId, tx); // unknown developers get RECORD_NOT_FOUND
      throw noWallet();
    case 'duplicate':
      throw new AppError('CONFLICT', { message: 'This reference was already credited.' });
    case 'insufficient': // not possible for a credit
    case 'posted':
      break;
  }
  await audit.record(
    by,
    {
      action: 'wallet.credit',
      subject: walletOf(credit),
      before: { balancePaise: String(posted.balancePaise - amountPaise) },
      after: { balancePaise: String(posted.balancePaise), reference, ...(utr && { utr }), ...approvalRequest },
      reason,
      posting: { id: posting.subjectId, amountPaise },
    },
    tx,
  );
  return posted.balancePaise;
}

/** Checks that a Production credit without a UTR has a reason. Throws VALIDATION_FAILED. */
export function requireReason({ reason }: Pick<WalletCredit, 'reason'>): void {
  if (!reason)
    throw fieldError(
      'input.reason',
      'REQUIRED',
      'Enter the UTR. Without a UTR, enter a reason; a second person must then approve the credit.',
    );
}

/** Returns an earlier credit of the transfer if there is one. Otherwise records this credit. */
async function takeTransfer(
  utr: string,
  { developerId, subjectId }: { developerId: DeveloperId; subjectId: string },
  sharedBy: string | undefined,
  tx: EntityManager,
): Promise<TransferUse | undefined> {
  const { rows } = await sql<TransferUse>`select developer_id as "developerId", posting_id as "postingId"
    from bank_transfer_take(${utr}, ${developerId}, ${subjectId}::uuid, ${sharedBy ?? null}::uuid)`.execute(
    tx.getKysely(),
  );
  return rows[0];
}
