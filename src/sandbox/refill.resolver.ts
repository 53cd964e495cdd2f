import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { PLAY_MONEY } from '../accounts/developers/developer.verbs.js';
import { developerOf, type RequestContext } from '../core/context.js';
import { entryView, walletView } from '../ledger/wallet.views.js';
import type { RefillService } from './refill.service.js';
import { RefillSandboxWalletInput, RefillSandboxWalletPayload } from './refill.types.js';

/** More play money. */
@Resolver()
export class RefillResolver {
  readonly #refills: RefillService;

  constructor(refills: RefillService) {
    this.#refills = refills;
  }

  @Mutation(() => RefillSandboxWalletPayload, {
    nullable: true,
    description: 'UAT alone: puts play money into the wallet, a few times a day.',
  })
  async refillSandboxWallet(
    @Arg('input', () => RefillSandboxWalletInput, { description: 'How much.' }) { amount }: RefillSandboxWalletInput,
    @Ctx() context: RequestContext,
  ): Promise<RefillSandboxWalletPayload> {
    const { developerId, environment } = developerOf(context);
    const by = { actor: `token:${developerId}`, requestId: context.requestId };
    const owner = { developerId, environment };
    const { line, wallet, refillsLeft } = await this.#refills.refill(owner, amount ?? PLAY_MONEY, by);
    return { entry: entryView(line), wallet: walletView(owner, wallet), refillsLeft };
  }
}
