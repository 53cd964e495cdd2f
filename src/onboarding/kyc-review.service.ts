import type { MikroORM } from '@mikro-orm/postgresql';
import { subjectOf } from '../accounts/developers/developer.state.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { KycDocumentDetails, KycStore, StoredSubmission, SubmissionSummary } from './kyc.store.js';
import type { DocumentKey } from './kyc-link.js';
import type { KycField } from './kyc-review.types.js';

export interface KycReading {
  developerId: DeveloperId;
  /** Who of the staff reads; undefined of the account's own people, whose readings leave no entry. */
  by: Actor | undefined;
}

/** What was handed in, for those who decide on it, and for the account itself. Staff sees none of it without an entry in the audit log. */
export class KycReviewService {
  constructor(
    private readonly orm: MikroORM,
    private readonly audit: AuditService,
    private readonly store: KycStore,
  ) {}

  /** The last submission for each reading, in their order; undefined where there is none. */
  read(readings: readonly KycReading[]): Promise<(StoredSubmission | undefined)[]> {
    return this.#transaction(async (tx) => {
      const found = await this.store.latest([...new Set(readings.map(({ developerId }) => developerId))], tx);
      // of all requests that read at once; the entries of one are written with one statement
      const byRequest = Map.groupBy(readings, ({ by }) => by && `${by.requestId} ${by.actor}`);
      for (const group of byRequest.values()) {
        const { by } = group[0]!;
        const entries = group.flatMap(({ developerId }) => {
          const submission = found.get(developerId);
          const after = submission && { submissionId: submission.id };
          return after ? [{ action: 'kyc.read' as const, subject: subjectOf(developerId), before: null, after }] : [];
        });
        if (by && entries.length > 0) await this.audit.recordAll(by, entries, tx);
      }
      return readings.map(({ developerId }) => found.get(developerId));
    });
  }

  /** Of the last submission of each, in their order; undefined where there is none. It leaves no entry. */
  summaries(developerIds: readonly DeveloperId[]): Promise<(SubmissionSummary | undefined)[]> {
    return this.store.summaries(developerIds, this.orm.em.fork() as EntityManager);
  }

  /**
   * One masked field of the last submission; writes an audit entry. Errors: RECORD_NOT_FOUND, also for a submission that a later one
   * replaced, so that documents are not compared with values of another submission.
   */
  reveal(developerId: DeveloperId, submissionId: string, field: KycField, by: Actor): Promise<string | null> {
    return this.#transaction(async (tx) => {
      const submission = (await this.store.latest([developerId], tx)).get(developerId);
      if (submission?.id !== submissionId)
        throw new AppError('RECORD_NOT_FOUND', {
          message: 'The KYC submission does not exist, or a later submission replaced it. Load the page again.',
        });
      const entry = {
        action: 'kyc.reveal' as const,
        subject: subjectOf(developerId),
        before: null,
        after: { submissionId, field },
      };
      await this.audit.record(by, entry, tx);
      return submission[field] ?? null;
    });
  }

  /** Errors: RECORD_NOT_FOUND. */
  download({ developerId, documentId }: DocumentKey, by: Actor): Promise<KycDocumentDetails & { content: Buffer }> {
    return this.#transaction(async (tx) => {
      const document = await this.store.document(developerId, documentId, tx);
      if (!document) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such document.' });
      const entry = {
        action: 'kyc.download_document' as const,
        subject: subjectOf(developerId),
        before: null,
        after: { documentId },
      };
      await this.audit.record(by, entry, tx);
      return document;
    });
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.orm, work);
  }
}
