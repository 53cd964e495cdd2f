import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { markOf } from '../../audit/audit-marks.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperId, Role, UserId } from '../../core/principal.js';
import { randomToken, tokenHash } from '../../core/secret.js';
import { type EntityManager, inTransaction } from '../../db/orm.js';
import { unlessTaken } from '../account.changes.js';
import { PasswordResetEntity, SessionEntity, UserEntity, type UserRow } from '../account.entities.js';
import { type Attempts, FailedAttempt } from '../attempts.js';
import type { PasswordHash, Passwords } from './passwords.js';

export const SESSION_TTL_MS = 12 * 3_600_000;
export const SESSION_PREFIX = 'ses_';

/** People per answer: the operator's own are few, and so are those of one account. */
export const MAX_LISTED = 200;

interface UserParts {
  orm: MikroORM;
  audit: AuditService;
  attempts: Attempts;
  passwords: Passwords;
}

/** The subject of an audit entry about a user, and the actor of one by them. */
export const userSubject = (id: string): string => `user:${id}`;

/** People who sign in to the console. */
export class UserService {
  constructor(private readonly parts: UserParts) {}

  /** Errors: CONFLICT when the address is taken. */
  async create(
    user: { email: string; name: string; password: string; role: Role; developerId?: DeveloperId },
    by: Actor,
  ): Promise<UserId> {
    const passwordHash = await this.parts.passwords.hash(user.password);
    return this.#transaction((tx) => this.add({ ...user, passwordHash }, by, tx));
  }

  /** `create` in the caller's transaction. Errors: CONFLICT when the address is taken. */
  async add(
    user: { email: string; name: string; passwordHash: PasswordHash; role: Role; developerId?: DeveloperId },
    by: Actor,
    tx: EntityManager,
  ): Promise<UserId> {
    const row = tx.create(UserEntity, {
      email: addressOf(user.email),
      name: user.name,
      role: user.role,
      passwordHash: user.passwordHash,
      developerId: user.developerId ?? null,
    });
    await unlessTaken('There is a user with this e-mail address.', tx.flush());
    await this.#record(by, 'user.create', row.id, tx, {
      after: {
        role: user.role,
        developerId: user.developerId ?? null,
        disabled: false,
        passwordMark: markOf(user.passwordHash),
      },
    });
    return row.id as UserId;
  }

  /** The people of an account, or the operator's own; the first 200 by number. */
  async list(developerId: DeveloperId | null): Promise<UserRow[]> {
    return this.parts.orm.em.fork().find(UserEntity, { developerId }, { orderBy: { id: 'asc' }, limit: MAX_LISTED });
  }

  /** Errors: RECORD_NOT_FOUND. */
  async byEmail(email: string): Promise<UserRow> {
    const user = await this.parts.orm.em.fork().findOne(UserEntity, { email: addressOf(email) });
    return user ?? noSuchUser();
  }

  /** A new password; every session of the user ends. Errors: RECORD_NOT_FOUND. */
  async setPassword(email: string, password: string, by: Actor): Promise<void> {
    const passwordHash = await this.parts.passwords.hash(password);
    const { id } = await this.byEmail(email);
    await this.#transaction((tx) => this.replacePassword(id, passwordHash, by, tx));
  }

  /**
   * `setPassword` with a hash, in the caller's transaction. `keep` is the hash of a session that goes on. Links that were mailed to
   * reset the former password count no longer. Returns how many sessions ended. Errors: RECORD_NOT_FOUND.
   */
  async replacePassword(
    id: string,
    passwordHash: PasswordHash,
    by: Actor,
    tx: EntityManager,
    keep?: Buffer,
  ): Promise<number> {
    const user = await lockUser(id, tx);
    user.passwordHash = passwordHash;
    await tx.flush();
    await this.#record(by, 'user.set_password', id, tx, { after: { passwordMark: markOf(passwordHash) } });
    return endAccess(id, tx, keep);
  }

  /** Ends every session of a user, and lets nobody sign in as them. Errors: RECORD_NOT_FOUND, CONFLICT when disabled already, or the last admin. */
  async disable(id: string, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction(async (tx) => {
      // all admins, in one order: of two who disable each other at once, the second sees what the first did
      const admins = await tx.find(
        UserEntity,
        { role: 'admin', disabledAt: null },
        { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
      );
      const user = await lockUser(id, tx);
      if (user.disabledAt) throw new AppError('CONFLICT', { message: 'This user is disabled already.' });
      if (admins.every((admin) => admin.id === id) && user.role === 'admin')
        throw new AppError('CONFLICT', { message: 'This is the last admin: create another one first.' });
      user.disabledAt = new Date();
      await tx.flush();
      await endAccess(id, tx);
      await this.#record(by, 'user.disable', id, tx, {
        before: { disabled: false },
        after: { disabled: true },
        reason,
      });
      return user;
    });
  }

  /** Lets a user sign in again, with the password they had. Errors: RECORD_NOT_FOUND, CONFLICT when not disabled. */
  async enable(id: string, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction(async (tx) => {
      const user = await lockUser(id, tx);
      if (!user.disabledAt) throw new AppError('CONFLICT', { message: 'This user is not disabled.' });
      user.disabledAt = null;
      await tx.flush();
      await this.#record(by, 'user.enable', id, tx, { before: { disabled: true }, after: { disabled: false }, reason });
      return user;
    });
  }

  /** A session for the right e-mail address and password. Errors: TOO_MANY_FAILED_EXCHANGES, INVALID_CREDENTIALS, OVERLOADED. */
  async signIn(
    email: string,
    password: string,
    addressKey: string,
    requestId: string,
  ): Promise<{ token: string; expiresAt: Date; user: UserRow }> {
    const identifier = addressOf(email);
    return this.parts.attempts.guard({ kind: 'sign-in', identifier, addressKey, requestId }, async () => {
      const user = await this.parts.orm.em.fork().findOne(UserEntity, { email: identifier });
      const matches = await this.parts.passwords.verify(user?.passwordHash, password);
      if (!user || !matches || user.disabledAt) throw new FailedAttempt(reasonOf(user, matches), undefined, user?.id);
      const token = randomToken(SESSION_PREFIX);
      const expiresAt = new Date(Date.now() + SESSION_TTL_MS);
      await this.#transaction(async (tx) => {
        await lockVerified(user, tx);
        tx.create(SessionEntity, { sessionHash: tokenHash(token), userId: user.id, expiresAt });
        await tx.flush();
        await this.#record(
          { actor: userSubject(user.id), requestId, address: addressKey },
          'user.sign_in',
          user.id,
          tx,
        );
      });
      return { token, expiresAt, user };
    });
  }

  /** Ends one session; the user's others go on. */
  async signOut(sessionHash: Buffer, id: UserId, by: Actor): Promise<void> {
    await this.#transaction(async (tx) => {
      await tx.nativeUpdate(SessionEntity, { sessionHash, revokedAt: null }, { revokedAt: new Date() });
      await this.#record(by, 'user.sign_out', id, tx);
    });
  }

  /** Ends the sessions of a user, all but the one of `keep`. Returns how many. */
  async endSessions(id: UserId, keep: Buffer | undefined, by: Actor): Promise<number> {
    return this.#transaction(async (tx) => {
      const ended = await endSessions(id, tx, keep);
      await this.#record(by, 'user.end_sessions', id, tx, { after: { ended } });
      return ended;
    });
  }

  #record(
    by: Actor,
    action: AuditAction,
    id: string,
    tx: EntityManager,
    { before = null, after = null, reason }: { before?: object | null; after?: object | null; reason?: string } = {},
  ): Promise<void> {
    return this.parts.audit.record(by, { action, subject: userSubject(id), before, after, reason }, tx);
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.parts.orm, work);
  }
}

