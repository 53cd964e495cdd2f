import { Field, ID } from 'type-graphql';
import type { Paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { Output, PageInfo } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { Input, Text } from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';

@NodeType<Proposal>('prp', { description: 'What one person proposed and a second one has to carry out.' })
export class Proposal {
  /** Whose account `developer` reads; null when it is about none. */
  developerId!: DeveloperId | null;
  /** Which order `order` reads; null when it is about none. */
  orderId!: string | null;

  id!: string;

  @Field({
    description:
      'What would be done: wallet.credit, wallet.debit, order.settle, order.refund, order.reverse, order.charge_again, or orders.resolve of a list.',
  })
  action!: string;

  @Field({ description: 'The wallet or record that it would be done to.' })
  subject!: string;

  @Field({ description: 'The reference of a credit or debit, the api_request_id of the order, or how many orders.' })
  reference!: string;

  @Field({ description: 'Who proposed it.' })
  by!: string;

  @Field(() => Instant, { description: 'When.' })
  at!: Date;

  @Field({ description: 'Why; empty when no reason was given.' })
  reason!: string;

  @Field(() => Rupees, { nullable: true, description: 'Rupees; null when it moves no money.' })
  amount!: Paise | null;

  @Field(() => Instant, { description: 'From then on it cannot be carried out.' })
  expiresAt!: Date;
}

@Output({ description: 'A proposal with its position.' })
export class ProposalEdge {
  @Field({ description: 'Position of the proposal.' })
  cursor!: string;

  @Field(() => Proposal, { description: 'The proposal.' })
  node!: Proposal;
}

@Output({ description: 'A page of what waits for a second person, oldest first.' })
export class ProposalConnection {
  @Field(() => [ProposalEdge], { description: 'The proposals.' })
  edges!: ProposalEdge[];

  @Field(() => PageInfo, { description: 'Whether there are more.' })
  pageInfo!: PageInfo;
}

@Output({ description: 'A proposal that was decided.' })
export class ProposalPayload {
  @Field(() => Proposal, { description: 'The proposal; it waits no more.' })
  proposal!: Proposal;
}

@Input({ description: 'A proposal of somebody else that is to be carried out.' })
export class ApproveProposalInput {
  @Field(() => ID, { description: 'The proposal.' })
  proposalId!: string;

  @Field(() => String, { nullable: true, description: 'For the audit trail; at most 500 characters.' })
  @Text(500)
  reason?: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'It calls a payment failed that its provider need not show yet, and counts; else that is SENT_RECENTLY.',
  })
  allowRecentSend?: boolean;
}

@Input({ description: 'A proposal that is not to be carried out; one’s own may be withdrawn so.' })
export class RefuseProposalInput {
  @Field(() => ID, { description: 'The proposal.' })
  proposalId!: string;

  @Field({ description: 'Why, for the audit trail; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}
