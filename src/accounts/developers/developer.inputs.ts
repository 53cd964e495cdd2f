import { ArgsType, Field, ID } from 'type-graphql';
import type { Environment } from '../../core/environment.js';
import type { Paise } from '../../core/money.js';
import type { OnboardingStatus } from '../../core/principal.js';
import type { Service } from '../../core/services.js';
import { EnvironmentEnum, OnboardingStatusEnum, ServiceEnum } from '../../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../../graphql-toolkit/page-arguments.js';
import { Agrees, Input, Pattern, PositiveAmount } from '../../graphql-toolkit/rules.js';
import { Rupees } from '../../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../../graphql-toolkit/words.js';
import type { RechargeProvider } from '../../providers/registry.js';
import { RechargeProviderEnum } from './recharge-provider.enum.js';

const DeveloperSortEnum = words('DeveloperSort', 'Sort order of developers.', {
  created_desc: 'Newest first.',
  name_asc: 'By name.',
  kyc_submitted_asc: 'Earliest KYC submission first. Accounts without a submission come last.',
  last_order_desc: 'Most recent recharge or payment first, in either environment. Accounts without orders come last.',
  production_balance_asc: 'Lowest Production balance first. Accounts without a wallet come last.',
});
export type DeveloperSort = WordOf<typeof DeveloperSortEnum>;

@Input({ description: 'Filter for developers. A developer must match all given conditions.' })
export class DeveloperFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Search text: part of the name or email address, the ID, or the account number.',
  })
  @Pattern(/^\P{Cc}{0,100}$/u, 'Must be at most 100 characters of printable text.', { rule: 'TEXT', max: 100 })
  search?: string;

  @Field(() => OnboardingStatusEnum, { nullable: true, description: 'Only accounts in this onboarding state.' })
  status?: OnboardingStatus;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only accounts with (true) or without (false) Production access.',
  })
  productionUnlocked?: boolean;

  @Field(() => Boolean, { nullable: true, description: 'Only accounts that are (true) or are not (false) suspended.' })
  suspended?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Only accounts that are (true) or are not (false) permanently closed. Closed accounts are also suspended.',
  })
  closed?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only accounts with (true) or without (false) a pending request for Production access.',
  })
  productionRequested?: boolean;

  @Field(() => ID, { nullable: true, description: 'Only accounts of this white label.' })
  whiteLabelId?: string;

  @Field(() => RechargeProviderEnum, {
    nullable: true,
    description: 'Only accounts whose recharges are processed by this provider.',
  })
  rechargeProvider?: RechargeProvider;

  @Field(() => ServiceEnum, { nullable: true, description: 'Only accounts that can call this service.' })
  service?: Service;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the account can call `service`. False also matches accounts for which access was never set.',
  })
  @Agrees<DeveloperFilter>(
    ({ service, serviceEnabled }) => serviceEnabled == null || service != null,
    'Requires `service`.',
  )
  serviceEnabled?: boolean;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Only accounts with a wallet balance below this amount, in rupees.',
  })
  @PositiveAmount()
  balanceBelow?: Paise;

  @Field(() => EnvironmentEnum, {
    nullable: true,
    description: 'Environment of `balanceBelow`. Defaults to Production.',
  })
  @Agrees<DeveloperFilter>(
    ({ environment, balanceBelow }) => environment == null || balanceBelow != null,
    'Requires `balanceBelow`.',
  )
  environment?: Environment;
}

@ArgsType()
export class DevelopersArguments extends PageArguments {
  @Field(() => DeveloperFilter, { nullable: true, description: 'Filter. Returns all developers if omitted.' })
  filter?: DeveloperFilter;

  @Field(() => DeveloperSortEnum, { nullable: true, description: 'Sort order. Newest first if omitted.' })
  sort?: DeveloperSort;
}
