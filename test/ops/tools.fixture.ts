import { spawnSync } from 'node:child_process';

/** Not everybody's PATH has where Debian puts it. */
export const PATH = `${process.env.PATH}:/usr/sbin`;

/** Those of these programs that this machine lacks; a drill that needs one of them is left out, and says so. */
export function lacking(drill: string, ...programs: string[]): string[] {
  const missing = programs.filter((program) => spawnSync('which', [program], { env: { PATH } }).status !== 0);
  if (missing.length > 0) console.log(`Left out: ${drill}. This machine has no ${missing.join(', no ')}.`);
  return missing;
}
