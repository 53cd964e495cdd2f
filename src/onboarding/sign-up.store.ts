import { sql } from 'kysely';
import type { PasswordHash } from '../accounts/user.service.js';
import type { DeveloperId } from '../core/principal.js';
import { tokenHash } from '../core/secret.js';
import type { FieldEncryption } from '../db/field-encryption.js';
import type { EntityManager } from '../db/orm.js';

const LINK_TTL_MS = 24 * 3_600_000;

/** What one attempt to sign up gave. It becomes the account's when the link that was mailed for it is used. */
export interface SignUpDetails {
  name: string;
  mobile: string;
  passwordHash: PasswordHash;
}

/** An account, or one of the operator's own people. */
export type AccountAt = { open: boolean; developerId: DeveloperId } | { open: false; userId: number };

/** What stored details are bound to: copied to another row they do not decrypt. */
export const signUpContext = (hash: Buffer): string => `sign_up:${hash.toString('hex')}`;
export const contactContext = (developerId: number): string => `developer_contact:${developerId}`;

/** Links that were mailed and not used yet, and what became known of those who used theirs. Everything personal is encrypted. */
export class SignUpStore {
  readonly #encryption: FieldEncryption;

  constructor(encryption: FieldEncryption) {
    this.#encryption = encryption;
  }

  /**
   * Who has an address; undefined: nobody. `open`: an account that nobody has confirmed yet. One statement, so that it sees an
   * account with its user or neither. An account without a user was made by the operator: no link leads into it.
   */
  async accountAt(email: string, tx: EntityManager): Promise<AccountAt | undefined> {
    const { rows } = await sql<{ user_id: number | null; developer_id: DeveloperId | null; open: boolean | null }>`
      select u.id as user_id, d.id as developer_id,
        u.developer_id = d.id and u.disabled_at is null and lower(d.email) = ${email} and d.onboarding_status = 'registered' as open
      from (values (1)) one
      left join app_user u on lower(u.email) = ${email}
      left join developer d on d.id = coalesce(u.developer_id, (select x.id from developer x where lower(x.email) = ${email}))`.execute(
      tx.getKysely(),
    );
    const { user_id: userId, developer_id: developerId, open } = rows[0]!;
    if (developerId !== null) return { open: open === true, developerId };
    return userId === null ? undefined : { open: false, userId };
  }

  async add(token: string, developerId: DeveloperId, details: SignUpDetails, tx: EntityManager): Promise<void> {
    const hash = tokenHash(token);
    const sealed = this.#encryption.encrypt(signUpContext(hash), details);
    const expiresAt = new Date(Date.now() + LINK_TTL_MS);
    await sql`insert into sign_up (token_hash, developer_id, details, expires_at)
      values (${hash}, ${developerId}, ${sealed}, ${expiresAt})`.execute(tx.getKysely());
  }

  /** Uses a link up; undefined when it is unknown, too old or was used. Of two at once, one gets it. */
  async take(
    token: string,
    tx: EntityManager,
  ): Promise<{ developerId: DeveloperId; details: SignUpDetails } | undefined> {
    const hash = tokenHash(token);
    const { rows } = await sql<{ developer_id: DeveloperId; details: Buffer }>`
      delete from sign_up where token_hash = ${hash} and expires_at > now() returning developer_id, details`.execute(
      tx.getKysely(),
    );
    if (!rows[0]) return undefined;
    const details = this.#encryption.decrypt<SignUpDetails>(signUpContext(hash), rows[0].details);
    return { developerId: rows[0].developer_id, details };
  }

  /** The developer's mobile number. */
  async saveContact(developerId: DeveloperId, mobile: string, tx: EntityManager): Promise<void> {
    const sealed = this.#encryption.encrypt(contactContext(developerId), { mobile });
    await sql`insert into developer_contact (developer_id, contact) values (${developerId}, ${sealed})
      on conflict (developer_id) do update set contact = excluded.contact, updated_at = now()`.execute(tx.getKysely());
  }

  /** Links whose time is over: what they hold has no use any more. */
  async tidy(tx: EntityManager): Promise<void> {
    await sql`delete from sign_up where expires_at < now()`.execute(tx.getKysely());
  }
}
