import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import { indianDay } from '../core/clock.js';
import type { RequestContext } from '../core/context.js';
import type { Paise } from '../core/money.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { pageView } from '../graphql-toolkit/connection.js';
import { describedCount, Entries, ExtraReads, READ_SEPARATELY, READ_TOGETHER } from '../graphql-toolkit/rows.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import { Charged } from './charged.types.js';
import type { DailyStatementService } from './daily-statement.service.js';
import { MAX_DAYS_IN_RESPONSE } from './day-range.js';
import type { LedgerService } from './ledger.service.js';
import type { StatementService } from './statement.service.js';
import { heldAmounts, type WalletKey } from './wallet.reader.js';
import {
  entryView,
  ownWallet,
  StatementArguments,
  StatementConnection,
  Wallet,
  WalletDay,
  WalletDaysArguments,
} from './wallet.types.js';

const DAY_MS = 86_400_000;

/** Row cost of one row per day. An invalid or too long range costs nothing, because the request is rejected. */
const byDay = describedCount('a row for each day', ({ from, to }) => {
  const [first, last] = [from, to].map((day) => (typeof day === 'string' ? Date.parse(day) / DAY_MS : Number.NaN));
  const days = last! - first! + 1;
  return days >= 1 && days <= MAX_DAYS_IN_RESPONSE ? days : 0;
});

/** Wallet of the caller. */
@Resolver()
export class OwnWalletResolver {
  constructor(private readonly ledger: LedgerService) {}

  @Query(() => Wallet, { nullable: true, description: 'Wallet in the environment of the token.' })
  wallet(@Ctx() context: RequestContext): Promise<Wallet> {
    return ownWallet(context, this.ledger);
  }
}

export interface Statements {
  statement: StatementService;
  daily: DailyStatementService;
}

/** Whether a response can be a few seconds old. */
export type MayLag = (info: Pick<GraphQLResolveInfo, 'operation' | 'path'>) => boolean;

interface StatementSources {
  fresh: Statements;
  lagging: Statements;
  mayLag: MayLag;
}

/** Wallet fields that require an additional read. */
@Resolver(() => Wallet)
export class WalletResolver {
  readonly #held: Loader<WalletKey, Paise>;

  constructor(
    db: Queryable,
    private readonly sources: StatementSources,
  ) {
    this.#held = batchedLoader((keys) => heldAmounts(db, keys));
  }

  @FieldResolver(() => Rupees, {
    nullable: true,
    description:
      'Amount held for orders without a final status, not included in `balance`. A success reduces the amount without a new `version`. Null if the amount could not be read.',
  })
  @ExtraReads(READ_TOGETHER)
  held(@Root() wallet: Wallet): Promise<Paise> {
    return this.#held.load(wallet);
  }

  @FieldResolver(() => StatementConnection, { nullable: true, description: 'Statement of the wallet, newest first.' })
  @ExtraReads(READ_SEPARATELY)
  async statement(
    @Root() { developerId, environment }: Wallet,
    @Arguments(StatementArguments) { from, to, kinds, reference, ...request }: StatementArguments,
    @Info() info: GraphQLResolveInfo,
  ): Promise<StatementConnection> {
    const { statement, daily } = this.#statements(info);
    if (from) await daily.requireKept(developerId, environment, indianDay(from));
    const page = await statement.page(developerId, environment, request, { from, to, kinds, reference });
    return pageView(page, entryView);
  }

  @FieldResolver(() => [WalletDay], {
    nullable: true,
    description: 'Opening and closing balance of every day, in order. Future days are omitted.',
  })
  @Entries(byDay)
  @ExtraReads(READ_SEPARATELY)
  async days(
    @Root() { developerId, environment }: Wallet,
    @Arguments(WalletDaysArguments) { from, to }: WalletDaysArguments,
    @Info() info: GraphQLResolveInfo,
  ): Promise<WalletDay[]> {
    const days = await this.#statements(info).daily.days(developerId, environment, from, to);
    return days.map(({ date, openingPaise, creditsPaise, debitsPaise, closingPaise }) => ({
      date,
      opening: openingPaise,
      credits: creditsPaise,
      debits: debitsPaise,
      closing: closingPaise,
    }));
  }

  #statements(info: GraphQLResolveInfo): Statements {
    const { fresh, lagging, mayLag } = this.sources;
    return lagging !== fresh && mayLag(info) ? lagging : fresh;
  }
}

/** Resolver of the `wallet` field of all types that implement `Charged`. */
@Resolver(() => Charged)
export class ChargedResolver {
  constructor(private readonly ledger: LedgerService) {}

  @FieldResolver(() => Wallet, {
    nullable: true,
    description: 'Wallet after the call. In a query, the wallet after all calls of the query. Null for a client token.',
  })
  wallet(@Root() { walletAfter }: Charged, @Ctx() context: RequestContext): Promise<Wallet> {
    return ownWallet(context, this.ledger, walletAfter);
  }
}
