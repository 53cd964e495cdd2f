import { hosts } from '../core/environment.js';
import { workers } from '../core/workers.js';
import { duration, someOf } from './kinds.js';
import { setting } from './setting.js';

/** Which part of the service a process is. */
export const processes = {
  hosts: setting('HOSTS', someOf(hosts), 'all').about(
    'Hosts that the process serves. `gateway serve --hosts` overrides it.',
  ),
  workers: setting('WORKERS', someOf(workers), 'all').about(
    'Background work of the process. `gateway serve --workers` overrides it.',
  ),
  pollIntervalMs: setting('POLL_INTERVAL_MS', duration(), '1s').about(
    'Interval at which due orders, webhooks and emails are read. One process reads for all processes.',
  ),
};
