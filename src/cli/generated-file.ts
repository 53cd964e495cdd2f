import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { packageRoot } from '../core/package-root.js';

/** Where two texts part, in the words of a diff; undefined when they are equal. */
export function firstDifference(committed: string, built: string): string | undefined {
  if (committed === built) return undefined;
  const [before, after] = [committed.split('\n'), built.split('\n')];
  const line = before.findIndex((text, index) => text !== after[index]);
  const at = line === -1 ? before.length : line;
  return `line ${at + 1}:\n- ${before[at] ?? '(end of file)'}\n+ ${after[at] ?? '(end of file)'}`;
}

/**
 * Writes a file of the repository; with `--check` it only says whether the file is current, and makes the program end with 1.
 * @param build gives the file from what it was, which is empty when there is none
 */
export function writeOrCheck(name: string, command: string, build: (before: string) => string): void {
  const file = new URL(name, packageRoot);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const built = build(before);
  if (!process.argv.includes('--check')) return writeFileSync(file, built);
  const difference = firstDifference(before, built);
  if (difference === undefined) return;
  process.stderr.write(`${name} is not what the code says; run "${command}". They part in ${difference}\n`);
  process.exitCode = 1;
}
