import { ArgsType, Field, Int } from 'type-graphql';
import type { Paise } from '../core/money.js';
import { Charged, Output } from '../graphql-toolkit/graphql-types.js';
import { Input, NonNegativeAmount, Pattern, PositiveInteger, Text } from '../graphql-toolkit/rules.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import { LeadStatusEnum } from './lead.enums.js';
import type { LeadStatus } from './lead.status.js';
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

@Output({ implements: Charged, description: 'A lead that was created. Creating one is never billed.' })
export class LeadResult extends Charged {
  @Field({ description: 'Asks for the status later.' })
  leadCode!: string;

  @Field({ description: 'Where the customer goes on with the application.' })
  campaignUrl!: string;
}

@Output({
  implements: Charged,
  description: 'The status of a lead. The fee is charged once per lead, when it is seen approved for the first time.',
})
export class LeadStatusResult extends Charged {
  @Field({ description: 'Echo of the request.' })
  leadCode!: string;

  @Field(() => LeadStatusEnum, { description: 'Where the lead stands.' })
  leadStatus!: LeadStatus;
}

@Output({ description: 'An entry of one of the provider’s lists; profiles name it by its id.' })
export class ProviderChoice {
  @Field(() => Int, { description: 'The id to send.' })
  id!: number;

  @Field({ description: 'What people call it.' })
  name!: string;
}
