import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Origin } from '../../core/context.js';
import type { SessionPrincipal } from '../../core/principal.js';
import type { RowKeys } from '../../core/row-keys.js';
import type { EntityManager } from '../../db/orm.js';
import { type Emails, withEmails } from '../../mails/emails.room.js';
import { DeveloperEntity, PasswordResetEntity, UserEntity, type UserRow } from '../account.entities.js';
import { passwordChangedMail, resetMail } from '../account.mails.js';
import { type Attempts, FailedAttempt } from '../attempts.js';
import { inEvenTime, type MailAllowance } from './mail-allowance.js';
import { requireGoodPassword } from './password-rules.js';
import type { PasswordHash, Passwords } from './passwords.js';
import type { UserService } from './user.service.js';
import { addressOf, linkRefused, lockVerified, userSubject } from './user.state.js';

const LINK_BYTES = 32;
export const LINK_TTL_MS = 3_600_000;

interface PasswordParts {
  orm: MikroORM;
  users: UserService;
  passwords: Passwords;
  rowKeys: RowKeys;
  attempts: Attempts;
  allowance: MailAllowance;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a trailing slash. */
  consoleUrl: string;
}

/** Password changes, with the current password or with an emailed link. */
export class PasswordService {
  constructor(private readonly parts: PasswordParts) {}

  /**
   * Changes the password, revokes the other sessions of the user and returns their number. Throws INVALID_CREDENTIALS,
   * VALIDATION_FAILED for `input.newPassword`, TOO_MANY_FAILED_EXCHANGES and OVERLOADED.
   */
  async change(
    { userId, sessionHash }: SessionPrincipal,
    current: string,
    next: string,
    origin: Origin,
  ): Promise<number> {
    const { orm, attempts, passwords } = this.parts;
    const { addressKey, requestId } = origin;
    const attempt = { kind: 'change-password', identifier: userSubject(userId), addressKey, requestId } as const;
    return attempts.guard(attempt, async () => {
      const user = await orm.em.fork().findOneOrFail(UserEntity, { id: userId });
      if (!(await passwords.verify(user, current, { isKnown: true })))
        throw new FailedAttempt('wrong password', undefined, userId);
      await this.#requireGood(next, user);
      const passwordHash = await passwords.hash(next, userId);
      return withEmails(this.parts, async (tx) => {
        await lockVerified(user, tx);
        return this.#replace(userId, passwordHash, origin, tx, sessionHash);
      });
    });
  }

  /** Emails a link if a user has the address. Neither the response nor its time reveals whether one does. Throws RATE_LIMITED. */
  async requestReset(email: string, { addressKey }: Origin): Promise<void> {
    const { orm, allowance, consoleUrl, mails, rowKeys } = this.parts;
    await inEvenTime(async () => {
      const canMail = await allowance.request('password-reset', email, addressKey);
      const user = await orm.em.fork().findOne(UserEntity, { email: addressOf(email), disabledAt: null });
      if (!canMail || !user) return;
      // hexadecimal text is used, because some email programs cut a trailing "-" off a link
      const token = randomBytes(LINK_BYTES).toString('hex');
      await withEmails(this.parts, async (tx) => {
        const expiresAt = new Date(Date.now() + LINK_TTL_MS);
        const link = { tokenHash: rowKeys.lookup('password_reset', token), userId: user.id, expiresAt };
        tx.create(PasswordResetEntity, { ...link, mac: rowKeys.mac('password_reset', link) });
        await tx.flush();
        // the token is in the fragment, which is neither sent to servers nor logged
        const mail = resetMail(user.email, `${consoleUrl}/reset-password#token=${token}`);
        await mails.queue({ ...mail, linkExpiresAt: expiresAt.toISOString() }, tx);
      });
    });
  }

  /**
   * Uses a link, revokes all sessions of the user and returns the user. Throws VALIDATION_FAILED for `input.token` and
   * `input.newPassword`, TOO_MANY_FAILED_EXCHANGES and OVERLOADED.
   */
  async reset(token: string, password: string, origin: Origin): Promise<UserRow> {
    const { orm, attempts, passwords, rowKeys } = this.parts;
    const { addressKey, requestId } = origin;
    const attempt = { kind: 'reset-password', identifier: token, addressKey, requestId } as const;
    const user = await attempts.guard(attempt, async () => {
      const em = orm.em.fork();
      const link = await em.findOne(PasswordResetEntity, this.#usable(token));
      const isAuthentic = link !== null && rowKeys.verify('password_reset', link);
      const owner = isAuthentic && (await em.findOne(UserEntity, { id: link.userId, disabledAt: null }));
      if (!owner) throw new FailedAttempt('unknown link', linkRefused());
      return owner;
    });
    await this.#requireGood(password, user);
    const passwordHash = await passwords.hash(password, user.id);
    await withEmails(this.parts, async (tx) => {
      // only one of two parallel calls succeeds
      if ((await tx.nativeDelete(PasswordResetEntity, this.#usable(token))) === 0) throw linkRefused();
      await this.#replace(user.id, passwordHash, origin, tx);
    });
    return user;
  }

  async #requireGood(password: string, { name, email, developerId }: UserRow): Promise<void> {
    const { orm } = this.parts;
    const account = developerId ? await orm.em.fork().findOne(DeveloperEntity, { id: developerId }) : null;
    await requireGoodPassword('input.newPassword', password, [name, email, account?.name]);
  }

  async #replace(
    userId: string,
    passwordHash: PasswordHash,
    { requestId, addressKey }: Origin,
    tx: EntityManager,
    keep?: Buffer,
  ): Promise<number> {
    const { users, mails, consoleUrl } = this.parts;
    const by = { actor: userSubject(userId), requestId, address: addressKey };
    const ended = await users.replacePassword(userId, passwordHash, by, tx, keep);
    const { email } = await tx.findOneOrFail(UserEntity, { id: userId });
    await mails.queue(passwordChangedMail(email, consoleUrl), tx);
    return ended;
  }

  #usable(token: string) {
    return { tokenHash: this.parts.rowKeys.lookup('password_reset', token), expiresAt: { $gt: new Date() } };
  }
}
