import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { UserEntity } from '../accounts/account.entities.js';
import type { FailedAttempts } from '../accounts/attempts.js';
import type { DeveloperService } from '../accounts/developer.service.js';
import { lockDeveloper, subjectOf } from '../accounts/developer.state.js';
import { hashPassword, type UserService } from '../accounts/user.service.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError, fieldError } from '../core/errors.js';
import { tokenHash } from '../core/secret.js';
import type { EntityManager } from '../db/orm.js';
import type { Mails } from '../notifications/mailer.js';
import { existingAccountMail, verificationMail } from './onboarding.mails.js';
import type { SignUpInput } from './onboarding.types.js';
import type { AccountAt, SignUpDetails, SignUpStore } from './sign-up.store.js';

/** Answers leave at full steps of this: the few milliseconds between a new and a known address do not show. */
const ANSWER_STEP_MS = 250;
const LINK_BYTES = 32;
const LINK_REFUSAL = 'This link is unknown, expired or was used before. Sign up again to get a new one.';

export interface SignUpParts {
  orm: MikroORM;
  developers: DeveloperService;
  users: UserService;
  audit: AuditService;
  attempts: FailedAttempts;
  store: SignUpStore;
  mails: Pick<Mails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a slash at its end. */
  consoleUrl: string;
}

/** From nobody to an account with a confirmed address. */
export class SignUpService {
  readonly #parts: SignUpParts;

  constructor(parts: SignUpParts) {
    this.#parts = parts;
  }

  /**
   * Creates an account, or mails its owner that there is one; neither the answer nor its time tells which. As long as nobody
   * confirmed the address, each sign-up gets a link of its own. Errors: RATE_LIMITED after ten per address of either kind in 15 minutes.
   */
  async signUp(input: SignUpInput, from: { addressKey: string; requestId: string }): Promise<void> {
    const startedMs = performance.now();
    const email = input.email.toLowerCase();
    await this.#admit(email, from.addressKey);
    // before the transaction and for known addresses too: it is what takes the time
    const details = { name: input.name, mobile: input.mobile, passwordHash: await hashPassword(input.password) };
    const by = { actor: 'anonymous', requestId: from.requestId };
    await this.#parts.mails.ready();
    await this.#transaction((tx) => this.#receive(email, details, by, tx)).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
      // somebody signed up with the same address at the same moment: it is a known one now
      return this.#transaction((tx) => this.#receive(email, details, by, tx));
    });
    this.#parts.mails.wake();
    await sleep(ANSWER_STEP_MS - ((performance.now() - startedMs) % ANSWER_STEP_MS));
  }

  /**
   * Uses a link up: the address is confirmed, and name, mobile number and password of that sign-up are the account's. Returns
   * the user. Errors: VALIDATION_FAILED on `token`.
   */
  async verifyEmail(token: string, requestId: string) {
    return this.#transaction(async (tx) => {
      const signUp = await this.#parts.store.take(token, tx);
      if (!signUp) throw fieldError('token', LINK_REFUSAL);
      const { developerId, details } = signUp;
      // another link of the same address may have been used
      const { email, onboardingStatus } = await lockDeveloper(developerId, tx);
      if (onboardingStatus !== 'registered') throw fieldError('token', LINK_REFUSAL);
      const user = await tx.findOneOrFail(UserEntity, { developerId, email });
      const by: Actor = { actor: `user:${user.id}`, requestId };
      await this.#parts.users.claim(user, details, by, tx);
      await this.#parts.developers.markEmailVerified(developerId, by, tx, details.name);
      await this.#parts.store.saveContact(developerId, details.mobile, tx);
      return user;
    });
  }

  async #receive(email: string, details: SignUpDetails, by: Actor, tx: EntityManager): Promise<void> {
    const { store, mails, audit, consoleUrl } = this.#parts;
    const account = (await store.accountAt(email, tx)) ?? (await this.#register(email, details, by, tx));
    if (account.open) {
      // hexadecimal, because programs that make links of text leave out a "-" at the end
      const token = randomBytes(LINK_BYTES).toString('hex');
      await store.add(token, account.developerId, details, tx);
      await mails.queue(verificationMail(email, `${consoleUrl}/verify?token=${token}`), tx);
    } else await mails.queue(existingAccountMail(email, consoleUrl), tx);
    const subject = 'developerId' in account ? subjectOf(account.developerId) : `user:${account.userId}`;
    await store.tidy(tx);
    await audit.record(by, { action: 'sign_up.receive', subject, before: null, after: null }, tx);
  }

  async #register(
    email: string,
    { name, passwordHash }: SignUpDetails,
    by: Actor,
    tx: EntityManager,
  ): Promise<AccountAt> {
    const { developers, users } = this.#parts;
    const developerId = await developers.register({ name, email }, by, tx);
    await users.add({ email, name, passwordHash, role: 'developer', developerId }, by, tx);
    return { open: true, developerId };
  }

  /** Counts known and new addresses alike. */
  async #admit(email: string, addressKey: string): Promise<void> {
    const keys = [`sign-up:${tokenHash(email).toString('base64url')}`, `sign-up-from:${addressKey}`];
    const waits = await Promise.all(keys.map((key) => this.#parts.attempts.count(key)));
    const retryAfterMs = Math.max(...waits.map((wait) => wait ?? 0));
    if (retryAfterMs > 0) throw new AppError('RATE_LIMITED', { retryAfterMs });
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.#parts.orm.em.fork().transactional((tx) => work(tx as EntityManager));
  }
}
