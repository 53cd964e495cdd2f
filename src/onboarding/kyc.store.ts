import { raw } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { FieldEncryption } from '../core/field-encryption.js';
import { newId } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { keyedHash, type Secret } from '../core/secret.js';
import { bytesOf, type EntityManager } from '../db/orm.js';
import type { ContentType } from './kyc-document.js';
import { KycDocumentEntity, KycDraftEntity, KycSubmissionEntity } from './onboarding.entities.js';

export interface KycDocumentDetails {
  kind: string;
  fileName: string;
  contentType: ContentType;
}

/** Document as stored. Both parts are encrypted. */
export interface EncryptedDocument {
  id: string;
  details: Buffer;
  content: Buffer;
}

/** Document without its content. */
export interface StoredDocument extends KycDocumentDetails {
  id: string;
  sizeBytes: number;
}

/** Latest submission, without the contents of its documents. */
export interface StoredSubmission extends KycDetails {
  id: string;
  developerId: DeveloperId;
  submittedAt: Date;
  /** Number of other accounts that submitted the same PAN. */
  otherAccounts: number;
  documents: StoredDocument[];
}

/** Part of a submission that contains no personal data. */
export interface SubmissionSummary {
  submittedAt: Date;
  documents: number;
  otherAccounts: number;
}

export interface KycDetails {
  legalName: string;
  pan: string;
  gstin?: string;
  address: string;
  pincode: string;
}

/** Entries of an owner, as typed. */
export type DraftDetails = Partial<KycDetails>;

/** Returns the encryption context of a document, which prevents decryption in another row. */
export const documentContext = (developerId: string, id: string): string => `kyc_document:${developerId}:${id}`;
export const draftContext = (developerId: string): string => `kyc_draft:${developerId}`;
export const submissionContext = (developerId: string, id: string): string => `kyc_submission:${developerId}:${id}`;

/** Encrypted KYC data. A keyed hash of the PAN finds accounts of the same person. */
export class KycStore {
  constructor(
    private readonly encryption: FieldEncryption,
    private readonly pepper: Secret,
  ) {}

  /** Encrypts a document. This takes time, so call it before the transaction. */
  encrypt(developerId: DeveloperId, details: KycDocumentDetails, content: Buffer): EncryptedDocument {
    const id = newId();
    const context = documentContext(developerId, id);
    const encrypt = (value: unknown): Buffer => this.encryption.encrypt(context, value);
    return { id, details: encrypt(details), content: encrypt(content) };
  }

  async addDocument(
    developerId: DeveloperId,
    document: EncryptedDocument & { sizeBytes: number },
    tx: EntityManager,
  ): Promise<void> {
    const { id, details, content, sizeBytes } = document;
    // does not use the ORM, because it would write the bytes as hexadecimal text into the statement
    await sql`
      insert into kyc_document (developer_id, id, details, content, size_bytes)
      values (${developerId}, ${id}, ${details}, ${content}, ${sizeBytes})`.execute(tx.getKysely());
  }

  /** Returns unsubmitted documents, oldest first. */
  async unsubmitted(developerId: DeveloperId, em: EntityManager): Promise<StoredDocument[]> {
    const rows = await em.find(KycDocumentEntity, { developerId, submittedAt: null }, { orderBy: { id: 'asc' } });
    return rows.map(({ id, details, sizeBytes }) => ({
      ...this.encryption.decrypt<KycDocumentDetails>(documentContext(developerId, id), bytesOf(details)),
      id,
      sizeBytes,
    }));
  }

  /** Deletes an unsubmitted document. Returns false if there is none. */
  async dropDocument(developerId: DeveloperId, id: string, tx: EntityManager): Promise<boolean> {
    const { rows } = await sql<{ dropped: boolean }>`
      select kyc_document_drop(${developerId}::uuid, ${id}::uuid) as dropped`.execute(tx.getKysely());
    return rows[0]!.dropped;
  }

  async hasDocument(developerId: DeveloperId, id: string, tx: EntityManager): Promise<boolean> {
    return (await tx.count(KycDocumentEntity, { developerId, id })) > 0;
  }

  /** Returns the entries of the draft, or of the latest submission if there is no draft. */
  async draft(developerId: DeveloperId, em: EntityManager): Promise<DraftDetails> {
    const draft = await em.findOne(KycDraftEntity, { developerId });
    if (draft) return this.encryption.decrypt<DraftDetails>(draftContext(developerId), bytesOf(draft.details));
    const [last] = await em.find(KycSubmissionEntity, { developerId }, { orderBy: { id: 'desc' }, limit: 1 });
    return last
      ? this.encryption.decrypt<KycDetails>(submissionContext(developerId, last.id), bytesOf(last.details))
      : {};
  }

  /** Replaces the saved entries. Returns true if there were none. The caller has locked the account. */
  async saveDraft(developerId: DeveloperId, draft: DraftDetails, tx: EntityManager): Promise<boolean> {
    const details = this.encryption.encrypt(draftContext(developerId), draft);
    const existing = await tx.findOne(KycDraftEntity, { developerId });
    if (existing) Object.assign(existing, { details, updatedAt: new Date() });
    else tx.create(KycDraftEntity, { developerId, details, updatedAt: new Date() });
    await tx.flush();
    return !existing;
  }

