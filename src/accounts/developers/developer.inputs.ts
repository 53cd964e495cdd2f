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

const DeveloperSortEnum = words('DeveloperSort', 'In which order developers are listed.', {
  created_desc: 'Newest first.',
  name_asc: 'By name.',
  kyc_submitted_asc: 'Who handed in KYC first; who never did comes last.',
  last_order_desc: 'Who placed a recharge or payment last, in either environment; who never did comes last.',
  production_balance_asc: 'Who has the least money in Production; who has no wallet comes last.',
});
export type DeveloperSort = WordOf<typeof DeveloperSortEnum>;

@Input({ description: 'Which developers are listed: those that fit everything that is given.' })
export class DeveloperFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Part of the name or email address, or the id or account number.',
  })
  @Pattern(/^\P{Cc}{0,100}$/u, 'Must be at most 100 characters of printable text.', { rule: 'TEXT', max: 100 })
  search?: string;

  @Field(() => OnboardingStatusEnum, { nullable: true, description: 'Only accounts in this state.' })
  status?: OnboardingStatus;

  @Field(() => Boolean, { nullable: true, description: 'Only accounts with live access, or only the others.' })
  productionUnlocked?: boolean;

  @Field(() => Boolean, { nullable: true, description: 'Only accounts that are suspended, or only the others.' })
  suspended?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only accounts that were closed for good, which are suspended too, or only the others.',
  })
  closed?: boolean;

  @Field(() => Boolean, { nullable: true, description: 'Only accounts that wait for live access, or only the others.' })
  productionRequested?: boolean;

  @Field(() => ID, { nullable: true, description: 'Only those of this white label.' })
  whiteLabelId?: string;

  @Field(() => RechargeProviderEnum, { nullable: true, description: 'Only those whose recharges it performs.' })
  rechargeProvider?: RechargeProvider;

  @Field(() => ServiceEnum, { nullable: true, description: 'Only those that may call this service.' })
  service?: Service;

  @Field(() => Boolean, {
    nullable: true,
    description: 'False: those that may not call the `service`, where nobody has set it too.',
  })
  @Agrees<DeveloperFilter>(
    ({ service, serviceEnabled }) => serviceEnabled == null || service != null,
    'Says of the service whether it is on: name one.',
  )
  serviceEnabled?: boolean;

  @Field(() => Rupees, { nullable: true, description: 'Only those whose wallet holds less, in rupees.' })
  @PositiveAmount()
  balanceBelow?: Paise;

  @Field(() => EnvironmentEnum, { nullable: true, description: 'Of `balanceBelow`; Production when left out.' })
  @Agrees<DeveloperFilter>(
    ({ environment, balanceBelow }) => environment == null || balanceBelow != null,
    'Says of which wallet the balance is: give balanceBelow.',
  )
  environment?: Environment;
}

@ArgsType()
export class DevelopersArguments extends PageArguments {
  @Field(() => DeveloperFilter, { nullable: true, description: 'Which ones; without it all.' })
  filter?: DeveloperFilter;

  @Field(() => DeveloperSortEnum, { nullable: true, description: 'In which order; newest first when left out.' })
  sort?: DeveloperSort;
}
