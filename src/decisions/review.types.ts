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

export const ResolutionEnum = words(
  'Resolution',
  'What a person decides about an order that nobody else could decide.',
  {
    success: 'The provider performed it: the debit becomes final.',
    failed: 'The provider did not perform it: the money goes back.',
  },
);
export type Resolution = WordOf<typeof ResolutionEnum>;

@Input({ description: 'What became of an order that waits for a person.' })
export class ResolveOrderInput {
  @Field(() => ID, { description: 'The order, as the review queue names it.' })
  orderId!: string;

  @Field(() => ResolutionEnum, {
    description:
      'Outcome of the order. For an order with a status conflict: the outcome that it has, which is confirmed.',
  })
  outcome!: Resolution;

  @Field({ description: 'How you know, for the audit log; 1 to 500 characters.' })
  @Text(500)
  reason!: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'FAILED counts although the provider need not show the payment yet; else that is SENT_RECENTLY.',
  })
  allowRecentSend?: boolean;
}

@Output({
  description:
    'An order whose outcome nobody could find out, or whose provider says the opposite of what was decided. Its evidence is the timeline of the order.',
})
export class ReviewOrder {
  @Field(() => Order, { description: 'The order; account and mobile are masked.' })
  order!: Order;

  @Field(() => ID, { description: 'Whose order.' })
  developerId!: string;

  @Field({ description: 'Whose order.' })
  developerName!: string;

  @Field(() => EnvironmentEnum, { description: 'Real money or play money.' })
  environment!: Environment;

  @Field(() => ProviderEnum, { description: 'Who was asked to perform it.' })
  provider!: string;

  @Field(() => Instant, { description: 'Since when it waits for a person.' })
  inReviewSince!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Since when the provider says the opposite of what was decided; null while nothing is decided.',
  })
  statusConflictAt!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Until then its provider need not show it, though it may have performed it: FAILED is SENT_RECENTLY without allowRecentSend. Null when that is over.',
  })
  sentRecentlyUntil!: Date | null;

  @Field({ description: 'Moving its money takes two admins.' })
  requiresApproval!: boolean;

  @Field(() => ApprovalRequest, { nullable: true, description: 'What a first admin requested about it.' })
  approvalRequest!: ApprovalRequest | null;
}

@Output({ description: 'One posting that a decision would make.' })
export class EntryPreview {
  @Field(() => OrderEventKindEnum, { description: 'What its timeline would say of it: SETTLE or REFUND.' })
  kind!: OrderEventKind;

  @Field(() => LedgerAccountEnum, { description: 'Where the money is now.' })
  from!: LedgerAccount;

  @Field(() => LedgerAccountEnum, { description: 'Where it would go.' })
  to!: LedgerAccount;

  @Field(() => Rupees, { description: 'Rupees.' })
  amount!: Paise;
}

@Output({ description: 'What resolveOrder would do to an order in review.' })
export class PostingPreview {
  @Field(() => ResolutionEnum, { description: 'When it is decided to be this.' })
  resolution!: Resolution;

  @Field(() => [EntryPreview], {
    description: 'What would be posted; empty where it confirms what was decided before, which moves no money.',
  })
  @Entries(WITH_PARENT)
  entries!: EntryPreview[];

  @Field({
    description:
      'The signed-in user alone would only request it: the amount is above what they may still decide alone today.',
  })
  requiresApproval!: boolean;
}

@Output({ description: 'How much real money one person may still move alone today. Each use counts when it is made.' })
export class Allowance {
  @Field(() => Rupees, { description: 'Up to this a credit in Production needs no second person.' })
  credit!: Paise;

  @Field(() => Rupees, {
    description: 'Up to this a decision about an order in Production, or about a list of them in all, needs none.',
  })
  resolve!: Paise;
}

@Input({ description: 'Which orders of the review queue; what is left out does not matter.' })
export class ReviewFilter {
  @Field(() => ID, { nullable: true, description: 'This order alone; nothing when it does not wait for a person.' })
  orderId?: string;

  @Field(() => ProviderEnum, { nullable: true, description: 'Who was asked to perform it.' })
  provider?: string;

  @Field(() => ID, { nullable: true, description: 'Whose orders.' })
  developerId?: string;

  @Field(() => EnvironmentEnum, { nullable: true, description: 'Real money or play money.' })
  environment?: Environment;

  @Field(() => Rupees, { nullable: true, description: 'Rupees; not less than that.' })
  minAmount?: Paise;

  @Field(() => Rupees, { nullable: true, description: 'Rupees; not more than that.' })
  maxAmount?: Paise;

  @Field(() => Instant, { nullable: true, description: 'Placed before that instant.' })
  olderThan?: Date;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True: decided orders alone, whose provider says the opposite. False: those alone that nobody has decided.',
  })
  conflicting?: boolean;
}

/** Which orders of the queue; all of them where nothing is said. */
export interface ReviewSelection {
  orderId?: string | undefined;
  /** As orders name it. */
  provider?: string | undefined;
  developerId?: DeveloperId | undefined;
  environment?: Environment | undefined;
  minAmountPaise?: Paise | undefined;
  maxAmountPaise?: Paise | undefined;
  placedBefore?: Date | undefined;
  /** true: decided ones whose provider says the opposite; false: those that nobody decided. */
  conflicting?: boolean | undefined;
}

@ArgsType()
export class ReviewOrdersArguments extends PageArguments {
  @Field(() => ReviewFilter, { nullable: true, description: 'Which of them; without it all.' })
  filter?: ReviewFilter;
}

@Output({ description: 'What one provider has in the review queue.' })
export class ReviewTotal {
  @Field(() => ProviderEnum, { description: 'Who was asked to perform the orders.' })
  provider!: string;

  @Field(() => Int, { description: 'Orders.' })
  count!: number;

  @Field(() => Rupees, { description: 'Rupees of these orders.' })
  amount!: Paise;
}

@Output({ description: 'A page of the review queue, oldest first.' })
export class ReviewOrderConnection extends connectionOf('ReviewOrder', ReviewOrder, {
  one: 'order',
  edge: 'An order in review with its position.',
}) {
  /** What `totals` counts. */
  selection!: ReviewSelection;
}