  async dropDraft(developerId: DeveloperId, tx: EntityManager): Promise<void> {
    await tx.nativeDelete(KycDraftEntity, { developerId });
  }

  /** Returns the number of unsubmitted documents. */
  countUnsubmitted(developerId: DeveloperId, tx: EntityManager): Promise<number> {
    return tx.count(KycDocumentEntity, { developerId, submittedAt: null });
  }

  /** Marks documents as submitted. Returns false if one does not belong to the developer. */
  async submitDocuments(developerId: DeveloperId, ids: readonly string[], tx: EntityManager): Promise<boolean> {
    const submittedAt = raw<Date>('coalesce(submitted_at, now())');
    return (
      (await tx.nativeUpdate(KycDocumentEntity, { developerId, id: { $in: [...ids] } }, { submittedAt })) === ids.length
    );
  }

  /** Adds a submission. Returns the number of other accounts that submitted the same PAN. */
  async addSubmission(
    developerId: DeveloperId,
    details: KycDetails,
    documentIds: readonly string[],
    tx: EntityManager,
  ): Promise<{ id: string; otherAccounts: number }> {
    const id = newId();
    const panHash = keyedHash(this.pepper, 'kyc-pan', details.pan);
    tx.create(KycSubmissionEntity, {
      developerId,
      id,
      panHash,
      details: this.encryption.encrypt(submissionContext(developerId, id), details),
      documentIds: [...documentIds],
    });
    await tx.flush();
    const { rows } = await sql<{ n: number }>`
      select count(distinct developer_id)::int as n from kyc_submission
      where pan_hash = ${panHash} and developer_id <> ${developerId}`.execute(tx.getKysely());
    return { id, otherAccounts: rows[0]!.n };
  }

  /** Returns the latest submission of each developer that has one, with its documents. */
  async latest(developerIds: readonly DeveloperId[], tx: EntityManager): Promise<Map<DeveloperId, StoredSubmission>> {
    const { rows } = await sql<SubmissionRow>`
      select distinct on (s.developer_id) s.developer_id, s.id, s.details, s.created_at, (
          select count(distinct o.developer_id)::int from kyc_submission o
          where o.pan_hash = s.pan_hash and o.developer_id <> s.developer_id) as other_accounts, (
          select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'sizeBytes', d.size_bytes, 'details', encode(d.details, 'base64')) order by d.id), '[]')
          from kyc_document d where d.developer_id = s.developer_id and d.id = any(s.document_ids)) as documents
      from kyc_submission s where s.developer_id = any(${developerIds}::uuid[])
      order by s.developer_id, s.id desc`.execute(tx.getKysely());
    return new Map(rows.map((row) => [row.developer_id, this.#submissionOf(row)]));
  }

  /** Returns a summary of each latest submission, in order. Undefined if there is none. */
  async summaries(developerIds: readonly DeveloperId[], em: EntityManager): Promise<(SubmissionSummary | undefined)[]> {
    const { rows } = await sql<SummaryRow>`
      select k.id as developer_id, s.created_at, cardinality(s.document_ids) as documents, (
          select count(distinct o.developer_id)::int from kyc_submission o
          where o.pan_hash = s.pan_hash and o.developer_id <> k.id) as other_accounts
      from unnest(${developerIds}::uuid[]) k(id)
      cross join lateral (select * from kyc_submission x where x.developer_id = k.id order by x.id desc limit 1) s`.execute(
      em.getKysely(),
    );
    const found = new Map(rows.map((row) => [row.developer_id, row]));
    return developerIds.map((id) => {
      const row = found.get(id);
      return (
        row && {
          submittedAt: new Date(row.created_at),
          documents: row.documents,
          otherAccounts: row.other_accounts,
        }
      );
    });
  }

  /** Returns a document with its content, or undefined if the developer has none with this ID. */
  async document(
    developerId: DeveloperId,
    id: string,
    tx: EntityManager,
  ): Promise<(KycDocumentDetails & { content: Buffer }) | undefined> {
    const stored = await tx.findOne(KycDocumentEntity, { developerId, id }, { populate: ['content'] });
    if (!stored) return undefined;
    const context = documentContext(developerId, id);
    const details = this.encryption.decrypt<KycDocumentDetails>(context, bytesOf(stored.details));
    return { ...details, content: this.encryption.decrypt<Buffer>(context, bytesOf(stored.content)) };
  }

  #submissionOf(row: SubmissionRow): StoredSubmission {
    const { developer_id: developerId, id } = row;
    return {
      ...this.encryption.decrypt<KycDetails>(submissionContext(developerId, id), row.details),
      id,
      developerId,
      submittedAt: new Date(row.created_at),
      otherAccounts: row.other_accounts,
      documents: row.documents.map(({ id: documentId, sizeBytes, details }) => ({
        ...this.encryption.decrypt<KycDocumentDetails>(
          documentContext(developerId, documentId),
          Buffer.from(details, 'base64'),
        ),
        id: documentId,
        sizeBytes,
      })),
    };
  }
}

interface SummaryRow {
  developer_id: DeveloperId;
  created_at: string;
  documents: number;
  other_accounts: number;
}

interface SubmissionRow {
  developer_id: DeveloperId;
  id: string;
  details: Buffer;
  created_at: string;
  other_accounts: number;
  documents: { id: string; sizeBytes: number; details: string }[];
}
