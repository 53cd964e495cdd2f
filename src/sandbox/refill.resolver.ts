import { Arg, Ctx, Field, Int, Mutation, Resolver } from 'type-graphql';
import { PLAY_MONEY } from '../accounts/developers/developer.verbs.js';
import { developerOf, type RequestContext } from '../core/context.js';
import { type Paise, rupeesNumber } from '../core/money.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Input, PositiveAmount } from '../graphql-toolkit/rules.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import { entryView, StatementEntry, Wallet, walletView } from '../ledger/wallet.types.js';
import { MAX_REFILL, MAX_REFILLS, type RefillService } from './refill.service.js';

@Input({ description: 'Play money for the wallet of UAT.' })
export class RefillSandboxWalletInput {
  @Field(() => Rupees, {
    nullable: true,
    description: `Rupees, up to ${rupeesNumber(MAX_REFILL)}; ${rupeesNumber(PLAY_MONEY)} without it.`,
  })
  @PositiveAmount()
  amount?: Paise;
}

@Output({ description: 'A wallet of UAT with more play money.' })
export class RefillSandboxWalletPayload {
  @Field(() => StatementEntry, { description: 'The line of its statement.' })
  entry!: StatementEntry;

  @Field(() => Wallet, { description: 'The wallet right after it.' })
  wallet!: Wallet;

  @Field(() => Int, { description: `How many of the ${MAX_REFILLS} refills of this day, in Indian time, are left.` })
  refillsLeft!: number;
}

/** More play money. */
@Resolver()
export class RefillResolver {
  constructor(private readonly refills: RefillService) {}

  @Mutation(() => RefillSandboxWalletPayload, {
    nullable: true,
    description: 'UAT alone: puts play money into the wallet, a few times a day.',
  })
  async refillSandboxWallet(
    @Arg('input', () => RefillSandboxWalletInput, { description: 'How much.' }) { amount }: RefillSandboxWalletInput,
    @Ctx() context: RequestContext,
  ): Promise<RefillSandboxWalletPayload> {
    const { developerId, environment } = developerOf(context);
    const by = { actor: `token:${developerId}`, requestId: context.requestId, address: context.addressKey };
    const owner = { developerId, environment };
    const { line, wallet, refillsLeft } = await this.refills.refill(owner, amount ?? PLAY_MONEY, by);
    return { entry: entryView(line), wallet: walletView(owner, wallet), refillsLeft };
  }
}
