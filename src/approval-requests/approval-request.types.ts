import { ArgsType, Field, ID } from 'type-graphql';
import { changesOf } from '../audit/audit.reader.js';
import { AuditChange } from '../audit/audit.types.js';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import type { DeveloperId, UserId } from '../core/principal.js';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Distinct, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';
import {
  type ApprovalRequestAction,
  type ApprovalRequestSelection,
  type ApprovalRequestState,
  changeOf,
  isAboutMoney,
  type StoredApprovalRequest,
} from './approval-request.store.js';

const ApprovalRequestStateEnum = words<ApprovalRequestState>('ApprovalRequestState', 'State of an approval request.', {
  pending: 'Pending: not approved or rejected by a second person yet.',
  approved: 'Approved by a second person. The change was made.',
  rejected: 'Rejected by another user, or withdrawn by the requester.',
  expired: 'Expired: not approved or rejected before `expiresAt`.',
});

const ApprovalRequestActionEnum = words(
  'ApprovalRequestAction',
  'Action of an approval request: the change that is made after approval.',
  {
    credit: 'Adds money to a wallet.',
    debit: 'Takes money out of a wallet.',
    correct_wallet:
      'Corrects a wallet whose balance changed without a transfer; `correction` has the amounts. After approval, `gateway ledger post` posts the correction.',
    resolve: 'Resolves an order in review with the outcome in `resolution`.',
    resolve_many: 'Resolves a list of orders in review with the outcomes in `orders`.',
    reverse: 'Reverses a successful order.',
    reverse_refund: 'Reverses the refund of an order.',
    unlock_production: 'Grants Production access to an account.',
    set_role: 'Changes the role of a user.',
    suspend_user: 'Suspends an administrator, or confirms an emergency suspension.',
    reinstate_user: 'Reinstates a suspended staff user.',
    remove_user: 'Removes an administrator.',
    reset_second_factors: 'Removes all second factors of a user.',
    invite_user: 'Invites a user to an account that has no active owner.',
    set_fee: 'Changes the service access or fees of an account, as listed in `changes`.',
    assign_provider: 'Changes the recharge provider of an account or a white label, or the white label of an account.',
    set_provider_availability: 'Enables a provider again.',
    resume_orders: 'Resumes new orders of an environment.',
  },
);
type ShownAction = WordOf<typeof ApprovalRequestActionEnum>;

@NodeType<ApprovalRequest>('apr', { description: 'Change that requires the approval of a second person.' })
export class ApprovalRequest {
  /** Account that the field `developer` returns. Null if there is none. */
  developerId!: DeveloperId | null;
  /** Order that the field `order` returns. Null if there is none. */
  orderId!: string | null;
  /** White label that the field `whiteLabel` returns. Null if there is none. */
  whiteLabelId!: string | null;
  /** Stored action, from which `resolution` is derived. */
  storedAction!: ApprovalRequestAction;
  /** User that the field `requestedBy` displays, and whether that user can still request approval. */
  requester!: UserId;
  requesterActive!: boolean;
  /** Balance that `walletEffect.balanceAtRequest` displays. */
  balancePaise!: Paise | null;
  /** If false, the approval request is visible only to administrators. */
  aboutMoney!: boolean;
  /** User that the field `resolvedBy` displays. */
  resolverId!: UserId | null;

  id!: string;

  @Field(() => ApprovalRequestStateEnum, { description: 'State of the approval request.' })
  state!: ApprovalRequestState;

  @Field(() => ApprovalRequestActionEnum, { description: 'Change that is made after approval.' })
  action!: ShownAction;

  @Field(() => EnvironmentEnum, {
    nullable: true,
    description: 'Environment of the change. Null if the change does not concern one environment.',
  })
  environment!: Environment | null;

  @Field({ description: 'Wallet or record that the change applies to.' })
  subject!: string;

  @Field({
    description:
      'Reference of a credit or debit, `api_request_id` of an order, number of orders, or the affected part of the account.',
  })
  reference!: string;

