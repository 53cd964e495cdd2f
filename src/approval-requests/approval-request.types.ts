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
  pending: 'A second person has not approved or rejected the request yet.',
  approved: 'A second person approved the request, and the change is made.',
  rejected: 'The request was rejected, or the requester withdrew it.',
  expired: 'The request was neither approved nor rejected before `expiresAt`.',
});

const ApprovalRequestActionEnum = words(
  'ApprovalRequestAction',
  'Change that an approval request makes after approval.',
  {
    credit: 'Money is added to a wallet.',
    debit: 'Money is taken out of a wallet.',
    correct_wallet:
      'Correction of a wallet whose balance changed without a transfer; `correction` has the amounts. After approval, `gateway ledger post` posts the correction.',
    resolve: 'An order in review is decided: `resolution` says how.',
    resolve_many: 'A list of orders in review is decided: `orders` says how.',
    reverse: 'A success is taken back.',
    reverse_refund: 'The refund of an order is reversed.',
    unlock_production: 'An account gets live access.',
    set_role: 'A person gets another role.',
    suspend_user: 'Suspends an administrator, or confirms an emergency suspension.',
    reinstate_user: 'Reinstates a suspended member of staff.',
    remove_user: 'Removes an administrator.',
    reset_second_factors: 'Removes all second factors of a user.',
    invite_user: 'A person is invited into an account that has no active owner.',
    set_fee: 'Services of an account are switched, or get another fee: `changes` says which.',
    assign_provider: 'An account or a white label gets another recharge provider, or an account another white label.',
    set_provider_availability: 'A provider is switched on again.',
    resume_orders: 'Resumes new orders of an environment.',
  },
);
type ShownAction = WordOf<typeof ApprovalRequestActionEnum>;

@NodeType<ApprovalRequest>('apr', { description: 'Change that requires the approval of a second person.' })
export class ApprovalRequest {
  /** Whose account `developer` reads; null when it is about none. */
  developerId!: DeveloperId | null;
  /** Which order `order` reads; null when it is about none. */
  orderId!: string | null;
  /** Which white label `whiteLabel` reads; null when it is about none. */
  whiteLabelId!: string | null;
  /** The action that has a `resolution`. */
  storedAction!: ApprovalRequestAction;
  /** User whom `requestedBy` shows, and whether they may still request approval. */
  requester!: UserId;
  requesterActive!: boolean;
  /** Balance for `walletEffect.balanceAtRequest`. */
  balancePaise!: Paise | null;
  /** Else it is for admins alone. */
  aboutMoney!: boolean;
  /** Whom `resolvedBy` shows. */
  resolverId!: UserId | null;

  id!: string;

  @Field(() => ApprovalRequestStateEnum, { description: 'State of the request.' })
  state!: ApprovalRequestState;

  @Field(() => ApprovalRequestActionEnum, { description: 'Change that the request makes after approval.' })
  action!: ShownAction;

  @Field(() => EnvironmentEnum, { nullable: true, description: 'Whose money it is about; null when it is about none.' })
  environment!: Environment | null;

  @Field({ description: 'The wallet or record that it would be done to.' })
  subject!: string;

  @Field({
    description:
      'The reference of a credit or debit, the api_request_id of the order, how many orders, or what of the account.',
  })
  reference!: string;

  @Field(() => String, {
    nullable: true,
    description: 'UTR of the bank transfer of a credit; null for a credit without a UTR and for all other actions.',
  })
  utr!: string | null;

  @Field(() => Instant, { description: 'Time approval was requested.' })
  at!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the request was approved or rejected, or was found to have expired; null before.',
  })
  resolvedAt!: Date | null;

  @Field({ description: 'Why; empty when no reason was given.' })
  reason!: string;

  @Field(() => Rupees, { nullable: true, description: 'Rupees; null when it moves no money.' })
  amount!: Paise | null;

  @Field(() => [AuditChange], {
    description: 'What would change, as its audit entry will say; empty for what moves money.',
  })
  @Entries(WITH_PARENT)
  changes!: AuditChange[];

  @Field(() => Instant, { description: 'Time from which the request can no longer be approved.' })
  expiresAt!: Date;
}

@Output({ description: 'Effect of an approval request on the balance of a wallet.' })
export class WalletEffect {
  @Field(() => Rupees, { description: 'Balance when approval was requested.' })
  balanceAtRequest!: Paise;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Current balance; null when the request is not pending.',
  })
  balance!: Paise | null;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Balance after approval, computed from the current balance; null when the request is not pending.',
  })
  balanceAfter!: Paise | null;
}

