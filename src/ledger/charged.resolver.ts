import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import { Charged } from './charged.types.js';
import type { LedgerService } from './ledger.service.js';
import { ownWallet } from './own-wallet.js';
import { Wallet } from './wallet.types.js';

/** The wallet of answers that may cost a fee, for every type that is `Charged`. */
@Resolver(() => Charged)
export class ChargedResolver {
  constructor(private readonly ledger: LedgerService) {}

  @FieldResolver(() => Wallet, {
    nullable: true,
    description: 'The wallet right after the call, of a query after all its calls; null for a client token.',
  })
  wallet(@Root() { walletAfter }: Charged, @Ctx() context: RequestContext): Promise<Wallet> {
    return ownWallet(context, this.ledger, walletAfter);
  }
}
