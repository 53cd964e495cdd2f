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
/** Why something waits no more, where the later decision gives no reason. */
const REPLACED = 'Something else was decided instead.';

/** The signed-in user who acts, by ID and as the audit log names the user. */
export interface ActingUser extends Actor, Pick<SessionPrincipal, 'confirmedAt'> {
  userId: UserId;
}

/** What the second person says. */
export interface Approval {
  reason: string;
  /** "Failed" counts although the provider need not show the payment yet. */
  allowRecentSend: boolean;
}

/** A change that a second person can approve: a row of the table of actions. `Case` is the subject of the change. */
export interface Approvable<Case, Done> {
  /** What was requested, as it is now, held until the transaction ends. Errors: CONFLICT when it cannot be done any more. */
  reopen(approvalRequest: StoredApprovalRequest, approval: Approval, tx: EntityManager): Promise<Case>;
  /** Applies the change, with an audit entry that names the approval request if there is one. */
  apply(about: Case, by: ActingUser, tx: EntityManager, approvalRequest?: StoredApprovalRequest): Promise<Done>;
}

/** What one person decides alone, or two together. The steps stand here in the order in which `decide` takes them. */
export interface Decision<Command, Case, Done> extends Approvable<Case, Done> {
  /**
   * Holds what it is about until the transaction ends: of two people who decide at once, the second sees what the first did.
   * Errors: RECORD_NOT_FOUND, CONFLICT when its state allows no such decision.
   */
  lock(command: Command, tx: EntityManager): Promise<Case>;
  /** Errors: STEP_UP_REQUIRED where the decision needs a fresh second factor, and its policy row leaves that to it. */
  authorize?(about: Case, by: ActingUser, tx: EntityManager): Promise<void>;
  /** Confirms what is decided already, which moves no money; undefined when there is something to decide. */
  confirm?(about: Case, by: ActingUser, tx: EntityManager): Promise<Done | undefined>;
  /** What would wait for a second person. */
  approvalRequest(about: Case): NewApprovalRequest;
  /** What the same decision did before. Errors: CONFLICT when that, or the approval request that waits, has its key and is another one. */
  earlier?(about: Case, pending: StoredApprovalRequest | undefined, tx: EntityManager): Promise<Done | undefined>;
  /** The case with what has to be known before it is done or requested. Errors: why neither may be. */
  examine?(about: Case, tx: EntityManager): Promise<Case>;
  /** Whether this person is enough. */
  alone(about: Case, by: ActingUser, tx: EntityManager): boolean | Promise<boolean>;
  /** What waits to be decided the other way is refused when this is requested. */
  opposite?: ApprovalRequestAction;
  /** Whether what waits is another decision about the same, in whose place this one comes: then it is rejected. */
  replaces?(about: Case, pending: StoredApprovalRequest, by: ActingUser): boolean;
}

/** A decision that is done, or waits for a second person: then nothing has moved. */
export interface Decided<Done> {
  done?: Done | undefined;
  approvalRequest?: StoredApprovalRequest | undefined;
  /** The same was decided before; nothing changed. */
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

/** The applied change, and the approval request after it. */
export interface Approved<Done> {
  done: Done;
  approvalRequest: StoredApprovalRequest;
}

/** Applies a change that needs no approval, and requests approval for any other change. */
export class ApprovalFlow {
  constructor(protected readonly parts: ApprovalFlowParts) {}

  /**
   * Does what a person decides, or requests it to a second one, in one commit with its audit entry. Errors: those of its steps.
   *
   * @param em the transaction that it is a part of; one of its own when left out
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
      // in this order: an approval request that is approved in the meantime is found as the change that it made
      const found = await approvalRequests.pending(decision.approvalRequest(held), tx);
      const replaced = found && decision.replaces?.(held, found, by) ? found : undefined;
      const waiting = replaced ? undefined : found;
      const earlier = await decision.earlier?.(held, waiting, tx);
      if (waiting || earlier) return { done: earlier, approvalRequest: waiting, replayed: true };
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
   * Approves an approval request. The change, the state of the request and the audit entry are one commit, and of two people who
   * approve at once one applies it. Errors: RECORD_NOT_FOUND; FORBIDDEN for the requester and for users who cannot approve it; CONFLICT
   * when the request is not pending, its requester lost the permission, or its order has had another transfer since; and the errors of
   * the action. After an error of the action the request stays pending.
   */
  async approve(
    id: string,
    { reason, allowRecentSend = false }: Partial<Approval>,
    by: ActingUser,
  ): Promise<Approved<Done>> {
    const { approvalRequests } = this.parts;
    return this.#whilePending(id, async (approvalRequest, tx) => {
      if (approvalRequest.requestedBy === by.userId)
        throw new AppError('FORBIDDEN', { message: 'You requested this approval. Another user has to approve it.' });
      if (!approvalRequest.requesterActive)
        throw new AppError('CONFLICT', {
          message: 'The requester can no longer request this. Request approval again.',
        });
      // what the request began with may be of yesterday
      if (!(await approvalRequests.canApproveNow(by.userId, approvalRequest, tx))) throw new AppError('FORBIDDEN');
      const action = this.#actions[approvalRequest.action];
      const about = await action.reopen(
        approvalRequest,
        { reason: reason ?? approvalRequest.reason, allowRecentSend },
        tx,
      );
      // the second person approves an order that the first one has seen
      if (await approvalRequests.isOutdated(id, tx))
        throw new AppError('CONFLICT', {
          message: 'The order has changed since approval was requested. Request approval again.',
        });
      const done = await action.apply(about, by, tx, approvalRequest);
      await approvalRequests.resolve(id, 'approved', by.userId, tx);
      return { done, approvalRequest: (await approvalRequests.lock(id, tx))! };
    });
  }

  /** Rejects an approval request, or withdraws it for its requester. Errors: RECORD_NOT_FOUND, CONFLICT. */
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
      if (!approvalRequest)
        throw new AppError('RECORD_NOT_FOUND', { message: 'There is no approval request with this ID.' });
      if (approvalRequest.finalState === 'approved')
        throw new AppError('CONFLICT', { message: 'This approval request is already approved.' });
      if (approvalRequest.finalState === 'rejected')
        throw new AppError('CONFLICT', { message: 'This approval request is rejected.' });
      if (approvalRequest.expired)
        throw new AppError('CONFLICT', { message: 'This approval request has expired. Request approval again.' });
      return decide(approvalRequest, tx);
    });
  }
}

/** Makes an approval request in the caller's transaction, with its audit entry. */
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

/** Ends an approval request that waits, in the caller's transaction, with its audit entry. */
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

/** The requester of an approved change, as the audit log shows it. */
export const requesterOf = ({ id, requestedBy }: StoredApprovalRequest) => ({
  approvalRequestId: id,
  requestedBy: `user:${requestedBy}`,
});

const utrIn = ({ payload }: StoredApprovalRequest): { utr?: string } => {
  const { utr } = payload as { utr?: string };
  return utr === undefined ? {} : { utr };
};

/** What the audit log shows of an approval request, with what would be there. */
const traceOf = (approvalRequest: StoredApprovalRequest) => ({
  approvalRequestId: approvalRequest.id,
  action: approvalRequest.action,
  key: approvalRequest.key,
  amountPaise: approvalRequest.amountPaise === null ? null : String(approvalRequest.amountPaise),
  // the second person looks up the UTR in the bank statement
  ...utrIn(approvalRequest),
  ...changeOf(approvalRequest).after,
});
