// Part of `npm run build`: removes outputs of modules that no longer exist, which would otherwise be shipped.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Copied from packages or created by the portal build. All other files of dist are built from our modules. */
const COPIED = /^(viewer|portal)\//;
const IS_MADE = /\.js(\.map)?$/;

const filesIn = (directory) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => IS_MADE.test(name));

/**
 * Removes modules that are not part of this build.
 * @param made files of the bundle, below dist
 * @param compiled output directory of tsc for the modules of src
 */
export function removeStale(made, compiled) {
  for (const name of filesIn('dist'))
    if (!name.startsWith('.') && !COPIED.test(name) && !made.has(name)) rmSync(path.join('dist', name));
  for (const name of filesIn(compiled))
    if (!existsSync(path.join('src', name.replace(IS_MADE, '.ts')))) rmSync(path.join(compiled, name));
}
