import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import { ownWallet } from '../ledger/own-wallet.js';
import { Wallet } from '../ledger/wallet.types.js';
import { walletView } from '../ledger/wallet.views.js';
import { dueTimesOf } from './due-times.js';
import { Order, OrderEvent } from './order.types.js';
import type { OrderKey } from './stored-order.js';
import { type TimelineEvent, timelinesOf } from './timeline.js';

/** What is read beside an order, wherever one is shown: of those of one turn with one statement. */
@Resolver(() => Order)
export class OrderFieldsResolver {
  readonly #ledger: LedgerService;
  readonly #timelines: Loader<OrderKey, TimelineEvent[]>;
  readonly #dueTimes: Loader<OrderKey, Date | null>;

  constructor(db: Queryable, ledger: LedgerService) {
    this.#ledger = ledger;
    this.#timelines = batchedLoader((keys) => timelinesOf(db, keys));
    this.#dueTimes = batchedLoader((keys) => dueTimesOf(db, keys));
  }

  @FieldResolver(() => Wallet, { nullable: true, description: 'The wallet that it is paid from, as it is now.' })
  async wallet(@Root() { developerId, environment }: Order, @Ctx() context: RequestContext): Promise<Wallet> {
    if (context.principal?.kind === 'developer') return ownWallet(context, this.#ledger);
    return walletView({ developerId, environment }, await this.#ledger.wallet(developerId, environment));
  }

  @FieldResolver(() => Instant, {
    nullable: true,
    description: 'While it is PENDING: when the provider is asked next. Null when a person has to decide.',
  })
  async nextCheckAt(@Root() { developerId, id, status }: Order): Promise<Date | null> {
    return status === 'pending' ? this.#dueTimes.load({ developerId, id }) : null;
  }

  @FieldResolver(() => [OrderEvent], {
    nullable: true,
    description: 'Everything that happened to it: debit, send, answers, status checks, refund, reversal.',
  })
  timeline(@Root() { developerId, id }: Order): Promise<OrderEvent[]> {
    return this.#timelines.load({ developerId, id });
  }
}
