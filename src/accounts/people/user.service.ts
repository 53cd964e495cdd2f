import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditRecord, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { markOf } from '../../audit/audit-marks.js';
import { AppError, fieldError } from '../../core/errors.js';
import { newId } from '../../core/ids.js';
import type { DeveloperId, Role, StaffRole, TeamRole, UserId } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';
import { type Emails, withEmails } from '../../mails/emails.room.js';
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

/** Maximum number of listed users. Neither staff nor accounts have more. */
export const MAX_LISTED = 200;

interface UserParts extends MailingParts {
  orm: MikroORM;
  audit: AuditService;
  passwords: Passwords;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
}

/** Reason for a change, and its approval request. */
interface Because {
  reason?: string | undefined;
  /** Approval request in the form of the audit entry. */
  approvalRequest?: object | undefined;
}

/** New user. The first user of an account is its owner. */
interface NewUser {
  email: string;
  name: string;
  role: Role;
  developerId?: DeveloperId | undefined;
  /** Team role of a user of a developer account. Default: owner. */
  teamRole?: TeamRole | undefined;
}

/** New role of a user, either as staff or within a developer account. */
export type NewRole = { role: StaffRole; teamRole?: undefined } | { role?: undefined; teamRole: TeamRole };

export class UserService {
  readonly notices: PeopleNotices;

  constructor(private readonly parts: UserParts) {
    this.notices = new PeopleNotices(parts);
  }

  /** Creates a user. Throws CONFLICT if the address is taken. */
  async create(user: NewUser & { password: string }, by: Actor): Promise<UserId> {
    const id = newId();
    const passwordHash = await this.parts.passwords.hash(user.password, id);
    return this.#transaction((tx) => this.add({ ...user, id, passwordHash }, by, tx));
  }

  /**
   * Creates a user like `create`, in the caller's transaction and with the ID that the password was hashed for. Throws
   * CONFLICT if the address is taken or the account is closed.
   */
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
    await unlessTaken('A user with this email address already exists.', tx.flush());
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

  /** Returns the first 200 users of an account, or of staff, by ID. */
  async list(developerId: DeveloperId | null): Promise<UserRow[]> {
    return this.parts.orm.em.fork().find(UserEntity, { developerId }, { orderBy: { id: 'asc' }, limit: MAX_LISTED });
  }

  /** Finds a user by email address. Throws RECORD_NOT_FOUND. */
  async byEmail(email: string): Promise<UserRow> {
    const user = await this.parts.orm.em.fork().findOne(UserEntity, { email: addressOf(email) });
    return user ?? noSuchUser();
  }

  /** Sets a password and revokes all sessions of the user. Throws RECORD_NOT_FOUND. */
  async setPassword(email: string, password: string, by: Actor): Promise<void> {
    const { id } = await this.byEmail(email);
    const passwordHash = await this.parts.passwords.hash(password, id);
    await this.#transaction((tx) => this.replacePassword(id, passwordHash, by, tx));
  }

  /**
   * Sets a password like `setPassword`, with its hash and in the caller's transaction. `keep` is the hash of a session that
   * remains open. Reset links for the previous password are no longer valid. Returns the number of revoked sessions. Throws
   * RECORD_NOT_FOUND.
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

  /** Calls `suspend` in its own transaction. */
  async disable(id: string, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction((tx) => this.suspend(id, { reason }, by, tx));
  }

  /**
   * Revokes all sessions of a user and prevents sign-in. The last owner of an account can be suspended too, because access to a
   * compromised account must be stopped. A user suspended in an emergency remains suspended, and the emergency is resolved.
   * Throws the errors of `holdToSuspend`, and FORBIDDEN if the user who made the emergency suspension confirms it.
   *
   * @param emergencyBy the administrator who suspends without a second person
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
   * Locks a user to be suspended. Throws RECORD_NOT_FOUND, and CONFLICT for the last administrator or if the user is already
   * suspended, except in an unconfirmed emergency suspension.
   */
  async holdToSuspend(id: string, tx: EntityManager): Promise<UserRow> {
    const { user, isLast } = await lockAmongPeers(id, tx);
    if (user.disabledAt && !user.emergencySuspendedBy)
      throw new AppError('CONFLICT', { message: 'This user is already suspended.' });
    if (isLast && user.role === 'admin') throw lastOne(user);
    return user;
  }

