import type { MikroORM } from '@mikro-orm/postgresql';
import { lockDeveloper } from '../accounts/developers/developer.state.js';
import { postCredit } from '../accounts/wallet-credit.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { type Clock, indianDay, startOfIndianDay } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { AppError, requireAtMost } from '../core/errors.js';
import { type Paise, rupees } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { inTransaction } from '../db/orm.js';
import type { LedgerService, WalletState } from '../ledger/ledger.service.js';
import { referencedLine, usedReferences } from '../ledger/line.reader.js';
import type { StatementLine } from '../ledger/statement.service.js';

/** Maximum refill, equal to the maximum of a bill payment. */
export const MAX_REFILL = rupees(10_00_000);
/** Maximum number of refills per calendar day (IST). */
export const MAX_REFILLS = 5;

export interface RefillParts {
  orm: MikroORM;
  ledger: LedgerService;
  audit: AuditService;
  clock: Clock;
}

export interface RefillResult {
  line: StatementLine;
  wallet: WalletState;
  refillsLeft: number;
}

/** Test funds that developers add themselves: a top-up in the ledger with its audit entry, like a credit by an administrator. */
export class RefillService {
  constructor(private readonly parts: RefillParts) {}

  /**
   * Adds test funds. The references of the refills of a day are numbered, and the ledger accepts each reference once, which
   * limits the number of refills. Throws VALIDATION_FAILED, RATE_LIMITED until the end of the day if the limit is reached, or
   * CONFLICT without a wallet.
   */
  async refill(
    { developerId, environment }: { developerId: DeveloperId; environment: Environment },
    amountPaise: Paise,
    by: Actor,
  ): Promise<RefillResult> {
    requireAtMost(amountPaise, MAX_REFILL);
    const { orm, ledger, audit, clock } = this.parts;
    const now = clock.now();
    const day = indianDay(now);
    const references = Array.from({ length: MAX_REFILLS }, (_, n) => `Refill ${day} ${n + 1}`);
    const { line, refillsLeft } = await inTransaction(orm, async (tx) => {
      // serializes concurrent refills, so the second one sees the first
      await lockDeveloper(developerId, tx);
      const usedSet = await usedReferences({ developerId, environment }, 'top_up', references, tx);
      const reference = references.find((candidate) => !usedSet.has(candidate));
      if (reference === undefined)
        throw new AppError('RATE_LIMITED', {
          message: `Daily limit of ${MAX_REFILLS} refills reached. Try again tomorrow.`,
          retryAfterMs: startOfIndianDay(day, 1).getTime() - now.getTime(),
        });
      const credit = { developerId, environment, amountPaise, reference };
      await postCredit(credit, by, { ledger, audit }, tx);
      const postedLine = await referencedLine(credit, 'top_up', reference, tx);
      return { line: postedLine!, refillsLeft: MAX_REFILLS - usedSet.size - 1 };
    });
    return { line, refillsLeft, wallet: await ledger.wallet(developerId, environment) };
  }
}
