import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { packageRoot } from '../core/package-root.js';

/** Writes all that follows from the code; see test/generate.mjs. */
export const GENERATE = 'npm run generate';

/** Where two texts part, in the words of a diff; undefined when they are equal. */
export function firstDifference(committed: string, built: string): string | undefined {
  if (committed === built) return undefined;
  const [before, after] = [committed.split('\n'), built.split('\n')];
  const line = before.findIndex((text, index) => text !== after[index]);
  const at = line === -1 ? before.length : line;
  return `line ${at + 1}:\n- ${before[at] ?? '(end of file)'}\n+ ${after[at] ?? '(end of file)'}`;
}

/** The page with `text` between the two marks of a section, or at its end when it has none; the rest is as people wrote it. */
export function withSection(page: string, name: string, text: string, writer = GENERATE): string {
  const [begin, end] = [`<!-- ${name}: written by ${writer} -->`, `<!-- /${name} -->`];
  const [head = '', rest = ''] = page.split(begin);
  return `${head}${begin}\n\n${text}\n\n${end}${rest.split(end)[1] ?? '\n'}`;
}

/** Makes the program end with 1, and says what to do. */
export function complain(name: string, problem: string): void {
  process.stderr.write(`${name} is not what the code says; run "${GENERATE}". ${problem}\n`);
  process.exitCode = 1;
}

/**
 * Writes a file of the repository; with `--check` it only says whether the file is current.
 * @param build gives the file from what it was, which is empty when there is none
 */
export function writeOrCheck(name: string, build: (before: string) => string): void {
  const file = new URL(name, packageRoot);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const built = build(before);
  const difference = firstDifference(before, built);
  if (difference === undefined) return;
  if (process.argv.includes('--check')) complain(name, `They part in ${difference}`);
  else writeFileSync(file, built);
}
