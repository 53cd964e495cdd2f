import { Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../db/pool.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { Exposure } from '../orders/exposure.js';
import type { OrderService } from '../orders/order.service.js';
import { orderFigures } from '../orders/order-figures.js';
import type { OrderWaiters } from '../orders/order-waiters.js';
import { addBooksMetrics } from './books-metrics.js';
import { addExposureMetrics } from './exposure-metrics.js';

/** Past this there is too much that was never checked to look at it for a metric; the doctor takes its time. */
const CHECK_LIMIT_MS = 30_000;

export interface MoneyMetricsParts {
  pool: Queryable;
  ledger: LedgerService;
  orders: OrderService;
  exposure: Exposure;
  waiters: Pick<OrderWaiters, 'count'>;
}

/** Gauges of orders under way, of who waits for a verdict, of what is undecided with each provider, of what waits, and of the books. */
export function addMoneyMetrics(registry: Registry, parts: MoneyMetricsParts): void {
  const { pool, ledger, orders, exposure, waiters } = parts;
  const underWay: Gauge = new Gauge({
    name: 'orders_in_flight',
    help: 'Charged calls under way in this process.',
    registers: [registry],
    collect: () => underWay.set(orders.inFlight),
  });
  const waiting: Gauge = new Gauge({
    name: 'order_waiters',
    help: 'Questions and streams of this process that wait for the verdict of an order.',
    registers: [registry],
    collect: () => waiting.set(waiters.count),
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
