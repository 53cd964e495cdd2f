import { readdirSync, readFileSync } from 'node:fs';

const SOURCES = new URL('../../portal/src/', import.meta.url);

/** Documents of the portal by operation name, exactly as a browser sends them. */
export const portalDocuments: ReadonlyMap<string, string> = new Map(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated'))
    .flatMap((name) => [...readFileSync(new URL(name, SOURCES), 'utf8').matchAll(/\bgraphql\(`([^`]+)`\)/g)])
    .map(([, text]) => [/(?:query|mutation|subscription) (\w+)/.exec(text!)![1]!, text!]),
);
