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
import { type Mails, mailing } from '../mails/mails.room.js';
import { existingAccountMail, verificationMail } from './onboarding.mails.js';
import type { SignUpInput } from './onboarding.types.js';
import type { SignUpDetails, SignUpStore } from './sign-up.store.js';

const LINK_BYTES = 32;
const linkRefused = (): AppError =>
  fieldError(
    'input.token',
    'REFERENCE',
    'This link is unknown, expired or was used before. Sign up again to get a new one.',
  );

export interface SignUpParts {
  orm: MikroORM;
  developers: DeveloperService;
  users: UserService;
  passwords: Passwords;
  attempts: Attempts;
  allowance: MailAllowance;
  store: SignUpStore;
  mails: Pick<Mails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a slash at its end. */
  consoleUrl: string;
}

export interface NewAccount {
  userId: UserId;
  developerId: DeveloperId;
}

/**
 * From nobody to an account with a confirmed address. Until then there is no account, no user and no session: only an encrypted
 * sign-up, for a day.
 */
export class SignUpService {
  constructor(private readonly parts: SignUpParts) {}

  /**
   * Emails a link to confirm the address, or tells its owner that there is an account; neither the answer nor its time tells which.
   * Each sign-up has a link of its own. Errors: VALIDATION_FAILED on `input.password`, RATE_LIMITED, OVERLOADED.
   */
  async signUp(input: SignUpInput, { addressKey }: Origin): Promise<void> {
    const { allowance, passwords } = this.parts;
    const email = addressOf(input.email);
    // before anything that depends on the address
    await requireGoodPassword('input.password', input.password, [input.name, email]);
    await inEvenTime(async () => {
      const canMail = await allowance.request('sign-up', email, addressKey);
      // for known addresses too: it is what takes the time
      const userId = newId();
      const passwordHash = await passwords.hash(input.password, userId);
      if (!canMail) return;
      await mailing(this.parts, (tx) =>
        this.#receive({ email, name: input.name, mobile: input.mobile, userId, passwordHash }, tx),
      );
    });
  }

  /**
   * Uses a link up and makes the account. It takes the password of the sign-up that the link was mailed for: the owner of the
   * address may have been sent the link of somebody else's sign-up. A wrong password leaves the link good.
   * Errors: VALIDATION_FAILED on `input.token`, INVALID_CREDENTIALS, TOO_MANY_FAILED_EXCHANGES, OVERLOADED.
   */
  async verifyEmail(token: string, password: string, origin: Origin): Promise<NewAccount> {
    const { addressKey, requestId } = origin;
    const attempt = { kind: 'verify-email', identifier: token, addressKey, requestId } as const;
    const { attempts, passwords, store, orm } = this.parts;
    const details = await attempts.guard(attempt, async () => {
      const em = orm.em.fork() as EntityManager;
      const found = await store.find(token, em);
      // the operator may have made an account for the address meanwhile
      if (!found || (await store.isTaken(found.email, em))) throw new FailedAttempt('unknown link', linkRefused());
      const owner = { id: found.userId, passwordHash: found.passwordHash };
      if (!(await passwords.verify(owner, password))) throw new FailedAttempt('wrong password');
      return found;
    });
    try {
      return await this.#transaction((tx) => this.#open(token, details, origin, tx));
    } catch (error) {
      // another sign-up of the address was confirmed at the same moment
      if (error instanceof AppError && error.code === 'CONFLICT') throw linkRefused();
      throw error;
    }
  }

  async #receive(details: SignUpDetails, tx: EntityManager): Promise<void> {
    const { store, mails, consoleUrl } = this.parts;
    const { email } = details;
    if (await store.isTaken(email, tx)) return mails.queue(existingAccountMail(email, consoleUrl), tx);
    // hexadecimal, because programs that make links of text leave out a "-" at the end
    const token = randomBytes(LINK_BYTES).toString('hex');
    const endsAt = await store.add(token, details, tx);
    // behind the "#", where no server and no log sees it
    const mail = verificationMail(email, `${consoleUrl}/verify#token=${token}`);
    await mails.queue({ ...mail, linkExpiresAt: endsAt.toISOString() }, tx);
  }

  async #open(
    token: string,
    details: SignUpDetails,
    { requestId, addressKey: address }: Origin,
    tx: EntityManager,
  ): Promise<NewAccount> {
    const { store, developers, users } = this.parts;
    const { email, name, mobile, userId: id, passwordHash } = details;
    if (!(await store.take(token, email, tx))) throw linkRefused();
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
