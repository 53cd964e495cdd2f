// Part of `npm run build`: what an earlier build made of a module that has gone since would be shipped with the rest.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Copied from packages, or made by the build of the portal; the rest of dist is made of our modules. */
const COPIED = /^(viewer|portal)\//;
const IS_MADE = /\.js(\.map)?$/;

const filesIn = (directory) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => IS_MADE.test(name));

/**
 * Removes modules that this build did not make.
 * @param made files of the bundle, below dist
 * @param compiled where tsc puts each module of src
 */
export function removeStale(made, compiled) {
  for (const name of filesIn('dist'))
    if (!name.startsWith('.') && !COPIED.test(name) && !made.has(name)) rmSync(path.join('dist', name));
  for (const name of filesIn(compiled))
    if (!existsSync(path.join('src', name.replace(IS_MADE, '.ts')))) rmSync(path.join(compiled, name));
}
