import { type ActingUser, requesterOf } from '../../approval-requests/approval-request.service.js';
import type { RequestedChange, StoredApprovalRequest } from '../../approval-requests/approval-request.store.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperId, UserId } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';
import { type AccountChange, type Held, rolesTakeTwo, type TwoPeople } from '../account.changes.js';
import { UserEntity, type UserRow } from '../account.entities.js';
import { lockDeveloper } from '../developers/developer.state.js';
import type { UserService } from './user.service.js';
import { requireActive, requireUnrestricted, userSubject } from './user.state.js';

/** User and the reason for the change. */
export interface OfUser {
  userId: UserId;
  reason?: string | undefined;
}

/** Suspension of a user. In an emergency, one person can suspend an administrator. */
interface Suspension extends OfUser {
  emergency?: boolean | undefined;
}

const heldOf = (user: UserRow, key: string, reason: string | undefined, change: RequestedChange): Held => ({
  subject: userSubject(user.id),
  key,
  developerId: (user.developerId ?? null) as DeveloperId | null,
  // this is a state of accounts, which users do not have
  suspended: false,
  ...(reason === undefined ? {} : { reason }),
  ...change,
});
const commandOf = ({ subject, reason }: StoredApprovalRequest): OfUser => ({
  userId: subject.slice(userSubject('').length) as UserId,
  reason,
});
const because = (reason: string, approvalRequest: StoredApprovalRequest | undefined) => ({
  ...(reason ? { reason } : {}),
  approvalRequest: approvalRequest && requesterOf(approvalRequest),
});
const unrestricted = (_about: Held, { userId }: ActingUser, tx: EntityManager) => requireUnrestricted(userId, tx);

/** Returns the suspension of a user as shown in approval requests. */
function suspensionOf({ disabledAt, emergencySuspendedBy }: UserRow) {
  if (!disabledAt) return { suspension: 'none', suspendedAt: null };
  return { suspension: emergencySuspendedBy ? 'emergency' : 'suspended', suspendedAt: disabledAt.toISOString() };
}
const isEmergency = ({ before }: RequestedChange): boolean => before.suspension === 'emergency';

/**
 * Creates the user changes that require two people once an installation has had two administrators with a second factor:
 * removing or suspending an administrator, reinstating staff, and resetting second factors. In an emergency, one person can
 * suspend an administrator; see `isRestricted`.
 */
export function peopleChanges({ users, twoPeople }: { users: UserService; twoPeople: TwoPeople }) {
  const takesTwo = async ({ role }: UserRow, tx: EntityManager) => role === 'admin' && rolesTakeTwo(twoPeople, tx);
  const isInEmergency = async ({ emergency }: Suspension, user: UserRow, tx: EntityManager): Promise<boolean> =>
    emergency === true && !user.emergencySuspendedBy && takesTwo(user, tx);
  const suspend: AccountChange<Suspension> = {
    action: 'user.suspend',
    of: 'roles',
    async hold(command, tx) {
      const user = await users.holdToSuspend(command.userId, tx);
      const before = suspensionOf(user);
      const suspender = user.emergencySuspendedBy;
      const isAtOnce = await isInEmergency(command, user, tx);
      const change = { before, after: { ...before, suspension: isAtOnce ? 'emergency' : 'suspended' } };
      const held = heldOf(user, 'suspension', command.reason, change);
      // anyone except the user who made the emergency suspension can be the second person
      if (suspender) return { ...held, takesTwo: (by) => by.userId === suspender };
      return { ...held, takesTwo: !isAtOnce && (await takesTwo(user, tx)) };
    },
    async admit({ before, after }, { userId }, tx) {
      await requireActive(userId, tx);
      // only one at a time, because a stolen session could otherwise suspend all administrators
      if (before.suspension === 'none' && after.suspension === 'emergency') await requireUnrestricted(userId, tx);
    },
    commandOf,
    async apply(command, by, tx, approvalRequest, reason) {
      const { userId } = command;
      const isAtOnce = !approvalRequest && (await isInEmergency(command, await users.holdToSuspend(userId, tx), tx));
      const how = { ...because(reason, approvalRequest), emergencyBy: isAtOnce ? by.userId : undefined };
      await users.suspend(userId, how, by, tx);
      return { userId };
    },
  };
  const reinstate: AccountChange<OfUser> = {
    action: 'user.reinstate',
    of: 'roles',
    async hold({ userId, reason }, tx) {
      const user = await users.holdToReinstate(userId, tx);
      const change = { before: suspensionOf(user), after: { suspension: 'none', suspendedAt: null } };
      // reinstating support staff or a user of an account grants only rights that one person can grant
      const isSmall = user.role === 'support' || user.role === 'developer' || isEmergency(change);
      return {
        ...heldOf(user, 'suspension', reason, change),
        takesTwo: !isSmall && (await rolesTakeTwo(twoPeople, tx)),
      };
    },
    // undoing one's own emergency suspension restores the previous state
    admit: async (about, by, tx) =>
      isEmergency(about) ? requireActive(by.userId, tx) : requireUnrestricted(by.userId, tx),
    commandOf,
    async apply({ userId }, by, tx, approvalRequest, reason) {
      await users.reinstate(userId, because(reason, approvalRequest), by, tx);
      return { userId };
    },
  };
  const remove: AccountChange<OfUser & { reason: string }> = {
    action: 'user.remove',
    of: 'roles',
    async hold({ userId, reason }, tx) {
      const user = await users.holdToRemove(userId, tx);
      const change = { before: { removed: false }, after: { removed: true } };
      return { ...heldOf(user, 'removal', reason, change), takesTwo: await takesTwo(user, tx) };
    },
    admit: unrestricted,
    commandOf: (approvalRequest) => ({ ...commandOf(approvalRequest), reason: approvalRequest.reason }),
    async apply({ userId }, by, tx, approvalRequest, reason) {
      await users.remove(userId, { reason, approvalRequest: approvalRequest && requesterOf(approvalRequest) }, by, tx);
      return { userId };
    },
  };
  const resetFactors: AccountChange<OfUser> = {
    action: 'user.reset_factors',
    of: 'roles',
    async hold({ userId, reason }, tx) {
      const known = await tx.findOne(UserEntity, { id: userId }, { disableIdentityMap: true });
      // locks in the same order as an approval
      if (known?.developerId) await lockDeveloper(known.developerId as DeveloperId, tx);
      const { user, factors } = await users.holdToReset(userId, tx);
      const change = { before: { secondFactors: factors }, after: { secondFactors: 0 } };
      return { ...heldOf(user, 'second_factors', reason, change), takesTwo: await rolesTakeTwo(twoPeople, tx) };
    },
    admit: unrestricted,
    commandOf,
    async apply({ userId }, by, tx, approvalRequest, reason) {
      if (userId === by.userId)
        throw new AppError('FORBIDDEN', { message: 'You cannot approve the reset of your own second factors.' });
      await users.removeFactors(userId, because(reason, approvalRequest), by, tx);
      return { userId };
    },
  };
  return { suspend, reinstate, remove, resetFactors };
}
