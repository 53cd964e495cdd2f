import type { Logger } from '../core/log.js';
import { inScope, type Scope, type Tracing } from '../core/scope.js';
import { CannotServe, type FailureKind, failureKindOf } from '../db/database-errors.js';
import type { Outcomes } from '../orders/outcomes.js';
import type { StatusCheckStore } from '../orders/status-check.store.js';
import type { LeasedOrder } from '../orders/stored-order.js';
import type { Reversals, StatusConflicts } from './reversals.js';

export interface SweeperOptions {
  /** Providers that have orders and are configured. */
  providers: readonly string[];
  /**
   * Maximum number of concurrent status checks per provider, so that a slow provider is not flooded and does not delay
   * others.
   */
  perProvider: number;
  /** Returns a lower maximum for a provider whose breaker rejects status checks; see `StatusCheckRegistry`. */
  limitOf?: (provider: string) => number;
  /** Duration of a lease. It must be longer than a status check can take. */
  leaseMs: number;
  /** Called when the sweeper is woken. If it returns false, due orders are left to other processes. */
  canCheck: () => Promise<boolean>;
  tracing?: Tracing | undefined;
  /** Called when due orders could not be read. */
  onFailure: (provider: string, trouble: FailureKind) => void;
}

/**
 * Finds due orders and checks their status. An order is due if its outcome is unknown, the process that sent it died, or its
 * success is in doubt. Any number of sweepers may use one database. Each provider has its own slots: a slow provider fills
 * only its own and is skipped until one is free.
 */
export class Sweeper {
  /** Status checks in progress, by provider. */
  readonly #checksInProgress = new Map<string, Set<Promise<void>>>();
  /** Leases in progress, by provider. Two at the same time would take more orders than there are slots. */
  readonly #leasesInProgress = new Map<string, Promise<Promise<void>[]>>();
  #active = false;

  constructor(
    private readonly checkStatus: (order: LeasedOrder) => Promise<void>,
    private readonly store: StatusCheckStore,
    private readonly options: SweeperOptions,
    private readonly log: Logger,
  ) {
    for (const provider of options.providers) this.#checksInProgress.set(provider, new Set());
  }

  /**
   * Throws CannotServe if orders are pending with a provider that is not swept, because their status would never be checked.
   */
  async assertProvidersKnown(): Promise<void> {
    const unknown = await this.store.providersDueExcept(this.options.providers);
    if (unknown.length > 0)
      throw new CannotServe(
        `Orders are pending with ${unknown.join(' and ')}, but this process cannot check their status. Set the PROVIDER_…_URL of each provider, or start the version that supports it.`,
      );
  }

  start(): void {
    this.#active = true;
  }

  /** Checks due orders of a provider. Call it when there may be any. Does nothing while the sweeper is stopped. */
  async wake(provider: string): Promise<void> {
    if (!this.#active || !this.#checksInProgress.has(provider) || !(await this.options.canCheck())) return;
    // the sweeper may have been stopped in the meantime
    if (this.#active) void this.#sweepOnce(provider);
  }

  /** Stops the sweeper. Resolves when all status checks in progress have ended. */
  async stop(): Promise<void> {
    this.#active = false;
    await Promise.all(this.#leasesInProgress.values());
    await this.#allEnded();
  }

  /**
   * Sweeps every provider once and waits for all status checks in progress. Returns the number of orders checked in this
   * round. Waits for leases in progress first, because they may not see orders that have just become due.
   */
  async sweep(): Promise<number> {
    await Promise.all(this.#leasesInProgress.values());
    const rounds = await Promise.all(this.options.providers.map((provider) => this.#sweepOnce(provider)));
    await this.#allEnded();
    return rounds.flat().length;
  }

  async #allEnded(): Promise<void> {
    await Promise.all([...this.#checksInProgress.values()].flatMap((statusChecks) => [...statusChecks]));
  }

  /** Starts as many status checks as there are free slots and returns them. They never reject. */
  #sweepOnce(provider: string): Promise<Promise<void>[]> {
    const lease =
      this.#leasesInProgress.get(provider) ??
      this.#startChecks(provider).finally(() => this.#leasesInProgress.delete(provider));
    this.#leasesInProgress.set(provider, lease);
    return lease;
  }

  async #startChecks(provider: string): Promise<Promise<void>[]> {
    const { perProvider, limitOf, leaseMs } = this.options;
    const checks = this.#checksInProgress.get(provider)!;
    const freeSlots = Math.min(perProvider, limitOf?.(provider) ?? perProvider) - checks.size;
    if (freeSlots <= 0) return [];
    try {
      const orders = await this.store.leaseDue(provider, freeSlots, leaseMs);
      return orders.map((order) => {
        const statusCheck = this.#check(order).finally(() => checks.delete(statusCheck));
        checks.add(statusCheck);
        return statusCheck;
      });
    } catch (error) {
      const trouble = failureKindOf(error);
      this.options.onFailure(provider, trouble);
      // a statement that lost its connection may have brought the server down
      const level = trouble === 'away' ? 'warn' : 'error';
      this.log[level]({ err: error as Error, provider, trouble }, 'sweep failed, retrying in the next round');
      return [];
    }
  }

  async #check(order: LeasedOrder): Promise<void> {
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
        'checking the status of an order failed, retrying after its lease',
      );
    } finally {
      span?.end({}, failed);
    }
  }
}

/**
 * Returns the status check for a due order, which either finds the outcome or compares the final status with that of the
 * provider.
 */
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
