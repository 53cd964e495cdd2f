import { Field, Int, Query, Resolver } from 'type-graphql';
import type { TWO_PEOPLE } from '../config/order.settings.js';
import type { Config } from '../config.js';
import type { Paise } from '../core/money.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import type { SettingsService } from '../settings/settings.service.js';

type TwoPeople = (typeof TWO_PEOPLE)[number];

export const TwoPeopleEnum = words<TwoPeople>(
  'TwoPeople',
  'What of accounts, people and providers can take two admins.',
  {
    unlock: 'unlockProduction.',
    fees: 'A fee of a service above the configured one.',
    provider: 'Another recharge provider, or another white label.',
    roles: 'Another role of a person.',
    switches: 'Enables a disabled provider, or resumes paused orders.',
  },
);

@Output({ description: 'What is usual here, and where two people begin.' })
export class Defaults {
  @Field(() => Int, { description: 'Calls a minute of an account that has no limit of its own.' })
  rateLimitPerMinute!: number;

  @Field(() => Int, {
    description: 'Days after which an unused token expires, for an account without its own token lifetime.',
  })
  tokenIdleDays!: number;

  @Field(() => Int, { description: 'Days after which a token expires.' })
  tokenMaxDays!: number;

  @Field(() => Rupees, {
    description: 'Amount of a production credit above which the credit requires approval. 0: every production credit.',
  })
  creditApprovalAbove!: Paise;

  @Field(() => Rupees, {
    description:
      'Sum of the production credits of one user in one calendar day (IST), above which a credit requires approval.',
  })
  creditDailyLimit!: Paise;

  @Field(() => Rupees, { description: 'Amount of a production order above which its resolution requires approval.' })
  resolutionApprovalAbove!: Paise;

  @Field(() => Rupees, {
    description: 'Fee per call above which a change of the fee requires approval, if `twoPeople` has FEES.',
  })
  feeApprovalAbove!: Paise;

  @Field(() => [TwoPeopleEnum], {
    description: 'Changes of accounts, users and providers that require the approval of a second administrator.',
  })
  @Entries(WITH_PARENT)
  twoPeople!: readonly TwoPeople[];
}

export type DefaultsConfig = Pick<
  Config,
  'rateLimitPerMinute' | 'tokens' | 'creditAlone' | 'resolveAlone' | 'twoPeople'
>;

/** Settings that pages of staff speak of. */
@Resolver()
export class DefaultsResolver {
  constructor(
    private readonly config: DefaultsConfig,
    private readonly settings: SettingsService,
  ) {}

  @Query(() => Defaults, {
    nullable: true,
    description: 'What null means in the settings of an account, and what takes two people.',
  })
  async defaults(): Promise<Defaults> {
    const { rateLimitPerMinute, tokens, creditAlone, resolveAlone, twoPeople } = this.config;
    const forGood = await this.settings.get('production', 'two_admins_since');
    return {
      rateLimitPerMinute,
      tokenIdleDays: tokens.tokenIdleDays,
      tokenMaxDays: tokens.tokenMaxDays,
      creditApprovalAbove: creditAlone.atOncePaise,
      creditDailyLimit: creditAlone.perDayPaise,
      resolutionApprovalAbove: resolveAlone.atOncePaise,
      feeApprovalAbove: twoPeople.feeAbovePaise,
      twoPeople: [...new Set([...twoPeople.of, ...(forGood ? (['roles'] as const) : [])])],
    };
  }
}
