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
  'Change of accounts, users or providers that can require a second administrator.',
  {
    unlock: 'Grants Production access.',
    fees: 'Sets a service fee above `feeApprovalAbove`.',
    provider: 'Changes the recharge provider or the white label.',
    roles: 'Changes the role of a user.',
    switches: 'Enables a disabled provider, or resumes paused orders.',
  },
);

@Output({ description: 'Default settings of accounts, and the limits above which changes require approval.' })
export class Defaults {
  @Field(() => Int, { description: 'Calls per minute and endpoint of an account without its own rate limit.' })
  rateLimitPerMinute!: number;

  @Field(() => Int, {
    description: 'Days without use after which a token expires, for an account without its own token lifetime.',
  })
  tokenIdleDays!: number;

  @Field(() => Int, {
    description:
      'Maximum lifetime of a token in days, even if it is used, for an account without its own token lifetime.',
  })
  tokenMaxDays!: number;

  @Field(() => Rupees, {
    description:
      'Amount of a Production credit in rupees above which the credit requires approval. 0: every Production credit.',
  })
  creditApprovalAbove!: Paise;

  @Field(() => Rupees, {
    description:
      'Sum of the Production credits of one user in a calendar day (IST), in rupees, above which a credit requires approval.',
  })
  creditDailyLimit!: Paise;

  @Field(() => Rupees, {
    description: 'Amount of a Production order in rupees above which its resolution requires approval.',
  })
  resolutionApprovalAbove!: Paise;

  @Field(() => Rupees, {
    description:
      'Fee per call in rupees above which a change of the fee requires approval, if `twoPeople` includes FEES.',
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

/** Resolver for settings shown to staff. */
@Resolver()
export class DefaultsResolver {
  constructor(
    private readonly config: DefaultsConfig,
    private readonly settings: SettingsService,
  ) {}

  @Query(() => Defaults, {
    nullable: true,
    description: 'Default settings of accounts, and the changes that require approval.',
  })
  async defaults(): Promise<Defaults> {
    const { rateLimitPerMinute, tokens, creditAlone, resolveAlone, twoPeople } = this.config;
    const twoAdminsSince = await this.settings.get('production', 'two_admins_since');
    return {
      rateLimitPerMinute,
      tokenIdleDays: tokens.tokenIdleDays,
      tokenMaxDays: tokens.tokenMaxDays,
      creditApprovalAbove: creditAlone.atOncePaise,
      creditDailyLimit: creditAlone.perDayPaise,
      resolutionApprovalAbove: resolveAlone.atOncePaise,
      feeApprovalAbove: twoPeople.feeAbovePaise,
      twoPeople: [...new Set([...twoPeople.of, ...(twoAdminsSince ? (['roles'] as const) : [])])],
    };
  }
}
