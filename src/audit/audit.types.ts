import { ArgsType, Field, ID, Int } from 'type-graphql';
import { Output, PageInfo } from '../graphql-toolkit/graphql-types.js';
import { Text } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';

@ArgsType()
export class AuditTrailArguments {
  @Field(() => Int, { description: 'Entries per page, 1 to 200.' })
  first!: number;

  @Field(() => String, { nullable: true, description: 'endCursor of the page before.' })
  after?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Only what was done to this, such as developer:<id>, and below it.',
  })
  @Text(200)
  subject?: string;
}

@Output({ description: 'One change that a person or a command made.' })
export class AuditEntry {
  @Field(() => ID, { description: 'Number in the chain, without gaps.' })
  id!: string;

  @Field(() => Instant, { description: 'When.' })
  at!: Date;

  @Field({ description: 'Who: user:<id>, or system:seed for a command.' })
  actor!: string;

  @Field({ description: 'What was done, such as developer.approve.' })
  action!: string;

  @Field({ description: 'What it was done to, such as developer:<id>.' })
  subject!: string;

  @Field(() => String, { nullable: true, description: 'The state before, as JSON.' })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'The state after, as JSON.' })
  after!: string | null;

  @Field({ description: 'Why, in the words of the person who did it; empty when none were needed.' })
  reason!: string;

  @Field({ description: 'The request that did it.' })
  requestId!: string;
}

@Output({ description: 'An entry with its position.' })
export class AuditEdge {
  @Field({ description: 'Position of the entry.' })
  cursor!: string;

  @Field(() => AuditEntry, { description: 'The entry.' })
  node!: AuditEntry;
}

@Output({ description: 'A page of the audit trail, newest first.' })
export class AuditConnection {
  @Field(() => [AuditEdge], { description: 'The entries.' })
  edges!: AuditEdge[];

  @Field(() => PageInfo, { description: 'Whether there are more.' })
  pageInfo!: PageInfo;
}
