import type { ErrorCode } from './error-catalogue.js';

/** The page about errors on each API host: every code is an anchor of it. */
export const ERRORS_PATH = '/docs/errors';

/** Where a person reads about a code: an absolute URL. */
export type DocUrl = (code: ErrorCode) => string;

/** @param baseUrl the public address of an API host, without a slash at its end */
export const docUrlsOf =
  (baseUrl: string): DocUrl =>
  (code) =>
    `${baseUrl}${ERRORS_PATH}#${code}`;
