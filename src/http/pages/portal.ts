import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { packageRoot } from '../../core/package-root.js';
import { portalPaths } from './portal-paths.js';
import type { StoredDocument } from './static-documents.js';

/** Output of the portal build. */
const BUILD_DIRECTORY = new URL('dist/portal/', packageRoot);

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
};

/**
 * Returns headers with the content policy. Scripts, styles, fonts and data are loaded only from this host, except that the
 * explorer calls the UAT host. Frames, forms submitted by the browser, referrers to other sites and evaluated text are not
 * allowed.
 */
const headersOf = (uatUrl: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self' ${new URL(uatUrl).origin}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
  'x-robots-tag': 'noindex',
  'cache-control': 'no-cache',
});

/** Headers of built files. The file name contains a hash of the content, so browsers never check for changes. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Returns the path in the syntax of this service, such as `/developers/{developerId}`. */
const servedPath = (path: string): string => path.replace(/\$(\w+)/g, '{$1}');

/** Files of a page, in the format of Vite's manifest. */
interface BuildChunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
  assets?: string[];
}

/** Returns the files of one page of the build, or of all pages. */
export function portalAssets(page?: string): StoredDocument[] {
  const directory = new URL('assets/', BUILD_DIRECTORY);
  if (!existsSync(directory)) return [];
  const files = page === undefined ? undefined : filesOf(page);
  return readdirSync(directory)
    .filter((name) => !/\.(br|gz)$/.test(name) && (files === undefined || files.has(`assets/${name}`)))
    .map((name) => ({
      path: `/assets/${name}`,
      headers: { 'content-type': TYPES[name.slice(name.lastIndexOf('.') + 1)]!, ...ASSET_HEADERS },
      file: new URL(name, directory),
    }));
}

/** Returns all files that a page can load, and the licenses. */
function filesOf(page: string): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', BUILD_DIRECTORY), 'utf8')) as Record<
    string,
    BuildChunk
  >;
  const chunkNames = new Set([page]);
  for (const name of chunkNames)
    for (const next of [...(manifest[name]?.imports ?? []), ...(manifest[name]?.dynamicImports ?? [])])
      chunkNames.add(next);
  const files = [...chunkNames].flatMap((name) => {
    const { file, css = [], assets = [] } = manifest[name]!;
    return [file, ...css, ...assets];
  });
  return new Set(['assets/licences.txt', ...files]);
}

/**
 * Returns the documents of the portal: one page for all paths, and its files.
 * @param uatUrl URL of the host that the explorer calls
 */
export function portalDocuments(uatUrl: string): StoredDocument[] {
  const page = new URL('index.html', BUILD_DIRECTORY);
  const headers = headersOf(uatUrl);
  return [
    ...Object.values(portalPaths).map((path) => ({ path: servedPath(path), headers, file: page })),
    ...portalAssets(),
  ];
}
