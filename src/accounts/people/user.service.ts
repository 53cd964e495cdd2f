import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditRecord, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { markOf } from '../../audit/audit-marks.js';
import { AppError, fieldError } from '../../core/errors.js';
import { newId } from '../../core/ids.js';
import type { DeveloperId, Role, StaffRole, TeamRole, UserId } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';
import { type Mails, mailing } from '../../mails/mails.room.js';
import { unlessTaken } from '../account.changes.js';
import { InvitationEntity, SecondFactorEntity, UserEntity, type UserRow } from '../account.entities.js';
import { type MailingParts, mailboxesOf, mailTeamChange, type TeamChange } from '../account.mails.js';
import { holdOpen } from '../developers/developer.state.js';
import { requireNoNewcomer } from '../newcomers.js';
import type { PasswordHash, Passwords } from './passwords.js';
import { PeopleNotices, USER_COMMAND } from './people.notices.js';
import {
  addressOf,
  endAccess,
  invites,
  lockAmongPeers,
  lockUser,
  noSuchUser,
  userSubject,
  voidInvitations,
} from './user.state.js';

/** People per answer: the operator's own are few, and so are those of one account. */
export const MAX_LISTED = 200;

interface UserParts extends MailingParts {
  orm: MikroORM;
  audit: AuditService;
  passwords: Passwords;
  mails: Pick<Mails, 'ready' | 'queue' | 'wake'>;
}

/** Why somebody is changed, and with which approved approval request. */
interface Because {
  reason?: string | undefined;
  /** As its audit entry names it. */
  approvalRequest?: object | undefined;
}

/** Somebody new. The first person of an account is its owner. */
interface NewUser {
  email: string;
  name: string;
  role: Role;
  developerId?: DeveloperId | undefined;
  /** Of a developer's user; an owner when it is left out. */
  teamRole?: TeamRole | undefined;
}

/** What somebody is to be: of the staff, or of a developer's people. */
export type NewRole = { role: StaffRole; teamRole?: undefined } | { role?: undefined; teamRole: TeamRole };

/** People who sign in to the console. */
export class UserService {
  readonly notices: PeopleNotices;

  constructor(private readonly parts: UserParts) {
    this.notices = new PeopleNotices(parts);
  }

  /** Errors: CONFLICT when the address is taken. */
  async create(user: NewUser & { password: string }, by: Actor): Promise<UserId> {
    const id = newId();
    const passwordHash = await this.parts.passwords.hash(user.password, id);
    return this.#transaction((tx) => this.add({ ...user, id, passwordHash }, by, tx));
  }

