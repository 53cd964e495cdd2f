import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperId } from '../../core/principal.js';
import { inTransaction } from '../../db/orm.js';
import type { DeveloperRow } from '../account.entities.js';
import { changeDeveloper } from './developer.state.js';

/**
 * Stops an account and lets it go on again. Felt on the next request everywhere, because who calls is read anew each time.
 * Orders that were accepted before run to their end, and their webhooks go out: the money they hold has to be accounted for.
 */
export class SuspensionService {
  readonly #orm: MikroORM;
  readonly #audit: AuditService;

  constructor(orm: MikroORM, audit: AuditService) {
    this.#orm = orm;
    this.#audit = audit;
  }

  /** No key or token of the account works. Errors: RECORD_NOT_FOUND, CONFLICT when it is suspended already. */
  async suspend(developerId: DeveloperId, reason: string, by: Actor): Promise<void> {
    await this.#change(developerId, 'developer.suspend', by, reason, (developer) => {
      if (developer.suspendedAt) throw new AppError('CONFLICT', { message: 'This account is suspended already.' });
      developer.suspendedAt = new Date();
      developer.suspensionReason = reason;
    });
  }

  /** Keys and tokens work again. Errors: RECORD_NOT_FOUND, CONFLICT when the account is not suspended. */
  async reinstate(developerId: DeveloperId, reason: string | undefined, by: Actor): Promise<void> {
    await this.#change(developerId, 'developer.reinstate', by, reason, (developer) => {
      if (!developer.suspendedAt) throw new AppError('CONFLICT', { message: 'This account is not suspended.' });
      developer.suspendedAt = null;
      developer.suspensionReason = null;
    });
  }

  /** No live key or token works until live access is unlocked again. Errors: RECORD_NOT_FOUND, CONFLICT when it is locked. */
  async lockProduction(developerId: DeveloperId, reason: string, by: Actor): Promise<void> {
    await this.#change(developerId, 'developer.lock_production', by, reason, (developer) => {
      if (!developer.productionUnlocked) throw new AppError('CONFLICT', { message: 'Live access is locked already.' });
      developer.productionUnlocked = false;
    });
  }

  async #change(
    developerId: DeveloperId,
    action: AuditAction,
    by: Actor,
    reason: string | undefined,
    apply: (developer: DeveloperRow) => void,
  ): Promise<void> {
    await inTransaction(this.#orm, (tx) =>
      changeDeveloper({ developerId, action, by, apply, reason }, this.#audit, tx),
    );
  }
}
