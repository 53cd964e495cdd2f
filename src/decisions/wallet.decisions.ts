import { sql } from 'kysely';
import type { DeveloperRow } from '../accounts/account.entities.js';
import { lockDeveloper, requireOpen } from '../accounts/developers/developer.state.js';
import {
  noWallet,
  postCredit,
  requireAmount,
  requireReason,
  type TransferUse,
  transferOf,
  utrTaken,
  type WalletCredit,
  type WalletMovement,
  walletOf,
} from '../accounts/wallet-credit.js';
import { requesterOf } from '../approval-requests/approval-request.service.js';
import type { NewApprovalRequest, StoredApprovalRequest } from '../approval-requests/approval-request.store.js';
import type { Environment } from '../core/environment.js';
import { AppError, fieldError, insufficientBalance } from '../core/errors.js';
import { newId } from '../core/ids.js';
import { subtract, ZERO } from '../core/money.js';
import { utrIn } from '../core/utr.js';
import type { EntityManager } from '../db/orm.js';
import { hasWallet, referencedLine } from '../ledger/line.reader.js';
import { takeAllowance } from './alone-allowance.js';
import type { DecisionParts, MoneyDecision } from './money-decision.js';

/** Payload of an approval request for a credit. */
interface RequestedCredit {
  environment: Environment;
  utr?: string;
  isUtrShared: boolean;
}

/**
 * Credits of wallets. Test funds never require a second person. A Production credit without a UTR always requires a second
 * person and a reason. Throws VALIDATION_FAILED and RECORD_NOT_FOUND. Throws CONFLICT if the account is not approved, and
 * for `input.reference` if the reference was used with another amount. Throws CONFLICT for `input.utr` if the reference was
 * used with another UTR, or if the UTR was already credited and there is no reason. With a reason, a second credit of a UTR becomes an approval
 * request, whatever the amount.
 */
export const creditDecision = (
  parts: Pick<DecisionParts, 'ledger' | 'audit' | 'creditAlone'>,
): MoneyDecision<WalletCredit> => ({
  async lock(credit, tx) {
    requireOpen(await lockOwner(credit, tx));
    requireOneTransfer(credit);
    return credit;
  },
  approvalRequest({ isUtrShared = false, reason = '', ...credit }) {
    const utr = transferOf(credit);
    const payload: RequestedCredit = { environment: credit.environment, isUtrShared, ...(utr && { utr }) };
    const why = isUtrShared ? `Bank transfer ${utr} was already credited: ${reason}` : reason;
    return { ...approvalRequestOf('wallet.credit', credit, why), payload };
  },
  async earlier(credit, waiting, tx) {
    const line = waiting ? undefined : await referencedLine(credit, 'top_up', credit.reference, tx);
    const before = waiting ?? line;
    if (!before) return undefined;
    if (before.amountPaise !== credit.amountPaise) throw referenceTaken();
    if (credit.environment === 'production') {
      const utr = waiting ? (waiting.payload as RequestedCredit).utr : await postedTransfer(line!.subjectId, tx);
      if (utr !== transferOf(credit)) throw otherUtr();
    }
    return line && { wallet: credit, line };
  },
  async examine(credit, tx) {
    if (credit.environment === 'uat') return credit;
    const utr = transferOf(credit);
    if (utr === undefined) requireReason(credit);
    const used = utr === undefined ? undefined : await creditOfTransfer(utr, tx);
    if (used && !credit.reason) throw utrTaken(used, credit, false);
    await requireWallet(credit, tx);
    return { ...credit, isUtrShared: used !== undefined };
  },
  alone: (credit, { userId }, tx) =>
    credit.environment === 'uat' ||
    (transferOf(credit) !== undefined &&
      !credit.isUtrShared &&
      takeAllowance('credit', userId, credit.amountPaise, parts.creditAlone, tx)),
  async reopen(approvalRequest, { reason }) {
    const { utr, isUtrShared } = approvalRequest.payload as RequestedCredit;
    return { ...movementOf(approvalRequest), utr, isUtrShared, reason };
  },
  async apply(credit, by, tx, approvalRequest) {
    await postCredit(credit, by, parts, tx, approvalRequest && requesterOf(approvalRequest));
    return { wallet: credit, line: await referencedLine(credit, 'top_up', credit.reference, tx) };
  },
});

/** Checks that a credit has only one UTR. Throws VALIDATION_FAILED. */
function requireOneTransfer({ environment, utr, reference }: WalletCredit): void {
  if (environment === 'uat' || utr === undefined) return;
  const other = utrIn(reference);
  if (other !== undefined && other !== utr)
    throw fieldError(
      'input.reference',
      'REFERENCE',
      'This UTR differs from `utr`. Enter a description of the transfer.',
    );
}

/** Debit of a wallet. It requires a reason. */
export interface WalletDebit extends WalletMovement {
  reason: string;
}

