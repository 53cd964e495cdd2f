import { sql } from 'kysely';
import type { PasswordHash } from '../accounts/passwords.js';
import { keyedHash, type Secret, tokenHash } from '../core/secret.js';
import type { FieldEncryption } from '../db/field-encryption.js';
import type { EntityManager } from '../db/orm.js';

const LINK_TTL_MS = 24 * 3_600_000;

/** What one attempt to sign up gave. */
export interface SignUpDetails {
  /** In lower case. */
  email: string;
  name: string;
  mobile: string;
  passwordHash: PasswordHash;
}

/** What stored details are bound to: copied to another row they do not decrypt. */
export const signUpContext = (hash: Buffer): string => `sign_up:${hash.toString('hex')}`;
export const contactContext = (developerId: string): string => `developer_contact:${developerId}`;

/** Sign-ups that wait for their link to be used, and the contacts of those who used theirs. Everything personal is encrypted. */
export class SignUpStore {
  readonly #encryption: FieldEncryption;
  readonly #pepper: Secret;

  constructor(encryption: FieldEncryption, pepper: Secret) {
    this.#encryption = encryption;
    this.#pepper = pepper;
  }

  /** Whether a developer's user or one of the staff has the address. */
  async isTaken(email: string, tx: EntityManager): Promise<boolean> {
    const { rows } = await sql<{ taken: boolean }>`
      select exists (select from app_user where lower(email) = ${email})
        or exists (select from developer where lower(email) = ${email}) as taken`.execute(tx.getKysely());
    return rows[0]!.taken;
  }

  async add(token: string, details: SignUpDetails, tx: EntityManager): Promise<void> {
    const hash = tokenHash(token);
    const encrypted = this.#encryption.encrypt(signUpContext(hash), details);
    const expiresAt = new Date(Date.now() + LINK_TTL_MS);
    await sql`insert into sign_up (token_hash, email_hash, details, expires_at)
      values (${hash}, ${this.#emailHash(details.email)}, ${encrypted}, ${expiresAt})`.execute(tx.getKysely());
  }

  /** What a link belongs to; undefined when it is unknown, too old or was used. */
  async find(token: string, tx: EntityManager): Promise<SignUpDetails | undefined> {
    const hash = tokenHash(token);
    const { rows } = await sql<{ details: Buffer }>`
      select details from sign_up where token_hash = ${hash} and expires_at > now()`.execute(tx.getKysely());
    return rows[0] && this.#encryption.decrypt<SignUpDetails>(signUpContext(hash), rows[0].details);
  }

  /** Uses a link up, and with it every other one of the address. False when it was used meanwhile: of two at once, one gets it. */
  async take(token: string, email: string, tx: EntityManager): Promise<boolean> {
    const { rows } = await sql`
      delete from sign_up where token_hash = ${tokenHash(token)} and expires_at > now() returning 1`.execute(
      tx.getKysely(),
    );
    if (rows.length === 0) return false;
    await sql`delete from sign_up where email_hash = ${this.#emailHash(email)}`.execute(tx.getKysely());
    return true;
  }

  /** The developer's mobile number. */
  async saveContact(developerId: string, mobile: string, tx: EntityManager): Promise<void> {
    const encrypted = this.#encryption.encrypt(contactContext(developerId), { mobile });
    await sql`insert into developer_contact (developer_id, contact) values (${developerId}, ${encrypted})
      on conflict (developer_id) do update set contact = excluded.contact, updated_at = now()`.execute(tx.getKysely());
  }

  #emailHash(email: string): Buffer {
    return keyedHash(this.#pepper, 'sign-up', email);
  }
}
