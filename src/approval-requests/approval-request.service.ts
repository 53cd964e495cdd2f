import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { SessionPrincipal, UserId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import {
  type ApprovalRequestAction,
  type ApprovalRequestStore,
  changeOf,
  type NewApprovalRequest,
  type StoredApprovalRequest,
} from './approval-request.store.js';

export const APPROVAL_REQUEST_DAYS = 7;
/** Reason for rejecting a request that a newer approval request without its own reason replaces. */
const REPLACED = 'Replaced by a newer approval request.';

/** Signed-in user who acts, with the ID and the name used in the audit log. */
export interface ActingUser extends Actor, Pick<SessionPrincipal, 'confirmedAt'> {
  userId: UserId;
}

/** Input of the second person. */
export interface Approval {
  reason: string;
  /** Whether the outcome "failed" is allowed although the provider may not list the payment yet. */
  allowRecentSend: boolean;
}

/** Change that a second person can approve: a row of the table of actions. `Case` is the subject of the change. */
export interface Approvable<Case, Done> {
  /**
   * Returns the current state of the subject, locked until the transaction ends. Throws CONFLICT if the change is no longer
   * possible.
   */
  reopen(approvalRequest: StoredApprovalRequest, approval: Approval, tx: EntityManager): Promise<Case>;
  /** Applies the change, with an audit entry that names the approval request if there is one. */
  apply(about: Case, by: ActingUser, tx: EntityManager, approvalRequest?: StoredApprovalRequest): Promise<Done>;
}

/** Change that requires one person or two. `decide` takes the steps in this order. */
export interface Decision<Command, Case, Done> extends Approvable<Case, Done> {
  /**
   * Locks the subject until the transaction ends, so that concurrent decisions run one after the other. Throws
   * RECORD_NOT_FOUND, and CONFLICT if its state does not allow the decision.
   */
  lock(command: Command, tx: EntityManager): Promise<Case>;
  /**
   * Checks the user's second factor. Throws STEP_UP_REQUIRED if the decision requires a fresh one and its policy row leaves
   * the check to the decision.
   */
  authorize?(about: Case, by: ActingUser, tx: EntityManager): Promise<void>;
  /** Confirms an existing final status without moving money. Returns undefined if there is something to decide. */
  confirm?(about: Case, by: ActingUser, tx: EntityManager): Promise<Done | undefined>;
  /** Returns the approval request to create if a second person is required. */
  approvalRequest(about: Case): NewApprovalRequest;
  /**
   * Returns the earlier result of the same decision. Throws CONFLICT if the earlier decision or the pending approval request
   * has the same key but differs.
   */
  earlier?(about: Case, pending: StoredApprovalRequest | undefined, tx: EntityManager): Promise<Done | undefined>;
  /** Returns the case with the facts that the next steps need. Throws if the change can be neither made nor requested. */
  examine?(about: Case, tx: EntityManager): Promise<Case>;
  /** Whether one person is enough. */
  alone(about: Case, by: ActingUser, tx: EntityManager): boolean | Promise<boolean>;
  /** Action whose pending approval requests about the same subject are rejected when approval of this one is requested. */
  opposite?: ApprovalRequestAction;
  /** Whether the pending approval request is a different decision about the same subject, which this one replaces. */
  replaces?(about: Case, pending: StoredApprovalRequest, by: ActingUser): boolean;
}

/** Decision that was made or is pending approval. While it is pending, no money has moved. */
export interface Decided<Done> {
  done?: Done | undefined;
  approvalRequest?: StoredApprovalRequest | undefined;
  /** Whether the same decision was already made, so that nothing changed. */
  replayed: boolean;
}

interface RecordingParts {
  audit: AuditService;
  approvalRequests: ApprovalRequestStore;
}

export interface ApprovalFlowParts extends RecordingParts {
  orm: MikroORM;
}

export interface ApprovalRequestParts<Done> extends ApprovalFlowParts {
  actions: Readonly<Record<ApprovalRequestAction, Approvable<unknown, Done>>>;
}

/** Applied change, and the approval request after it. */
export interface Approved<Done> {
  done: Done;
  approvalRequest: StoredApprovalRequest;
}

/** Applies a change that needs no approval, and requests approval for any other change. */
export class ApprovalFlow {
  constructor(protected readonly parts: ApprovalFlowParts) {}

  /**
   * Makes a decision or requests its approval, in one commit with its audit entry. Throws the errors of its steps.
   *
   * @param em transaction to use. If omitted, a new one is opened.
   */
  async decide<Command, Case, Done>(
    decision: Decision<Command, Case, Done>,
    command: Command,
    by: ActingUser,
    em?: EntityManager,
  ): Promise<Decided<Done>> {
    const { orm, approvalRequests } = this.parts;
    const work = async (tx: EntityManager): Promise<Decided<Done>> => {
      const held = await decision.lock(command, tx);
      await decision.authorize?.(held, by, tx);
      const confirmed = await decision.confirm?.(held, by, tx);
      if (confirmed) return { done: confirmed, replayed: false };
      // the order of these steps matters: a request that is approved in the meantime is found as the change that it made
      const found = await approvalRequests.pending(decision.approvalRequest(held), tx);
      const replaced = found && decision.replaces?.(held, found, by) ? found : undefined;
      const pending = replaced ? undefined : found;
      const earlier = await decision.earlier?.(held, pending, tx);
      if (pending || earlier) return { done: earlier, approvalRequest: pending, replayed: true };
      const about = decision.examine ? await decision.examine(held, tx) : held;
      const approvalRequest = decision.approvalRequest(about);
      if (replaced) await rejectPending(replaced, approvalRequest.reason || REPLACED, by, this.parts, tx);
      if (await decision.alone(about, by, tx)) return { done: await decision.apply(about, by, tx), replayed: false };
      const opposite =
        decision.opposite && (await approvalRequests.pending({ ...approvalRequest, action: decision.opposite }, tx));
      if (opposite) await rejectPending(opposite, approvalRequest.reason, by, this.parts, tx);
      return { approvalRequest: await requestApproval(approvalRequest, by, this.parts, tx), replayed: false };
    };
    return em ? work(em) : inTransaction(orm, work);
  }
}

/** Requests, approves and rejects approval requests. */
export class ApprovalRequestService<Done> extends ApprovalFlow {
  readonly #actions: ApprovalRequestParts<Done>['actions'];

  constructor({ actions, ...parts }: ApprovalRequestParts<Done>) {
    super(parts);
    this.#actions = actions;
  }

  /**
   * Approves an approval request. The change, the state of the request and the audit entry are one commit. If two people
   * approve at the same time, only one approval is applied. Throws RECORD_NOT_FOUND, FORBIDDEN for the requester and for users
   * who cannot approve it, and the errors of the action, after which the request remains pending. Throws CONFLICT if the
   * request is not pending, its requester lost the permission, or its order has had another transfer since.
   */
  async approve(
    id: string,
    { reason, allowRecentSend = false }: Partial<Approval>,
    by: ActingUser,
  ): Promise<Approved<Done>> {
    const { approvalRequests } = this.parts;
    return this.#whilePending(id, async (approvalRequest, tx) => {
      if (approvalRequest.requestedBy === by.userId)
        throw new AppError('FORBIDDEN', { message: 'You requested this approval. Another user must approve it.' });
      if (!approvalRequest.requesterActive)
        throw new AppError('CONFLICT', {
          message: 'The requester is no longer permitted to make this change. Request approval again.',
        });
      // the principal of the request may be outdated
      if (!(await approvalRequests.canApproveNow(by.userId, approvalRequest, tx))) throw new AppError('FORBIDDEN');
      const action = this.#actions[approvalRequest.action];
      const about = await action.reopen(
        approvalRequest,
        { reason: reason ?? approvalRequest.reason, allowRecentSend },
        tx,
      );
      // the approval applies to the order as the requester saw it
      if (await approvalRequests.isOutdated(id, tx))
        throw new AppError('CONFLICT', {
          message: 'The order has changed since approval was requested. Request approval again.',
        });
      const done = await action.apply(about, by, tx, approvalRequest);
      await approvalRequests.resolve(id, 'approved', by.userId, tx);
      return { done, approvalRequest: (await approvalRequests.lock(id, tx))! };
    });
  }

  /** Rejects an approval request, or withdraws it if the requester calls this. Throws RECORD_NOT_FOUND and CONFLICT. */
  async reject(id: string, reason: string, by: ActingUser): Promise<StoredApprovalRequest> {
    return this.#whilePending(id, async (approvalRequest, tx) => {
      await rejectPending(approvalRequest, reason, by, this.parts, tx);
      return (await this.parts.approvalRequests.lock(id, tx))!;
    });
  }

  #whilePending<T>(
    id: string,
    decide: (approvalRequest: StoredApprovalRequest, tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.parts.orm, async (tx) => {
      const approvalRequest = isUuid(id) ? await this.parts.approvalRequests.lock(id, tx) : undefined;
      if (!approvalRequest) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown approval request.' });
      if (approvalRequest.finalState === 'approved')
        throw new AppError('CONFLICT', { message: 'This approval request is already approved.' });
      if (approvalRequest.finalState === 'rejected')
        throw new AppError('CONFLICT', { message: 'This approval request is already rejected or withdrawn.' });
      if (approvalRequest.expired)
        throw new AppError('CONFLICT', { message: 'This approval request has expired. Request approval again.' });
      return decide(approvalRequest, tx);
    });
  }
}

