import type { MikroORM } from '@mikro-orm/postgresql';
import { DeveloperEntity, type DeveloperRow } from '../accounts/account.entities.js';
import type { DeveloperService } from '../accounts/developers/developer.service.js';
import { lockDeveloper, onboardingSteps, requireStatus, subjectOf } from '../accounts/developers/developer.state.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError, fieldError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { EncryptedDocument, KycStore } from './kyc.store.js';
import { type ContentType, checkedDocument, MAX_DOCUMENTS, type SentDocument, safeFileName } from './kyc-document.js';
import { documentKeyOf } from './kyc-review.types.js';
import type { SubmitKycInput } from './onboarding.types.js';
import { requirePassivePdf } from './pdf-check.js';
import type { UploadQuota } from './upload-quota.js';

export interface KycParts {
  orm: MikroORM;
  developers: DeveloperService;
  audit: AuditService;
  store: KycStore;
  quota: UploadQuota;
}

/** Checked and encrypted document that is ready to store. */
export interface SealedDocument extends EncryptedDocument {
  contentType: ContentType;
  sizeBytes: number;
}

/** KYC documents and submissions of developers. */
export class KycService {
  constructor(private readonly parts: KycParts) {}

  /** Checks early, before the document is read; `add` checks again. Throws CONFLICT under the same conditions as `add`. */
  async requireCapacity(developerId: DeveloperId): Promise<void> {
    const em = this.parts.orm.em.fork() as EntityManager;
    await this.#requireCapacity(developerId, await em.findOneOrFail(DeveloperEntity, { id: developerId }), em);
  }

  /** Checks and encrypts a document. Throws VALIDATION_FAILED for `kind` and `file`. */
  async seal(developerId: DeveloperId, upload: SentDocument): Promise<SealedDocument> {
    const { kind, file } = checkedDocument(upload);
    const contentType = file.contentType as ContentType;
    if (contentType === 'application/pdf') await requirePassivePdf(file.content);
    const details = { kind, fileName: safeFileName(file.fileName, contentType), contentType };
    const encrypted = this.parts.store.encrypt(developerId, details, file.content);
    return { ...encrypted, contentType, sizeBytes: file.content.length };
  }

  /**
   * Stores a document and returns its ID for `submit`. `place` is the network of the sender, for the quota. Throws
   * RATE_LIMITED, and CONFLICT if KYC cannot be submitted now or ten documents are not submitted yet.
   */
  async add(developerId: DeveloperId, document: SealedDocument, addressKey: string, by: Actor): Promise<string> {
    const { id, contentType, sizeBytes } = document;
    await this.parts.quota.take(addressKey, sizeBytes);
    await this.#transaction(async (tx) => {
      // the lock makes parallel uploads run one after the other
      await this.#requireCapacity(developerId, await lockDeveloper(developerId, tx), tx);
      await this.parts.store.addDocument(developerId, document, tx);
      const after = { documentId: id, contentType, sizeBytes };
      const entry = { action: 'kyc.upload_document' as const, subject: subjectOf(developerId), before: null, after };
      await this.parts.audit.record(by, entry, tx);
    });
    return id;
  }

  /**
   * Submits KYC for review. Throws CONFLICT unless the address is verified or KYC was rejected or has requested changes.
   * Throws VALIDATION_FAILED for `input.documentIds` if a document does not belong to the developer.
   */
  async submit(developerId: DeveloperId, input: SubmitKycInput, by: Actor): Promise<void> {
    const { documentIds, pan, gstin, legalName, address, pincode } = input;
    const documents = documentIds.map(documentKeyOf);
    const details = {
      legalName,
      pan: pan.toUpperCase(),
      ...(gstin === undefined ? {} : { gstin: gstin.toUpperCase() }),
      address,
      pincode,
    };
    await this.#transaction(async (tx) => {
      await this.parts.developers.markKycSubmitted(developerId, by, tx);
      const isValid = documents.every(isUuid) && (await this.parts.store.submitDocuments(developerId, documents, tx));
      if (!isValid)
        throw fieldError('input.documentIds', 'REFERENCE', 'Must be documents that were uploaded for this account.');
      await this.parts.store.dropDraft(developerId, tx);
      const { id, otherAccounts } = await this.parts.store.addSubmission(developerId, details, documents, tx);
      const after = { submissionId: id, documents: documents.length, otherAccountsWithThisPan: otherAccounts };
      const entry = { action: 'kyc.submit' as const, subject: subjectOf(developerId), before: null, after };
      await this.parts.audit.record(by, entry, tx);
    });
  }

  async #requireCapacity(developerId: DeveloperId, developer: DeveloperRow, em: EntityManager): Promise<void> {
    requireStatus(developer, ...onboardingSteps.submit_kyc.from);
    if ((await this.parts.store.countUnsubmitted(developerId, em)) >= MAX_DOCUMENTS)
      throw new AppError('CONFLICT', {
        message: `Document limit of ${MAX_DOCUMENTS} reached. Submit or delete documents first.`,
      });
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.parts.orm, work);
  }
}
