// Part of `npm run build`: rebuilds outputs only if their inputs have changed.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** All files below a directory. */
export const filesBelow = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/**
 * Builds an output unless it exists and its inputs are unchanged. Changes during the build are detected next time.
 * @param made output file or directory
 * @param of input files
 * @param note file that stores the inputs with their modification times
 */
export async function makeWhenChanged({ made, of, note, make }) {
  const files = of.map((file) => `${file} ${statSync(file).mtimeMs}`).join('\n');
  if (existsSync(made) && existsSync(note) && readFileSync(note, 'utf8') === files) return;
  await make();
  writeFileSync(note, files);
}
