import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import { Entries, READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import { linesOf } from '../ledger/line.reader.js';
import { ownWallet } from '../ledger/own-wallet.js';
import type { StatementLine } from '../ledger/statement.service.js';
import { StatementEntry, Wallet } from '../ledger/wallet.types.js';
import { entryView, walletView } from '../ledger/wallet.views.js';
import type { OrderKey } from '../orders/stored-order.js';
import { Order, OrderEvent } from './order.types.js';
import { dueTimesOf, type TimelineEvent, timelinesOf } from './timeline.js';

/** What is read beside an order, wherever one is shown: of those of one turn with one statement. */
@Resolver(() => Order)
export class OrderFieldsResolver {
  readonly #ledger: LedgerService;
  readonly #timelines: Loader<OrderKey, TimelineEvent[]>;
  readonly #dueTimes: Loader<OrderKey, Date | null>;
  readonly #lines: Loader<OrderKey, StatementLine[]>;

  constructor(db: Queryable, ledger: LedgerService) {
    this.#ledger = ledger;
    this.#timelines = batchedLoader((keys) => timelinesOf(db, keys));
    this.#dueTimes = batchedLoader((keys) => dueTimesOf(db, keys));
    this.#lines = batchedLoader((keys) => linesOf(db, keys));
  }

  @FieldResolver(() => Wallet, { nullable: true, description: 'The wallet that it is paid from, as it is now.' })
  @RowsBeside(READ_TOGETHER)
  async wallet(@Root() { developerId, environment }: Order, @Ctx() context: RequestContext): Promise<Wallet> {
    if (context.principal?.kind === 'developer') return ownWallet(context, this.#ledger);
    return walletView({ developerId, environment }, await this.#ledger.wallet(developerId, environment));
  }

  @FieldResolver(() => Instant, {
    nullable: true,
    description: 'While it is PENDING: when the provider is asked next. Null when a person has to decide.',
  })
  @RowsBeside(READ_TOGETHER)
  async nextCheckAt(@Root() { developerId, id, status }: Order): Promise<Date | null> {
    return status === 'pending' ? this.#dueTimes.load({ developerId, id }) : null;
  }

  @FieldResolver(() => [OrderEvent], {
    nullable: true,
    description: 'Everything that happened to it: debit, send, answers, status checks, refund, reversal.',
  })
  @Entries(10)
  timeline(@Root() { developerId, id }: Order): Promise<OrderEvent[]> {
    return this.#timelines.load({ developerId, id });
  }

  @FieldResolver(() => [StatementEntry], {
    nullable: true,
    description: 'Its lines in the statement of the wallet, oldest first.',
  })
  @Entries(2)
  async entries(@Root() { developerId, id }: Order): Promise<StatementEntry[]> {
    return (await this.#lines.load({ developerId, id })).map(entryView);
  }
}
