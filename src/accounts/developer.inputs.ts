import { ArgsType, Field, ID, Int } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import type { OnboardingStatus } from '../core/principal.js';
import type { Service as ServiceKey } from '../core/services.js';
import { EnvironmentEnum, OnboardingStatusEnum, ServiceEnum } from '../graphql-toolkit/graphql-types.js';
import {
  Agrees,
  Input,
  NonNegativeAmount,
  Pattern,
  PositiveAmount,
  PositiveInteger,
  Text,
} from '../graphql-toolkit/rules.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import type { RechargeProvider } from '../providers/registry.js';
import { RechargeProviderEnum } from './recharge-provider.enum.js';

@ArgsType()
export class DevelopersArguments {
  @Field(() => Int, { description: 'Developers per page, 1 to 200.' })
  first!: number;

  @Field(() => String, { nullable: true, description: 'endCursor of the page before.' })
  after?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Part of the name or e-mail address, or the id or account number.',
  })
  @Pattern(/^\P{Cc}{0,100}$/u, 'Must be at most 100 characters of printable text.', { rule: 'TEXT', max: 100 })
  search?: string;

  @Field(() => OnboardingStatusEnum, { nullable: true, description: 'Only accounts in this state.' })
  status?: OnboardingStatus;

  @Field(() => Boolean, { nullable: true, description: 'Only accounts that are suspended, or only the others.' })
  suspended?: boolean;
}

@ArgsType()
export class RejectDeveloperArguments {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field({ description: 'Sent to the developer and kept in the audit trail.' })
  @Text(500)
  reason!: string;
}

@ArgsType()
export class CreateWhiteLabelArguments {
  @Field({ description: 'Unique name.' })
  @Text(100)
  name!: string;

  @Field(() => RechargeProviderEnum, { description: 'Performs the recharges of all its developers.' })
  rechargeProvider!: RechargeProvider;
}

@ArgsType()
export class SetRateLimitArguments {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => Int, { nullable: true, description: 'Calls per minute and endpoint; null restores the usual limit.' })
  @PositiveInteger()
  perMinute?: number;
}

@ArgsType()
export class SetDefaultLeadCustomerArguments {
  @Field(() => EnvironmentEnum, { description: 'Where it applies.' })
  environment!: Environment;

  @Field({ description: 'The encrypted customer id that leads without one are created for.' })
  @Text(200)
  customerId!: string;
}

@ArgsType()
export class CreateCredentialArguments {
  @Field(() => EnvironmentEnum, { description: 'Where it works.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Free label.' })
  @Text(100)
  label?: string;
}

@Input({ description: 'Access of one developer to one service.' })
export class SetServiceAccessInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: ServiceKey;

  @Field({ description: 'Felt on the next request.' })
  enabled!: boolean;

  @Field(() => Rupees, { nullable: true, description: 'Fee per call in rupees; left out, it stays as it is.' })
  @NonNegativeAmount()
  fee?: Paise;
}

@Input({ description: 'Whose recharges a provider performs: exactly one of developer and white label.' })
export class AssignRechargeProviderInput {
  @Field(() => ID, { nullable: true, description: 'A platform developer.' })
  @Agrees<AssignRechargeProviderInput>(
    ({ developerId, whiteLabelId }) => (developerId === undefined) !== (whiteLabelId === undefined),
    'Give exactly one of developerId and whiteLabelId.',
  )
  developerId?: string;

  @Field(() => ID, { nullable: true, description: 'A white label, with all its developers.' })
  whiteLabelId?: string;

  @Field(() => RechargeProviderEnum, { description: 'The provider.' })
  provider!: RechargeProvider;
}

@Input({ description: 'Money that is to leave a wallet, such as a credit that was mistyped.' })
export class DebitWalletInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => EnvironmentEnum, { description: 'Which wallet.' })
  environment!: Environment;

  @Field(() => Rupees, { description: 'Rupees, greater than 0.' })
  @PositiveAmount()
  amount!: Paise;

  @Field({ description: 'What it corrects, such as a bank reference: debited once per wallet.' })
  @Text(100)
  reference!: string;

  @Field({ description: 'Why, for the audit trail; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

@Input({ description: 'Money that arrived for a developer.' })
export class CreditWalletInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => EnvironmentEnum, { description: 'Which wallet.' })
  environment!: Environment;

  @Field(() => Rupees, { description: 'Rupees, greater than 0.' })
  @PositiveAmount()
  amount!: Paise;

  @Field({ description: 'Where the money came from, such as a bank reference: credited once per wallet.' })
  @Text(100)
  reference!: string;

  @Field(() => String, { nullable: true, description: 'For the audit trail.' })
  @Text(500)
  reason?: string;
}
