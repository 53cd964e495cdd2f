import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import { type Origin, requireFreshFactor } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { FieldEncryption } from '../../core/field-encryption.js';
import type { SessionPrincipal } from '../../core/principal.js';
import type { RowKeys } from '../../core/row-keys.js';
import { bytesOf, type EntityManager, inTransaction } from '../../db/orm.js';
import { type Mails, mailing } from '../../mails/mails.room.js';
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
const TAKEN = 'There is a user with this email address.';
export const NEW_ADDRESS_TTL_MS = 3_600_000;

/** What a stored new address is bound to: copied to another row it does not decrypt. */
export const newAddressContext = (hash: Buffer): string => `email_change:${hash.toString('hex')}`;

interface ProfileParts {
  orm: MikroORM;
  audit: AuditService;
  encryption: FieldEncryption;
  passwords: Passwords;
  rowKeys: RowKeys;
  attempts: Attempts;
  allowance: MailAllowance;
  mails: Pick<Mails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a slash at its end. */
  consoleUrl: string;
}

/** What people change of themselves: name and mobile number at once, the address they sign in with in two steps. */
export class ProfileService {
  constructor(private readonly parts: ProfileParts) {}

  /** Name and mobile number; what is undefined stays. Errors: RECORD_NOT_FOUND. */
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
      // what it was and is is personal data, which the audit log would keep for ever
      const changed = Object.entries({ name, mobile }).flatMap(([field, value]) =>
        value === undefined ? [] : [field],
      );
      const record = { action: 'user.update_profile', before: null, after: { changed } } as const;
      await audit.record(by, { ...record, subject: userSubject(userId) }, tx);
      return user;
    });
  }

  /**
   * Emails a link to a new address, and word of it to the present one; a link that was mailed before is good no more. Neither the answer
   * nor its time tells whether somebody else has the address.
   * Errors: STEP_UP_REQUIRED, INVALID_CREDENTIALS, TOO_MANY_FAILED_EXCHANGES, RATE_LIMITED, OVERLOADED.
   */
  async requestEmail(
    session: SessionPrincipal,
    { email, password }: { email: string; password: string },
    { addressKey, requestId }: Origin,
  ): Promise<void> {
    requireFreshFactor(session);
    const { userId } = session;
    const { orm, attempts, passwords, allowance } = this.parts;
    // the attempts at the present password are those of changing it
    const attempt = { kind: 'change-password', identifier: userSubject(userId), addressKey, requestId } as const;
    await inEvenTime(() =>
      attempts.guard(attempt, async () => {
        const user = await orm.em.fork().findOneOrFail(UserEntity, { id: userId });
        if (!(await passwords.verify(user, password, { isKnown: true })))
          throw new FailedAttempt('wrong password', undefined, userId);
        const canMail = await allowance.request('new-address', email, addressKey);
        await mailing(this.parts, async (tx) => {
          await lockVerified(user, tx);
          if (canMail) await this.#offer(user, addressOf(email), tx);
        });
      }),
    );
  }

  /**
   * Uses a link up: the address counts from now on, and links that were mailed to the former one to set a password no more.
   * Errors: VALIDATION_FAILED on `input.token`, TOO_MANY_FAILED_EXCHANGES.
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
      return await mailing(this.parts, async (tx) => {
        const link = await this.#openLink(token, tx);
        const user = link && (await lockUser(link.userId, tx));
        // of two at once, one gets it
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
      // somebody else has got a user with the address meanwhile
      if (error instanceof AppError && error.code === 'CONFLICT') throw linkRefused();
      throw error;
    }
  }

  async #offer(user: UserRow, email: string, tx: EntityManager): Promise<void> {
    const { encryption, rowKeys, mails, consoleUrl } = this.parts;
    // hexadecimal, because programs that make links of text leave out a "-" at the end
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
      : // behind the "#", where no server and no log sees it
        {
          ...newAddressMail(email, `${consoleUrl}/confirm-email#token=${token}`),
          linkExpiresAt: expiresAt.toISOString(),
        };
    await mails.queue(mail, tx);
    await mails.queue(addressChangeMail(user.email, consoleUrl, 'asked'), tx);
  }

  /** The link of a token; undefined when it is unknown or expired, or its row was forged. */
  async #openLink(token: string, em: EntityManager) {
    const link = await em.findOne(EmailChangeEntity, this.#usable(token));
    return link && this.parts.rowKeys.verify('email_change', link) ? link : undefined;
  }

  #usable(token: string) {
    return { tokenHash: this.parts.rowKeys.lookup('email_change', token), expiresAt: { $gt: new Date() } };
  }
}

/**
 * The address of an account follows its owner's: else word of new keys would go to a mailbox that nobody reads any more. One that is
 * another one stays. Errors: UniqueConstraintViolationException.
 */
async function moveAccount(
  { teamRole, developerId, email }: UserRow,
  former: string,
  tx: EntityManager,
): Promise<boolean> {
  if (teamRole !== 'owner' || !developerId) return false;
  return (await tx.nativeUpdate(DeveloperEntity, { id: developerId, email: former }, { email })) > 0;
}
