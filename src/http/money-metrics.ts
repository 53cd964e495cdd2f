import { Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../db/pool.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { Exposure } from '../orders/exposure.js';
import type { OrderService } from '../orders/order.service.js';
import { orderFigures } from '../orders/order-figures.js';
import { addBooksMetrics } from './books-metrics.js';
import { addExposureMetrics } from './exposure-metrics.js';

/** Past this there is too much that was never checked to look at it for a metric; the doctor takes its time. */
const CHECK_LIMIT_MS = 30_000;

export interface MoneyMetricsParts {
  pool: Queryable;
  ledger: LedgerService;
  orders: OrderService;
  exposure: Exposure;
}

/** Gauges of orders under way, of what is undecided with each provider, of what waits, and of the books. */
export function addMoneyMetrics(registry: Registry, { pool, ledger, orders, exposure }: MoneyMetricsParts): void {
  const underWay: Gauge = new Gauge({
    name: 'orders_in_flight',
    help: 'Charged calls under way in this process.',
    registers: [registry],
    collect: () => underWay.set(orders.inFlight),
  });
  addExposureMetrics(registry, exposure);
  addBooksMetrics(registry, {
    orders: () => orderFigures(pool),
    ledger: async () => ({
      violations: (await ledger.checkNew(CHECK_LIMIT_MS)).length,
      owed: await ledger.owed(CHECK_LIMIT_MS),
    }),
  });
}
