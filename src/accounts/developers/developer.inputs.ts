import { ArgsType, Field, ID } from 'type-graphql';
import type { Environment } from '../../core/environment.js';
import type { Paise } from '../../core/money.js';
import type { OnboardingStatus } from '../../core/principal.js';
import { EnvironmentEnum, OnboardingStatusEnum } from '../../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../../graphql-toolkit/page-arguments.js';
import { Input, Pattern, PositiveAmount, Text, Utr } from '../../graphql-toolkit/rules.js';
import { Rupees } from '../../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../../graphql-toolkit/words.js';

const DeveloperSortEnum = words('DeveloperSort', 'In which order developers are listed.', {
  created_desc: 'Newest first.',
  name_asc: 'By name.',
});
export type DeveloperSort = WordOf<typeof DeveloperSortEnum>;

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
