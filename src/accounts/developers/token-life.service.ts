import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { type FieldProblem, validationError } from '../../core/errors.js';
import type { DeveloperId } from '../../core/principal.js';
import { type EntityManager, inTransaction } from '../../db/orm.js';
import type { DeveloperRow } from '../account.entities.js';
import type { TokenOptions } from '../keys/token.service.js';
import { changeDeveloper } from './developer.state.js';

export interface TokenLife {
  idleDays: number;
  maxDays: number;
}

/** Shortens the life of one developer's tokens, for accounts whose tokens are better not kept for as long as usual. */
export class TokenLifeService {
  readonly #orm: MikroORM;
  readonly #audit: AuditService;
  readonly #usual: TokenLife;

  constructor(orm: MikroORM, audit: AuditService, usual: Pick<TokenOptions, 'tokenIdleDays' | 'tokenMaxDays'>) {
    this.#orm = orm;
    this.#audit = audit;
    this.#usual = { idleDays: usual.tokenIdleDays, maxDays: usual.tokenMaxDays };
  }

  /** Counts for tokens that live already, too: from now on. Errors: VALIDATION_FAILED when longer than usual, RECORD_NOT_FOUND. */
  async set(developerId: DeveloperId, life: TokenLife, by: Actor): Promise<void> {
    const problems = (['idleDays', 'maxDays'] as const).flatMap((name): FieldProblem[] =>
      life[name] > this.#usual[name]
        ? [
            {
              path: `input.${name}`,
              rule: 'RANGE',
              min: 1,
              max: this.#usual[name],
              message: `Must be 1 to ${this.#usual[name]} days.`,
            },
          ]
        : [],
    );
    if (problems.length > 0) throw validationError(problems);
    const { idleDays, maxDays } = life;
    await this.#change(developerId, 'developer.set_token_life', by, async (developer, tx) => {
      developer.tokenIdleDays = idleDays;
      developer.tokenMaxDays = maxDays;
      await sql`update access_token set expires_at = least(expires_at,
          last_used_at + ${idleDays}::integer * interval '1 day', created_at + ${maxDays}::integer * interval '1 day')
        where client_id in (select client_id from credential where developer_id = ${developerId}) and revoked_at is null`.execute(
        tx.getKysely(),
      );
    });
  }

  /** As long as usual again; a token that lives notices with its next use. Errors: RECORD_NOT_FOUND. */
  async reset(developerId: DeveloperId, by: Actor): Promise<void> {
    await this.#change(developerId, 'developer.reset_token_life', by, async (developer) => {
      developer.tokenIdleDays = null;
      developer.tokenMaxDays = null;
    });
  }

  async #change(
    developerId: DeveloperId,
    action: AuditAction,
    by: Actor,
    apply: (developer: DeveloperRow, tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    await inTransaction(this.#orm, (tx) =>
      changeDeveloper({ developerId, action, by, apply, reason: undefined }, this.#audit, tx),
    );
  }
}
