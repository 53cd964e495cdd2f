import { readdirSync, readFileSync, statSync } from 'node:fs';

const ASSETS = new URL('../../dist/portal/assets/', import.meta.url);

/** Path of the longest script, GraphiQL, which the console and the UAT host serve without authentication. */
export function longestScript(): string {
  const sizeOf = (name: string): number => statSync(new URL(name, ASSETS)).size;
  const [name] = readdirSync(ASSETS)
    .filter((asset) => asset.endsWith('.js'))
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return `/assets/${name}`;
}

/** All scripts of the built portal, concatenated. */
export const portalScripts = (): string =>
  readdirSync(ASSETS)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(new URL(name, ASSETS), 'utf8'))
    .join('\n');
