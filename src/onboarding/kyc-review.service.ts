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
  /** Staff user who reads. Undefined for users of the account, whose reads are not audited. */
  by: Actor | undefined;
}

/** KYC submissions for reviewers and for the account. Every read by staff has an audit entry. */
export class KycReviewService {
  constructor(
    private readonly orm: MikroORM,
    private readonly audit: AuditService,
    private readonly store: KycStore,
  ) {}

  /** Returns the latest submission for each read, in order. Undefined if there is none. */
  read(readings: readonly KycReading[]): Promise<(StoredSubmission | undefined)[]> {
    return this.#transaction(async (tx) => {
      const found = await this.store.latest([...new Set(readings.map(({ developerId }) => developerId))], tx);
      // groups the reads by request, because the entries of one request are written with one statement
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

  /** Returns a summary of each latest submission, in order. Undefined if there is none. These reads are not audited. */
  summaries(developerIds: readonly DeveloperId[]): Promise<(SubmissionSummary | undefined)[]> {
    return this.store.summaries(developerIds, this.orm.em.fork() as EntityManager);
  }

  /**
   * Returns one unmasked field of the latest submission and writes an audit entry. Throws RECORD_NOT_FOUND, also for a
   * replaced submission, so that documents are never compared with values of another submission.
   */
  reveal(developerId: DeveloperId, submissionId: string, field: KycField, by: Actor): Promise<string | null> {
    return this.#transaction(async (tx) => {
      const submission = (await this.store.latest([developerId], tx)).get(developerId);
      if (submission?.id !== submissionId)
        throw new AppError('RECORD_NOT_FOUND', {
          message: 'This KYC submission does not exist or was replaced by a later one. Reload the page.',
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

  /** Returns a document for download. Throws RECORD_NOT_FOUND. */
  download({ developerId, documentId }: DocumentKey, by: Actor): Promise<KycDocumentDetails & { content: Buffer }> {
    return this.#transaction(async (tx) => {
      const document = await this.store.document(developerId, documentId, tx);
      if (!document) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown document.' });
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
