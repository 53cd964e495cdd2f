import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { type Attempts, FailedAttempt } from '../accounts/attempts.js';
import type { DeveloperService } from '../accounts/developers/developer.service.js';
import { inEvenTime, type MailAllowance } from '../accounts/people/mail-allowance.js';
import { requireGoodPassword } from '../accounts/people/password-rules.js';
import type { Passwords } from '../accounts/people/passwords.js';
import type { UserService } from '../accounts/people/user.service.js';
import { addressOf } from '../accounts/people/user.state.js';
import type { Origin } from '../core/context.js';
import { AppError, fieldError } from '../core/errors.js';
import { newId } from '../core/ids.js';
import type { DeveloperId, UserId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { type Emails, withEmails } from '../mails/emails.room.js';
import { existingAccountEmail, verificationEmail } from './onboarding.emails.js';
import type { SignUpInput } from './onboarding.types.js';
import type { SignUpDetails, SignUpStore } from './sign-up.store.js';

const LINK_BYTES = 32;
const invalidLinkError = (): AppError =>
  fieldError(
    'input.token',
    'REFERENCE',
    'This link is unknown, expired or already used. Sign up again to get a new link.',
  );

export interface SignUpParts {
  orm: MikroORM;
  developers: DeveloperService;
  users: UserService;
  passwords: Passwords;
  attempts: Attempts;
  allowance: MailAllowance;
  store: SignUpStore;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a trailing slash. */
  consoleUrl: string;
}

export interface NewAccount {
  userId: UserId;
  developerId: DeveloperId;
}

/**
 * Sign-up until the email address is confirmed. Before that, there is no account, user or session, only an encrypted sign-up
 * that is kept for a day.
 */
export class SignUpService {
  constructor(private readonly parts: SignUpParts) {}

  /**
   * Emails a confirmation link, or a notice that the address already has an account. Neither the response nor its time reveals
   * which. Every sign-up has its own link. Throws VALIDATION_FAILED for `input.password`, RATE_LIMITED and OVERLOADED.
   */
  async signUp(input: SignUpInput, { addressKey }: Origin): Promise<void> {
    const { allowance, passwords } = this.parts;
    const email = addressOf(input.email);
    // this is checked first, so that the result cannot depend on the address
    await requireGoodPassword('input.password', input.password, [input.name, email]);
    await inEvenTime(async () => {
      const canEmail = await allowance.request('sign-up', email, addressKey);
      // the password is hashed for known addresses too, because hashing takes most of the time
      const userId = newId();
      const passwordHash = await passwords.hash(input.password, userId);
      if (!canEmail) return;
      await withEmails(this.parts, (tx) =>
        this.#receive({ email, name: input.name, mobile: input.mobile, userId, passwordHash }, tx),
      );
    });
  }

  /**
   * Uses a link and creates the account. Requires the password of the sign-up that the link belongs to, because the owner of
   * the address may have received the link of a sign-up by another person. After a wrong password the link remains valid.
   * Throws VALIDATION_FAILED for `input.token`, INVALID_CREDENTIALS, TOO_MANY_FAILED_EXCHANGES and OVERLOADED.
   */
  async verifyEmail(token: string, password: string, origin: Origin): Promise<NewAccount> {
    const { addressKey, requestId } = origin;
    const attempt = { kind: 'verify-email', identifier: token, addressKey, requestId } as const;
    const { attempts, passwords, store, orm } = this.parts;
    const details = await attempts.guard(attempt, async () => {
      const em = orm.em.fork() as EntityManager;
      const found = await store.find(token, em);
      // an administrator may have created an account for the address in the meantime
      if (!found || (await store.isTaken(found.email, em))) throw new FailedAttempt('unknown link', invalidLinkError());
      const owner = { id: found.userId, passwordHash: found.passwordHash };
      if (!(await passwords.verify(owner, password))) throw new FailedAttempt('wrong password');
      return found;
    });
    try {
      return await this.#transaction((tx) => this.#open(token, details, origin, tx));
    } catch (error) {
      // another sign-up of the address was confirmed at the same time
      if (error instanceof AppError && error.code === 'CONFLICT') throw invalidLinkError();
      throw error;
    }
  }

  async #receive(details: SignUpDetails, tx: EntityManager): Promise<void> {
    const { store, mails, consoleUrl } = this.parts;
    const { email } = details;
    if (await store.isTaken(email, tx)) return mails.queue(existingAccountEmail(email, consoleUrl), tx);
    // hexadecimal text is used, because some email programs cut a trailing "-" off a link
    const token = randomBytes(LINK_BYTES).toString('hex');
    const endsAt = await store.add(token, details, tx);
    // the token is in the fragment, which is neither sent to servers nor logged
    const message = verificationEmail(email, `${consoleUrl}/verify#token=${token}`);
    await mails.queue({ ...message, linkExpiresAt: endsAt.toISOString() }, tx);
  }

  async #open(
    token: string,
    details: SignUpDetails,
    { requestId, addressKey: address }: Origin,
    tx: EntityManager,
  ): Promise<NewAccount> {
    const { store, developers, users } = this.parts;
    const { email, name, mobile, userId: id, passwordHash } = details;
    if (!(await store.take(token, email, tx))) throw invalidLinkError();
    const by = { actor: 'anonymous', requestId, address };
    const developerId = await developers.register({ name, email }, by, tx);
    const userId = await users.add({ id, email, name, passwordHash, role: 'developer', developerId }, by, tx);
    await developers.markEmailVerified(developerId, { actor: `user:${userId}`, requestId, address }, tx);
    await store.saveContact(developerId, mobile, tx);
    return { userId, developerId };
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.parts.orm, work);
  }
}
