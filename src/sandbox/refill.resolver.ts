import { Arg, Ctx, Field, Int, Mutation, Resolver } from 'type-graphql';
import { PLAY_MONEY } from '../accounts/developers/developer.verbs.js';
import { developerOf, type RequestContext } from '../core/context.js';
import { type Paise, rupeesNumber } from '../core/money.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Input, PositiveAmount } from '../graphql-toolkit/rules.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import { entryView, StatementEntry, Wallet, walletView } from '../ledger/wallet.types.js';
import { MAX_REFILL, MAX_REFILLS, type RefillService } from './refill.service.js';

@Input({ description: 'Test funds to add to the UAT wallet.' })
export class RefillSandboxWalletInput {
  @Field(() => Rupees, {
    nullable: true,
    description: `Amount in rupees, at most ${rupeesNumber(MAX_REFILL)}. Default: ${rupeesNumber(PLAY_MONEY)}.`,
  })
  @PositiveAmount()
  amount?: Paise;
}

@Output({ description: 'UAT wallet after a refill with test funds.' })
export class RefillSandboxWalletPayload {
  @Field(() => StatementEntry, { description: 'Statement entry of the refill.' })
  entry!: StatementEntry;

  @Field(() => Wallet, { description: 'Wallet after the refill.' })
  wallet!: Wallet;

  @Field(() => Int, { description: `Remaining refills of the ${MAX_REFILLS} allowed per calendar day (IST).` })
  refillsLeft!: number;
}

/** Refill of test funds. */
@Resolver()
export class RefillResolver {
  constructor(private readonly refills: RefillService) {}

  @Mutation(() => RefillSandboxWalletPayload, {
    nullable: true,
    description: 'Adds test funds to the wallet. UAT only, with a daily limit.',
  })
  async refillSandboxWallet(
    @Arg('input', () => RefillSandboxWalletInput, { description: 'Amount to add.' }) {
      amount,
    }: RefillSandboxWalletInput,
    @Ctx() context: RequestContext,
  ): Promise<RefillSandboxWalletPayload> {
    const { developerId, environment } = developerOf(context);
    const by = { actor: `token:${developerId}`, requestId: context.requestId, address: context.addressKey };
    const owner = { developerId, environment };
    const { line, wallet, refillsLeft } = await this.refills.refill(owner, amount ?? PLAY_MONEY, by);
    return { entry: entryView(line), wallet: walletView(owner, wallet), refillsLeft };
  }
}
