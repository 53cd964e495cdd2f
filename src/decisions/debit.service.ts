import type { MikroORM } from '@mikro-orm/postgresql';
import { lockDeveloper } from '../accounts/developers/developer.state.js';
import {
  noWallet,
  proposalOf,
  referenceTaken,
  requireAmount,
  type WalletMovement,
  walletOf,
} from '../accounts/wallet-credit.js';
import type { AuditService } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import { AppError, insufficientBalance } from '../core/errors.js';
import { newId } from '../core/ids.js';
import { subtract, ZERO } from '../core/money.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import { hasWallet, referencedLine } from '../ledger/line.reader.js';
import { type Decider, propose, proposerOf } from '../proposals/proposal.service.js';
import type { ProposalStore, StoredProposal } from '../proposals/proposal.store.js';
import type { MoneyDecision } from './money-decision.js';

const ACTION = 'wallet.debit' as const;

/** A debit has to say why. */
export interface WalletDebit extends WalletMovement {
  reason: string;
}

export interface DebitParts {
  orm: MikroORM;
  ledger: LedgerService;
  audit: AuditService;
  proposals: ProposalStore;
}

/** Money that admins take out of wallets, such as a credit that was mistyped. In production it always takes two of them. */
export class DebitService {
  readonly #parts: DebitParts;

  constructor(parts: DebitParts) {
    this.#parts = parts;
  }

  /**
   * Posts a debit of play money, or proposes one of real money. Errors: VALIDATION_FAILED, RECORD_NOT_FOUND,
   * INSUFFICIENT_BALANCE, CONFLICT before approval, and on `input.reference` when the reference was used with another amount.
   */
  async debit(debit: WalletDebit, by: Decider): Promise<MoneyDecision> {
    const { developerId, environment, amountPaise, reference, reason } = debit;
    requireAmount(amountPaise);
    return inTransaction(this.#parts.orm, async (tx) => {
      // of two debits of one developer at once, the second sees what the first did
      await lockDeveloper(developerId, tx);
      const subject = walletOf(debit);
      const decision: MoneyDecision = { ...nothing(debit), replayed: true };
      // in this order: a proposal that is carried out meanwhile is found as the line that it became
      const waiting = await this.#parts.proposals.waiting({ action: ACTION, subject, key: reference }, tx);
      if (waiting) return waiting.amountPaise === amountPaise ? { ...decision, proposal: waiting } : referenceTaken();
      const line = await referencedLine(debit, 'debit', reference, tx);
      if (line) return line.amountPaise === subtract(ZERO, amountPaise) ? { ...decision, line } : referenceTaken();
      if (!(await hasWallet(developerId, environment, tx))) throw noWallet();

      if (environment === 'uat') return this.#post(debit, by, tx);
      const { proposals: store, audit } = this.#parts;
      const proposal = await propose(proposalOf(ACTION, debit, reason), by, { store, audit }, tx);
      return { ...nothing(debit), proposal };
    });
  }

  /** A proposed debit that a second person carries out. Errors: INSUFFICIENT_BALANCE. */
  carryOut(
    proposal: StoredProposal,
    by: Decider,
    reason: string | undefined,
    tx: EntityManager,
  ): Promise<MoneyDecision> {
    const { environment } = proposal.payload as { environment: Environment };
    const { key: reference, reason: proposed } = proposal;
    const debit = { developerId: proposal.developerId!, environment, amountPaise: proposal.amountPaise!, reference };
    return this.#post({ ...debit, reason: reason ?? proposed }, by, tx, proposal);
  }

  async #post(debit: WalletDebit, by: Decider, tx: EntityManager, proposal?: StoredProposal): Promise<MoneyDecision> {
    const { developerId, environment, amountPaise, reference, reason } = debit;
    const posting = { developerId, environment, subjectId: newId(), kind: 'debit', amountPaise, reference } as const;
    const { outcome, balancePaise } = await this.#parts.ledger.post(posting, tx);
    switch (outcome) {
      case 'no_wallet':
        throw noWallet();
      case 'insufficient':
        throw insufficientBalance(amountPaise, balancePaise);
      case 'duplicate':
        throw new AppError('CONFLICT', { message: 'This reference was debited before.' });
      case 'posted':
        break;
    }
    const entry = {
      action: ACTION,
      subject: walletOf(debit),
      before: { balancePaise: String(balancePaise + amountPaise) },
      after: { balancePaise: String(balancePaise), reference, ...(proposal && proposerOf(proposal)) },
      reason,
      posting: { id: posting.subjectId, amountPaise },
    };
    await this.#parts.audit.record(by, entry, tx);
    return { ...nothing(debit), line: await referencedLine(debit, 'debit', reference, tx) };
  }
}

const nothing = ({ developerId, environment }: WalletDebit): MoneyDecision => ({
  developerId,
  environment,
  line: undefined,
  orderId: undefined,
  proposal: undefined,
  replayed: false,
});