@Input({ description: 'Filter for approval requests. All given conditions apply.' })
export class ApprovalRequestFilter {
  @Field(() => [ApprovalRequestStateEnum], {
    nullable: true,
    description: 'Only requests in one of these states. Default: PENDING.',
  })
  @Distinct(1, 4)
  state?: ApprovalRequestState[];

  @Field(() => [ApprovalRequestActionEnum], { nullable: true, description: 'Only requests with one of these actions.' })
  @Distinct(1, Object.keys(ApprovalRequestActionEnum).length)
  action?: ShownAction[];

  @Field(() => ID, { nullable: true, description: 'Only requests about this developer.' })
  developerId?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'true: only requests of the signed-in user. false has no effect.',
  })
  requestedByMe?: boolean;
}

@ArgsType()
export class ApprovalRequestsArguments extends PageArguments {
  @Field(() => ApprovalRequestFilter, { nullable: true, description: 'Filter. Default: pending requests.' })
  filter?: ApprovalRequestFilter;
}

@Output({ description: 'A page of approval requests, oldest first.' })
export class ApprovalRequestConnection extends connectionOf('ApprovalRequest', ApprovalRequest, {
  one: 'approval request',
}) {
  /** What `totalCount` counts. */
  selection!: ApprovalRequestSelection;
}

@Output({ description: 'Approval request after its approval or rejection.' })
export class ApprovalRequestPayload {
  @Field(() => ApprovalRequest, { description: 'The approval request, which is no longer pending.' })
  approvalRequest!: ApprovalRequest;
}

@Input({ description: 'Approval request of another user to approve.' })
export class ApproveApprovalRequestInput {
  @Field(() => ID, { description: 'ID of the approval request.' })
  approvalRequestId!: string;

  @Field(() => String, { nullable: true, description: 'Reason for the audit log; at most 500 characters.' })
  @Text(500)
  reason?: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'It calls a payment failed that its provider need not show yet, and counts; else that is SENT_RECENTLY.',
  })
  allowRecentSend?: boolean;
}

@Input({ description: 'Approval request to reject. The requester withdraws the request with it.' })
export class RejectApprovalRequestInput {
  @Field(() => ID, { description: 'ID of the approval request.' })
  approvalRequestId!: string;

  @Field({ description: 'Reason for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

/**
 * What clients are shown of an action: that an order is decided is one, whatever it is decided to be, and so is every way to another
 * recharge provider.
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

/** Those that are stored of some that are shown. */
export const storedActions = (shown: readonly ShownAction[]): ApprovalRequestAction[] =>
  (Object.keys(SHOWN) as ApprovalRequestAction[]).filter((action) => shown.includes(SHOWN[action]));

/** Sign of the change of the wallet balance. Other actions change no wallet, or several. */
const BALANCE_SIGN: Readonly<Partial<Record<ApprovalRequestAction, 1n | 0n | -1n>>> = {
  'wallet.credit': 1n,
  'wallet.debit': -1n,
  // the hold took the amount from the balance
  'order.settle': 0n,
  'order.refund': 1n,
  'order.reverse': 1n,
  'order.reverse_refund': -1n,
};

/** Change of the balance in paise; undefined if the request changes no wallet, or several. */
export function balanceChange({
  storedAction,
  amount,
}: Pick<ApprovalRequest, 'storedAction' | 'amount'>): bigint | undefined {
  const sign = BALANCE_SIGN[storedAction];
  return sign === undefined || amount === null ? undefined : sign * amount;
}

const stateOf = ({ finalState, expired }: StoredApprovalRequest): ApprovalRequestState =>
  finalState ?? (expired ? 'expired' : 'pending');

/** Play money needs no second person: what is about an order is about real money. */
const environmentOf = ({ payload, amountPaise }: StoredApprovalRequest): Environment | null =>
  (payload as { environment?: Environment }).environment ?? (amountPaise === null ? null : 'production');

/** An approval request as staff see it. */
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

/** Whose provider it is about, or under which an account would come. */
function labelOf(approvalRequest: StoredApprovalRequest): string | null {
  const of = /^white_label:(.+)$/.exec(approvalRequest.subject)?.[1];
  return of ?? (changeOf(approvalRequest).after?.whiteLabelId as string | undefined) ?? null;
}
