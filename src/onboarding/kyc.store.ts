import { sql } from 'kysely';
import { newId } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { keyedHash, type Secret } from '../core/secret.js';
import type { FieldEncryption } from '../db/field-encryption.js';
import type { EntityManager } from '../db/orm.js';
import type { ContentType } from './kyc-document.js';

export interface KycDocument {
  kind: string;
  fileName: string;
  contentType: ContentType;
  contentBase64: string;
}

export interface KycDetails {
  legalName: string;
  pan: string;
  gstin?: string;
  address: string;
  pincode: string;
}

/** What stored documents and submissions are bound to: copied to another row they do not decrypt. */
export const documentContext = (developerId: number, id: string): string => `kyc_document:${developerId}:${id}`;
export const submissionContext = (developerId: number, id: string): string => `kyc_submission:${developerId}:${id}`;

/** KYC, encrypted. Of a PAN there is a keyed hash too, by which accounts of the same person are found. */
export class KycStore {
  readonly #encryption: FieldEncryption;
  readonly #pepper: Secret;

  constructor(encryption: FieldEncryption, pepper: Secret) {
    this.#encryption = encryption;
    this.#pepper = pepper;
  }

  /** Encrypts a document, which takes a while: before the transaction that adds it. */
  seal(developerId: DeveloperId, document: KycDocument): { id: string; content: Buffer } {
    const id = newId();
    return { id, content: this.#encryption.encrypt(documentContext(developerId, id), document) };
  }

  async addDocument(
    developerId: DeveloperId,
    { id, content, sizeBytes }: { id: string; content: Buffer; sizeBytes: number },
    tx: EntityManager,
  ): Promise<void> {
    await sql`insert into kyc_document (developer_id, id, content, size_bytes)
      values (${developerId}, ${id}, ${content}, ${sizeBytes})`.execute(tx.getKysely());
  }

  /** Documents that no submission has named. */
  async waitingDocuments(developerId: DeveloperId, tx: EntityManager): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from kyc_document where developer_id = ${developerId} and submitted_at is null`.execute(
      tx.getKysely(),
    );
    return rows[0]!.n;
  }

  /** Marks documents as submitted; false when one of them is not the developer's. */
  async submitDocuments(developerId: DeveloperId, ids: readonly string[], tx: EntityManager): Promise<boolean> {
    const { rows } = await sql`update kyc_document set submitted_at = coalesce(submitted_at, now())
      where developer_id = ${developerId} and id = any(${ids}::uuid[]) returning id`.execute(tx.getKysely());
    return rows.length === ids.length;
  }

  /** Returns how many other accounts have submitted the same PAN. */
  async addSubmission(
    developerId: DeveloperId,
    details: KycDetails,
    documentIds: readonly string[],
    tx: EntityManager,
  ): Promise<{ id: string; otherAccounts: number }> {
    const id = newId();
    const panHash = keyedHash(this.#pepper, 'kyc-pan', details.pan);
    const sealed = this.#encryption.encrypt(submissionContext(developerId, id), details);
    await sql`insert into kyc_submission (developer_id, id, pan_hash, details, document_ids)
      values (${developerId}, ${id}, ${panHash}, ${sealed}, ${documentIds}::uuid[])`.execute(tx.getKysely());
    const { rows } = await sql<{ n: number }>`
      select count(distinct developer_id)::int as n from kyc_submission
      where pan_hash = ${panHash} and developer_id <> ${developerId}`.execute(tx.getKysely());
    return { id, otherAccounts: rows[0]!.n };
  }
}
