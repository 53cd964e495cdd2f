import { existsSync, readFileSync } from 'node:fs';

/**
 * Directory of our package.json, as a URL with a trailing slash. Files next to the code (SQL, pages) are found relative to this
 * directory. The module that reads them has no fixed location: it runs from src in tests and from the bundle otherwise.
 */
export const packageRoot: URL = (() => {
  let directory = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', directory))) {
    const parent = new URL('..', directory);
    if (parent.href === directory.href)
      throw new Error('No package.json was found in the directories above the program.');
    directory = parent;
  }
  return directory;
})();

/** Version of the service from package.json. */
export const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  version: string;
};

/** The directory (`src` or `dist`) that contains this code and its SQL. */
export const codeRoot: URL = new URL(`${import.meta.url.slice(packageRoot.href.length).split('/')[0]}/`, packageRoot);

const COMMIT = new URL('COMMIT', codeRoot);

/** Commit from which the service was built, as recorded by the build; `unknown` if it is not available. */
export const commit: string = existsSync(COMMIT) ? readFileSync(COMMIT, 'utf8').trim() : 'unknown';

const BASE_IMAGE = new URL('BASE_IMAGE', codeRoot);
/** Base image of the container image in which the service runs; undefined outside a container. */
export const baseImage: string | undefined = existsSync(BASE_IMAGE)
  ? readFileSync(BASE_IMAGE, 'utf8').trim()
  : undefined;
