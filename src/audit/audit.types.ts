import { ArgsType, Field, ID } from 'type-graphql';
import { Output, PageInfo } from '../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Agrees, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';

@Input({ description: 'Which entries are listed: those that fit everything that is given.' })
export class AuditFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Only what was done to this, such as developer:<id>, and below it.',
  })
  @Text(200)
  subject?: string;

  @Field(() => String, { nullable: true, description: 'Only what this one did: user:<id>, or system:seed.' })
  @Text(200)
  actor?: string;

  @Field(() => String, { nullable: true, description: 'Only this, such as developer.approve.' })
  @Text(100)
  action?: string;

  @Field(() => Instant, { nullable: true, description: 'Written at this instant or later.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Written before this instant.' })
  @Agrees<AuditFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@ArgsType()
export class AuditTrailArguments extends PageArguments {
  @Field(() => AuditFilter, { nullable: true, description: 'Which entries; without it all.' })
  filter?: AuditFilter;
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

  @Field(() => String, { nullable: true, description: 'The state before, as JSON; amounts in rupees.' })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'The state after, as JSON; amounts in rupees.' })
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
