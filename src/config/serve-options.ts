import { parseArgs } from 'node:util';
import { processes } from './process.settings.js';
import type { Environment } from './secret-files.js';

/** By flag, the setting that it stands before. */
const FLAGS = { hosts: processes.hosts, workers: processes.workers } as const;

/**
 * The environment with what the arguments of `serve` say in place of it: `--hosts`, `--workers`, `--hold`.
 * Errors: one sentence that names the flag and what it may be.
 */
export function withServeOptions(environment: Environment, args: readonly string[]): Environment {
  const { values } = parseArgs({
    args: [...args],
    options: { hosts: { type: 'string' }, workers: { type: 'string' }, hold: { type: 'boolean' } },
  });
  const given: Record<string, string> = values.hold ? { HOLD_ORDERS: 'true' } : {};
  for (const flag of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
    const text = values[flag];
    if (text === undefined) continue;
    const { variable, kind } = FLAGS[flag];
    const { error } = kind.schema.safeParse(text);
    if (error) throw new Error(`--${flag}: ${error.issues[0]!.message}`);
    given[variable] = text;
  }
  return { ...environment, ...given };
}
