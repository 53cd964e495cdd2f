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

@Input({ description: 'Lead to create: a customer’s interest in one product.' })
export class CreateLeadInput {
  @Field({ description: 'Product ID from `products`.' })
  @Text(64)
  productId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Customer ID from `upsertProfile`. Omit to use the default customer of this environment.',
  })
  @Text(CUSTOMER_ID_LENGTH)
  customerId?: string;

  @Field(() => Int, { nullable: true, description: 'Product category ID.' })
  @PositiveInteger()
  categoryId?: number;

  @Field(() => Rupees, { nullable: true, description: 'Requested amount of a loan, in rupees.' })
  @NonNegativeAmount()
  requiredAmount?: Paise;
}

@ArgsType()
export class LeadStatusArguments {
  @Field({ description: 'Lead code from `createLead`.' })
  @Text(64)
  leadCode!: string;
}

@ArgsType()
export class SearchArguments {
  @Field({ description: 'Part of the name. An empty text returns the first entries.' })
  @Pattern(/^\P{Cc}{0,100}$/u, 'Must be at most 100 characters of printable text.', { rule: 'TEXT', max: 100 })
  search!: string;
}

@NodeType<Lead>('lea', { description: 'Customer’s interest in one product.' })
export class Lead {
  /** ID without prefix, or the lead code of a sample lead. */
  id!: string;
  environment!: Environment;
  /** Product of the lead. It is null for a sample lead. */
  productId!: string | null;

  @Field({ description: 'Lead code from the provider, for `leadStatus`.' })
  leadCode!: string;

  @Field(() => LeadStatusEnum, { description: 'Status of the last status check.' })
  status!: LeadStatus;

  @Field(() => Instant, { description: 'Time the lead was created.' })
  createdAt!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the lead was first returned as approved and its fee was charged.',
  })
  feeChargedAt!: Date | null;
}

/** Returns the lead in the format of the API. A sample lead is created with the response. */
export const leadView = ({ id, environment, productId, leadCode, status, createdAt, approvedAt }: KnownLead): Lead => ({
  id,
  environment,
  productId,
  leadCode,
  status: status ?? INITIAL_STATUS,
  createdAt,
  feeChargedAt: approvedAt ?? null,
});

@Input({ description: 'Filter for leads. A lead must match all given conditions.' })
export class LeadFilter {
  @Field(() => [LeadStatusEnum], { nullable: true, description: 'Only leads with one of these statuses.' })
  @Distinct(1, leadStatuses.length)
  status?: LeadStatus[];

  @Field(() => String, { nullable: true, description: 'Only leads for this product.' })
  @Text(64)
  productId?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Only leads with this lead code or ID, or of the customer with this mobile number.',
  })
  @Text(100)
  search?: string;

  @Field(() => Instant, { nullable: true, description: 'Only leads created at or after this time.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Only leads created before this time.' })
  @Agrees<LeadFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@ArgsType()
export class LeadsArguments extends PageArguments {
  @Field(() => LeadFilter, { nullable: true, description: 'Filter. Omit to list all leads.' })
  filter?: LeadFilter;
}

@Output({ description: 'Page of leads, newest first.' })
export class LeadConnection extends connectionOf('Lead', Lead, { singular: 'lead' }) {}

@Output({ implements: Charged, description: 'Created lead. Never billed.' })
export class CreateLeadPayload extends Charged {
  @Field(() => Lead, { description: 'Created lead.' })
  lead!: Lead;

  @Field({ description: 'URL where the customer continues the application.' })
  campaignUrl!: string;
}

@Output({
  implements: Charged,
  description: 'Status of a lead. The fee is charged once per lead, when its status is first returned as approved.',
})
export class LeadStatusResult extends Charged {
  @Field(() => Lead, { description: 'Lead with its current status.' })
  lead!: Lead;
}

@Output({ description: 'Entry of a provider list. Profiles refer to it by `providerId`.' })
export class ProviderChoice {
  // the field is not named `id`, because caches would confuse a company with the occupation of the same number
  @Field(() => Int, { description: 'Value to send for this choice in a profile. Values are specific to each list.' })
  providerId!: number;

  @Field({ description: 'Display name.' })
  name!: string;
}
