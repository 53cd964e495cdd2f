import type { Logger } from '../core/log.js';
import type { OrderService } from './order.service.js';
import type { OrderStore } from './order.store.js';

export interface SweeperOptions {
  /** Every provider that has orders. */
  providers: readonly string[];
  intervalMs: number;
  /** Enquiries under way at once per provider, so that a slow one makes no storm and does not hold up the others. */
  perProvider: number;
  /** Longer than an enquiry can take. */
  leaseMs: number;
}

/**
 * Finds orders that are due (the outcome is unknown, or the process that sent them died) and asks the provider. Any number
 * of sweepers may run on one database.
 */
export class Sweeper {
  readonly #orders: OrderService;
  readonly #store: OrderStore;
  readonly #options: SweeperOptions;
  readonly #log: Logger;
  readonly #active = new Map<string, Promise<number>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(orders: OrderService, store: OrderStore, options: SweeperOptions, log: Logger) {
    this.#orders = orders;
    this.#store = store;
    this.#options = options;
    this.#log = log;
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      for (const provider of this.#options.providers) void this.#sweepOnce(provider);
    }, this.#options.intervalMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await Promise.all(this.#active.values());
  }

  /** One round over every provider; returns how many orders were asked about. */
  async sweep(): Promise<number> {
    const counts = await Promise.all(this.#options.providers.map((provider) => this.#sweepOnce(provider)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** A provider that is still being swept is left alone: its round ends first. */
  #sweepOnce(provider: string): Promise<number> {
    const running = this.#active.get(provider);
    if (running) return running;
    const round = this.#sweepProvider(provider).finally(() => this.#active.delete(provider));
    this.#active.set(provider, round);
    return round;
  }

  async #sweepProvider(provider: string): Promise<number> {
    try {
      const orders = await this.#store.leaseDue(provider, this.#options.perProvider, this.#options.leaseMs);
      const results = await Promise.allSettled(orders.map((order) => this.#orders.enquire(order)));
      results.forEach((result, index) => {
        if (result.status === 'rejected')
          this.#log.error({ err: result.reason as Error, orderId: orders[index]!.id, provider }, 'enquiry failed');
      });
      return orders.length;
    } catch (error) {
      this.#log.warn({ err: error as Error, provider }, 'sweep failed, the next one tries again');
      return 0;
    }
  }
}
