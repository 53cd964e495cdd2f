import type { MikroORM } from '@mikro-orm/postgresql';
import type { DeveloperService } from '../accounts/developer.service.js';
import { lockDeveloper, onboardingSteps, requireStatus, subjectOf } from '../accounts/developer.state.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError, fieldError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { KycStore } from './kyc.store.js';
import {
  bytesOf,
  type ContentType,
  isAmbiguous,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
  safeFileName,
  typeOf,
} from './kyc-document.js';
import { documentKeyOf } from './kyc-review.types.js';
import type { SubmitKycInput, UploadKycDocumentInput } from './onboarding.types.js';
import type { UploadQuota } from './upload-quota.js';

export interface KycParts {
  orm: MikroORM;
  developers: DeveloperService;
  audit: AuditService;
  store: KycStore;
  quota: UploadQuota;
}

/** What a developer hands in before an admin decides. */
export class KycService {
  readonly #parts: KycParts;

  constructor(parts: KycParts) {
    this.#parts = parts;
  }

  /**
   * Stores one document, encrypted; returns its id for `submit`. `place`: where the sender is, for the quota. Errors:
   * VALIDATION_FAILED on the content, RATE_LIMITED, CONFLICT when the account does not wait for KYC or ten documents wait already.
   */
  async upload(developerId: DeveloperId, input: UploadKycDocumentInput, place: string, by: Actor): Promise<string> {
    const { contentType, sizeBytes } = checkedContent(input);
    await this.#parts.quota.take(place, sizeBytes);
    const details = { kind: input.kind, fileName: safeFileName(input.fileName, contentType), contentType };
    const encrypted = this.#parts.store.encrypt(developerId, details, input.contentBase64);
    const { id } = encrypted;
    await this.#transaction(async (tx) => {
      // of two uploads at once, the second counts the first
      requireStatus(await lockDeveloper(developerId, tx), ...onboardingSteps.submit_kyc.from);
      if ((await this.#parts.store.waitingDocuments(developerId, tx)) >= MAX_DOCUMENTS)
        throw new AppError('CONFLICT', { message: `There are ${MAX_DOCUMENTS} documents already; submit them.` });
      await this.#parts.store.addDocument(developerId, { ...encrypted, sizeBytes }, tx);
      const after = { documentId: id, contentType, sizeBytes };
      const entry = { action: 'kyc.upload_document', subject: subjectOf(developerId), before: null, after };
      await this.#parts.audit.record(by, entry, tx);
    });
    return id;
  }

  /**
   * Hands KYC in: the account waits for an admin. Errors: CONFLICT unless the address is verified or KYC was rejected,
   * VALIDATION_FAILED on `input.documentIds` when one is not the developer's own.
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
      await this.#parts.developers.markKycSubmitted(developerId, by, tx);
      const known = documents.every(isUuid) && (await this.#parts.store.submitDocuments(developerId, documents, tx));
      if (!known)
        throw fieldError('input.documentIds', 'REFERENCE', 'Must be documents that were uploaded for this account.');
      const { id, otherAccounts } = await this.#parts.store.addSubmission(developerId, details, documents, tx);
      const after = { submissionId: id, documents: documents.length, otherAccountsWithThisPan: otherAccounts };
      const entry = { action: 'kyc.submit', subject: subjectOf(developerId), before: null, after };
      await this.#parts.audit.record(by, entry, tx);
    });
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.#parts.orm, work);
  }
}

/** Errors: VALIDATION_FAILED on `input.contentBase64` or, when the content is something else than it is called, `input.contentType`. */
function checkedContent({ contentBase64, contentType }: UploadKycDocumentInput): {
  contentType: ContentType;
  sizeBytes: number;
} {
  const bytes = bytesOf(contentBase64);
  if (!bytes)
    throw fieldError(
      'input.contentBase64',
      'PATTERN',
      'Must be a file in base64, with padding and without line breaks.',
    );
  if (bytes.length > MAX_DOCUMENT_BYTES) throw fieldError('input.contentBase64', 'RANGE', 'Must be at most 5 MiB.');
  const type = typeOf(bytes);
  if (type !== contentType.toLowerCase())
    throw fieldError(
      'input.contentType',
      'COMBINATION',
      type ? `The content is ${type}.` : 'The content is of another type.',
    );
  if (isAmbiguous(bytes, type))
    throw fieldError(
      'input.contentBase64',
      'PATTERN',
      'Must be a whole document and nothing else: this one is cut, or an archive too.',
    );
  return { contentType: type, sizeBytes: bytes.length };
}
