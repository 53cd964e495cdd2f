import { Field, ID, registerEnumType } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import { EnvironmentEnum, Output, PageInfo } from '../core/graphql-types.js';
import { Input, Text } from '../core/rules.js';
import { Instant } from '../core/scalars.js';
import { Proposal } from '../proposals/proposal.types.js';
import { Order } from './order.types.js';

export const ResolutionEnum = { SUCCESS: 'success', FAILED: 'failed' } as const;
export type Resolution = (typeof ResolutionEnum)[keyof typeof ResolutionEnum];
registerEnumType(ResolutionEnum, {
  name: 'Resolution',
  description: 'What a person decides about an order that nobody else could decide.',
  valuesConfig: {
    SUCCESS: { description: 'The provider performed it: the debit becomes final.' },
    FAILED: { description: 'The provider did not perform it: the money goes back.' },
  },
});

@Input({ description: 'What became of an order that waits for a person.' })
export class ResolveOrderInput {
  @Field(() => ID, { description: 'The order, as the review queue names it.' })
  orderId!: string;

  @Field(() => ResolutionEnum, {
    description: 'What became of it. Of a contradicted order: what was decided, and stands.',
  })
  outcome!: Resolution;

  @Field({ description: 'How you know, for the audit trail; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
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

  @Field({ description: 'Who was asked to perform it.' })
  provider!: string;

  @Field(() => Instant, { description: 'Since when it waits for a person.' })
  inReviewSince!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Since when the provider says the opposite of what was decided; null while nothing is decided.',
  })
  contradictedAt!: Date | null;

  @Field({ description: 'Moving its money takes two admins.' })
  needsSecondAdmin!: boolean;

  @Field(() => Proposal, { nullable: true, description: 'What a first admin proposed about it.' })
  proposal!: Proposal | null;
}

@Output({ description: 'An order in review with its position.' })
export class ReviewOrderEdge {
  @Field({ description: 'Position of the order.' })
  cursor!: string;

  @Field(() => ReviewOrder, { description: 'The order.' })
  node!: ReviewOrder;
}

@Output({ description: 'A page of the review queue, oldest first.' })
export class ReviewOrderConnection {
  @Field(() => [ReviewOrderEdge], { description: 'The orders.' })
  edges!: ReviewOrderEdge[];

  @Field(() => PageInfo, { description: 'Whether there are more.' })
  pageInfo!: PageInfo;
}
