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

/** Returns the subject of an audit entry about a user. It is also the actor of the user's own entries. */
export const userSubject = (id: string): string => `user:${id}`;

/** Returns the stored form of an address: " Asha@Example.com" → "asha@example.com". */
export const addressOf = (email: string): string => email.trim().toLowerCase();

/** Whether a user can invite. Administrators can invite to staff and accounts, owners to their own account. */
export const invites = ({ role, teamRole }: Pick<UserRow, 'role' | 'teamRole'>): boolean =>
  role === 'admin' || teamRole === 'owner';

/**
 * Whether an account has an active owner. Locks its owners until the transaction ends. Staff must not add users to an account
 * with an active owner, because they could take it over.
 */
export async function hasActiveOwner(developerId: string, tx: EntityManager): Promise<boolean> {
  const owners = await tx.find(
    UserEntity,
    { developerId, teamRole: 'owner' },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: 'asc' } },
  );
  return owners.some(({ disabledAt }) => !disabledAt);
}

/** Throws CONFLICT if the account has an active owner. */
export async function requireNoOwner(developerId: string, tx: EntityManager): Promise<void> {
  if (await hasActiveOwner(developerId, tx))
    throw new AppError('CONFLICT', {
      message: 'This account has an active owner. Ask an owner of the account to make this change.',
    });
}

/** Locks a user. Throws RECORD_NOT_FOUND. */
export async function lockUser(id: string, tx: EntityManager): Promise<UserRow> {
  const user = await tx.findOne(UserEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return user ?? noSuchUser();
}

/**
 * Locks a user whose password was verified before the transaction began. If the password was replaced in the meantime, the
 * user's sessions were revoked, so no new one may be opened. Throws FailedAttempt.
 */
export async function lockVerified({ id, passwordHash }: UserRow, tx: EntityManager): Promise<void> {
  const user = await lockUser(id, tx);
  if (user.passwordHash !== passwordHash || user.disabledAt)
    throw new FailedAttempt('password changed or user suspended since the password was verified', undefined, id);
}

/**
 * Locks a user and all peers that matter for the "last one" rules: active administrators, or active owners of the account. The
 * lock order is always the same, so that of two users who act on each other, the second sees the change of the first. Throws
 * RECORD_NOT_FOUND.
 */
export async function lockAmongPeers(id: string, tx: EntityManager): Promise<{ user: UserRow; isLast: boolean }> {
  // the account of a user never changes
  const known = await tx.findOne(UserEntity, { id }, { disableIdentityMap: true });
  const developerId = known ? known.developerId : noSuchUser();
  const peers = await tx.find(
    UserEntity,
    { disabledAt: null, ...(developerId ? { developerId, teamRole: 'owner' } : { role: 'admin' }) },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  return { user: await lockUser(id, tx), isLast: peers.length === 1 && peers[0]!.id === id };
}

/** Whether the user made an emergency suspension that no other administrator has confirmed or undone. */
export const isRestricted = async (userId: string, tx: EntityManager): Promise<boolean> =>
  (await tx.count(UserEntity, { emergencySuspendedBy: userId })) > 0;

/** Throws FORBIDDEN for a restricted user, or one who was suspended after the request began. */
export async function requireUnrestricted(userId: string, tx: EntityManager): Promise<void> {
  await requireActive(userId, tx);
  if (await isRestricted(userId, tx))
    throw new AppError('FORBIDDEN', {
      message:
        'You suspended an administrator in an emergency. You cannot change users until another administrator confirms or undoes the suspension.',
    });
}

/**
 * Throws FORBIDDEN if the user is not active. Call it after the peers are locked: if two users suspend each other, only the
 * first succeeds.
 */
export async function requireActive(userId: string, tx: EntityManager): Promise<void> {
  if ((await tx.count(UserEntity, { id: userId, disabledAt: null })) === 0) throw new AppError('FORBIDDEN');
}

export function noSuchUser(): never {
  throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown user.' });
}

/** Revokes the sessions of a user, except the session of `keep`. Returns the number of revoked sessions. */
export async function revokeSessions(userId: string, tx: EntityManager, keep?: Buffer): Promise<number> {
  const others = keep ? { sessionHash: { $ne: keep } } : {};
  return tx.nativeUpdate(
    SessionEntity,
    { userId, revokedAt: null, expiresAt: { $gt: new Date() }, ...others },
    { revokedAt: new Date() },
  );
}

/** Revokes sessions and emailed links. Returns the number of revoked sessions. */
export async function endAccess(userId: string, tx: EntityManager, keep?: Buffer): Promise<number> {
  await tx.nativeDelete(PasswordResetEntity, { userId });
  await tx.nativeDelete(EmailChangeEntity, { userId });
  return revokeSessions(userId, tx, keep);
}

/** Deletes the invitations of a user who can no longer invite. */
export async function voidInvitations(invitedBy: string, tx: EntityManager): Promise<void> {
  await tx.nativeDelete(InvitationEntity, { invitedBy });
}

/** Returns the error for any defect of an emailed link to a new password or address. It does not report the cause. */
export const linkRefused = (): AppError =>
  fieldError('input.token', 'REFERENCE', 'This link is unknown, expired or already used. Request a new link.');
