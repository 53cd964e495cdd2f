import type { MikroORM } from '@mikro-orm/postgresql';
import { hash, verify } from '@node-rs/argon2';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId, Role, UserId } from '../core/principal.js';
import { randomToken, tokenHash } from '../core/secret.js';
import type { EntityManager } from '../db/orm.js';
import { SessionEntity, UserEntity, type UserRow } from './account.entities.js';
import type { FailedAttempts } from './attempts.js';
import { unlessTaken } from './unique.js';

const SESSION_TTL_MS = 12 * 3_600_000;
export const SESSION_PREFIX = 'ses_';

/** What is stored of a password: argon2id with its salt. Made before a transaction begins, because it takes long on purpose. */
export type PasswordHash = string & { readonly __brand: 'PasswordHash' };
export const hashPassword = async (password: string): Promise<PasswordHash> => (await hash(password)) as PasswordHash;

/** People who sign in to the console. */
export class UserService {
  readonly #orm: MikroORM;
  readonly #audit: AuditService;
  readonly #attempts: FailedAttempts;
  /** Verified against when there is no such user, so that the time tells nothing. */
  #decoy: Promise<string> | undefined;

  constructor(orm: MikroORM, audit: AuditService, attempts: FailedAttempts) {
    this.#orm = orm;
    this.#audit = audit;
    this.#attempts = attempts;
  }

  /** Errors: CONFLICT when the address is taken. */
  async create(
    user: { email: string; name: string; password: string; role: Role; developerId?: DeveloperId },
    by: Actor,
  ): Promise<UserId> {
    const passwordHash = await hashPassword(user.password);
    return (this.#orm.em.fork() as EntityManager).transactional((tx) => this.add({ ...user, passwordHash }, by, tx));
  }

  /** `create` in the caller's transaction. Errors: CONFLICT when the address is taken. */
  async add(
    user: { email: string; name: string; passwordHash: PasswordHash; role: Role; developerId?: DeveloperId },
    by: Actor,
    tx: EntityManager,
  ): Promise<UserId> {
    const row = tx.create(UserEntity, {
      email: user.email.trim().toLowerCase(),
      name: user.name,
      role: user.role,
      passwordHash: user.passwordHash,
      developerId: user.developerId ?? null,
    });
    await unlessTaken('There is a user with this e-mail address.', tx.flush());
    await this.#audit.record(
      by,
      { action: 'user.create', subject: `user:${row.id}`, before: null, after: { role: user.role } },
      tx,
    );
    return row.id as UserId;
  }

  /** A new password; every session of the user ends. Errors: RECORD_NOT_FOUND. */
  async setPassword(email: string, password: string, by: Actor): Promise<void> {
    const passwordHash = await hashPassword(password);
    await (this.#orm.em.fork() as EntityManager).transactional(async (tx) => {
      const user = await tx.findOne(UserEntity, { email: email.trim().toLowerCase() });
      if (!user) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such user.' });
      await this.#replacePassword(user, passwordHash, by, tx);
    });
  }

  /**
   * Gives a user the name and password of whoever has proved to own the address, in the caller's transaction. When the password
   * was another one, somebody else had signed up with the address before: their sessions end.
   */
  async claim(
    user: UserRow,
    { name, passwordHash }: { name: string; passwordHash: PasswordHash },
    by: Actor,
    tx: EntityManager,
  ): Promise<void> {
    user.name = name;
    if (user.passwordHash === passwordHash) await tx.flush();
    else await this.#replacePassword(user, passwordHash, by, tx);
  }

  async #replacePassword(user: UserRow, passwordHash: PasswordHash, by: Actor, tx: EntityManager): Promise<void> {
    user.passwordHash = passwordHash;
    await tx.flush();
    await tx.nativeUpdate(SessionEntity, { userId: user.id, revokedAt: null }, { revokedAt: new Date() });
    await this.#audit.record(
      by,
      { action: 'user.set_password', subject: `user:${user.id}`, before: null, after: null },
      tx,
    );
  }

  /** A session for the right e-mail address and password. Errors: TOO_MANY_FAILED_EXCHANGES, INVALID_CREDENTIALS. */
  async signIn(
    email: string,
    password: string,
    address: string,
    requestId: string,
  ): Promise<{ token: string; expiresAt: Date; user: UserRow }> {
    const known = email.trim().toLowerCase();
    const attemptKey = `sign-in:${tokenHash(known).toString('base64url')}:${address}`;
    const blockedForMs = await this.#attempts.blockedForMs(attemptKey);
    if (blockedForMs !== undefined) throw new AppError('TOO_MANY_FAILED_EXCHANGES', { retryAfterMs: blockedForMs });
    const user = await (this.#orm.em.fork() as EntityManager).findOne(UserEntity, { email: known, disabledAt: null });
    this.#decoy ??= hash(randomToken(''));
    const matches = await verify(user?.passwordHash ?? (await this.#decoy), password);
    if (!user || !matches) {
      await this.#attempts.recordFailure(attemptKey);
      throw new AppError('INVALID_CREDENTIALS');
    }
    const token = randomToken(SESSION_PREFIX);
    const expiresAt = new Date(Date.now() + SESSION_TTL_MS);
    await this.#session('user.sign_in', { actor: `user:${user.id}`, requestId }, async (tx) => {
      tx.create(SessionEntity, { sessionHash: tokenHash(token), userId: user.id, expiresAt });
      await tx.flush();
    });
    return { token, expiresAt, user };
  }

  /** Ends one session; the user's others go on. */
  async signOut(sessionHash: Buffer, by: Actor): Promise<void> {
    await this.#session('user.sign_out', by, async (tx) => {
      await tx.nativeUpdate(SessionEntity, { sessionHash, revokedAt: null }, { revokedAt: new Date() });
    });
  }

  async #session(action: string, by: Actor, change: (tx: EntityManager) => Promise<void>): Promise<void> {
    await (this.#orm.em.fork() as EntityManager).transactional(async (tx) => {
      await change(tx);
      await this.#audit.record(by, { action, subject: by.actor, before: null, after: null }, tx);
    });
  }
}
