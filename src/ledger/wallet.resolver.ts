import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import type { LedgerService } from './ledger.service.js';
import type { StatementService } from './statement.service.js';
import { StatementConnection, Wallet } from './wallet.types.js';

@Resolver(() => Wallet)
export class WalletResolver {
  readonly #ledger: LedgerService;
  readonly #statement: StatementService;

  constructor(ledger: LedgerService, statement: StatementService) {
    this.#ledger = ledger;
    this.#statement = statement;
  }

  @Query(() => Wallet, { nullable: true, description: 'The wallet of the token’s environment.' })
  async wallet(@Ctx() context: RequestContext): Promise<Wallet> {
    const { developerId, environment } = developerOf(context);
    return { developerId, environment, balance: await this.#ledger.balance(developerId, environment) };
  }

  @FieldResolver(() => StatementConnection, { description: 'What moved the wallet, newest first.' })
  async statement(
    @Root() wallet: Wallet,
    @Arg('first', () => Int, { description: 'Lines per page, 1 to 200.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'endCursor of the page before.' }) after: string | null,
  ): Promise<StatementConnection> {
    const { edges, pageInfo } = await this.#statement.page(wallet.developerId, wallet.environment, first, after);
    return {
      pageInfo,
      edges: edges.map(({ cursor, node: { amountPaise, balanceAfterPaise, ...line } }) => ({
        cursor,
        node: { ...line, amount: amountPaise, balanceAfter: balanceAfterPaise },
      })),
    };
  }
}
