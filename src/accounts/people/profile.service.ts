import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import { type Origin, requireFreshFactor } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { FieldEncryption } from '../../core/field-encryption.js';
import type { SessionPrincipal } from '../../core/principal.js';
import type { RowKeys } from '../../core/row-keys.js';
import { bytesOf, type EntityManager, inTransaction } from '../../db/orm.js';
import { type Emails, withEmails } from '../../mails/emails.room.js';
import { unlessTaken } from '../account.changes.js';
import {
  DeveloperEntity,
  EmailChangeEntity,
  PasswordResetEntity,
  UserEntity,
  type UserRow,
} from '../account.entities.js';
import { addressChangeMail, addressInUseMail, newAddressMail } from '../account.mails.js';
import { type Attempts, FailedAttempt } from '../attempts.js';
import { inEvenTime, type MailAllowance } from './mail-allowance.js';
import type { Passwords } from './passwords.js';
import { mobileContext } from './people.reader.js';
import { addressOf, linkRefused, lockUser, lockVerified, userSubject } from './user.state.js';

const LINK_BYTES = 32;
const TAKEN = 'A user with this email address already exists.';
export const NEW_ADDRESS_TTL_MS = 3_600_000;

/** Returns the encryption context of a new address, so that it cannot be decrypted in another row. */
export const newAddressContext = (hash: Buffer): string => `email_change:${hash.toString('hex')}`;

interface ProfileParts {
  orm: MikroORM;
  audit: AuditService;
  encryption: FieldEncryption;
  passwords: Passwords;
  rowKeys: RowKeys;
  attempts: Attempts;
  allowance: MailAllowance;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a trailing slash. */
  consoleUrl: string;
}

/** Profile changes. The name and the mobile number change immediately, the email address in two steps. */
export class ProfileService {
  constructor(private readonly parts: ProfileParts) {}

  /** Updates the name and the mobile number. Undefined fields remain unchanged. Throws RECORD_NOT_FOUND. */
  async update(
    { userId }: SessionPrincipal,
    { name, mobile }: { name?: string | undefined; mobile?: string | undefined },
    by: Actor,
  ): Promise<UserRow> {
    const { audit, encryption } = this.parts;
    return inTransaction(this.parts.orm, async (tx) => {
      const user = await lockUser(userId, tx);
      if (name !== undefined) user.name = name;
      if (mobile !== undefined) user.mobile = encryption.encrypt(mobileContext(userId), mobile);
      await tx.flush();
      // records only the names of changed fields, because audit entries are permanent and the values are personal data
      const changed = Object.entries({ name, mobile }).flatMap(([field, value]) =>
        value === undefined ? [] : [field],
      );
      const record = { action: 'user.update_profile', before: null, after: { changed } } as const;
      await audit.record(by, { ...record, subject: userSubject(userId) }, tx);
      return user;
    });
  }

  /**
   * Emails a link to the new address and a notice to the current one. The link replaces an earlier one. Neither the response
   * nor its time reveals whether another user has the address. Throws STEP_UP_REQUIRED, INVALID_CREDENTIALS,
   * TOO_MANY_FAILED_EXCHANGES, RATE_LIMITED or OVERLOADED.
   */
  async requestEmail(
    session: SessionPrincipal,
    { email, password }: { email: string; password: string },
    { addressKey, requestId }: Origin,
  ): Promise<void> {
    requireFreshFactor(session);
    const { userId } = session;
    const { orm, attempts, passwords, allowance } = this.parts;
    // this attempt is counted together with those of a password change
    const attempt = { kind: 'change-password', identifier: userSubject(userId), addressKey, requestId } as const;
    await inEvenTime(() =>
      attempts.guard(attempt, async () => {
        const user = await orm.em.fork().findOneOrFail(UserEntity, { id: userId });
        if (!(await passwords.verify(user, password, { isKnown: true })))
          throw new FailedAttempt('wrong password', undefined, userId);
        const canMail = await allowance.request('new-address', email, addressKey);
        await withEmails(this.parts, async (tx) => {
          await lockVerified(user, tx);
          if (canMail) await this.#offer(user, addressOf(email), tx);
        });
      }),
    );
  }

