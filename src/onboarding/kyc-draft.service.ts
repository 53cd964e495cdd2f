import type { MikroORM } from '@mikro-orm/postgresql';
import { lockDeveloper, onboardingSteps, requireStatus, subjectOf } from '../accounts/developers/developer.state.js';
import type { Developer } from '../accounts/developers/developer.types.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId, OnboardingStatus } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { DraftDetails, KycStore, StoredDocument } from './kyc.store.js';
import { MAX_DOCUMENTS } from './kyc-document.js';

/** States in which KYC can be submitted. */
const OPEN: readonly OnboardingStatus[] = onboardingSteps.submit_kyc.from;

export interface StoredDraft extends DraftDetails {
  documents: StoredDocument[];
  remainingDocuments: number;
}

/** Entries and uploads of an owner before submission. They are saved, so that a page reload loses nothing. */
export class KycDraftService {
  constructor(
    private readonly orm: MikroORM,
    private readonly audit: AuditService,
    private readonly store: KycStore,
  ) {}

  /**
   * Returns the draft. After a rejection or requested changes, the draft starts with the last submission. Undefined if KYC
   * cannot be submitted now.
   */
  async read({ id, onboardingStatus }: Developer): Promise<StoredDraft | undefined> {
    if (!OPEN.includes(onboardingStatus)) return undefined;
    const em = this.orm.em.fork() as EntityManager;
    const documents = await this.store.unsubmitted(id, em);
    return {
      ...(await this.store.draft(id, em)),
      documents,
      remainingDocuments: Math.max(0, MAX_DOCUMENTS - documents.length),
    };
  }

  /** Returns the documents that are not part of a submission. */
  documents(developerId: DeveloperId): Promise<StoredDocument[]> {
    return this.store.unsubmitted(developerId, this.orm.em.fork() as EntityManager);
  }

  /** Replaces the saved entries. Throws CONFLICT if KYC cannot be submitted now. */
  async save(developerId: DeveloperId, draft: DraftDetails, by: Actor): Promise<void> {
    await inTransaction(this.orm, async (tx) => {
      requireStatus(await lockDeveloper(developerId, tx), ...OPEN);
      const isNew = await this.store.saveDraft(developerId, draft, tx);
      // writes one audit entry per draft, because one for each save would be noise and slow down the audit log
      if (!isNew) return;
      const entry = { action: 'kyc.begin_draft', subject: subjectOf(developerId), before: null, after: null } as const;
      await this.audit.record(by, entry, tx);
    });
  }

  /** Deletes a document. Throws RECORD_NOT_FOUND, and CONFLICT for a submitted document. */
  async deleteDocument(developerId: DeveloperId, documentId: string, by: Actor): Promise<void> {
    await inTransaction(this.orm, async (tx) => {
      // the lock makes a deletion and a submission run one after the other
      await lockDeveloper(developerId, tx);
      const isValidId = isUuid(documentId);
      if (!isValidId || !(await this.store.dropDocument(developerId, documentId, tx))) {
        if (isValidId && (await this.store.hasDocument(developerId, documentId, tx)))
          throw new AppError('CONFLICT', { message: 'A submitted document cannot be deleted.' });
        throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown document.' });
      }
      const entry = { action: 'kyc.delete_document', subject: subjectOf(developerId) } as const;
      await this.audit.record(by, { ...entry, before: { documentId }, after: null }, tx);
    });
  }
}
