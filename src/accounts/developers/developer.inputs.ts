import { ArgsType, Field, ID, Int, registerEnumType } from 'type-graphql';
import type { Environment } from '../../core/environment.js';
import { type Paise, rupees } from '../../core/money.js';
import type { OnboardingStatus } from '../../core/principal.js';
import type { Service as ServiceKey } from '../../core/services.js';
import { EnvironmentEnum, OnboardingStatusEnum, ServiceEnum } from '../../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../../graphql-toolkit/page-arguments.js';
import {
  Agrees,
  AmountUpTo,
  Input,
  Pattern,
  PositiveAmount,
  PositiveInteger,
  Range,
  Text,
  Utr,
} from '../../graphql-toolkit/rules.js';
import { Rupees } from '../../graphql-toolkit/scalars.js';
import type { RechargeProvider } from '../../providers/registry.js';
import { RechargeProviderEnum } from './recharge-provider.enum.js';

export const DeveloperSortEnum = { CREATED_DESC: 'created_desc', NAME_ASC: 'name_asc' } as const;
export type DeveloperSort = (typeof DeveloperSortEnum)[keyof typeof DeveloperSortEnum];
registerEnumType(DeveloperSortEnum, {
  name: 'DeveloperSort',
  description: 'In which order developers are listed.',
  valuesConfig: {
    CREATED_DESC: { description: 'Newest first.' },
    NAME_ASC: { description: 'By name.' },
  },
});

@Input({ description: 'Which developers are listed: those that fit everything that is given.' })
export class DeveloperFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Part of the name or e-mail address, or the id or account number.',
  })
  @Pattern(/^\P{Cc}{0,100}$/u, 'Must be at most 100 characters of printable text.', { rule: 'TEXT', max: 100 })
  search?: string;

  @Field(() => OnboardingStatusEnum, { nullable: true, description: 'Only accounts in this state.' })
  status?: OnboardingStatus;

  @Field(() => Boolean, { nullable: true, description: 'Only accounts with live access, or only the others.' })
  productionUnlocked?: boolean;

  @Field(() => Boolean, { nullable: true, description: 'Only accounts that are suspended, or only the others.' })
  suspended?: boolean;

  @Field(() => ID, { nullable: true, description: 'Only those of this white label.' })
  whiteLabelId?: string;
}

@ArgsType()
export class DevelopersArguments extends PageArguments {
  @Field(() => DeveloperFilter, { nullable: true, description: 'Which ones; without it all.' })
  filter?: DeveloperFilter;

  @Field(() => DeveloperSortEnum, { nullable: true, description: 'In which order; newest first when left out.' })
  sort?: DeveloperSort;
}

/** Above it a fee is a slip. */
const MAX_FEE = rupees(10_000);

@Input({ description: 'A service that is to be enabled.' })
export class ServiceGrantInput {
  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: ServiceKey;

  @Field(() => Rupees, { nullable: true, description: 'Fee per call in rupees; 0 when left out. UAT never has a fee.' })
  @AmountUpTo(MAX_FEE)
  fee?: Paise;
}

@Input({ description: 'An account whose KYC is submitted.' })
export class ApproveDeveloperInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => [ServiceGrantInput], {
    nullable: true,
    description: 'What is enabled in the same act, each service once. The others stay off in both environments.',
  })
  @Agrees<ApproveDeveloperInput>(
    ({ services = [] }) => {
      // what has a problem of its own is absent
      const named = services.flatMap((grant: Partial<ServiceGrantInput> | undefined) => grant?.service ?? []);
      return new Set(named).size === named.length;
    },
    'Must name each service once.',
    'ITEMS',
  )
  services?: ServiceGrantInput[];
}

@Input({ description: 'An account whose KYC is refused.' })
export class RejectDeveloperInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field({ description: 'Sent to the developer and kept in the audit trail.' })
  @Text(500)
  reason!: string;
}

@Input({ description: 'An account that is to have live access.' })
export class UnlockProductionInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;
}

@Input({ description: 'A new white label.' })
export class CreateWhiteLabelInput {
  @Field({ description: 'Unique name.' })
  @Text(100)
  name!: string;

  @Field(() => RechargeProviderEnum, { description: 'Performs the recharges of all its developers.' })
  rechargeProvider!: RechargeProvider;
}

@Input({ description: 'A developer that is to belong to a white label.' })
export class MoveToWhiteLabelInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => ID, { description: 'Id of the white label.' })
  whiteLabelId!: string;
}

@Input({ description: 'A developer that is to belong to no white label.' })
export class RemoveFromWhiteLabelInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;
}

@Input({ description: 'A rate limit of one developer’s own.' })
export class SetRateLimitInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => Int, { description: 'Calls per minute and endpoint.' })
  @PositiveInteger()
  perMinute!: number;
}

@Input({ description: 'A developer that is to have the usual rate limit.' })
export class ResetRateLimitInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;
}

@Input({ description: 'How long a developer is guarded against recharging twice without a key.' })
export class SetDuplicateGuardInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => Int, {
    description:
      'At most 3600: so many seconds a recharge without a key that is equal to a performed one is refused with LIKELY_DUPLICATE. 0: it is performed, with a warning.',
  })
  seconds!: number;
}

@Input({ description: 'The customer that leads are created for when a request names none.' })
export class SetDefaultLeadCustomerInput {
  @Field(() => EnvironmentEnum, { description: 'Where it applies.' })
  environment!: Environment;

  @Field({ description: 'The encrypted customer id that leads without one are created for.' })
  @Text(200)
  customerId!: string;
}

@Input({ description: 'A new key.' })
export class CreateCredentialInput {
  @Field(() => EnvironmentEnum, { description: 'Where it works.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Free label.' })
  @Text(100)
  label?: string;
}

export const EndpointsOfKeyEnum = { KEEP: 'keep', END: 'end' } as const;
export type EndpointsOfKey = (typeof EndpointsOfKeyEnum)[keyof typeof EndpointsOfKeyEnum];
registerEnumType(EndpointsOfKeyEnum, {
  name: 'EndpointsOfKey',
  description: 'What becomes of the webhook endpoints that a key made, when it ends.',
  valuesConfig: {
    KEEP: { description: 'They stay as they are, and are no longer of the key: you know all of them.' },
    END: { description: 'They are disabled in the same instant: of a key that others may have used.' },
  },
});

@Input({ description: 'A key that is to end.' })
export class RevokeCredentialInput {
  @Field({ description: 'The key.' })
  @Text(100)
  clientId!: string;

  @Field(() => EndpointsOfKeyEnum, {
    nullable: true,
    description: 'Needed when the key made webhook endpoints that are still enabled.',
  })
  endpoints?: EndpointsOfKey;
}

@Input({ description: 'A key that another one takes the place of.' })
export class RotateCredentialInput {
  @Field({ description: 'The key.' })
  @Text(100)
  clientId!: string;

  @Field(() => Int, {
    nullable: true,
    defaultValue: 24,
    description: 'How many hours both work, up to 168; 0: the old one ends at once.',
  })
  @Range(0, 168)
  overlapHours!: number;
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
  @AmountUpTo(MAX_FEE)
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

  @Field({
    description:
      'Where the money came from, in your own words: credited once per wallet. Case and the number of spaces do not count.',
  })
  @Text(100)
  reference!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The number of the bank transfer (UTR or RRN), 12 to 22 letters and digits; case and spaces do not count. Credited once over all production wallets: once more needs a reason and a second admin. Not kept in UAT.',
  })
  @Utr()
  utr?: string;

  @Field(() => String, { nullable: true, description: 'For the audit trail.' })
  @Text(500)
  reason?: string;
}