  /**
   * Uses a link. The new address applies from now on, and password links sent to the previous address are no longer valid.
   * Throws VALIDATION_FAILED for `input.token`, and TOO_MANY_FAILED_EXCHANGES.
   */
  async confirmEmail(token: string, { addressKey, requestId }: Origin): Promise<UserRow> {
    const { orm, attempts, audit, encryption, mails, consoleUrl } = this.parts;
    const attempt = { kind: 'confirm-email', identifier: token, addressKey, requestId } as const;
    await attempts.guard(attempt, async () => {
      const link = await this.#openLink(token, orm.em.fork() as EntityManager);
      const owner = link && (await orm.em.fork().findOne(UserEntity, { id: link.userId, disabledAt: null }));
      if (!owner) throw new FailedAttempt('unknown link', linkRefused());
    });
    try {
      return await withEmails(this.parts, async (tx) => {
        const link = await this.#openLink(token, tx);
        const user = link && (await lockUser(link.userId, tx));
        // only one of two parallel calls succeeds
        if (!user || user.disabledAt || (await tx.nativeDelete(EmailChangeEntity, this.#usable(token))) === 0)
          throw linkRefused();
        const former = user.email;
        user.email = encryption.decrypt<string>(newAddressContext(bytesOf(link.tokenHash)), bytesOf(link.email));
        await unlessTaken(TAKEN, tx.flush());
        await tx.nativeDelete(PasswordResetEntity, { userId: user.id });
        const accountToo = await unlessTaken(TAKEN, moveAccount(user, former, tx));
        const by = { actor: userSubject(user.id), requestId, address: addressKey };
        const record = { action: 'user.set_email', before: null, after: accountToo ? { accountToo } : null } as const;
        await audit.record(by, { ...record, subject: userSubject(user.id) }, tx);
        await mails.queue(addressChangeMail(former, consoleUrl, 'done'), tx);
        return user;
      });
    } catch (error) {
      // another user took the address in the meantime
      if (error instanceof AppError && error.code === 'CONFLICT') throw linkRefused();
      throw error;
    }
  }

  async #offer(user: UserRow, email: string, tx: EntityManager): Promise<void> {
    const { encryption, rowKeys, mails, consoleUrl } = this.parts;
    // hexadecimal text is used, because some email programs cut a trailing "-" off a link
    const token = randomBytes(LINK_BYTES).toString('hex');
    const tokenHash = rowKeys.lookup('email_change', token);
    const isTaken = (await tx.findOne(UserEntity, { email })) !== null;
    await tx.nativeDelete(EmailChangeEntity, { userId: user.id });
    const expiresAt = new Date(Date.now() + NEW_ADDRESS_TTL_MS);
    const link = { tokenHash, userId: user.id, expiresAt };
    tx.create(EmailChangeEntity, {
      ...link,
      email: encryption.encrypt(newAddressContext(tokenHash), email),
      mac: rowKeys.mac('email_change', link),
    });
    await tx.flush();
    const mail = isTaken
      ? addressInUseMail(email, consoleUrl)
      : // in the fragment, which is neither sent to servers nor logged
        {
          ...newAddressMail(email, `${consoleUrl}/confirm-email#token=${token}`),
          linkExpiresAt: expiresAt.toISOString(),
        };
    await mails.queue(mail, tx);
    await mails.queue(addressChangeMail(user.email, consoleUrl, 'requested'), tx);
  }

  /** Returns the link of a token, or undefined if it is unknown or expired, or its row was forged. */
  async #openLink(token: string, em: EntityManager) {
    const link = await em.findOne(EmailChangeEntity, this.#usable(token));
    return link && this.parts.rowKeys.verify('email_change', link) ? link : undefined;
  }

  #usable(token: string) {
    return { tokenHash: this.parts.rowKeys.lookup('email_change', token), expiresAt: { $gt: new Date() } };
  }
}

/**
 * Changes the account's address if it is that of its owner; otherwise notices of new API keys would go to an unused mailbox. A
 * different account address is kept. Throws UniqueConstraintViolationException.
 */
async function moveAccount(
  { teamRole, developerId, email }: UserRow,
  former: string,
  tx: EntityManager,
): Promise<boolean> {
  if (teamRole !== 'owner' || !developerId) return false;
  return (await tx.nativeUpdate(DeveloperEntity, { id: developerId, email: former }, { email })) > 0;
}
