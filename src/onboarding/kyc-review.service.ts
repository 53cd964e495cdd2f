import type { MikroORM } from '@mikro-orm/postgresql';
import { subjectOf } from '../accounts/developers/developer.state.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { KycDocumentDetails, KycStore, StoredSubmission } from './kyc.store.js';
import type { DocumentKey } from './kyc-link.js';

export interface KycReading {
  developerId: DeveloperId;
  /** Who of the staff reads; undefined of the account's own people, whose readings leave no entry. */
  by: Actor | undefined;
}

/** What was handed in, for those who decide on it, and for the account itself. Staff sees none of it without an entry in the trail. */
export class KycReviewService {
  readonly #orm: MikroORM;
  readonly #audit: AuditService;
  readonly #store: KycStore;

  constructor(orm: MikroORM, audit: AuditService, store: KycStore) {
    this.#orm = orm;
    this.#audit = audit;
    this.#store = store;
  }

  /** The last submission for each reading, in their order; undefined where there is none. */
  read(readings: readonly KycReading[]): Promise<(StoredSubmission | undefined)[]> {
    return this.#transaction(async (tx) => {
      const found = await this.#store.latest([...new Set(readings.map(({ developerId }) => developerId))], tx);
      for (const { developerId, by } of readings) {
        const submission = found.get(developerId);
        if (!submission || !by) continue;
        const after = { submissionId: submission.id };
        await this.#audit.record(by, { action: 'kyc.read', subject: subjectOf(developerId), before: null, after }, tx);
      }
      return readings.map(({ developerId }) => found.get(developerId));
    });
  }

  /** Errors: RECORD_NOT_FOUND. */
  download({ developerId, documentId }: DocumentKey, by: Actor): Promise<KycDocumentDetails & { content: Buffer }> {
    return this.#transaction(async (tx) => {
      const document = await this.#store.document(developerId, documentId, tx);
      if (!document) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such document.' });
      const entry = {
        action: 'kyc.download_document' as const,
        subject: subjectOf(developerId),
        before: null,
        after: { documentId },
      };
      await this.#audit.record(by, entry, tx);
      return document;
    });
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.#orm, work);
  }
}
