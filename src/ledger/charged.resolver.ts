import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { Charged } from './charged.types.js';
import type { LedgerService } from './ledger.service.js';
import { Wallet } from './wallet.types.js';
import { walletView } from './wallet.views.js';

/** The wallet of answers that may cost a fee, for every type that is `Charged`. */
@Resolver(() => Charged)
export class ChargedResolver {
  readonly #ledger: LedgerService;

  constructor(ledger: LedgerService) {
    this.#ledger = ledger;
  }

  @FieldResolver(() => Wallet, {
    nullable: true,
    description: 'The wallet right after the call; null for a client token.',
  })
  async wallet(@Root() { walletAfter }: Charged, @Ctx() context: RequestContext): Promise<Wallet> {
    const { developerId, environment } = developerOf(context);
    const state = walletAfter ?? (await this.#ledger.wallet(developerId, environment));
    return walletView({ developerId, environment }, state);
  }
}
