import type { Metrics } from '../core/metrics.js';
import type { Room } from '../core/room.js';
import type { Tracing } from '../core/scope.js';
import type { ClockWatch } from '../db/clock-watch.js';
import type { Base } from '../db/database.js';
import type { Outcomes, StatusCheckParts, StatusCheckRegistry } from '../orders/outcomes.js';
import type { StatusCheckPolicy } from '../orders/states.js';
import { ordersDue } from '../orders/status-check.store.js';
import type { Providers } from '../providers/providers.js';
import { Callbacks } from './callbacks.js';
import { Reversals, StatusConflicts } from './reversals.js';
import { Sweeper, statusCheckOf } from './sweeper.js';

const SWEEP_PER_PROVIDER = 20;

export interface StatusChecksParts {
  base: Base;
  parts: StatusCheckParts & { outcomes: Outcomes; policy: StatusCheckPolicy; leaseMs: number };
  statusChecks: StatusCheckRegistry;
  providers: Providers;
  clock: ClockWatch;
  metrics: Metrics;
  tracing?: Tracing | undefined;
}

/** Creates the loops that check the status of orders with an unknown outcome, and the callbacks that trigger those checks. */
export function createStatusChecks({
  base,
  parts,
  statusChecks,
  providers,
  clock,
  metrics,
  tracing,
}: StatusChecksParts) {
  const { log } = base;
  const { statusCheckStore, outcomes, policy, leaseMs } = parts;
  const reversals = new Reversals(parts, policy, log, metrics);
  const statusConflicts = new StatusConflicts(parts, policy.scheduleMs[0]!, log);
  // includes the provider of lookups, because a crash leaves their fees held
  const sweptProviders = [...statusChecks.providers(), providers.plans.production.provider];
  const sweeper = new Sweeper(
    (order) => statusCheckOf(order, { outcomes, reversals, statusConflicts }),
    statusCheckStore,
    {
      providers: sweptProviders.filter((name) => !providers.absent.has(name)),
      perProvider: SWEEP_PER_PROVIDER,
      limitOf: statusChecks.limitOf,
      leaseMs,
      canCheck: () => clock.isRight(),
      tracing,
      onFailure: (provider, trouble) => metrics.counter('failedSweeps').add(1, provider, trouble),
    },
    log,
  );
  return {
    sweeper,
    callbacks: new Callbacks(statusCheckStore, providers.callbacks, log),
    room: {
      duties: sweptProviders.map((name) => ({
        name: `orders/${name}`,
        worker: 'sweeper',
        due: ordersDue(name),
        wake: () => void sweeper.wake(name),
      })),
      start(workers) {
        if (workers.has('sweeper')) sweeper.start();
      },
      stop: () => sweeper.stop(),
    } satisfies Room,
  };
}
