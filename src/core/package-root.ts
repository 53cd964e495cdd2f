import { existsSync, readFileSync } from 'node:fs';

/**
 * The directory of our package.json, as a URL with a slash at its end. Files beside the code (SQL, pages) are found
 * from here and not from the module that reads them: that module runs from src in tests, and from wherever the bundler put it.
 */
export const packageRoot: URL = (() => {
  let directory = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', directory))) {
    const parent = new URL('..', directory);
    if (parent.href === directory.href) throw new Error('There is no package.json above the program.');
    directory = parent;
  }
  return directory;
})();

/** Ours, as package.json has it. */
export const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  version: string;
};

/** `src` or `dist` in it: where this code lies, and its SQL. */
export const codeRoot: URL = new URL(`${import.meta.url.slice(packageRoot.href.length).split('/')[0]}/`, packageRoot);

const COMMIT = new URL('COMMIT', codeRoot);

/** Of the repository that the programs were built from, as the build wrote it down; `unknown` where it could not. */
export const commit: string = existsSync(COMMIT) ? readFileSync(COMMIT, 'utf8').trim() : 'unknown';

const BASE_IMAGE = new URL('BASE_IMAGE', codeRoot);
/** Base image of the image that this program is in; undefined where it was packed for no image. */
export const baseImage: string | undefined = existsSync(BASE_IMAGE)
  ? readFileSync(BASE_IMAGE, 'utf8').trim()
  : undefined;
