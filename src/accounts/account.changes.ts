import { isDeepStrictEqual } from 'node:util';
import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Field } from 'type-graphql';
import type { ActingUser, Decision } from '../approval-requests/approval-request.service.js';
import type {
  ApprovalRequestAction,
  NewApprovalRequest,
  RequestedChange,
  StoredApprovalRequest,
} from '../approval-requests/approval-request.store.js';
import type { Actor } from '../audit/audit.service.js';
import type { TWO_PEOPLE } from '../config/order.settings.js';
import type { Config } from '../config.js';
import { type RequestContext, requireFreshFactor, sessionOf } from '../core/context.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { type DeveloperId, isFactorStale, type UserId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import { Text } from '../graphql-toolkit/rules.js';
import { SettingEntity } from '../settings/setting.entity.js';
import type { SettingName } from '../settings/settings.service.js';
import type { WhiteLabelRow } from './account.entities.js';

/**
 * Context of a change. A change without `tx` opens its own transaction. A change that sends an email needs a `mailing`
 * transaction.
 */
export interface PartOf {
  tx?: EntityManager | undefined;
  /** Approval request whose approval makes the change. */
  approvalRequest?: StoredApprovalRequest | undefined;
  reason?: string | undefined;
}

/** Returns the signed-in user in the form of the audit log. */
export const actorOf = (context: RequestContext): Actor => ({
  actor: `user:${sessionOf(context).userId}`,
  requestId: context.requestId,
  address: context.addressKey,
});

/** Returns the signed-in user in the form of approval requests and the audit log. */
export const actingUserOf = (context: RequestContext): ActingUser => ({
  ...actorOf(context),
  userId: sessionOf(context).userId,
  confirmedAt: sessionOf(context).confirmedAt,
});

/** Records that a change affected. */
export interface AccountChanged {
  developerId?: DeveloperId;
  whiteLabel?: WhiteLabelRow;
  userId?: UserId;
}

/** Input field for the reason. It is required to suspend and optional to reinstate. */
export const Reason =
  (options: { nullable?: boolean } = {}): PropertyDecorator =>
  (target, property) => {
    Field(() => String, { ...options, description: 'Reason for the audit log, 1 to 500 characters.' })(
      target,
      property,
    );
    Text(500)(target, property);
  };

/** Subject that can be suspended: an account or an API key. */
interface Suspendable {
  suspendedAt?: Date | null;
  suspensionReason?: string | null;
}

/** Suspends an account or an API key. Throws CONFLICT if it is already suspended. */
export function suspend(subject: Suspendable, what: 'account' | 'API key', reason: string): void {
  if (subject.suspendedAt) throw new AppError('CONFLICT', { message: `This ${what} is already suspended.` });
  subject.suspendedAt = new Date();
  subject.suspensionReason = reason;
}

/** Reinstates an account or an API key. Throws CONFLICT unless it is suspended. */
export function reinstate(subject: Suspendable, what: 'account' | 'API key'): void {
  if (!subject.suspendedAt) throw new AppError('CONFLICT', { message: `This ${what} is not suspended.` });
  subject.suspendedAt = null;
  subject.suspensionReason = null;
}

/** Runs a write. If it violates a unique key, throws CONFLICT with this message. */
export async function unlessTaken<T>(message: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new AppError('CONFLICT', { message, cause: error });
    throw error;
  }
}

export type TwoPeople = Config['twoPeople'];

/**
 * Whether changes of staff roles require two people. They do if configured, and permanently once two administrators have
 * enrolled a second factor.
 */
export const rolesTakeTwo = async ({ of }: TwoPeople, em: EntityManager): Promise<boolean> =>
  of.has('roles') ||
  (await em.count(SettingEntity, { environment: 'production', name: 'two_admins_since' satisfies SettingName })) > 0;

