import type { ExposureLimits } from '../core/exposure-limit.js';
import type { Logger } from '../core/log.js';
import { type Paise, paise, rupeesNumber } from '../core/money.js';
import type { Queryable } from '../db/pool.js';
import { ORDERS_TO_REVIEW, SCHEDULED_ORDERS } from './stored-order.js';

/** Payments without a final status. They are open after an inconclusive response, or in review. */
export interface PendingPayments {
  payments: number;
  amountPaise: Paise;
  /** Time the oldest payment was placed. Null if none is pending. */
  oldestAt: Date | null;
}

interface PendingRow {
  provider: string;
  payments: number;
  amount_paise: string;
  oldest_at: string;
}

const REFRESH_MS = 2_000;

/**
 * SQL for the pending payments. It reads only the small tables of open orders and does not include orders whose provider call
 * is in progress.
 */
const PENDING = `
  select provider, count(*)::integer as payments, sum(amount_paise)::text as amount_paise, min(created_at) as oldest_at from (
    select o.provider, o.operation, o.amount_paise, o.environment, o.created_at from ${SCHEDULED_ORDERS}
      where q.waited_for and o.state = 'open' and o.unknown_since is not null
    union all
    select o.provider, o.operation, o.amount_paise, o.environment, o.created_at from ${ORDERS_TO_REVIEW} where v.reason = 'review') o
  where environment = 'production' and operation in ('recharge', 'card_payment') group by provider`;

/**
 * Pending real money per provider. It is read every two seconds while this process places or rejects payments. No payment
 * waits for this query, so payments placed between two reads may exceed the limit. A process that places no payments reads
 * nothing. Test funds have no limit.
 */
export class Exposure {
  readonly #providers = new Set<string>();
  #pending: ReadonlyMap<string, PendingPayments> = new Map();
  #providersAtLimit: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #readPromise: Promise<void> | undefined;

  /** @param providers names of the providers that receive payments. All are listed, including those without pending payments. */
  constructor(
    private readonly db: Queryable,
    providers: readonly string[],
    private readonly limits: ExposureLimits,
    private readonly log: Logger,
  ) {
    for (const provider of providers) this.#providers.add(provider);
  }

  /** Reads once, so that a new process knows the payments that earlier processes left pending. */
  async start(): Promise<void> {
    await this.refresh();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#readPromise;
  }

  /**
   * Whether a provider has reached its limit and receives no new payments, according to the last read. Figures older than two
   * seconds are refreshed in the background.
   */
  isReached(provider: string): boolean {
    void this.keepFresh();
    return this.#providersAtLimit.has(provider);
  }

  /** Resolves when the figures are at most two seconds old or cannot be read. */
  async keepFresh(): Promise<void> {
    if (!this.#stopped && performance.now() - this.#readAt >= REFRESH_MS) await this.refresh();
  }

  /** Returns the pending payments per provider, according to the last read. */
  figures(): { provider: string; pending: PendingPayments; reached: boolean }[] {
    return [...this.#providers].map((provider) => ({
      provider,
      pending: this.#pending.get(provider) ?? { payments: 0, amountPaise: paise(0), oldestAt: null },
      reached: this.#providersAtLimit.has(provider),
    }));
  }

  /**
   * Reads the figures. Only one read runs at a time. While the database is unavailable, the last figures are kept, because no
   * orders can be placed.
   */
  async refresh(): Promise<void> {
    await (this.#readPromise ??= this.#read().finally(() => {
      this.#readPromise = undefined;
      // reads continue after the limit was reached, so that payments are accepted again as soon as possible
      if (this.#providersAtLimit.size > 0 && !this.#stopped)
        this.#timer = setTimeout(() => void this.refresh(), REFRESH_MS).unref();
    }));
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    this.#readAt = performance.now();
    try {
      const { rows } = await this.db.query<PendingRow>({
        name: 'orders-pending',
        text: PENDING,
      });
      this.#pending = new Map(
        rows.map(({ provider, payments, amount_paise, oldest_at }) => [
          provider,
          { payments, amountPaise: paise(amount_paise), oldestAt: new Date(oldest_at) },
        ]),
      );
      for (const { provider } of rows) this.#providers.add(provider);
    } catch {
      return;
    }
    const previous = this.#providersAtLimit;
    this.#providersAtLimit = new Set([...this.#pending].filter(this.#exceeds).map(([provider]) => provider));
    this.#report(previous);
  }

  readonly #exceeds = ([provider, { payments, amountPaise }]: [string, PendingPayments]): boolean => {
    const limit = this.limits.byProvider.get(provider) ?? this.limits.otherwise;
    return (
      (limit.payments > 0 && payments >= limit.payments) || (limit.amountPaise > 0n && amountPaise >= limit.amountPaise)
    );
  };

  #report(previous: ReadonlySet<string>): void {
    for (const { provider, pending, reached } of this.figures()) {
      if (reached === previous.has(provider)) continue;
      const fields = { provider, payments: pending.payments, rupees: rupeesNumber(pending.amountPaise) };
      if (reached) this.log.error(fields, 'provider reached its exposure limit, new payments are rejected');
      else this.log.info(fields, 'provider is below its exposure limit again, new payments are accepted');
    }
  }
}
