// Part of `npm run build`: what was made of files is made again only when one of them has changed since.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** All files below a directory. */
export const filesBelow = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/**
 * Makes something, unless it is there and its files are those that it was made of. What changes meanwhile counts the next time.
 * @param made a file or directory that is there afterwards
 * @param of the files that it is made of
 * @param note where they are written down, with the time of each
 */
export async function makeWhenChanged({ made, of, note, make }) {
  const files = of.map((file) => `${file} ${statSync(file).mtimeMs}`).join('\n');
  if (existsSync(made) && existsSync(note) && readFileSync(note, 'utf8') === files) return;
  await make();
  writeFileSync(note, files);
}