/** Locked subject of a command, and its values before and after the change. */
export interface Held extends RequestedChange, Pick<NewApprovalRequest, 'subject' | 'key' | 'developerId'> {
  suspended: boolean;
  environment?: Environment;
  /** Default reason. It is also used if no second approver is required. */
  reason?: string;
  /** Overrides TWO_PEOPLE. The value may depend on the user. */
  takesTwo?: boolean | ((by: ActingUser) => boolean);
}

interface AccountCase<Command> extends Held {
  command: Command;
  reason: string;
}

/** Change of an account or a white label. The table of actions has a row for each change. */
export interface AccountChange<Command> {
  action: ApprovalRequestAction;
  /** Category in TWO_PEOPLE that requires a second person for this change. */
  of: (typeof TWO_PEOPLE)[number];
  /** Locks the subject of the change. Throws RECORD_NOT_FOUND, or CONFLICT if the change is not possible. */
  hold(command: Command, tx: EntityManager): Promise<Held>;
  /** Whether one person is enough for this change, regardless of TWO_PEOPLE. */
  isSmall?(change: RequestedChange): boolean;
  /**
   * Checks the user. Throws FORBIDDEN if the user can currently neither make nor request the change. The caller has locked
   * `about`.
   */
  admit?(about: Held, by: ActingUser, tx: EntityManager): Promise<void>;
  /** Whether the change requires a fresh second factor, if the policy row names a case. Called only if the factor is stale. */
  stepUp?(change: Held, by: ActingUser, tx: EntityManager): boolean | Promise<boolean>;
  /** Returns the command of a stored approval request. */
  commandOf(approvalRequest: StoredApprovalRequest): Command;
  apply(
    command: Command,
    by: ActingUser,
    tx: EntityManager,
    approvalRequest: StoredApprovalRequest | undefined,
    reason: string,
  ): Promise<AccountChanged>;
}

export const changeIn = ({ payload }: StoredApprovalRequest): RequestedChange => payload as RequestedChange;

/**
 * Creates the decision for a change that a second person can approve. The approval request stores the values before and after
 * the change, and a newer request about the same subject replaces it. Throws CONFLICT if the subject has changed since, or if
 * the change has no effect.
 */
export function decisionOf<Command>(
  change: AccountChange<Command>,
  { of }: TwoPeople,
): Decision<Command, AccountCase<Command>, AccountChanged> {
  const takesTwo = ({ takesTwo: own = of.has(change.of) }: Held, by: ActingUser): boolean =>
    typeof own === 'function' ? own(by) : own;
  const isEnough = (about: Held, by: ActingUser): boolean =>
    !takesTwo(about, by) || isDeepStrictEqual(about.before, about.after) || (change.isSmall?.(about) ?? false);
  return {
    lock: async (command, tx) => ({ reason: '', ...(await change.hold(command, tx)), command }),
    async authorize(about, by, tx) {
      if (isFactorStale(by) && (await change.stepUp?.(about, by, tx))) requireFreshFactor(by);
    },
    approvalRequest: ({ subject, key, developerId, environment, before, after, reason }) => ({
      action: change.action,
      subject,
      key,
      developerId,
      orderId: null,
      amountPaise: null,
      payload: { before, after, ...(environment && { environment }) },
      reason,
    }),
    replaces: (about, waiting, by) => isEnough(about, by) || !isDeepStrictEqual(changeIn(waiting).after, about.after),
    async alone(about, by, tx) {
      await change.admit?.(about, by, tx);
      return isEnough(about, by);
    },
    async reopen(approvalRequest, { reason }, tx) {
      const command = change.commandOf(approvalRequest);
      const held = await change.hold(command, tx);
      if (held.suspended) throw new AppError('CONFLICT', { message: 'This account is suspended. Reinstate it first.' });
      const { before, after } = changeIn(approvalRequest);
      if (!isDeepStrictEqual([held.before, held.after], [before, after]))
        throw new AppError('CONFLICT', {
          message: 'The record has changed since this approval request was created. Reject it and create a new one.',
        });
      return { ...held, command, reason };
    },
    apply: ({ command, reason }, by, tx, approvalRequest) => change.apply(command, by, tx, approvalRequest, reason),
  };
}
