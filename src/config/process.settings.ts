import { hosts } from '../core/environment.js';
import { workers } from '../core/workers.js';
import { duration, someOf } from './kinds.js';
import { setting } from './setting.js';

/** Part of the service that a process runs. */
export const processes = {
  hosts: setting('HOSTS', someOf(hosts), 'all').about(
    'Hosts that the process serves. `gateway serve --hosts` overrides it.',
  ),
  workers: setting('WORKERS', someOf(workers), 'all').about(
    'Background workers of the process. `gateway serve --workers` overrides it.',
  ),
  pollIntervalMs: setting('POLL_INTERVAL_MS', duration(), '1s').about(
    'Interval for reading due orders, webhooks and emails. One process reads for all.',
  ),
};