/**
 * Debits of wallets, for example to undo an incorrect credit. In Production they always require two people. Throws
 * VALIDATION_FAILED, RECORD_NOT_FOUND and INSUFFICIENT_BALANCE. Throws CONFLICT if the account is not approved, and for
 * `input.reference` if the reference was used with another amount.
 */
export const debitDecision = ({
  ledger,
  audit,
}: Pick<DecisionParts, 'ledger' | 'audit'>): MoneyDecision<WalletDebit> => ({
  // closed accounts can be debited too, because later refunds must be paid out
  async lock(debit, tx) {
    await lockOwner(debit, tx);
    return debit;
  },
  approvalRequest: (debit) => approvalRequestOf('wallet.debit', debit, debit.reason),
  async earlier(debit, waiting, tx) {
    const line = waiting ? undefined : await referencedLine(debit, 'debit', debit.reference, tx);
    const before = waiting?.amountPaise ?? (line && subtract(ZERO, line.amountPaise));
    if (before !== undefined && before !== debit.amountPaise) throw referenceTaken();
    return line && { wallet: debit, line };
  },
  async examine(debit, tx) {
    await requireWallet(debit, tx);
    return debit;
  },
  alone: ({ environment }) => environment === 'uat',
  reopen: async (approvalRequest, { reason }) => ({ ...movementOf(approvalRequest), reason }),
  async apply(debit, by, tx, approvalRequest) {
    const { developerId, environment, amountPaise, reference, reason } = debit;
    const posting = { developerId, environment, subjectId: newId(), kind: 'debit', amountPaise, reference } as const;
    const { outcome, balancePaise } = await ledger.post(posting, tx);
    switch (outcome) {
      case 'no_wallet':
        throw noWallet();
      case 'insufficient':
        throw insufficientBalance(amountPaise, balancePaise);
      case 'duplicate':
        throw new AppError('CONFLICT', { message: 'This reference was already debited.' });
      case 'posted':
        break;
    }
    const entry = {
      action: 'wallet.debit' as const,
      subject: walletOf(debit),
      before: { balancePaise: String(balancePaise + amountPaise) },
      after: { balancePaise: String(balancePaise), reference, ...(approvalRequest && requesterOf(approvalRequest)) },
      reason,
      posting: { id: posting.subjectId, amountPaise },
    };
    await audit.record(by, entry, tx);
    return { wallet: debit, line: await referencedLine(debit, 'debit', reference, tx) };
  },
});

/** Locks the account, so that its movements run one after the other. Throws VALIDATION_FAILED and RECORD_NOT_FOUND. */
async function lockOwner({ developerId, amountPaise }: WalletMovement, tx: EntityManager): Promise<DeveloperRow> {
  requireAmount(amountPaise);
  return lockDeveloper(developerId, tx);
}

/** Throws CONFLICT if the account has no wallet. */
async function requireWallet({ developerId, environment }: WalletMovement, tx: EntityManager): Promise<void> {
  if (!(await hasWallet(developerId, environment, tx))) throw noWallet();
}

/** Returns the approval request for the movement. */
const approvalRequestOf = (
  action: 'wallet.credit' | 'wallet.debit',
  movement: WalletMovement,
  reason: string,
): NewApprovalRequest => ({
  action,
  subject: walletOf(movement),
  key: movement.reference,
  developerId: movement.developerId,
  orderId: null,
  amountPaise: movement.amountPaise,
  payload: { environment: movement.environment },
  reason,
});

/** Returns the movement of an approval request. */
const movementOf = ({ developerId, payload, amountPaise, key }: StoredApprovalRequest): WalletMovement => ({
  developerId: developerId!,
  environment: (payload as { environment: Environment }).environment,
  amountPaise: amountPaise!,
  reference: key,
});

const referenceTaken = (): AppError =>
  taken('input.reference', 'This reference was already used with a different amount.');
const otherUtr = (): AppError =>
  taken('input.utr', 'This reference was already used with a different bank transfer, or without one.');
const taken = (path: string, message: string): AppError =>
  new AppError('CONFLICT', { message, fields: [{ path, rule: 'REFERENCE', message }] });

/** Returns the first credit of the bank transfer. */
async function creditOfTransfer(utr: string, tx: EntityManager): Promise<TransferUse | undefined> {
  const { rows } = await sql<TransferUse>`select developer_id as "developerId", posting_id as "postingId"
    from bank_transfer where utr = ${utr} and shared_by is null`.execute(tx.getKysely());
  return rows[0];
}

/** Returns the bank transfer of a credit. */
async function postedTransfer(postingId: string, tx: EntityManager): Promise<string | undefined> {
  const { rows } = await sql<{
    utr: string;
  }>`select utr from bank_transfer where posting_id = ${postingId}::uuid`.execute(tx.getKysely());
  return rows[0]?.utr;
}
