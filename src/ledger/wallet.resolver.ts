import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import type { DailyStatementService } from './daily-statement.service.js';
import type { LedgerService } from './ledger.service.js';
import type { StatementService } from './statement.service.js';
import { StatementConnection, Wallet, WalletDay, WalletDaysArguments } from './wallet.types.js';

@Resolver(() => Wallet)
export class WalletResolver {
  readonly #ledger: LedgerService;
  readonly #statement: StatementService;
  readonly #daily: DailyStatementService;

  constructor(ledger: LedgerService, statement: StatementService, daily: DailyStatementService) {
    this.#ledger = ledger;
    this.#statement = statement;
    this.#daily = daily;
  }

  @Query(() => Wallet, { nullable: true, description: 'The wallet of the token’s environment.' })
  async wallet(@Ctx() context: RequestContext): Promise<Wallet> {
    const { developerId, environment } = developerOf(context);
    return { developerId, environment, balance: await this.#ledger.balance(developerId, environment) };
  }

  @FieldResolver(() => StatementConnection, { nullable: true, description: 'What moved the wallet, newest first.' })
  async statement(
    @Root() wallet: Wallet,
    @Arguments(PageArguments) request: PageArguments,
  ): Promise<StatementConnection> {
    const { edges, pageInfo } = await this.#statement.page(wallet.developerId, wallet.environment, request);
    return {
      pageInfo,
      edges: edges.map(({ cursor, node: { amountPaise, balanceAfterPaise, ...line } }) => ({
        cursor,
        node: { ...line, amount: amountPaise, balanceAfter: balanceAfterPaise },
      })),
    };
  }

  @FieldResolver(() => [WalletDay], {
    nullable: true,
    description: 'Opening and closing balance of every day, in order; days that have not begun are left out.',
  })
  async days(
    @Root() { developerId, environment }: Wallet,
    @Arguments(WalletDaysArguments) { from, to }: WalletDaysArguments,
  ): Promise<WalletDay[]> {
    const days = await this.#daily.days(developerId, environment, from, to);
    return days.map(({ date, openingPaise, creditsPaise, debitsPaise, closingPaise }) => ({
      date,
      opening: openingPaise,
      credits: creditsPaise,
      debits: debitsPaise,
      closing: closingPaise,
    }));
  }
}