  /** `create` in the caller's transaction, with the id that the password was hashed for. Errors: CONFLICT when the address is taken, or the account closed. */
  async add(user: NewUser & { passwordHash: PasswordHash; id: string }, by: Actor, tx: EntityManager): Promise<UserId> {
    const { id, name, role, passwordHash, developerId } = user;
    const teamRole = role === 'developer' ? (user.teamRole ?? 'owner') : undefined;
    if (developerId) await holdOpen(developerId, tx);
    const row = tx.create(UserEntity, {
      id,
      email: addressOf(user.email),
      name,
      role,
      teamRole: teamRole ?? null,
      passwordHash,
      developerId: developerId ?? null,
    });
    await unlessTaken('There is a user with this email address.', tx.flush());
    await this.#record(by, 'user.create', row, tx, {
      after: {
        role,
        teamRole: teamRole ?? null,
        developerId: developerId ?? null,
        disabled: false,
        emergencySuspension: false,
        secondFactors: 0,
        passwordMark: markOf(passwordHash),
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
    const { id } = await this.byEmail(email);
    const passwordHash = await this.parts.passwords.hash(password, id);
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
    await this.#record(by, 'user.set_password', user, tx, { after: { passwordMark: markOf(passwordHash) } });
    return endAccess(id, tx, keep);
  }

  /** `suspend` in a transaction of its own. */
  async disable(id: string, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction((tx) => this.suspend(id, { reason }, by, tx));
  }

  /**
   * Ends every session of a user, and lets nobody sign in as them. It may be the last owner of an account: whoever has stolen one must
   * be stopped. Somebody who was suspended in an emergency stays suspended, and the emergency is settled.
   * Errors: those of `holdToSuspend`; FORBIDDEN when the person who suspended in the emergency settles it.
   *
   * @param emergencyBy the administrator who does it without a second person
   */
  async suspend(
    id: string,
    { reason, approvalRequest, emergencyBy }: Because & { emergencyBy?: UserId | undefined },
    by: Actor,
    tx: EntityManager,
  ): Promise<UserRow> {
    const user = await this.holdToSuspend(id, tx);
    const suspender = user.emergencySuspendedBy;
    if (suspender && by.actor === userSubject(suspender)) throw new AppError('FORBIDDEN');
    user.disabledAt ??= new Date();
    user.emergencySuspendedBy = emergencyBy ?? null;
    await tx.flush();
    await endAccess(id, tx);
    await voidInvitations(id, tx);
    const action = suspender ? 'user.confirm_suspension' : emergencyBy ? 'user.suspend_in_emergency' : 'user.suspend';
    await this.#record(by, action, user, tx, {
      before: { disabled: suspender != null, emergencySuspension: suspender != null },
      after: { disabled: true, emergencySuspension: emergencyBy !== undefined, ...approvalRequest },
      reason,
    });
    if (suspender || emergencyBy)
      await this.notices.emergency(user, { step: suspender ? 'confirmed' : 'suspended', by, reason: reason ?? '' }, tx);
    return user;
  }

  /**
   * Locks a user who is to be suspended. Errors: RECORD_NOT_FOUND, CONFLICT when suspended already, unless it was in an emergency
   * that nobody has settled, or the last administrator.
   */
  async holdToSuspend(id: string, tx: EntityManager): Promise<UserRow> {
    const { user, isLast } = await lockAmongPeers(id, tx);
    if (user.disabledAt && !user.emergencySuspendedBy)
      throw new AppError('CONFLICT', { message: 'This user is disabled already.' });
    if (isLast && user.role === 'admin') throw lastOne(user);
    return user;
  }

  /** `reinstate` in a transaction of its own. */
  async enable(id: string, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction((tx) => this.reinstate(id, { reason }, by, tx));
  }

  /** Lets a user sign in again, with the password they had. Errors: RECORD_NOT_FOUND, CONFLICT when not disabled. */
  async reinstate(id: string, { reason, approvalRequest }: Because, by: Actor, tx: EntityManager): Promise<UserRow> {
    const user = await this.holdToReinstate(id, tx);
    const wasEmergency = user.emergencySuspendedBy != null;
    user.disabledAt = null;
    user.emergencySuspendedBy = null;
    await tx.flush();
    await this.#record(by, 'user.reinstate', user, tx, {
      before: { disabled: true, emergencySuspension: wasEmergency },
      after: { disabled: false, emergencySuspension: false, ...approvalRequest },
      reason,
    });
    if (wasEmergency) await this.notices.emergency(user, { step: 'undone', by, reason: reason ?? '' }, tx);
    return user;
  }

  /** Locks a user who is to be reinstated. Errors: RECORD_NOT_FOUND, CONFLICT when not disabled. */
  async holdToReinstate(id: string, tx: EntityManager): Promise<UserRow> {
    const { user } = await lockAmongPeers(id, tx);
    if (!user.disabledAt) throw new AppError('CONFLICT', { message: 'This user is not disabled.' });
    return user;
  }

  /** `setRole` of staff in a transaction of its own. */
  async setStaffRole(id: string, role: StaffRole, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction((tx) => this.setRole(id, { role }, by, tx, reason === undefined ? {} : { reason }));
  }

  /** `removeFactors` in a transaction of its own. */
  async resetFactors(id: string, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction((tx) => this.removeFactors(id, { reason }, by, tx));
  }

  /**
   * Another role, which counts from the next request on. Whoever may invite nobody any more has invited nobody.
   * Errors: RECORD_NOT_FOUND, CONFLICT for the last admin or owner, for an owner where a newcomer asks, or when nothing would change, VALIDATION_FAILED where staff would
   * get a team role or a developer's user a role.
   */
  async setRole(
    id: string,
    next: NewRole,
    by: Actor,
    tx: EntityManager,
    { approvalRequest, reason }: { approvalRequest?: object; reason?: string } = {},
  ): Promise<UserRow> {
    const { user, field, before, after } = await this.holdForRole(id, next, tx);
    const mail = await this.#teamMail(user, by, tx);
    if (next.role) user.role = next.role;
    else user.teamRole = next.teamRole;
    await tx.flush();
    if (!invites(user)) await voidInvitations(id, tx);
    await this.#record(by, 'user.set_role', user, tx, {
      before: { [field]: before },
      after: { [field]: after, ...approvalRequest },
      ...(reason ? { reason } : {}),
    });
    await mail('role');
    return user;
  }

  /** Locks a user whose role is to change, until the transaction ends. Errors: those of `setRole`. */
  async holdForRole(id: string, next: NewRole, tx: EntityManager) {
    const { user, isLast } = await lockAmongPeers(id, tx);
    const field = user.developerId ? ('teamRole' as const) : ('role' as const);
    const [before, after] = [user[field], next[field]];
    if (after === undefined) throw wrongKindOfRole(field);
    if (before === after) throw new AppError('CONFLICT', { message: 'This is the role of the user already.' });
    if (isLast) throw lastOne(user);
    return { user, field, before, after };
  }

  /**
   * Ends every session and mailed link of a user for good; the address is free for somebody else. The row stays, by which the audit log
   * tells who did what. Errors: RECORD_NOT_FOUND, CONFLICT for the last admin or owner, and for an owner
   * where a newcomer asks.
   */
  async remove(id: string, { reason, approvalRequest }: Because & { reason: string }, by: Actor, tx: EntityManager) {
    const user = await this.holdToRemove(id, tx);
    const mail = await this.#teamMail(user, by, tx);
    const record = await this.#remove(user, reason, tx);
    await this.parts.audit.record(by, { ...record, after: { ...record.after, ...approvalRequest } }, tx);
    await mail('removed');
  }

  /** Locks a user who is to be removed. Errors: RECORD_NOT_FOUND, CONFLICT for the last admin or owner. */
  async holdToRemove(id: string, tx: EntityManager): Promise<UserRow> {
    const { user, isLast } = await lockAmongPeers(id, tx);
    if (isLast) throw lastOne(user);
    return user;
  }

  /**
   * Reads who is told of a change of one of an account's people, before it is made: an owner who is removed or demoted is told, too.
   * Errors: CONFLICT where a newcomer would change an owner.
   */
  async #teamMail(user: UserRow, by: Actor, tx: EntityManager): Promise<(what: TeamChange['what']) => Promise<void>> {
    if (!user.developerId) return async () => {};
    if (user.teamRole === 'owner') await requireNoNewcomer(by, tx);
    const mailboxes = await mailboxesOf(user.developerId, tx);
    return (what) =>
      mailTeamChange(
        this.parts,
        mailboxes,
        { what, email: user.email, teamRole: what === 'role' ? user.teamRole : null },
        tx,
      );
  }

  /**
   * Everybody of an account that is closed, its last owner too, and who was asked to join; part of the caller's transaction. Returns
   * the entries that it has to write.
   */
  async removeAll(developerId: DeveloperId, reason: string, tx: EntityManager): Promise<AuditRecord[]> {
    const options = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const records: AuditRecord[] = [];
    for (const user of await tx.find(UserEntity, { developerId }, options))
      records.push(await this.#remove(user, reason, tx));
    await tx.nativeDelete(InvitationEntity, { developerId });
    return records;
  }

  async #remove(user: UserRow, reason: string, tx: EntityManager) {
    const { id } = user;
    const now = new Date();
    user.disabledAt ??= now;
    user.emergencySuspendedBy = null;
    user.removedAt = now;
    user.mobile = null;
    await tx.flush();
    await endAccess(id, tx);
    await voidInvitations(id, tx);
    const [before, after] = [{ removed: false }, { removed: true, disabled: true, emergencySuspension: false }];
    return { action: 'user.remove' as const, subject: userSubject(id), before, after, reason };
  }

  /**
   * Removes all second factors of somebody who has lost them, ends every session and mailed link, and emails them and the owners of
   * the account, or every administrator. Errors: those of `holdToReset`.
   */
  async removeFactors(
    id: string,
    { reason, approvalRequest }: Because,
    by: Actor,
    tx: EntityManager,
  ): Promise<UserRow> {
    const { user } = await this.holdToReset(id, tx);
    await tx.nativeDelete(SecondFactorEntity, { userId: id });
    await endAccess(id, tx);
    await this.#record(by, 'user.reset_factors', user, tx, { after: { secondFactors: 0, ...approvalRequest }, reason });
    await this.notices.factorReset(user, 'done', reason ?? '', tx);
    return user;
  }

  /** Locks a user whose second factors are to be removed, and counts those. Errors: RECORD_NOT_FOUND, CONFLICT when there is none. */
  async holdToReset(id: string, tx: EntityManager): Promise<{ user: UserRow; factors: number }> {
    const { user } = await lockAmongPeers(id, tx);
    const factors = await tx.count(SecondFactorEntity, {
      userId: id,
      kind: { $ne: 'recovery_codes' },
      confirmedAt: { $ne: null },
    });
    if (factors === 0 && (await tx.count(SecondFactorEntity, { userId: id })) === 0)
      throw new AppError('CONFLICT', { message: 'This user has no second factor.' });
    return { user, factors };
  }

  async #record(
    by: Actor,
    action: AuditAction,
    user: UserRow,
    tx: EntityManager,
    {
      before = null,
      after = null,
      reason,
    }: { before?: object | null; after?: object | null; reason?: string | undefined } = {},
  ): Promise<void> {
    const record = { action, subject: userSubject(user.id), before, after };
    await this.parts.audit.record(by, reason === undefined ? record : { ...record, reason }, tx);
    if (by.actor === USER_COMMAND) await this.notices.command(action, user, tx);
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return mailing(this.parts, work);
  }
}

const lastOne = ({ role }: UserRow): AppError =>
  new AppError('CONFLICT', {
    message:
      role === 'admin'
        ? 'This is the last admin: create another one first.'
        : 'This is the last owner of the account: make somebody else one first.',
  });

const wrongKindOfRole = (field: 'role' | 'teamRole'): AppError =>
  field === 'role'
    ? fieldError('input.teamRole', 'COMBINATION', 'The user is one of the operator’s people: give role instead.')
    : fieldError('input.role', 'COMBINATION', 'The user is one of a developer’s people: give teamRole instead.');