  /** Calls `reinstate` in its own transaction. */
  async enable(id: string, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction((tx) => this.reinstate(id, { reason }, by, tx));
  }

  /** Reinstates a user, with the same password. Throws RECORD_NOT_FOUND, and CONFLICT if the user is not suspended. */
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

  /** Locks a user to be reinstated. Throws RECORD_NOT_FOUND, and CONFLICT if the user is not suspended. */
  async holdToReinstate(id: string, tx: EntityManager): Promise<UserRow> {
    const { user } = await lockAmongPeers(id, tx);
    if (!user.disabledAt) throw new AppError('CONFLICT', { message: 'This user is not suspended.' });
    return user;
  }

  /** Calls `setRole` for staff in its own transaction. */
  async setStaffRole(id: string, role: StaffRole, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction((tx) => this.setRole(id, { role }, by, tx, reason === undefined ? {} : { reason }));
  }

  /** Calls `removeFactors` in its own transaction. */
  async resetFactors(id: string, reason: string | undefined, by: Actor): Promise<UserRow> {
    return this.#transaction((tx) => this.removeFactors(id, { reason }, by, tx));
  }

  /**
   * Changes the role of a user, from the next request on. Open invitations of a user who can no longer invite become void.
   * Throws RECORD_NOT_FOUND. Throws CONFLICT for the last administrator or owner, for an owner if a newcomer makes the change,
   * or without a change. Throws VALIDATION_FAILED for a team role of staff or a role of a developer's user.
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

  /** Locks a user to change the role. Throws the errors of `setRole`. */
  async holdForRole(id: string, next: NewRole, tx: EntityManager) {
    const { user, isLast } = await lockAmongPeers(id, tx);
    const field = user.developerId ? ('teamRole' as const) : ('role' as const);
    const [before, after] = [user[field], next[field]];
    if (after === undefined) throw wrongKindOfRole(field);
    if (before === after) throw new AppError('CONFLICT', { message: 'The user already has this role.' });
    if (isLast) throw lastOne(user);
    return { user, field, before, after };
  }

  /**
   * Revokes all sessions and emailed links of a user permanently and frees the address. The row is kept for the audit log.
   * Throws RECORD_NOT_FOUND, and CONFLICT for the last administrator or owner, and for an owner if a newcomer makes the
   * change.
   */
  async remove(id: string, { reason, approvalRequest }: Because & { reason: string }, by: Actor, tx: EntityManager) {
    const user = await this.holdToRemove(id, tx);
    const mail = await this.#teamMail(user, by, tx);
    const record = await this.#remove(user, reason, tx);
    await this.parts.audit.record(by, { ...record, after: { ...record.after, ...approvalRequest } }, tx);
    await mail('removed');
  }

  /** Locks a user to be removed. Throws RECORD_NOT_FOUND, and CONFLICT for the last administrator or owner. */
  async holdToRemove(id: string, tx: EntityManager): Promise<UserRow> {
    const { user, isLast } = await lockAmongPeers(id, tx);
    if (isLast) throw lastOne(user);
    return user;
  }

  /**
   * Returns a function that emails the change. Reads the recipients before the change, so that a removed or demoted owner is
   * notified too. Throws CONFLICT if a newcomer would change an owner.
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
   * Removes all users of a closed account, including the last owner, and its invitations, in the caller's transaction. Returns
   * the audit entries that the caller must write.
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
   * Removes all second factors, sessions and emailed links of a user, and emails the user and the owners of the account or,
   * for staff, all administrators. Throws the errors of `holdToReset`.
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

  /** Locks a user and counts the second factors to be removed. Throws RECORD_NOT_FOUND, and CONFLICT if there are none. */
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
    return withEmails(this.parts, work);
  }
}

const lastOne = ({ role }: UserRow): AppError =>
  new AppError('CONFLICT', {
    message:
      role === 'admin'
        ? 'This is the last administrator. Create another one first.'
        : 'This is the last owner of the account. Make another user an owner first.',
  });

const wrongKindOfRole = (field: 'role' | 'teamRole'): AppError =>
  field === 'role'
    ? fieldError('input.teamRole', 'COMBINATION', 'This user is staff. Set `role` instead.')
    : fieldError('input.role', 'COMBINATION', 'This user belongs to a developer account. Set `teamRole` instead.');
