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

export const OrderResolutionResultEnum = words(
  'OrderResolutionResult',
  'Result of the resolution of one order of a list.',
  {
    resolved: 'The order is resolved, or its resolution is confirmed.',
    approval_requested: 'Approval is requested. The request contains the order.',
    rejected: 'Nothing changed. `code` has the reason.',
  },
);
export type OrderResolutionResult = WordOf<typeof OrderResolutionResultEnum>;

@Input({ description: 'What became of orders that wait for a person: the same of all of them.' })
export class ResolveOrdersInput {
  @Field(() => [ID], { description: 'The orders, as the review queue names them; 1 to 200 different ones.' })
  @Distinct(1, MAX_ORDERS)
  orderIds!: string[];

  @Field(() => ResolutionEnum, {
    description:
      'Outcome of all of the orders. For orders with a status conflict: the outcome that they have, which is confirmed.',
  })
  outcome!: Resolution;

  @Field({ description: 'How you know, for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'FAILED counts although providers need not show the payments yet; else such ones are SENT_RECENTLY.',
  })
  allowRecentSend?: boolean;
}

@Output({ description: 'What became of one order of a list.' })
export class ResolvedOrder {
  @Field(() => ID, { description: 'The order.' })
  orderId!: string;

  @Field(() => OrderResolutionResultEnum, { description: 'What became of it.' })
  result!: OrderResolutionResult;

  @Field(() => ErrorCodeEnum, {
    nullable: true,
    description:
      'Why it was refused: RECORD_NOT_FOUND, ORDER_ARCHIVED, CONFLICT when it does not wait for a decision (any more), or SENT_RECENTLY.',
  })
  code!: ErrorCode | null;
}

@Output({ description: 'What a decision about a list of orders did.' })
export class ResolveOrdersPayload {
  @Field(() => [ResolvedOrder], { description: 'Every order of the list, as it was given.' })
  @Entries(MAX_ORDERS)
  results!: readonly ResolvedOrder[];

  @Field(() => ApprovalRequest, {
    nullable: true,
    description:
      'The one that waits for a second person, about all orders that are APPROVAL_REQUESTED; null when there is none.',
  })
  approvalRequest!: ApprovalRequest | null;

  @Field({ description: 'The same list was requested before, and goes on waiting.' })
  replayed!: boolean;
}

export const StatementStatusEnum = words(
  'StatementStatus',
  'Status of a payment in a line of a provider’s statement.',
  {
    succeeded: 'The payment succeeded.',
    failed: 'The payment failed.',
    pending: 'The payment has no final status.',
    reversed: 'The payment was reversed after it had succeeded.',
  },
);

@Output({ description: 'The line of a provider’s statement that says what became of an order.' })
export class StatementEvidence {
  @Field(() => Int, { description: 'Where it stands in the file.' })
  line!: number;

  @Field({ description: 'Ours, as the provider was given it; empty where it takes none.' })
  reference!: string;

  @Field(() => StatementStatusEnum, { description: 'What the provider says of the payment.' })
  status!: StatementStatus;

  @Field(() => Instant, { description: 'The provider’s time.' })
  at!: Date;

  @Field(() => Rupees, { description: 'Rupees.' })
  amount!: Paise;
}

@Output({ description: 'One order of a requested list.' })
export class ApprovalRequestOrder {
  @Field(() => ID, { description: 'The order.' })
  orderId!: string;

  @Field(() => ResolutionEnum, { description: 'What would be decided about it.' })
  outcome!: Resolution;

  @Field(() => Rupees, { description: 'Rupees.' })
  amount!: Paise;

  @Field(() => StatementEvidence, {
    nullable: true,
    description: 'The line of the provider’s statement that says so; null where a person does.',
  })
  evidence!: StatementEvidence | null;
}
