import { lockDeveloper } from '../accounts/developers/developer.state.js';
import { requesterOf } from '../approval-requests/approval-request.service.js';
import { AppError } from '../core/errors.js';
import { decimalText, type Paise, paise, subtract, ZERO } from '../core/money.js';
import type { WalletKey } from '../ledger/wallet.reader.js';
import type { WalletDifference } from '../ledger/wallet-difference.js';
import type { DecisionParts, MoneyDecision } from './money-decision.js';

/** Wallet whose balance changed without a transfer, and the reason for its correction. */
export interface WalletToCorrect extends WalletKey {
  difference: WalletDifference;
  reason: string;
}

/** Payload of an approval request. Exactly these changes are posted. */
export interface StoredDifference extends Pick<WalletDifference, 'version' | 'firstVersion' | 'entries' | 'steps'> {
  environment: WalletKey['environment'];
  storedPaise: string;
  computedPaise: string;
}

/** Returns the amount that the correction adds to the wallet. It is negative if money leaves the wallet. */
export const correctionOf = ({
  storedPaise,
  computedPaise,
}: Pick<WalletDifference, 'storedPaise' | 'computedPaise'>): Paise => subtract(computedPaise, storedPaise);

const conflict = (message: string): AppError => new AppError('CONFLICT', { message });

/**
 * Creates the decision that corrects a wallet, which requires approval. Approval posts nothing: the owner of the tables posts
 * the correction with `gateway ledger post`, if the difference has not changed. Throws RECORD_NOT_FOUND, and CONFLICT if
 * entries are missing or the wallet balance is too low.
 */
export const walletCorrectionDecision = ({ audit }: Pick<DecisionParts, 'audit'>): MoneyDecision<WalletToCorrect> => ({
  async lock(wallet, tx) {
    await lockDeveloper(wallet.developerId, tx);
    const { difference } = wallet;
    if (!difference.isWhole)
      throw conflict(
        'Entries of this wallet are missing. Restore them from a backup. A correction cannot replace them.',
      );
    const taken = subtract(ZERO, correctionOf(difference));
    if (taken > difference.storedPaise)
      throw conflict(
        `The correction takes ${decimalText(taken)} rupees, but the wallet balance is ${decimalText(difference.storedPaise)} rupees. Credit the difference first.`,
      );
    return wallet;
  },
  approvalRequest({ developerId, environment, reason, difference }) {
    const { storedPaise, computedPaise, isWhole: _whole, ...found } = difference;
    const change = correctionOf(difference);
    const payload: StoredDifference = {
      environment,
      ...found,
      storedPaise: String(storedPaise),
      computedPaise: String(computedPaise),
    };
    return {
      action: 'wallet.correct',
      subject: subjectOf({ developerId, environment }),
      key: `from version ${difference.firstVersion}`,
      developerId,
      orderId: null,
      // if the balance was changed back in the meantime, only opening records are posted
      amountPaise: change === ZERO ? null : change < ZERO ? subtract(ZERO, change) : change,
      payload,
      reason,
    };
  },
  alone: () => false,
  async reopen({ developerId, payload }, { reason }) {
    const { environment, storedPaise, computedPaise, ...found } = payload as StoredDifference;
    const difference = {
      ...found,
      storedPaise: paise(storedPaise),
      computedPaise: paise(computedPaise),
      isWhole: true,
    };
    return { developerId: developerId!, environment, reason, difference };
  },
  async apply({ reason, difference, ...wallet }, by, tx, approvalRequest) {
    const { firstVersion, entries, storedPaise, computedPaise } = difference;
    const after = {
      firstVersion,
      entries,
      storedPaise: String(storedPaise),
      computedPaise: String(computedPaise),
      ...(approvalRequest && requesterOf(approvalRequest)),
    };
    const entry = {
      action: 'wallet.approve_correction' as const,
      subject: subjectOf(wallet),
      before: null,
      after,
      reason,
    };
    await audit.record(by, entry, tx);
    return { wallet };
  },
});

/** Returns the subject of the wallet in the audit log. */
const subjectOf = ({ developerId, environment }: WalletKey): string => `developer:${developerId}/${environment}`;