/** Creates an approval request in the caller's transaction, with its audit entry. */
export async function requestApproval(
  approvalRequest: NewApprovalRequest,
  by: ActingUser,
  { approvalRequests, audit }: RecordingParts,
  tx: EntityManager,
): Promise<StoredApprovalRequest> {
  const { subject, reason } = approvalRequest;
  const { before = null } = changeOf(approvalRequest);
  const id = await approvalRequests.add(approvalRequest, by.userId, APPROVAL_REQUEST_DAYS, tx);
  const made = (await approvalRequests.lock(id, tx))!;
  await audit.record(by, { action: 'approval_request.create', subject, before, after: traceOf(made), reason }, tx);
  return made;
}

/** Rejects a pending approval request in the caller's transaction, with its audit entry. */
export async function rejectPending(
  approvalRequest: StoredApprovalRequest,
  reason: string,
  by: ActingUser,
  { approvalRequests, audit }: RecordingParts,
  tx: EntityManager,
): Promise<void> {
  const { id, subject } = approvalRequest;
  const { before: after = null } = changeOf(approvalRequest);
  await approvalRequests.resolve(id, 'rejected', by.userId, tx);
  await audit.record(
    by,
    { action: 'approval_request.reject', subject, before: traceOf(approvalRequest), after, reason },
    tx,
  );
}

/** Returns the requester of an approved change as the audit log shows it. */
export const requesterOf = ({ id, requestedBy }: StoredApprovalRequest) => ({
  approvalRequestId: id,
  requestedBy: `user:${requestedBy}`,
});

const utrIn = ({ payload }: StoredApprovalRequest): { utr?: string } => {
  const { utr } = payload as { utr?: string };
  return utr === undefined ? {} : { utr };
};

/** Returns the audited fields of an approval request, with the values after the change. */
const traceOf = (approvalRequest: StoredApprovalRequest) => ({
  approvalRequestId: approvalRequest.id,
  action: approvalRequest.action,
  key: approvalRequest.key,
  amountPaise: approvalRequest.amountPaise === null ? null : String(approvalRequest.amountPaise),
  // the second person looks up the UTR in the bank statement
  ...utrIn(approvalRequest),
  ...changeOf(approvalRequest).after,
});
