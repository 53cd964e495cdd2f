import { LockMode } from '@mikro-orm/postgresql';
import { AppError, fieldError } from '../../core/errors.js';
import type { EntityManager } from '../../db/orm.js';
import {
  EmailChangeEntity,
  InvitationEntity,
  PasswordResetEntity,
  SessionEntity,
  UserEntity,
  type UserRow,
} from '../account.entities.js';
import { FailedAttempt } from '../attempts.js';

/** The subject of an audit entry about a user, and the actor of one by them. */
export const userSubject = (id: string): string => `user:${id}`;

/** " Asha@Example.com" → "asha@example.com", as addresses are stored. */
export const addressOf = (email: string): string => email.trim().toLowerCase();

/** Who may invite: an admin anybody, an owner to the own account. */
export const invites = ({ role, teamRole }: Pick<UserRow, 'role' | 'teamRole'>): boolean =>
  role === 'admin' || teamRole === 'owner';

/**
 * Whether an account has an owner who may sign in. Its owners stay as they are until the transaction ends. Staff bring nobody into an
 * account that has one: they would become the customer.
 */
export async function hasActiveOwner(developerId: string, tx: EntityManager): Promise<boolean> {
  const owners = await tx.find(
    UserEntity,
    { developerId, teamRole: 'owner' },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: 'asc' } },
  );
  return owners.some(({ disabledAt }) => !disabledAt);
}

/** Errors: CONFLICT where `hasActiveOwner`. */
export async function requireNoOwner(developerId: string, tx: EntityManager): Promise<void> {
  if (await hasActiveOwner(developerId, tx))
    throw new AppError('CONFLICT', {
      message: 'This account has an active owner. Ask an owner of the account to do this.',
    });
}

/** Errors: RECORD_NOT_FOUND. */
export async function lockUser(id: string, tx: EntityManager): Promise<UserRow> {
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

/**
 * Locks a user, and all who could stand in for one who may not be the last: active admins, or active owners of the account. In one
 * order: of two who act on each other at once, the second sees what the first did. Errors: RECORD_NOT_FOUND.
 */
export async function lockAmongPeers(id: string, tx: EntityManager): Promise<{ user: UserRow; isLast: boolean }> {
  // whose user somebody is never changes
  const known = await tx.findOne(UserEntity, { id }, { disableIdentityMap: true });
  const developerId = known ? known.developerId : noSuchUser();
  const peers = await tx.find(
    UserEntity,
    { disabledAt: null, ...(developerId ? { developerId, teamRole: 'owner' } : { role: 'admin' }) },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  return { user: await lockUser(id, tx), isLast: peers.length === 1 && peers[0]!.id === id };
}

/** Whether somebody suspended an administrator in an emergency that no other administrator has confirmed or undone yet. */
export const isRestricted = async (userId: string, tx: EntityManager): Promise<boolean> =>
  (await tx.count(UserEntity, { emergencySuspendedBy: userId })) > 0;

/** Errors: FORBIDDEN for somebody who is restricted, or was suspended after the request began. */
export async function requireUnrestricted(userId: string, tx: EntityManager): Promise<void> {
  await requireActive(userId, tx);
  if (await isRestricted(userId, tx))
    throw new AppError('FORBIDDEN', {
      message:
        'You suspended an administrator in an emergency. Until another administrator confirms or undoes it, you cannot change people.',
    });
}

/** Errors: FORBIDDEN. Use it after the peers of the user are locked: of two who suspend each other, one is late. */
export async function requireActive(userId: string, tx: EntityManager): Promise<void> {
  if ((await tx.count(UserEntity, { id: userId, disabledAt: null })) === 0) throw new AppError('FORBIDDEN');
}

export function noSuchUser(): never {
  throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such user.' });
}

/** Revokes the sessions of a user, except the session of `keep`. Returns their number. */
export async function revokeSessions(userId: string, tx: EntityManager, keep?: Buffer): Promise<number> {
  const others = keep ? { sessionHash: { $ne: keep } } : {};
  return tx.nativeUpdate(
    SessionEntity,
    { userId, revokedAt: null, expiresAt: { $gt: new Date() }, ...others },
    { revokedAt: new Date() },
  );
}

/** Ends what lets somebody in without the password: sessions and mailed links. Returns how many sessions it were. */
export async function endAccess(userId: string, tx: EntityManager, keep?: Buffer): Promise<number> {
  await tx.nativeDelete(PasswordResetEntity, { userId });
  await tx.nativeDelete(EmailChangeEntity, { userId });
  return revokeSessions(userId, tx, keep);
}

/** What somebody has asked others to, who has no say any more. */
export async function voidInvitations(invitedBy: string, tx: EntityManager): Promise<void> {
  await tx.nativeDelete(InvitationEntity, { invitedBy });
}

/** Of every mailed link to a new password or address, whatever is wrong with it. */
export const linkRefused = (): AppError =>
  fieldError('input.token', 'REFERENCE', 'This link is unknown, expired or was used before. Ask for a new one.');
