import { ArgsType, Field, ID } from 'type-graphql';
import type { OnboardingStatus } from '../../core/principal.js';
import { OnboardingStatusEnum } from '../../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../../graphql-toolkit/page-arguments.js';
import { Input, Pattern } from '../../graphql-toolkit/rules.js';
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
