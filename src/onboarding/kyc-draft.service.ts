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

/** Where KYC may be handed in. */
const OPEN: readonly OnboardingStatus[] = onboardingSteps.submit_kyc.from;

export interface StoredDraft extends DraftDetails {
  documents: StoredDocument[];
  remainingDocuments: number;
}

/** What an owner has typed and uploaded, before it is handed in: a reload loses nothing of it. */
export class KycDraftService {
  constructor(
    private readonly orm: MikroORM,
    private readonly audit: AuditService,
    private readonly store: KycStore,
  ) {}

  /**
   * After a rejection, or with something to mend, it begins with what was handed in. Undefined while nothing may be handed in.
   */
  async read({ id, onboardingStatus }: Developer): Promise<StoredDraft | undefined> {
    if (!OPEN.includes(onboardingStatus)) return undefined;
    const em = this.orm.em.fork() as EntityManager;
    const documents = await this.store.waiting(id, em);
    return {
      ...(await this.store.draft(id, em)),
      documents,
      remainingDocuments: Math.max(0, MAX_DOCUMENTS - documents.length),
    };
  }

  /** Documents that are in no submission. */
  documents(developerId: DeveloperId): Promise<StoredDocument[]> {
    return this.store.waiting(developerId, this.orm.em.fork() as EntityManager);
  }

  /** Keeps what was typed so far, in the place of what was kept before. Errors: CONFLICT while nothing may be handed in. */
  async save(developerId: DeveloperId, typed: DraftDetails, by: Actor): Promise<void> {
    await inTransaction(this.orm, async (tx) => {
      requireStatus(await lockDeveloper(developerId, tx), ...OPEN);
      const isNew = await this.store.saveDraft(developerId, typed, tx);
      // an entry for each pause in typing would say nothing, and hold the chain up
      if (!isNew) return;
      const entry = { action: 'kyc.begin_draft', subject: subjectOf(developerId), before: null, after: null } as const;
      await this.audit.record(by, entry, tx);
    });
  }

  /** Errors: RECORD_NOT_FOUND, CONFLICT for a document that was handed in. */
  async deleteDocument(developerId: DeveloperId, documentId: string, by: Actor): Promise<void> {
    await inTransaction(this.orm, async (tx) => {
      // of a deletion and a submission at once, the second sees what the first did
      await lockDeveloper(developerId, tx);
      const mayBe = isUuid(documentId);
      if (!mayBe || !(await this.store.dropDocument(developerId, documentId, tx))) {
        if (mayBe && (await this.store.hasDocument(developerId, documentId, tx)))
          throw new AppError('CONFLICT', { message: 'This document was handed in: it stays.' });
        throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such document.' });
      }
      const entry = { action: 'kyc.delete_document', subject: subjectOf(developerId) } as const;
      await this.audit.record(by, { ...entry, before: { documentId }, after: null }, tx);
    });
  }
}
