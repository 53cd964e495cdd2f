import type { Metrics } from '../core/metrics.js';
import type { Room } from '../core/room.js';
import type { Tracing } from '../core/scope.js';
import type { ClockWatch } from '../db/clock-watch.js';
import type { Base } from '../db/database.js';
import { ordersDue } from '../orders/enquiry.store.js';
import type { EnquiryParts, EnquiryRegistry, Outcomes } from '../orders/outcomes.js';
import type { EnquiryPolicy } from '../orders/states.js';
import type { Providers } from '../providers/providers.js';
import { Callbacks } from './callbacks.js';
import { Contradictions, Reversals } from './reversals.js';
import { enquiryOf, Sweeper } from './sweeper.js';

const SWEEP_PER_PROVIDER = 20;

export interface EnquiriesParts {
  base: Base;
  asking: EnquiryParts & { outcomes: Outcomes; policy: EnquiryPolicy; leaseMs: number };
  enquiries: EnquiryRegistry;
  providers: Providers;
  clock: ClockWatch;
  metrics: Metrics;
  tracing?: Tracing | undefined;
}

/** The loops that ask providers about orders whose outcome is unknown, and callbacks, which are a reason to ask. */
export function createEnquiries({ base, asking, enquiries, providers, clock, metrics, tracing }: EnquiriesParts) {
  const { log } = base;
  const { enquiryStore, outcomes, policy, leaseMs } = asking;
  const reversals = new Reversals(asking, policy, log, metrics);
  const contradictions = new Contradictions(asking, policy.scheduleMs[0]!, log);
  // and those that only answer lookups: a crash leaves their fees held
  const swept = [...enquiries.providers(), providers.plans.production.provider];
  const sweeper = new Sweeper(
    (order) => enquiryOf(order, { outcomes, reversals, contradictions }),
    enquiryStore,
    {
      providers: swept.filter((name) => !providers.absent.has(name)),
      perProvider: SWEEP_PER_PROVIDER,
      leaseMs,
      mayAsk: () => clock.isRight(),
      tracing,
      onFailure: (provider, trouble) => metrics.counter('failedSweeps').add(1, provider, trouble),
    },
    log,
  );
  return {
    sweeper,
    callbacks: new Callbacks(enquiryStore, providers.callbacks, log),
    room: {
      duties: swept.map((name) => ({
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
