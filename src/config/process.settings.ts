import { hosts } from '../core/environment.js';
import { workers } from '../core/workers.js';
import { duration, someOf } from './kinds.js';
import { setting } from './setting.js';

/** Which part of the service a process is. */
export const processes = {
  hosts: setting('HOSTS', someOf(hosts), 'all').about(
    'Which hosts the process serves; `gateway serve --hosts uat` is the same, and wins.',
  ),
  workers: setting('WORKERS', someOf(workers), 'all').about(
    'What the process does beside requests; `gateway serve --workers none` is the same, and wins.',
  ),
  pollIntervalMs: setting('POLL_INTERVAL_MS', duration(), '1s').about(
    'Interval at which due orders, webhooks and emails are read. One process reads for all processes.',
  ),
};
