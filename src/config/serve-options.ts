import { commandLine, type Usage } from '../core/command-line.js';
import { processes } from './process.settings.js';
import type { Environment } from './secret-files.js';

const USAGE: Usage = {
  command: 'serve',
  synopsis: '[options]',
  description: `Starts a process of the service. Any number of processes can share one migrated database. The login must only be a member of gateway_app.
Stops on SIGTERM after it has completed its requests.`,
  options: `  --hosts NAMES         hosts that the process serves; overrides HOSTS
  --workers NAMES       background workers of the process; overrides WORKERS
  --pause-orders        serves reads and rejects new orders, like PAUSE_ORDERS; use it after a restore
  --check               checks settings, secret files and the database, and exits without listening: 0, or 1 with every problem`,
  example: 'gateway serve --hosts uat,production --workers none',
};

/** Setting that each option overrides. */
const FLAGS = { hosts: processes.hosts, workers: processes.workers } as const;

/**
 * Returns the environment with the values of `--hosts`, `--workers` and `--pause-orders`. Throws Ending, or an error whose
 * sentence names the option and its valid values.
 */
export function serveOptions(
  environment: Environment,
  args: readonly string[],
): { environment: Environment; check: boolean } {
  const { values } = commandLine(USAGE, args, {
    hosts: { type: 'string' },
    workers: { type: 'string' },
    'pause-orders': { type: 'boolean' },
    check: { type: 'boolean', default: false },
  });
  const overrides: Record<string, string> = values['pause-orders'] ? { PAUSE_ORDERS: 'true' } : {};
  for (const flag of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
    const text = values[flag];
    if (text === undefined) continue;
    const { variable, kind } = FLAGS[flag];
    const { error } = kind.schema.safeParse(text);
    if (error) throw new Error(`--${flag}: ${error.issues[0]!.message}`);
    overrides[variable] = text;
  }
  return { environment: { ...environment, ...overrides }, check: values.check };
}