/** " Asha@Example.com" → "asha@example.com", as addresses are stored. */
export const addressOf = (email: string): string => email.trim().toLowerCase();

function reasonOf(user: UserRow | null, matches: boolean): string {
  if (!user) return 'unknown user';
  return matches ? 'disabled user' : 'wrong password';
}

async function lockUser(id: string, tx: EntityManager): Promise<UserRow> {
  const user = await tx.findOne(UserEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return user ?? noSuchUser();
}

/**
 * Locks a user whose password was verified before the transaction began. That took its time: what replaced the password meanwhile has
 * ended the sessions that it saw, so none may follow. Errors: FailedAttempt.
 */
export async function lockVerified({ id, passwordHash }: UserRow, tx: EntityManager): Promise<void> {
  const user = await lockUser(id, tx);
  if (user.passwordHash !== passwordHash || user.disabledAt)
    throw new FailedAttempt('changed or disabled meanwhile', undefined, id);
}

function noSuchUser(): never {
  throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such user.' });
}

async function endSessions(userId: string, tx: EntityManager, keep?: Buffer): Promise<number> {
  const others = keep ? { sessionHash: { $ne: keep } } : {};
  return tx.nativeUpdate(
    SessionEntity,
    { userId, revokedAt: null, expiresAt: { $gt: new Date() }, ...others },
    { revokedAt: new Date() },
  );
}

/** Ends what lets somebody in without the password: sessions and mailed links. Returns how many sessions it were. */
async function endAccess(userId: string, tx: EntityManager, keep?: Buffer): Promise<number> {
  await tx.nativeDelete(PasswordResetEntity, { userId });
  return endSessions(userId, tx, keep);
}
