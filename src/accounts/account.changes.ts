import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Field } from 'type-graphql';
import type { Actor } from '../audit/audit.service.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId, UserId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import { Text } from '../graphql-toolkit/rules.js';
import type { Decider } from '../proposals/proposal.service.js';
import type { StoredProposal } from '../proposals/proposal.store.js';
import type { WhiteLabelRow } from './account.entities.js';

/** What a change is a part of; without a transaction it has one of its own. A change that is told by mail needs one of `mailing`. */
export interface PartOf {
  tx?: EntityManager | undefined;
  /** A second person carries it out. */
  proposal?: StoredProposal | undefined;
  reason?: string | undefined;
}

/** The signed-in user as the audit trail names them. */
export const actorOf = (context: RequestContext): Actor => ({
  actor: `user:${sessionOf(context).userId}`,
  requestId: context.requestId,
  address: context.addressKey,
});

/** Who decides, as proposals and the audit trail name them. */
export const deciderOf = (context: RequestContext): Decider => ({
  ...actorOf(context),
  userId: sessionOf(context).userId,
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
    Field(() => String, { ...options, description: 'Why, for the audit trail; 1 to 500 characters.' })(
      target,
      property,
    );
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
