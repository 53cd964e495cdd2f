import { ArgsType, Field, ID, Int } from 'type-graphql';
import { ApprovalRequest } from '../approval-requests/approval-request.types.js';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Input, Text } from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';
import { type LedgerAccount, LedgerAccountEnum } from '../ledger/posting-preview.js';
import { Order, type OrderEventKind, OrderEventKindEnum } from '../orders/views/order.types.js';
import { ProviderEnum } from '../providers/provider.enum.js';

export const ResolutionEnum = words('Resolution', 'Outcome with which staff resolve an order in review.', {
  success: 'The provider completed the payment. The debit becomes final.',
  failed: 'The provider did not complete the payment. The amount is refunded.',
});
export type Resolution = WordOf<typeof ResolutionEnum>;

@Input({ description: 'Order in review to resolve.' })
export class ResolveOrderInput {
  @Field(() => ID, { description: 'ID of the order in review.' })
  orderId!: string;

  @Field(() => ResolutionEnum, {
    description:
      'Outcome of the order. For an order with a conflicting provider status, its final status, which is confirmed.',
  })
  outcome!: Resolution;

  @Field({ description: 'Evidence for the outcome, for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Allows the outcome FAILED although the provider may not list the payment yet. If false, such a resolution fails with SENT_RECENTLY.',
  })
  allowRecentSend?: boolean;
}

@Output({
  description:
    'Order without a known outcome, or whose provider reports a status that conflicts with its final status. The timeline of the order has the evidence.',
})
export class ReviewOrder {
  @Field(() => Order, { description: 'Order, with masked account and mobile numbers.' })
  order!: Order;

  @Field(() => ID, { description: 'ID of the account of the order.' })
  developerId!: string;

  @Field({ description: 'Name of the account of the order.' })
  developerName!: string;

  @Field(() => EnvironmentEnum, { description: 'Environment: Production for real money, UAT for test funds.' })
  environment!: Environment;

  @Field(() => ProviderEnum, { description: 'Provider of the order.' })
  provider!: string;

  @Field(() => Instant, { description: 'Time the order entered review.' })
  inReviewSince!: Date;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time the provider first reported a status that conflicts with the final status. Null if the order has no final status.',
  })
  statusConflictAt!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time until which the provider may not list the payment, although it may have completed it. Until then, FAILED is rejected with SENT_RECENTLY unless `allowRecentSend` is true. Null after that time.',
  })
  sentRecentlyUntil!: Date | null;

  @Field({ description: 'Whether moving the money of the order requires a second person.' })
  requiresApproval!: boolean;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Pending approval request about the order. Null if there is none.',
  })
  approvalRequest!: ApprovalRequest | null;
}

@Output({ description: 'Posting that a resolution would make.' })
export class EntryPreview {
  @Field(() => OrderEventKindEnum, { description: 'Kind of the timeline event: SETTLE or REFUND.' })
  kind!: OrderEventKind;

  @Field(() => LedgerAccountEnum, { description: 'Ledger account that holds the money now.' })
  from!: LedgerAccount;

  @Field(() => LedgerAccountEnum, { description: 'Ledger account that the money would move to.' })
  to!: LedgerAccount;

  @Field(() => Rupees, { description: 'Amount in rupees.' })
  amount!: Paise;
}

@Output({ description: 'Effect that `resolveOrder` would have on an order in review.' })
export class PostingPreview {
  @Field(() => ResolutionEnum, { description: 'Outcome that the postings are for.' })
  resolution!: Resolution;

  @Field(() => [EntryPreview], {
    description: 'Postings of the resolution. Empty if it confirms a final status, because no money moves.',
  })
  @Entries(WITH_PARENT)
  entries!: EntryPreview[];

  @Field({
    description:
      'Whether the resolution requires approval because the amount is above the remaining daily limit of the signed-in user.',
  })
  requiresApproval!: boolean;
}

@Output({
  description:
    'Remaining amounts of Production money that the user can move today without a second person. Each use reduces the remaining amount.',
})
export class Allowance {
  @Field(() => Rupees, { description: 'Largest Production credit that does not require a second approver, in rupees.' })
  credit!: Paise;

  @Field(() => Rupees, {
    description:
      'Largest resolution without a second person, in rupees: the amount of one Production order, or the total of a list.',
  })
  resolve!: Paise;
}

@Input({ description: 'Filter for the review queue. An order must match all given conditions.' })
export class ReviewFilter {
  @Field(() => ID, { nullable: true, description: 'Only this order. Returns nothing if the order is not in review.' })
  orderId?: string;

  @Field(() => ProviderEnum, { nullable: true, description: 'Only orders of this provider.' })
  provider?: string;

  @Field(() => ID, { nullable: true, description: 'Only orders of this developer.' })
  developerId?: string;

  @Field(() => EnvironmentEnum, { nullable: true, description: 'Only orders in this environment.' })
  environment?: Environment;

  @Field(() => Rupees, { nullable: true, description: 'Only orders of at least this amount, in rupees.' })
  minAmount?: Paise;

  @Field(() => Rupees, { nullable: true, description: 'Only orders of at most this amount, in rupees.' })
  maxAmount?: Paise;

  @Field(() => Instant, { nullable: true, description: 'Only orders placed before this time.' })
  olderThan?: Date;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the provider reports a status that conflicts with the final status. False selects orders without a final status.',
  })
  conflicting?: boolean;
}

/** Filter for the queue. An empty filter selects all orders. */
export interface ReviewSelection {
  orderId?: string | undefined;
  /** Provider name as stored in orders. */
  provider?: string | undefined;
  developerId?: DeveloperId | undefined;
  environment?: Environment | undefined;
  minAmountPaise?: Paise | undefined;
  maxAmountPaise?: Paise | undefined;
  placedBefore?: Date | undefined;
  /** Whether to select orders whose provider reports a conflicting status (true) or orders without a final status (false). */
  conflicting?: boolean | undefined;
}

@ArgsType()
export class ReviewOrdersArguments extends PageArguments {
  @Field(() => ReviewFilter, { nullable: true, description: 'Filter. Returns all orders in review if omitted.' })
  filter?: ReviewFilter;
}

@Output({ description: 'Total of one provider in the review queue.' })
export class ReviewTotal {
  @Field(() => ProviderEnum, { description: 'Provider of the orders.' })
  provider!: string;

  @Field(() => Int, { description: 'Number of orders.' })
  count!: number;

  @Field(() => Rupees, { description: 'Sum of the orders, in rupees.' })
  amount!: Paise;
}

@Output({ description: 'A page of the review queue, oldest first.' })
export class ReviewOrderConnection extends connectionOf('ReviewOrder', ReviewOrder, {
  singular: 'order',
  edge: 'An order in review and its pagination cursor.',
}) {
  /** Filter by which `totals` are calculated. */
  selection!: ReviewSelection;
}
