import { commandLine, type Usage } from '../core/command-line.js';
import { processes } from './process.settings.js';
import type { Environment } from './secret-files.js';

const USAGE: Usage = {
  command: 'serve',
  takes: '[options]',
  does: `One process of the service; any number of them run on one migrated database. Connects as a login that is only a member of gateway_app.
Ends by SIGTERM, when what is under way has ended.`,
  options: `  --hosts NAMES         which hosts it serves, as HOSTS
  --workers NAMES       what it does beside requests, as WORKERS
  --pause-orders        serves reads and accepts no orders, as PAUSE_ORDERS: for the time after a restore
  --check               looks at settings, secret files and the database, and ends without listening: 0, or 1 and every problem`,
  example: 'gateway serve --hosts uat,production --workers none',
};

/** By flag, the setting that it stands before. */
const FLAGS = { hosts: processes.hosts, workers: processes.workers } as const;

/**
 * The environment with what the arguments of `serve` say in place of it: `--hosts`, `--workers`, `--pause-orders`.
 * Errors: Ending; one sentence that names the flag and what it may be.
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
  const given: Record<string, string> = values['pause-orders'] ? { PAUSE_ORDERS: 'true' } : {};
  for (const flag of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
    const text = values[flag];
    if (text === undefined) continue;
    const { variable, kind } = FLAGS[flag];
    const { error } = kind.schema.safeParse(text);
    if (error) throw new Error(`--${flag}: ${error.issues[0]!.message}`);
    given[variable] = text;
  }
  return { environment: { ...environment, ...given }, check: values.check };
}
