import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import { SessionEntity, UserEntity, type UserRow } from './account.entities.js';

/** People per answer: the operator's own are few, and so are those of one account. */
const MAX_USERS = 200;

/** Takes people's access to the console away and gives it back. */
export class UserAdminService {
  readonly #orm: MikroORM;
  readonly #audit: AuditService;

  constructor(orm: MikroORM, audit: AuditService) {
    this.#orm = orm;
    this.#audit = audit;
  }

  /** The people of an account, or the operator's own; the first 200 by number. */
  list(developerId: DeveloperId | null): Promise<UserRow[]> {
    return (this.#orm.em.fork() as EntityManager).find(
      UserEntity,
      { developerId },
      { orderBy: { id: 'asc' }, limit: MAX_USERS },
    );
  }

  /**
   * Nobody signs in as this user, and every session ends at once. Errors: RECORD_NOT_FOUND, CONFLICT when disabled already or
   * when no other admin would be left.
   */
  async disable(userId: number, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction(async (tx) => {
      const admins = await lockActiveAdmins(tx);
      return this.#change(userId, 'user.disable', by, reason, tx, async (user) => {
        if (user.disabledAt) throw new AppError('CONFLICT', { message: 'This user is disabled already.' });
        if (admins.length === 1 && admins[0] === userId)
          throw new AppError('CONFLICT', { message: 'This is the last admin: create another one first.' });
        user.disabledAt = new Date();
        // else they would go on when the user is enabled again
        await tx.nativeUpdate(SessionEntity, { userId, revokedAt: null }, { revokedAt: new Date() });
      });
    });
  }

  /** The user may sign in again, with the same password. Errors: RECORD_NOT_FOUND, CONFLICT unless disabled. */
  async enable(userId: number, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction((tx) =>
      this.#change(userId, 'user.enable', by, reason, tx, (user) => {
        if (!user.disabledAt) throw new AppError('CONFLICT', { message: 'This user is not disabled.' });
        user.disabledAt = null;
      }),
    );
  }

  async #change(
    userId: number,
    action: string,
    by: Actor,
    reason: string | undefined,
    tx: EntityManager,
    apply: (user: UserRow) => void | Promise<void>,
  ): Promise<UserRow> {
    const user = await tx.findOne(UserEntity, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such user.' });
    const before = { disabled: user.disabledAt != null };
    await apply(user);
    await tx.flush();
    const after = { disabled: user.disabledAt != null };
    await this.#audit.record(by, { action, subject: `user:${userId}`, before, after, reason }, tx);
    return user;
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return (this.#orm.em.fork() as EntityManager).transactional((tx) => work(tx as EntityManager));
  }
}

/**
 * The admins who may sign in, locked in one order before anybody else is: of two who disable each other at once, the second
 * finds only one left.
 */
async function lockActiveAdmins(tx: EntityManager): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from app_user where role = 'admin' and disabled_at is null order by id for no key update`.execute(
    tx.getKysely(),
  );
  return rows.map(({ id }) => id);
}
