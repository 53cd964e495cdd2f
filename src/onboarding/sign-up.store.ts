import { raw } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { PasswordHash } from '../accounts/people/passwords.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import type { RowKeys } from '../core/row-keys.js';
import { keyedHash, type Secret } from '../core/secret.js';
import { bytesOf, type EntityManager } from '../db/orm.js';
import { DeveloperContactEntity, SignUpEntity } from './onboarding.entities.js';

export const LINK_TTL_MS = 24 * 3_600_000;

/** Data of a sign-up. */
export interface SignUpDetails {
  /** Email address in lower case. */
  email: string;
  name: string;
  mobile: string;
  /** ID of the future user, for which the password was hashed. */
  userId: string;
  passwordHash: PasswordHash;
}

/** Returns the encryption context of a sign-up, which prevents decryption in another row. */
export const signUpContext = (hash: Buffer): string => `sign_up:${hash.toString('hex')}`;
export const contactContext = (developerId: string): string => `developer_contact:${developerId}`;

/** Pending sign-ups, and contact details of confirmed ones. All personal data is encrypted. */
export class SignUpStore {
  constructor(
    private readonly encryption: FieldEncryption,
    private readonly pepper: Secret,
    private readonly rowKeys: RowKeys,
  ) {}

  /** Whether a user or an account has the address. */
  async isTaken(email: string, tx: EntityManager): Promise<boolean> {
    const { rows } = await sql<{ taken: boolean }>`
      select exists (select from app_user where lower(email) = ${email} and removed_at is null)
        or exists (select from developer where lower(email) = ${email} and closed_at is null) as taken`.execute(
      tx.getKysely(),
    );
    return rows[0]!.taken;
  }

  /**
   * Adds a sign-up.
   *
   * @returns the expiry time of the link
   */
  async add(token: string, details: SignUpDetails, tx: EntityManager): Promise<Date> {
    const tokenHash = this.rowKeys.lookup('sign_up', token);
    const expiresAt = new Date(Date.now() + LINK_TTL_MS);
    const link = { tokenHash, emailHash: this.#emailHash(details.email), expiresAt };
    tx.create(SignUpEntity, {
      ...link,
      details: this.encryption.encrypt(signUpContext(tokenHash), details),
      mac: this.rowKeys.mac('sign_up', link),
    });
    await tx.flush();
    return expiresAt;
  }

  /** Returns the sign-up of a link, or undefined if the link is unknown, expired or used, or its row was forged. */
  async find(token: string, tx: EntityManager): Promise<SignUpDetails | undefined> {
    const hash = this.rowKeys.lookup('sign_up', token);
    const link = await tx.findOne(SignUpEntity, validLink(hash));
    return link && this.rowKeys.verify('sign_up', link)
      ? this.encryption.decrypt<SignUpDetails>(signUpContext(hash), bytesOf(link.details))
      : undefined;
  }

  /**
   * Uses a link and deletes all other links of the address. Returns false if it was already used, because only one of two
   * parallel calls succeeds.
   */
  async take(token: string, email: string, tx: EntityManager): Promise<boolean> {
    const filter = validLink(this.rowKeys.lookup('sign_up', token));
    if ((await tx.count(SignUpEntity, filter)) === 0) return false;
    // one statement locks the rows in a single order, so that links used in parallel cannot deadlock
    return (await tx.nativeDelete(SignUpEntity, { emailHash: this.#emailHash(email) })) > 0;
  }

  async saveContact(developerId: string, mobile: string, tx: EntityManager): Promise<void> {
    const contact = this.encryption.encrypt(contactContext(developerId), { mobile });
    await tx.upsert(DeveloperContactEntity, { developerId, contact, updatedAt: new Date() });
  }

  /** Returns the mobile number of each developer. Undefined if there is none. */
  async mobilesOf(developerIds: readonly string[], em: EntityManager): Promise<(string | undefined)[]> {
    const rows = await em.find(DeveloperContactEntity, { developerId: { $in: [...developerIds] } });
    const found = new Map(
      rows.map(({ developerId, contact }) => [
        developerId,
        this.encryption.decrypt<{ mobile: string }>(contactContext(developerId), bytesOf(contact)).mobile,
      ]),
    );
    return developerIds.map((id) => found.get(id));
  }

  #emailHash(email: string): Buffer {
    return keyedHash(this.pepper, 'sign-up', email);
  }
}

const validLink = (hash: Buffer) => ({ tokenHash: hash, expiresAt: { $gt: raw<Date>('now()') } });
