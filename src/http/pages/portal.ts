import { existsSync, readdirSync } from 'node:fs';
import { packageRoot } from '../../core/package-root.js';
import { portalPaths } from './portal-paths.js';
import type { StoredDocument } from './static-documents.js';

/** What the build made of `portal/`. */
const BUILT = new URL('dist/portal/', packageRoot);

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
};

/**
 * Scripts, styles, fonts and data of this host and of no other; no frame, no form that a browser sends by itself, no address handed
 * on, and no text that becomes a script.
 */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-robots-tag': 'noindex',
  'cache-control': 'no-cache',
};

/** Its name says what is in it, so a browser never asks again. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' };

/** The path as this service writes it: `/developers/{developerId}`. */
const servedPath = (path: string): string => path.replace(/\$(\w+)/g, '{$1}');

/** One page for every path of the portal, and what it loads. */
export function portalDocuments(): StoredDocument[] {
  const page = new URL('index.html', BUILT);
  const assets = new URL('assets/', BUILT);
  const names = existsSync(assets) ? readdirSync(assets).filter((name) => !/\.(br|gz)$/.test(name)) : [];
  return [
    ...Object.values(portalPaths).map((path) => ({ path: servedPath(path), headers: PAGE_HEADERS, file: page })),
    ...names.map((name) => ({
      path: `/assets/${name}`,
      headers: { 'content-type': TYPES[name.slice(name.lastIndexOf('.') + 1)]!, ...ASSET_HEADERS },
      file: new URL(name, assets),
    })),
  ];
}
