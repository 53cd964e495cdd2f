import type { ClientTokenService } from '../accounts/keys/client-token.service.js';
import type { Logger } from '../core/log.js';
import type { Metrics } from '../core/metrics.js';
import { Poller } from '../core/poller.js';
import { loops, type Room } from '../core/room.js';
import type { Channel } from '../db/channel.js';
import type { ClockWatch } from '../db/clock-watch.js';
import type { Base } from '../db/database.js';
import { makePartitions } from '../db/partitions.js';
import type { Queryable } from '../db/pool.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import { paidProviders } from '../providers/registry.js';
import type { Switches } from '../providers/switches.js';
import { ChargedLookups, createLookupRelease } from './charged-lookup.js';
import { Exposure } from './exposure.js';
import { createMonthRewrite } from './month-rewrite.js';
import { OrderService } from './order.service.js';
import { OrderSearch, OrderStore } from './order.store.js';
import { Outcomes, type StatusCheckRegistry } from './outcomes.js';
import { ResolvedOrders } from './resolved-orders.js';
import { StatusCheckStore } from './status-check.store.js';

const HOUR_MS = 3_600_000;

export interface OrdersParts {
  base: Base;
  store: OrderStore;
  channel: Channel;
  ledger: LedgerService;
  statusChecks: StatusCheckRegistry;
  clientTokens: ClientTokenService;
  metrics: Metrics;
  switches: Pick<Switches, 'pauseOf'>;
  clock: Pick<ClockWatch, 'isSteadyFor'>;
}

/** Creates the reader of orders. Parts that cannot be decrypted are counted and logged. */
export const createOrderStore = ({ pool, encryption, log }: Base, metrics: Metrics): OrderStore =>
  new OrderStore(pool, encryption, ({ orderId, part, error }) => {
    metrics.counter('unreadableOrders').add(1, part);
    log.error({ err: error as Error, orderId, part }, 'order cannot be read: decryption failed');
  });

/** Creates the services for charged calls, from the hold to the outcome. */
export function createOrders({
  base,
  store,
  channel,
  ledger,
  statusChecks,
  clientTokens,
  metrics,
  switches,
  clock,
}: OrdersParts) {
  const { config, log, pool } = base;
  const statusCheckStore = new StatusCheckStore(pool);
  const checkParts = { ledger, store, statusCheckStore, statusChecks };
  const policy = {
    scheduleMs: config.statusCheckScheduleMs,
    visibilityDelayMs: config.visibilityDelayMs,
    manualReviewAfterMs: config.manualReviewAfterMs,
  };
  const search = new OrderSearch(config.pepper);
  const resolvedOrders = new ResolvedOrders(channel);
  const outcomes = new Outcomes(checkParts, search, policy, resolvedOrders, metrics, clock);
  const exposure = new Exposure(
    pool,
    paidProviders.map(({ name }) => name),
    config.exposureLimits,
    log,
  );
  const leaseMs = config.providerTimeoutMs + config.leaseMarginMs;
  const orders = new OrderService(
    ledger,
    store,
    outcomes,
    {
      pepper: config.pepper,
      referenceSecret: config.referenceSecret,
      paused: config.pauseOrders,
      switches,
      syncWindowMs: config.syncWindowMs,
      sendLeaseMs: leaseMs,
      maxInFlight: config.maxInFlight,
      exposure,
      metrics,
    },
    log,
  );
  const housekeeping = loops('housekeeping', {
    'lookup-release': createLookupRelease(pool, log),
    partitions: createPartitionMaker(pool, log),
    ...(config.rewriteMonths ? { 'month-rewrite': createMonthRewrite(pool, log) } : {}),
  });
  return {
    orders,
    store,
    search,
    decided: resolvedOrders,
    exposure,
    lookups: new ChargedLookups(orders, clientTokens),
    /** Dependencies for status checks of orders. */
    checkParts: { ...checkParts, outcomes, policy, leaseMs },
    room: {
      tasks: housekeeping.tasks,
      async prepare() {
        // includes pending payments of earlier processes in the limit before the first payment
        await exposure.start();
      },
      start: housekeeping.start,
      stop: () => Promise.all([exposure.stop(), housekeeping.stop()]),
      close: () => orders.drain(),
    } satisfies Room,
  };
}

/**
 * Creates the loop that adds partitions every hour, so that a partition exists two months before its first order. Without a
 * partition, rows are stored in the default partition.
 */
const createPartitionMaker = (db: Queryable, log: Logger): Poller =>
  new Poller(
    async () => {
      const created = await makePartitions(db);
      if (created > 0) log.info({ made: created }, 'created partitions for upcoming months');
      return false;
    },
    HOUR_MS,
    (err) => log.warn({ err }, 'creating partitions for upcoming months failed, retrying in the next round'),
  );