  @Field(() => String, {
    nullable: true,
    description: 'UTR of the bank transfer of a credit. Null for a credit without a UTR and for all other actions.',
  })
  utr!: string | null;

  @Field(() => Instant, { description: 'Time approval was requested.' })
  at!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the approval request was approved, rejected or found to have expired. Null if it is pending.',
  })
  resolvedAt!: Date | null;

  @Field({ description: 'Reason for the approval request. Empty if none was given.' })
  reason!: string;

  @Field(() => Rupees, { nullable: true, description: 'Amount in rupees. Null if no money moves.' })
  amount!: Paise | null;

  @Field(() => [AuditChange], {
    description:
      'Changed values, in the same format as in the audit entry written after approval. Empty if the change moves money.',
  })
  @Entries(WITH_PARENT)
  changes!: AuditChange[];

  @Field(() => Instant, { description: 'Time the approval request expires.' })
  expiresAt!: Date;
}

@Output({ description: 'Effect of an approval request on the balance of a wallet.' })
export class WalletEffect {
  @Field(() => Rupees, { description: 'Balance when approval was requested.' })
  balanceAtRequest!: Paise;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Current balance. Null if the approval request is not pending.',
  })
  balance!: Paise | null;

  @Field(() => Rupees, {
    nullable: true,
    description:
      'Balance after approval, computed from the current balance. Null if the approval request is not pending.',
  })
  balanceAfter!: Paise | null;
}

@Input({ description: 'Filter for approval requests. An approval request must match all given conditions.' })
export class ApprovalRequestFilter {
  @Field(() => [ApprovalRequestStateEnum], {
    nullable: true,
    description: 'Only approval requests in one of these states. Default: PENDING.',
  })
  @Distinct(1, 4)
  state?: ApprovalRequestState[];

  @Field(() => [ApprovalRequestActionEnum], {
    nullable: true,
    description: 'Only approval requests with one of these actions.',
  })
  @Distinct(1, Object.keys(ApprovalRequestActionEnum).length)
  action?: ShownAction[];

  @Field(() => ID, { nullable: true, description: 'Only approval requests about this developer.' })
  developerId?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only approval requests of the signed-in user, if true. False has no effect.',
  })
  requestedByMe?: boolean;
}

@ArgsType()
export class ApprovalRequestsArguments extends PageArguments {
  @Field(() => ApprovalRequestFilter, {
    nullable: true,
    description: 'Filter. Returns pending approval requests if omitted.',
  })
  filter?: ApprovalRequestFilter;
}

@Output({ description: 'A page of approval requests, oldest first.' })
export class ApprovalRequestConnection extends connectionOf('ApprovalRequest', ApprovalRequest, {
  singular: 'approval request',
}) {
  /** Filter by which `totalCount` counts. */
  selection!: ApprovalRequestSelection;
}

@Output({ description: 'The approved or rejected approval request.' })
export class ApprovalRequestPayload {
  @Field(() => ApprovalRequest, { description: 'Approval request, which is no longer pending.' })
  approvalRequest!: ApprovalRequest;
}

@Input({ description: 'Approval request to approve. It must be from another user.' })
export class ApproveApprovalRequestInput {
  @Field(() => ID, { description: 'ID of the approval request.' })
  approvalRequestId!: string;

  @Field(() => String, { nullable: true, description: 'Reason for the audit log; at most 500 characters.' })
  @Text(500)
  reason?: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Allows a payment to be resolved as failed although the provider may not list it yet. If false, such a resolution fails with SENT_RECENTLY.',
  })
  allowRecentSend?: boolean;
}

@Input({ description: 'Approval request to reject. The requester withdraws it with the same mutation.' })
export class RejectApprovalRequestInput {
  @Field(() => ID, { description: 'ID of the approval request.' })
  approvalRequestId!: string;

