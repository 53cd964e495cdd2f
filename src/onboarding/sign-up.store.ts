import { raw } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { PasswordHash } from '../accounts/people/passwords.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import type { RowKeys } from '../core/row-keys.js';
import { keyedHash, type Secret } from '../core/secret.js';
import { bytesOf, type EntityManager } from '../db/orm.js';
import { DeveloperContactEntity, SignUpEntity } from './onboarding.entities.js';

export const LINK_TTL_MS = 24 * 3_600_000;

/** What one attempt to sign up gave. */
export interface SignUpDetails {
  /** In lower case. */
  email: string;
  name: string;
  mobile: string;
  /** Of the user that comes of it: the password was hashed for this id. */
  userId: string;
  passwordHash: PasswordHash;
}

/** What stored details are bound to: copied to another row they do not decrypt. */
export const signUpContext = (hash: Buffer): string => `sign_up:${hash.toString('hex')}`;
export const contactContext = (developerId: string): string => `developer_contact:${developerId}`;

/** Sign-ups that wait for their link to be used, and the contacts of those who used theirs. Everything personal is encrypted. */
export class SignUpStore {
  constructor(
    private readonly encryption: FieldEncryption,
    private readonly pepper: Secret,
    private readonly rowKeys: RowKeys,
  ) {}

  /** Whether a developer's user or one of the staff has the address. */
  async isTaken(email: string, tx: EntityManager): Promise<boolean> {
    const { rows } = await sql<{ taken: boolean }>`
      select exists (select from app_user where lower(email) = ${email} and removed_at is null)
        or exists (select from developer where lower(email) = ${email} and closed_at is null) as taken`.execute(
      tx.getKysely(),
    );
    return rows[0]!.taken;
  }

  /** @returns when the link ends */
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

  /** What a link belongs to; undefined when it is unknown, too old or was used, or its row was forged. */
  async find(token: string, tx: EntityManager): Promise<SignUpDetails | undefined> {
    const hash = this.rowKeys.lookup('sign_up', token);
    const link = await tx.findOne(SignUpEntity, usable(hash));
    return link && this.rowKeys.verify('sign_up', link)
      ? this.encryption.decrypt<SignUpDetails>(signUpContext(hash), bytesOf(link.details))
      : undefined;
  }

  /** Uses a link up, and with it every other one of the address. False when it was used meanwhile: of two at once, one gets it. */
  async take(token: string, email: string, tx: EntityManager): Promise<boolean> {
    const own = usable(this.rowKeys.lookup('sign_up', token));
    if ((await tx.count(SignUpEntity, own)) === 0) return false;
    // in one statement, which locks rows in one order: links that are used at once cannot lock each other out
    return (await tx.nativeDelete(SignUpEntity, { emailHash: this.#emailHash(email) })) > 0;
  }

  /** The developer's mobile number. */
  async saveContact(developerId: string, mobile: string, tx: EntityManager): Promise<void> {
    const contact = this.encryption.encrypt(contactContext(developerId), { mobile });
    await tx.upsert(DeveloperContactEntity, { developerId, contact, updatedAt: new Date() });
  }

  /** The mobile number of each developer, undefined where there is none. */
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

const usable = (hash: Buffer) => ({ tokenHash: hash, expiresAt: { $gt: raw<Date>('now()') } });
