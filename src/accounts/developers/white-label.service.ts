import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import { AppError } from '../../core/errors.js';
import { type EntityManager, inTransaction } from '../../db/orm.js';
import type { RechargeProvider } from '../../providers/registry.js';
import { WhiteLabelEntity, type WhiteLabelRow } from '../account.entities.js';
import { unlessTaken } from '../unique.js';

const subjectOf = (id: string): string => `white_label:${id}`;

/** Resellers whose developers share one recharge provider. */
export class WhiteLabelService {
  readonly #orm: MikroORM;
  readonly #audit: AuditService;

  constructor(orm: MikroORM, audit: AuditService) {
    this.#orm = orm;
    this.#audit = audit;
  }

  /** Errors: CONFLICT when the name is taken. */
  async create(name: string, rechargeProvider: RechargeProvider, by: Actor): Promise<WhiteLabelRow> {
    return this.#transaction(async (tx) => {
      const label = tx.create(WhiteLabelEntity, { name, rechargeProvider });
      await unlessTaken('There is a white label with this name.', tx.persist(label).flush());
      const after = { name, rechargeProvider };
      await this.#audit.record(
        by,
        { action: 'white_label.create', subject: subjectOf(label.id), before: null, after },
        tx,
      );
      return label;
    });
  }

  /** The provider of every developer of a white label; orders that were accepted before keep theirs. Errors: RECORD_NOT_FOUND. */
  async assignProvider(id: string, rechargeProvider: RechargeProvider, by: Actor): Promise<WhiteLabelRow> {
    return this.#transaction(async (tx) => {
      const label = await tx.findOne(WhiteLabelEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!label) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such white label.' });
      const before = { rechargeProvider: label.rechargeProvider };
      label.rechargeProvider = rechargeProvider;
      await tx.flush();
      const after = { rechargeProvider };
      await this.#audit.record(
        by,
        { action: 'white_label.assign_provider', subject: subjectOf(id), before, after },
        tx,
      );
      return label;
    });
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.#orm, work);
  }
}
