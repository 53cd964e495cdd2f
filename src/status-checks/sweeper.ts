import type { Logger } from '../core/log.js';
import { inScope, type Scope, type Tracing } from '../core/scope.js';
import { CannotServe, type Trouble, troubleOf } from '../db/trouble.js';
import type { Outcomes } from '../orders/outcomes.js';
import type { StatusCheckStore } from '../orders/status-check.store.js';
import type { LeasedOrder } from '../orders/stored-order.js';
import type { Reversals, StatusConflicts } from './reversals.js';

export interface SweeperOptions {
  /** Every provider that has orders and can be reached. */
  providers: readonly string[];
  /** Status checks under way at once per provider, so that a slow one makes no storm and does not hold up the others. */
  perProvider: number;
  /** Longer than a status check can take. */
  leaseMs: number;
  /** Asked when it is woken; false: what is due is left to other processes. */
  canAsk: () => Promise<boolean>;
  tracing?: Tracing | undefined;
  /** What is due could not be read. */
  onFailure: (provider: string, trouble: Trouble) => void;
}

/**
 * Finds orders that are due (the outcome is unknown, the process that sent them died, a success is in doubt) and asks the
 * provider. Any number of sweepers may run on one database. Each provider has places of its own: a slow one fills its own places
 * and is then left alone until one is free.
 */
export class Sweeper {
  /** Status checks under way, by provider. */
  readonly #places = new Map<string, Set<Promise<void>>>();
  /** Leases under way, by provider: two at once would take more than there are places. */
  readonly #leasing = new Map<string, Promise<Promise<void>[]>>();
  #active = false;

  constructor(
    private readonly checkStatus: (order: LeasedOrder) => Promise<void>,
    private readonly store: StatusCheckStore,
    private readonly options: SweeperOptions,
    private readonly log: Logger,
  ) {
    for (const provider of options.providers) this.#places.set(provider, new Set());
  }

  /** Errors: CannotServe, orders wait for a provider that is not swept. Nobody would ever ask what became of them. */
  async assertProvidersKnown(): Promise<void> {
    const unknown = await this.store.providersDueBeside(this.options.providers);
    if (unknown.length > 0)
      throw new CannotServe(
        `Orders wait for ${unknown.join(' and ')}, which this process could not ask: it has no PROVIDER_…_URL, or is of another version.`,
      );
  }

  start(): void {
    this.#active = true;
  }

  /** Orders of this provider may be due. Nothing happens while it is stopped. */
  async wake(provider: string): Promise<void> {
    if (!this.#active || !this.#places.has(provider) || !(await this.options.canAsk())) return;
    // it may have been stopped meanwhile
    if (this.#active) void this.#sweepOnce(provider);
  }

  /** Resolves when every status check under way has ended. */
  async stop(): Promise<void> {
    this.#active = false;
    await Promise.all(this.#leasing.values());
    await this.#underWay();
  }

  /**
   * One round over every provider, to the end of every status check under way; returns how many orders this round asked about. A lease
   * under way may not see what is due only now, so it ends first.
   */
  async sweep(): Promise<number> {
    await Promise.all(this.#leasing.values());
    const rounds = await Promise.all(this.options.providers.map((provider) => this.#sweepOnce(provider)));
    await this.#underWay();
    return rounds.flat().length;
  }

  async #underWay(): Promise<void> {
    await Promise.all([...this.#places.values()].flatMap((statusChecks) => [...statusChecks]));
  }

  /** Begins as many status checks as there are free places; resolves to them, they never reject. */
  #sweepOnce(provider: string): Promise<Promise<void>[]> {
    const leasing = this.#leasing.get(provider) ?? this.#begin(provider).finally(() => this.#leasing.delete(provider));
    this.#leasing.set(provider, leasing);
    return leasing;
  }

  async #begin(provider: string): Promise<Promise<void>[]> {
    const { perProvider, leaseMs } = this.options;
    const places = this.#places.get(provider)!;
    if (places.size >= perProvider) return [];
    try {
      const orders = await this.store.leaseDue(provider, perProvider - places.size, leaseMs);
      return orders.map((order) => {
        const statusCheck = this.#ask(order).finally(() => places.delete(statusCheck));
        places.add(statusCheck);
        return statusCheck;
      });
    } catch (error) {
      const trouble = troubleOf(error);
      this.options.onFailure(provider, trouble);
      // a statement that lost its server may have ended it
      const level = trouble === 'away' ? 'warn' : 'error';
      this.log[level]({ err: error as Error, provider, trouble }, 'sweep failed, the next one tries again');
      return [];
    }
  }

  async #ask(order: LeasedOrder): Promise<void> {
    const { id, reference, operation, provider } = order;
    const span = this.options.tracing?.begin('status check', 'internal', {
      'order.id': id,
      'order.api_request_id': reference,
      'order.kind': operation,
      'provider.name': provider,
    });
    const scope: Scope = span ? { loop: 'sweeper', span } : { loop: 'sweeper' };
    let failed = false;
    try {
      await inScope(scope, () => this.checkStatus(order));
    } catch (error) {
      failed = true;
      this.log.error(
        { err: error as Error, orderId: order.id, provider: order.provider },
        'an order could not be moved on; its lease ends',
      );
    } finally {
      span?.end({}, failed);
    }
  }
}

/** Who asks about a due order: the outcome of one is sought, what is decided about another is compared with what the provider says. */
export function statusCheckOf(
  order: LeasedOrder,
  {
    outcomes,
    reversals,
    statusConflicts,
  }: { outcomes: Outcomes; reversals: Reversals; statusConflicts: StatusConflicts },
): Promise<void> {
  switch (order.state) {
    case 'open':
    case 'review':
      return outcomes.checkStatus(order);
    case 'success':
      return order.reversedAt === null ? reversals.check(order) : statusConflicts.check(order);
    case 'failed':
      return statusConflicts.check(order);
  }
}
