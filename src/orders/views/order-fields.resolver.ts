import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Developer } from '../../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../../accounts/developers/developers.reader.js';
import type { RequestContext } from '../../core/context.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import type { Queryable } from '../../db/pool.js';
import { Entries, ExtraReads, READ_TOGETHER } from '../../graphql-toolkit/rows.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import type { LedgerService } from '../../ledger/ledger.service.js';
import { linesOf } from '../../ledger/line.reader.js';
import type { StatementLine } from '../../ledger/statement.service.js';
import { entryView, ownWallet, StatementEntry, Wallet, walletView } from '../../ledger/wallet.types.js';
import { ProviderEnum } from '../../providers/provider.enum.js';
import type { OrderStore } from '../order.store.js';
import type { StatusCheckRegistry } from '../outcomes.js';
import { isPayment } from '../states.js';
import type { OrderKey, StoredOrder } from '../stored-order.js';
import { Order, OrderEvent } from './order.types.js';
import { maskingFor, orderView } from './order.view.js';
import { actionsOf, type OrderAction, OrderActionEnum } from './order-actions.js';
import { dueTimesOf, type ReviewParts, reviewTimesOf, type TimelineEvent, timelinesOf } from './timeline.js';

/**
 * Resolver for fields that are loaded for every returned order. All orders of one event loop turn are read with one statement.
 */
@Resolver(() => Order)
export class OrderFieldsResolver {
  readonly #timelines: Loader<OrderKey, TimelineEvent[]>;
  readonly #dueTimes: Loader<OrderKey, Date | null>;
  readonly #reviewTimes: Loader<OrderKey, Date | null>;
  readonly #entries: Loader<OrderKey, StatementLine[]>;

  constructor(
    db: Queryable,
    private readonly ledger: LedgerService,
    review: ReviewParts,
  ) {
    this.#reviewTimes = batchedLoader((keys) => reviewTimesOf(db, keys, review));
    this.#timelines = batchedLoader((keys) => timelinesOf(db, keys));
    this.#dueTimes = batchedLoader((keys) => dueTimesOf(db, keys));
    this.#entries = batchedLoader((keys) => linesOf(db, keys));
  }

  @FieldResolver(() => Wallet, {
    nullable: true,
    description: 'Current state of the wallet that the order is paid from.',
  })
  @ExtraReads(READ_TOGETHER)
  async wallet(@Root() { developerId, environment }: Order, @Ctx() context: RequestContext): Promise<Wallet> {
    if (context.principal?.kind === 'developer') return ownWallet(context, this.ledger);
    return walletView({ developerId, environment }, await this.ledger.wallet(developerId, environment));
  }

  @FieldResolver(() => Instant, {
    nullable: true,
    description:
      'Time of the next status check with the provider. Null if the order is not PENDING or no status check is scheduled.',
  })
  @ExtraReads(READ_TOGETHER)
  async nextCheckAt(@Root() { developerId, id, status }: Order): Promise<Date | null> {
    return status === 'pending' ? this.#dueTimes.load({ developerId, id }) : null;
  }

  @FieldResolver(() => Instant, {
    nullable: true,
    description:
      'Time when manual review began, or the earliest time when manual review can begin if the provider reports no final status. Null for an order that is not PENDING, and before manual review for a provider without a status check.',
  })
  @ExtraReads(READ_TOGETHER)
  async reviewAt(@Root() { developerId, id, status }: Order): Promise<Date | null> {
    return status === 'pending' ? this.#reviewTimes.load({ developerId, id }) : null;
  }

  @FieldResolver(() => [OrderEvent], {
    nullable: true,
    description: 'Events of the order: debit, send, responses, status checks, refund, reversal.',
  })
  @Entries(10)
  timeline(@Root() { developerId, id }: Order): Promise<OrderEvent[]> {
    return this.#timelines.load({ developerId, id });
  }

  @FieldResolver(() => [StatementEntry], {
    nullable: true,
    description: 'Entries of the order in the wallet statement, oldest first.',
  })
  @Entries(2)
  async entries(@Root() { developerId, id }: Order): Promise<StatementEntry[]> {
    return (await this.#entries.load({ developerId, id })).map(entryView);
  }
}

/** Resolver for fields that exist only in the console. */
@Resolver(() => Order)
export class ConsoleOrderFieldsResolver {
  constructor(
    private readonly developers: DevelopersReader,
    private readonly statusChecks: Pick<StatusCheckRegistry, 'of'>,
  ) {}

  @FieldResolver(() => Developer, { nullable: true, description: 'Developer account of the order.' })
  @ExtraReads(READ_TOGETHER)
  async developer(@Root() { developerId }: Order): Promise<Developer | null> {
    return (await this.developers.find(developerId)) ?? null;
  }

  @FieldResolver(() => ProviderEnum, { nullable: true, description: 'Provider the order was sent to.' })
  provider(@Root() { judged }: Order): string | null {
    return judged && Object.hasOwn(ProviderEnum, judged.provider) ? judged.provider : null;
  }

  @FieldResolver(() => [OrderActionEnum], {
    nullable: true,
    description:
      'Actions that the status of the order allows. The role of the user determines who may take them. The mutation can still fail, for example if the balance is insufficient or the bill has been paid by another order.',
  })
  actions(@Root() { judged }: Order): OrderAction[] | null {
    return judged ? actionsOf(judged, this.statusChecks) : null;
  }
}

/** Resolver for the orders of statement entries. All orders of one event loop turn are read with one statement. */
@Resolver(() => StatementEntry)
export class StatementOrderResolver {
  readonly #orders: Loader<OrderKey, StoredOrder | undefined>;

  constructor(private readonly store: OrderStore) {
    this.#orders = batchedLoader((keys) => store.byIds(keys));
  }

  @FieldResolver(() => Order, {
    nullable: true,
    description: 'Recharge or card bill payment of the entry. Null for other entries, and if the order is archived.',
  })
  @ExtraReads(READ_TOGETHER)
  async order(
    @Root() { developerId, subjectId }: StatementEntry,
    @Ctx() context: RequestContext,
  ): Promise<Order | null> {
    const order = await this.#orders.load({ developerId, id: subjectId });
    if (!order || !isPayment(order.operation)) return null;
    return orderView(order, this.store, maskingFor(context));
  }
}
