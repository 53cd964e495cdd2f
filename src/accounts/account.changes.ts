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

/** What a change is a part of; without a transaction it has one of its own. A change that sends an email needs one of `mailing`. */
export interface PartOf {
  tx?: EntityManager | undefined;
  /** A second person carries it out. */
  approvalRequest?: StoredApprovalRequest | undefined;
  reason?: string | undefined;
}

/** The signed-in user as the audit log names them. */
export const actorOf = (context: RequestContext): Actor => ({
  actor: `user:${sessionOf(context).userId}`,
  requestId: context.requestId,
  address: context.addressKey,
});

/** Who decides, as approval requests and the audit log name them. */
export const actingUserOf = (context: RequestContext): ActingUser => ({
  ...actorOf(context),
  userId: sessionOf(context).userId,
  confirmedAt: sessionOf(context).confirmedAt,
});

/** What a decision about an account, a white label or a person has changed. */
export interface AccountChanged {
  developerId?: DeveloperId;
  whiteLabel?: WhiteLabelRow;
  userId?: UserId;
}

/** The field of an input that says why; what is stopped needs a reason, what goes on again may have one. */
export const Reason =
  (options: { nullable?: boolean } = {}): PropertyDecorator =>
  (target, property) => {
    Field(() => String, { ...options, description: 'Reason for the audit log, 1 to 500 characters.' })(target, property);
    Text(500)(target, property);
  };

/** An account or a key. */
interface Suspendable {
  suspendedAt?: Date | null;
  suspensionReason?: string | null;
}

/** Errors: CONFLICT when it is suspended already. */
export function suspend(subject: Suspendable, what: 'account' | 'key', reason: string): void {
  if (subject.suspendedAt) throw new AppError('CONFLICT', { message: `This ${what} is suspended already.` });
  subject.suspendedAt = new Date();
  subject.suspensionReason = reason;
}

/** Errors: CONFLICT unless it is suspended. */
export function reinstate(subject: Suspendable, what: 'account' | 'key'): void {
  if (!subject.suspendedAt) throw new AppError('CONFLICT', { message: `This ${what} is not suspended.` });
  subject.suspendedAt = null;
  subject.suspensionReason = null;
}

/** Runs a write; a unique key that somebody else took a moment earlier is a CONFLICT with this text, not a defect. */
export async function unlessTaken<T>(message: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new AppError('CONFLICT', { message, cause: error });
    throw error;
  }
}

export type TwoPeople = Config['twoPeople'];

/** Whether roles of staff take two people: where the operator says so, and for good once two admins had a second factor. */
export const rolesTakeTwo = async ({ of }: TwoPeople, em: EntityManager): Promise<boolean> =>
  of.has('roles') ||
  (await em.count(SettingEntity, { environment: 'production', name: 'two_admins_since' satisfies SettingName })) > 0;

/** What a command is about, held until the transaction ends, and what it would change of it. */
export interface Held extends RequestedChange, Pick<NewApprovalRequest, 'subject' | 'key' | 'developerId'> {
  suspended: boolean;
  environment?: Environment;
  /** Of what needs one also when one person is enough. */
  reason?: string;
  /** Instead of what TWO_PEOPLE says; may depend on the person. */
  takesTwo?: boolean | ((by: ActingUser) => boolean);
}

interface AccountCase<Command> extends Held {
  command: Command;
  reason: string;
}

/** A change of an account or a white label: a row of the table of actions is made of it. */
export interface AccountChange<Command> {
  action: ApprovalRequestAction;
  /** The word of TWO_PEOPLE that it needs a second person for. */
  of: (typeof TWO_PEOPLE)[number];
  /** Errors: RECORD_NOT_FOUND, CONFLICT when it cannot be done. */
  hold(command: Command, tx: EntityManager): Promise<Held>;
  /** One person is enough for this one although the setting names it. */
  isSmall?(change: RequestedChange): boolean;
  /** Errors: FORBIDDEN when this person may neither do nor request it at this time; `about` is locked. */
  admit?(about: Held, by: ActingUser, tx: EntityManager): Promise<void>;
  /** Whether it takes a fresh second factor, where the policy row names a case. Read only when the factor is stale. */
  stepUp?(change: Held, by: ActingUser, tx: EntityManager): boolean | Promise<boolean>;
  /** Command of a stored approval request. */
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
 * The change as two people decide it. It waits with what it finds and what it would leave; a later one about the same takes its
 * place. What has changed meanwhile, or stands still, is not carried out: CONFLICT.
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
      if (held.suspended) throw new AppError('CONFLICT', { message: 'This account is suspended: reinstate it first.' });
      const { before, after } = changeIn(approvalRequest);
      if (!isDeepStrictEqual([held.before, held.after], [before, after]))
        throw new AppError('CONFLICT', {
          message: 'This has changed since approval was requested. Reject the request, then request approval again.',
        });
      return { ...held, command, reason };
    },
    apply: ({ command, reason }, by, tx, approvalRequest) => change.apply(command, by, tx, approvalRequest, reason),
  };
}
