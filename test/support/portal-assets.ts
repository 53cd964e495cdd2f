import { readdirSync, readFileSync, statSync } from 'node:fs';

const ASSETS = new URL('../../dist/portal/assets/', import.meta.url);

/** The path of the longest script, GraphiQL: the console and the UAT host serve it to anybody. */
export function longestScript(): string {
  const sizeOf = (name: string): number => statSync(new URL(name, ASSETS)).size;
  const [name] = readdirSync(ASSETS)
    .filter((one) => one.endsWith('.js'))
    .toSorted((one, other) => sizeOf(other) - sizeOf(one));
  return `/assets/${name}`;
}

/** Every script of the built portal, one after the other. */
export const portalScripts = (): string =>
  readdirSync(ASSETS)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(new URL(name, ASSETS), 'utf8'))
    .join('\n');
