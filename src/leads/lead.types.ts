import { ArgsType, Field, Int } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import {
  Agrees,
  Distinct,
  Input,
  NonNegativeAmount,
  Pattern,
  PositiveInteger,
  Text,
} from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { Charged } from '../ledger/charged.types.js';
import type { KnownLead } from './lead.entity.js';
import { INITIAL_STATUS, type LeadStatus, LeadStatusEnum, leadStatuses } from './lead.status.js';
import { CUSTOMER_ID_LENGTH } from './profile.types.js';

@Input({ description: 'A lead: a customer’s interest in one product.' })
export class CreateLeadInput {
  @Field({ description: 'From products.' })
  @Text(64)
  productId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'From upsertProfile. Without it the default customer of this environment is used.',
  })
  @Text(CUSTOMER_ID_LENGTH)
  customerId?: string;

  @Field(() => Int, { nullable: true, description: 'Product category id.' })
  @PositiveInteger()
  categoryId?: number;

  @Field(() => Rupees, { nullable: true, description: 'Rupees, for loans.' })
  @NonNegativeAmount()
  requiredAmount?: Paise;
}

@ArgsType()
export class LeadStatusArguments {
  @Field({ description: 'The code that createLead returned.' })
  @Text(64)
  leadCode!: string;
}

@ArgsType()
export class SearchArguments {
  @Field({ description: 'Part of the name; empty for the first entries.' })
  @Pattern(/^\P{Cc}{0,100}$/u, 'Must be at most 100 characters of printable text.', { rule: 'TEXT', max: 100 })
  search!: string;
}

@NodeType<Lead>('lea', { description: 'A customer’s interest in one product.' })
export class Lead {
  /** Of its id; of a sample that nobody created, the code. */
  id!: string;
  environment!: Environment;
  /** Null of a sample. */
  productId!: string | null;

  @Field({ description: 'The provider’s code: leadStatus takes it.' })
  leadCode!: string;

  @Field(() => LeadStatusEnum, { description: 'Where it stood when it was last asked about.' })
  status!: LeadStatus;

  @Field(() => Instant, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'When it was seen approved for the first time, which is what its fee is charged for.',
  })
  feeChargedAt!: Date | null;
}

/** The lead of an answer; a sample that nobody created is as old as the answer. */
export const leadView = ({ id, environment, productId, leadCode, status, createdAt, approvedAt }: KnownLead): Lead => ({
  id,
  environment,
  productId,
  leadCode,
  status: status ?? INITIAL_STATUS,
  createdAt,
  feeChargedAt: approvedAt ?? null,
});

@Input({ description: 'Which leads are listed: those that fit everything that is given.' })
export class LeadFilter {
  @Field(() => [LeadStatusEnum], { nullable: true, description: 'With one of these states.' })
  @Distinct(1, leadStatuses.length)
  status?: LeadStatus[];

  @Field(() => String, { nullable: true, description: 'For this product.' })
  @Text(64)
  productId?: string;

  @Field(() => String, {
    nullable: true,
    description: 'With this lead code or id, or of the customer with this mobile number.',
  })
  @Text(100)
  search?: string;

  @Field(() => Instant, { nullable: true, description: 'Created at this instant or later.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Created before this instant.' })
  @Agrees<LeadFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@ArgsType()
export class LeadsArguments extends PageArguments {
  @Field(() => LeadFilter, { nullable: true, description: 'Which ones; without it all.' })
  filter?: LeadFilter;
}

@Output({ description: 'A page of leads, newest first.' })
export class LeadConnection extends connectionOf('Lead', Lead, { one: 'lead' }) {}

@Output({ implements: Charged, description: 'A lead that was created. Creating one is never billed.' })
export class CreateLeadPayload extends Charged {
  @Field(() => Lead, { description: 'The lead.' })
  lead!: Lead;

  @Field({ description: 'Where the customer goes on with the application.' })
  campaignUrl!: string;
}

@Output({
  implements: Charged,
  description: 'The status of a lead. The fee is charged once per lead, when it is seen approved for the first time.',
})
export class LeadStatusResult extends Charged {
  @Field(() => Lead, { description: 'The lead as it is now.' })
  lead!: Lead;
}

@Output({ description: 'An entry of one of the provider’s lists; profiles name it by its number.' })
export class ProviderChoice {
  // no `id`: caches would take a company for the occupation of the same number
  @Field(() => Int, { description: 'The number to send; each list has its own.' })
  providerId!: number;

  @Field({ description: 'What people call it.' })
  name!: string;
}
