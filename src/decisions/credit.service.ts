import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { lockDeveloper } from '../accounts/developers/developer.state.js';
import {
  creditOfTransfer,
  noWallet,
  otherUtr,
  postCredit,
  proposalOf,
  referenceTaken,
  requireAmount,
  transferOf,
  utrTaken,
  type WalletCredit,
  walletOf,
} from '../accounts/wallet-credit.js';
import type { AuditService } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import type { UserId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import { hasWallet, referencedLine } from '../ledger/line.reader.js';
import type { StatementLine } from '../ledger/statement.service.js';
import { type Decider, propose, proposerOf } from '../proposals/proposal.service.js';
import type { ProposalStore, StoredProposal } from '../proposals/proposal.store.js';
import type { MoneyDecision } from './money-decision.js';

const ACTION = 'wallet.credit';

/** What a proposal keeps of a credit beside its reference, amount and reason. */
interface ProposedCredit {
  environment: Environment;
  utr?: string;
  isUtrShared: boolean;
}

export interface CreditParts {
  orm: MikroORM;
  ledger: LedgerService;
  audit: AuditService;
  proposals: ProposalStore;
  /** What one person may credit alone in production. */
  alone: { perCreditPaise: Paise; perDayPaise: Paise };
}

/** Money that admins put into wallets. Above what one of them may do alone, a second one carries it out. */
export class CreditService {
  readonly #parts: CreditParts;

  constructor(parts: CreditParts) {
    this.#parts = parts;
  }

  /**
   * Posts a credit, or proposes it. Play money never needs a second person. Errors: VALIDATION_FAILED, RECORD_NOT_FOUND,
   * CONFLICT before approval, on `input.reference` when the reference was used with another amount, and on `input.utr` when it was
   * used with another bank transfer, or the bank transfer was credited before and no reason says why it is again: with one it is
   * proposed, whatever the amount.
   */
  async credit(credit: WalletCredit, by: Decider): Promise<MoneyDecision> {
    const { developerId, environment, reference, amountPaise } = credit;
    requireAmount(amountPaise);
    return inTransaction(this.#parts.orm, async (tx) => {
      // of two credits of one developer at once, the second sees what the first did
      await lockDeveloper(developerId, tx);
      const done = (line?: StatementLine, proposal?: StoredProposal, replayed = false): MoneyDecision => ({
        developerId,
        environment,
        line,
        orderId: undefined,
        proposal,
        replayed,
      });
      // in this order: a proposal that is carried out meanwhile is found as the line that it became
      const waiting = await this.#parts.proposals.waiting(
        { action: ACTION, subject: walletOf(credit), key: reference },
        tx,
      );
      const line = waiting ? undefined : await referencedLine(credit, 'top_up', reference, tx);
      const earlier = waiting ?? line;
      if (earlier && earlier.amountPaise !== amountPaise) referenceTaken();
      if (earlier && environment === 'production') {
        const utr = waiting ? (waiting.payload as ProposedCredit).utr : await transferOf(line!.subjectId, tx);
        if (utr !== credit.utr) otherUtr();
      }
      if (earlier) return done(line, waiting, true);

      if (environment === 'production') {
        const used = credit.utr === undefined ? undefined : await creditOfTransfer(credit.utr, tx);
        if (used && !credit.reason) throw utrTaken(used, false);
        const isUtrShared = used !== undefined;
        if (isUtrShared || !(await this.#mayAlone(by.userId, amountPaise, tx)))
          return done(undefined, await this.#propose({ ...credit, isUtrShared }, by, tx));
      }
      await postCredit(credit, by, this.#parts, tx);
      return done(await referencedLine(credit, 'top_up', reference, tx));
    });
  }

  /** A proposed credit that a second person carries out. Errors: CONFLICT when its reference or bank transfer was credited meanwhile. */
  async carryOut(
    proposal: StoredProposal,
    by: Decider,
    reason: string | undefined,
    tx: EntityManager,
  ): Promise<MoneyDecision> {
    const { environment, utr, isUtrShared } = proposal.payload as ProposedCredit;
    const developerId = proposal.developerId!;
    const money = { developerId, environment, amountPaise: proposal.amountPaise!, reference: proposal.key };
    const credit = { ...money, utr, isUtrShared };
    await postCredit({ ...credit, reason: reason ?? proposal.reason }, by, this.#parts, tx, proposerOf(proposal));
    const line = await referencedLine(credit, 'top_up', proposal.key, tx);
    return { developerId, environment, line, orderId: undefined, proposal: undefined, replayed: false };
  }

  async #propose(credit: WalletCredit, by: Decider, tx: EntityManager): Promise<StoredProposal> {
    if (!(await hasWallet(credit.developerId, credit.environment, tx))) throw noWallet();
    const { proposals: store, audit } = this.#parts;
    const { environment, utr, isUtrShared = false, reason = '' } = credit;
    const why = isUtrShared ? `Bank transfer ${utr} was credited before: ${reason}` : reason;
    const payload: ProposedCredit = { environment, isUtrShared, ...(utr && { utr }) };
    return propose({ ...proposalOf(ACTION, credit, why), payload }, by, { store, audit }, tx);
  }

  /**
   * Whether one person may credit this without a second one; if so, it counts towards their day, so that a large amount cannot go
   * in parts. The row is locked until the transaction ends: credits of one person at once count one after the other.
   */
  async #mayAlone(userId: UserId, amountPaise: Paise, tx: EntityManager): Promise<boolean> {
    const { perCreditPaise, perDayPaise } = this.#parts.alone;
    if (amountPaise > perCreditPaise || amountPaise > perDayPaise) return false;
    const { rows } = await sql`
      insert into credit_allowance (user_id, day, used_paise)
      values (${userId}, (now() at time zone 'Asia/Kolkata')::date, ${String(amountPaise)}::bigint)
      on conflict (user_id, day) do update set used_paise = credit_allowance.used_paise + excluded.used_paise
        where credit_allowance.used_paise + excluded.used_paise <= ${String(perDayPaise)}::bigint
      returning 1`.execute(tx.getKysely());
    return rows.length > 0;
  }
}
