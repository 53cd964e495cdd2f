import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { packageRoot } from '../core/package-root.js';

/** Command that writes all generated files; see test/generate.mjs. */
export const GENERATE = 'npm run generate';

/** Returns the first difference of two texts as a diff, or undefined if they are equal. */
export function firstDifference(committed: string, built: string): string | undefined {
  if (committed === built) return undefined;
  const [before, after] = [committed.split('\n'), built.split('\n')];
  const line = before.findIndex((text, index) => text !== after[index]);
  const at = line === -1 ? before.length : line;
  return `line ${at + 1}:\n- ${before[at] ?? '(end of file)'}\n+ ${after[at] ?? '(end of file)'}`;
}

/**
 * Returns the page with `text` between the two markers of a section, or at its end if it has none. The other text is unchanged.
 */
export function withSection(page: string, name: string, text: string, writer = GENERATE): string {
  const [begin, end] = [`<!-- ${name}: written by ${writer} -->`, `<!-- /${name} -->`];
  const [head = '', rest = ''] = page.split(begin);
  return `${head}${begin}\n\n${text}\n\n${end}${rest.split(end)[1] ?? '\n'}`;
}

/** Prints the problem and the remedy, and sets exit code 1. */
export function complain(name: string, problem: string): void {
  process.stderr.write(`${name} is out of date. Run "${GENERATE}". ${problem}\n`);
  process.exitCode = 1;
}

/**
 * Writes a generated file; with `--check`, only reports whether it is up to date.
 * @param build returns the new content for the current content, which is empty if the file does not exist
 */
export function writeOrCheck(name: string, build: (before: string) => string): void {
  const file = new URL(name, packageRoot);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const built = build(before);
  const difference = firstDifference(before, built);
  if (difference === undefined) return;
  if (process.argv.includes('--check')) complain(name, `First difference: ${difference}`);
  else writeFileSync(file, built);
}
