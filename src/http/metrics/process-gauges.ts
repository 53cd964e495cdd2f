import type { Pool } from 'pg';
import { environments } from '../../core/environment.js';
import type { Metrics } from '../../core/metrics.js';
import { commit, version } from '../../core/package-root.js';
import type { Task } from '../../core/room.js';
import type { Worker } from '../../core/workers.js';
import type { ClockWatch } from '../../db/clock-watch.js';
import { poolFigures } from '../../db/pool.js';
import type { PostingKind } from '../../ledger/ledger.service.js';
import type { Providers } from '../../providers/providers.js';
import type { Switches } from '../../providers/switches.js';
import { atMost } from './bounded-reading.js';

/** Maximum time that a scrape waits for the clock measurement. */
const PATIENCE_MS = 20;

export interface ProcessParts {
  pool: Pool;
  clock: Pick<ClockWatch, 'isRight' | 'offsetMs'>;
  tasks: Readonly<Record<string, Task>>;
  providers: Pick<Providers, 'connections'>;
  ledger: { readonly waiting: Record<PostingKind, number> };
  orders: { readonly inFlight: number; readonly unstored: number };
  waitingPlaces: { readonly count: number };
  /** Whether the process accepts no orders; see PAUSE_ORDERS. */
  pausesOrders: boolean;
  /** Switches that staff set. They include paused orders. */
  switches: Pick<Switches, 'pauseOf'>;
  workers: ReadonlySet<Worker>;
}

/** Adds the gauges that need no query. */
export function addProcessGauges(metrics: Metrics, parts: ProcessParts): void {
  const { pool, clock, tasks, providers, ledger, orders, waitingPlaces, pausesOrders, switches, workers } = parts;
  metrics.addProcess();
  metrics.gauge('underWay', (put) => put(orders.inFlight));
  metrics.gauge('unstored', (put) => put(orders.unstored));
  metrics.gauge('waiters', (put) => put(waitingPlaces.count));
  metrics.gauge('ordersPaused', (put) => {
    for (const environment of environments)
      put(Number(pausesOrders || switches.pauseOf(environment) !== undefined), environment);
  });
  metrics.gauge('postingsWaiting', (put) => {
    for (const [kind, count] of Object.entries(ledger.waiting)) put(count, kind);
  });

  metrics.gauge('breakerOpen', (put) => {
    for (const { provider, connection, rejects } of providers.connections()) put(Number(rejects), provider, connection);
  });
  metrics.gauge('callsRunning', (put) => {
    for (const { provider, connection, running } of providers.connections()) put(running, provider, connection);
  });
  metrics.gauge('callsQueued', (put) => {
    for (const { provider, connection, queued } of providers.connections()) put(queued, provider, connection);
  });

  metrics.gauge('connections', (put) => {
    for (const { pool: name, used, idle } of poolFigures(pool)) {
      put(used, name, 'used');
      put(idle, name, 'idle');
    }
  });
  metrics.gauge('connectionLimit', (put) => {
    for (const { pool: name, max } of poolFigures(pool)) put(max, name);
  });
  metrics.gauge('connectionWaiters', (put) => {
    for (const { pool: name, waiting } of poolFigures(pool)) put(waiting, name);
  });

  metrics.gauge('clockOffset', async (put) => {
    await atMost(PATIENCE_MS, clock.isRight());
    put(clock.offsetMs / 1000);
  });
  metrics.gauge('tasks', (put) => {
    for (const [task, { succeededAtMs }] of Object.entries(tasks)) put(succeededAtMs / 1000, task);
  });
  metrics.gauge('workers', (put) => {
    for (const worker of workers) put(1, worker);
  });
  metrics.gauge('build', (put) => put(1, version, commit, process.version));
}