  @Field({ description: 'Reason for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

/**
 * Actions as clients see them. Several stored actions share one client action: all resolutions of an order, and all changes of
 * the recharge provider.
 */
const SHOWN: Readonly<Record<ApprovalRequestAction, ShownAction>> = {
  'wallet.credit': 'credit',
  'wallet.debit': 'debit',
  'wallet.correct': 'correct_wallet',
  'order.settle': 'resolve',
  'order.refund': 'resolve',
  'orders.resolve': 'resolve_many',
  'order.reverse': 'reverse',
  'order.reverse_refund': 'reverse_refund',
  'developer.unlock_production': 'unlock_production',
  'service_access.set': 'set_fee',
  'developer.assign_provider': 'assign_provider',
  'developer.set_white_label': 'assign_provider',
  'white_label.assign_provider': 'assign_provider',
  'user.set_role': 'set_role',
  'user.suspend': 'suspend_user',
  'user.reinstate': 'reinstate_user',
  'user.remove': 'remove_user',
  'user.reset_factors': 'reset_second_factors',
  'user.invite': 'invite_user',
  'provider.set_availability': 'set_provider_availability',
  'orders.resume': 'resume_orders',
};

/** Returns the stored actions for the given client actions. */
export const storedActions = (shown: readonly ShownAction[]): ApprovalRequestAction[] =>
  (Object.keys(SHOWN) as ApprovalRequestAction[]).filter((action) => shown.includes(SHOWN[action]));

/** Sign of the change of the wallet balance. Other actions change no wallet or several wallets. */
const BALANCE_SIGN: Readonly<Partial<Record<ApprovalRequestAction, 1n | 0n | -1n>>> = {
  'wallet.credit': 1n,
  'wallet.debit': -1n,
  // the hold took the amount from the balance
  'order.settle': 0n,
  'order.refund': 1n,
  'order.reverse': 1n,
  'order.reverse_refund': -1n,
};

/** Returns the change of the balance in paise. Undefined if the request changes no wallet or several wallets. */
export function balanceChange({
  storedAction,
  amount,
}: Pick<ApprovalRequest, 'storedAction' | 'amount'>): bigint | undefined {
  const sign = BALANCE_SIGN[storedAction];
  return sign === undefined || amount === null ? undefined : sign * amount;
}

const stateOf = ({ finalState, expired }: StoredApprovalRequest): ApprovalRequestState =>
  finalState ?? (expired ? 'expired' : 'pending');

/**
 * Returns the environment. Test funds never require a second person, so an approval request about an order is about
 * Production.
 */
const environmentOf = ({ payload, amountPaise }: StoredApprovalRequest): Environment | null =>
  (payload as { environment?: Environment }).environment ?? (amountPaise === null ? null : 'production');

/** Returns an approval request as staff see it. */
export const approvalRequestView = (approvalRequest: StoredApprovalRequest): ApprovalRequest => ({
  id: approvalRequest.id,
  state: stateOf(approvalRequest),
  action: SHOWN[approvalRequest.action],
  storedAction: approvalRequest.action,
  environment: environmentOf(approvalRequest),
  subject: approvalRequest.subject,
  reference: approvalRequest.key,
  utr: (approvalRequest.payload as { utr?: string }).utr ?? null,
  balancePaise: approvalRequest.balancePaise,
  requester: approvalRequest.requestedBy,
  requesterActive: approvalRequest.requesterActive,
  aboutMoney: isAboutMoney(approvalRequest),
  resolverId: approvalRequest.resolvedBy,
  at: approvalRequest.createdAt,
  resolvedAt: approvalRequest.resolvedAt,
  reason: approvalRequest.reason,
  amount: approvalRequest.amountPaise,
  changes: changesOf(changeOf(approvalRequest)),
  expiresAt: approvalRequest.expiresAt,
  developerId: approvalRequest.developerId,
  whiteLabelId: labelOf(approvalRequest),
  orderId: approvalRequest.orderId,
});

/** Returns the white label whose provider would change, or that an account would join. */
function labelOf(approvalRequest: StoredApprovalRequest): string | null {
  const of = /^white_label:(.+)$/.exec(approvalRequest.subject)?.[1];
  return of ?? (changeOf(approvalRequest).after?.whiteLabelId as string | undefined) ?? null;
}
