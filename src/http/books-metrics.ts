import { Gauge, type Registry } from 'prom-client';
import type { Owed } from '../ledger/books-check.js';
import type { OrderFigures } from '../orders/order-figures.js';

export interface LedgerFigures {
  /** How many invariants are violated by what was posted since the last time that none was. */
  violations: number;
  owed: Owed[];
}

export interface BooksMetricsOptions {
  orders: () => Promise<OrderFigures>;
  ledger: () => Promise<LedgerFigures>;
  ordersEveryMs?: number;
  ledgerEveryMs?: number;
}

/** What a scrape waits for a reading; a later one shows it. */
const PATIENCE_MS = 1_000;
/** A reading may take this part of the time at most, however long the books have become. */
const MAX_SHARE = 1 / 100;

/**
 * A value that is read anew when it is asked for, at most once per interval and never twice at the same time, however
 * many ask. Undefined until the first reading, and after one that failed.
 */
export class BoundedReading<T> {
  readonly #read: () => Promise<T>;
  readonly #everyMs: number;
  readonly #patienceMs: number;
  #value: T | undefined;
  #readAtMs = 0;
  #nextAtMs = 0;
  #running: Promise<void> | undefined;

  constructor(read: () => Promise<T>, everyMs: number, patienceMs = PATIENCE_MS) {
    this.#read = read;
    this.#everyMs = everyMs;
    this.#patienceMs = patienceMs;
  }

  /** The newest value, after waiting a moment for the reading that this look may have started. */
  async look(): Promise<T | undefined> {
    if (Date.now() >= this.#nextAtMs) this.#running ??= this.#refresh();
    if (this.#running) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resume) => (timer = setTimeout(resume, this.#patienceMs)));
      await Promise.race([this.#running, patience]).finally(() => clearTimeout(timer));
    }
    return this.#value;
  }

  /** Unix time in seconds of the last reading that worked; 0 when there was none. */
  get readAtS(): number {
    return this.#readAtMs / 1000;
  }

  async #refresh(): Promise<void> {
    const startedAt = Date.now();
    try {
      this.#value = await this.#read();
      this.#readAtMs = Date.now();
    } catch {
      // the gauges say NaN, and the time of the last reading stands still
      this.#value = undefined;
    } finally {
      this.#nextAtMs = Date.now() + Math.max(this.#everyMs, (Date.now() - startedAt) / MAX_SHARE);
      this.#running = undefined;
    }
  }
}

/** Gauges of the money core, the same in every process: what waits, and whether the books are right. NaN while not known. */
export function addBooksMetrics(registry: Registry, options: BooksMetricsOptions): void {
  const { orders, ledger, ordersEveryMs = 15_000, ledgerEveryMs = 5 * 60_000 } = options;
  const figures = new BoundedReading(orders, ordersEveryMs);
  const books = new BoundedReading(ledger, ledgerEveryMs);
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => Promise<number | undefined>): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers,
      collect: async () => made.set((await value()) ?? Number.NaN),
    });
  };
  gauge('orders_open', 'Orders whose outcome is not known.', async () => (await figures.look())?.open);
  gauge('orders_review', 'Orders that wait for a person.', async () => (await figures.look())?.review);
  gauge(
    'orders_contradicted',
    'Decided orders of which the provider says the opposite.',
    async () => (await figures.look())?.contradicted,
  );
  gauge('orders_oldest_open_seconds', 'Age of the oldest open order.', async () => (await figures.look())?.oldestOpenS);
  gauge(
    'ledger_violations',
    'Violated invariants of what was posted since there was none; anything but 0 is an incident.',
    async () => (await books.look())?.violations,
  );
  const owed = new Gauge({
    name: 'provider_payable_paise',
    help: 'What a provider is owed: payments that it performed less those taken back. None while not known.',
    labelNames: ['environment', 'provider'],
    registers,
    async collect() {
      const seen = await books.look();
      owed.reset();
      for (const { environment, provider, paise } of seen?.owed ?? []) owed.set({ environment, provider }, paise);
    },
  });
  const readings = new Gauge({
    name: 'books_read_timestamp_seconds',
    help: 'When the gauges of orders and of the ledger were last read; 0: never.',
    labelNames: ['what'],
    registers,
    async collect() {
      await Promise.all([figures.look(), books.look()]);
      readings.set({ what: 'orders' }, figures.readAtS);
      readings.set({ what: 'ledger' }, books.readAtS);
    },
  });
}
