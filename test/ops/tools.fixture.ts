import { spawnSync } from 'node:child_process';

/** Includes the directory of Debian that is not in the PATH of every user. */
export const PATH = `${process.env.PATH}:/usr/sbin`;

/** Programs that this machine lacks. A drill that needs one of them is skipped with a message. */
export function missingPrograms(drill: string, ...programs: string[]): string[] {
  const missing = programs.filter((program) => spawnSync('which', [program], { env: { PATH } }).status !== 0);
  if (missing.length > 0) console.log(`Left out: ${drill}. This machine has no ${missing.join(', no ')}.`);
  return missing;
}
