import { Field, ID, Int } from 'type-graphql';
import { ApprovalRequest } from '../approval-requests/approval-request.types.js';
import type { ErrorCode } from '../core/errors.js';
import type { Paise } from '../core/money.js';
import { ErrorCodeEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Entries } from '../graphql-toolkit/rows.js';
import { Distinct, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';
import type { StatementStatus } from '../providers/provider.js';
import { type Resolution, ResolutionEnum } from './review.types.js';

export const MAX_ORDERS = 200;

export const OrderResolutionResultEnum = words('OrderResolutionResult', 'Result for one order of `resolveOrders`.', {
  resolved: 'The order was resolved, or its final status was confirmed.',
  approval_requested: 'The resolution requires approval. The approval request contains the order.',
  rejected: 'Nothing was changed. `code` has the reason.',
});
export type OrderResolutionResult = WordOf<typeof OrderResolutionResultEnum>;

@Input({ description: 'Orders in review to resolve, all with the same outcome.' })
export class ResolveOrdersInput {
  @Field(() => [ID], { description: 'IDs of the orders in review; 1 to 200 distinct IDs.' })
  @Distinct(1, MAX_ORDERS)
  orderIds!: string[];

  @Field(() => ResolutionEnum, {
    description:
      'Outcome of all the orders. For orders with a conflicting provider status, their final status, which is confirmed.',
  })
  outcome!: Resolution;

  @Field({ description: 'Evidence for the outcome, for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Allows the outcome FAILED for payments that the provider may not list yet. Without it, such orders fail with SENT_RECENTLY.',
  })
  allowRecentSend?: boolean;
}

@Output({ description: 'Result for one order of the list.' })
export class ResolvedOrder {
  @Field(() => ID, { description: 'ID of the order.' })
  orderId!: string;

  @Field(() => OrderResolutionResultEnum, { description: 'Result of the resolution.' })
  result!: OrderResolutionResult;

  @Field(() => ErrorCodeEnum, {
    nullable: true,
    description:
      'Error code if the order was rejected: RECORD_NOT_FOUND, ORDER_ARCHIVED, CONFLICT if it is not in review, or SENT_RECENTLY. Otherwise null.',
  })
  code!: ErrorCode | null;
}

@Output({ description: 'Results of resolving a list of orders.' })
export class ResolveOrdersPayload {
  @Field(() => [ResolvedOrder], { description: 'Result for each order, in the order of the input.' })
  @Entries(MAX_ORDERS)
  results!: readonly ResolvedOrder[];

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request with all orders whose result is APPROVAL_REQUESTED. Null if there are none.',
  })
  approvalRequest!: ApprovalRequest | null;

  @Field({ description: 'Whether an approval request for the same list is already pending.' })
  replayed!: boolean;
}

export const StatementStatusEnum = words('StatementStatus', 'Payment status in a line of a provider statement.', {
  succeeded: 'The payment succeeded.',
  failed: 'The payment failed.',
  pending: 'The payment has no final status.',
  reversed: 'The payment was reversed after it had succeeded.',
});

@Output({ description: 'Line of a provider statement that proves the outcome of an order.' })
export class StatementEvidence {
  @Field(() => Int, { description: 'Line number in the file.' })
  line!: number;

  @Field({
    description: 'Reference that this service sent to the provider. Empty if the provider accepts no reference.',
  })
  reference!: string;

  @Field(() => StatementStatusEnum, { description: 'Status of the payment at the provider.' })
  status!: StatementStatus;

  @Field(() => Instant, { description: 'Time of the payment at the provider.' })
  at!: Date;

  @Field(() => Rupees, { description: 'Amount in rupees.' })
  amount!: Paise;
}

@Output({ description: 'Order of a RESOLVE_MANY approval request.' })
export class ApprovalRequestOrder {
  @Field(() => ID, { description: 'ID of the order.' })
  orderId!: string;

  @Field(() => ResolutionEnum, { description: 'Outcome with which the order would be resolved.' })
  outcome!: Resolution;

  @Field(() => Rupees, { description: 'Amount in rupees.' })
  amount!: Paise;

  @Field(() => StatementEvidence, {
    nullable: true,
    description: 'Provider statement line that proves the outcome. Null if a user specified the outcome.',
  })
  evidence!: StatementEvidence | null;
}
