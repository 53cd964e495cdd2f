import { readFileSync } from 'node:fs';
import { packageRoot } from '../../core/package-root.js';
import { callFinder } from './calls.js';
import { memberFinder } from './graph-members.js';
import type { Page, Site } from './layout.js';
import type { RenderedPage } from './markdown.js';
import { type GuideParts, valuesOf } from './values.js';

export interface Guide extends Page {
  /** Markdown file, as a path from the package root. */
  file: string;
}

const guide = (slug: string, name: string): Guide => ({
  path: slug === 'start' ? '/docs' : `/docs/${slug}`,
  file: `docs/guide/${slug}.md`,
  name,
});

/** Guides of the API hosts, in reading order. */
export const guides: readonly Guide[] = [
  guide('start', 'Quickstart'),
  guide('environments', 'Environments and API keys'),
  guide('orders', 'Order status and idempotency'),
  guide('services', 'Bills, lookups and leads'),
  guide('statements', 'Statements and files'),
  guide('webhooks', 'Webhooks'),
  guide('limits', 'Limits and headers'),
  guide('graphql', 'GraphQL and frontends'),
  guide('clients', 'Apollo Client and urql'),
  guide('errors', 'Errors'),
  guide('codes', 'Operators, circles and banks'),
  guide('test-numbers', 'Test numbers'),
  guide('kits', 'Client libraries'),
  guide('migration', 'Migrate from another service'),
  { path: '/docs/changelog', file: 'CHANGELOG.md', name: 'Changelog' },
];

/** Images of the guides, keyed by their path on the site. */
export const pictures: Readonly<Record<string, string>> = {
  '/docs/order-states.svg': 'docs/guide/order-states.svg',
};

export const textOf = (file: string): string => readFileSync(new URL(file, packageRoot), 'utf8');

/** Guides of the console. */
export const consoleGuides: readonly Guide[] = [
  { path: '/docs', file: 'docs/guide/console.md', name: 'Console' },
  guide('errors', 'Errors'),
];

const byFile = new Map(guides.map(({ file, path }) => [file.split('/').at(-1)!, path]));

const pathsOf = ({ guides: own, references, forPrograms }: Site): string[] =>
  [...own, ...references, ...forPrograms].map(({ path }) => path);

/** Returns the URL of a documentation path as seen from a site. Pages that the console does not have are on UAT. */
const placeOn = ({ host, guides: own }: Site, uatUrl: string, path: string): string =>
  host !== 'console' || own.some((page) => page.path === path.split('#', 1)[0]) ? path : uatUrl + path;

/** Returns the path of the guide or image that a guide links to. Throws if the file is not a page of the site. */
function pathOf(target: string): string {
  const [file = '', anchor] = target.split('#', 2);
  const path = byFile.get(file) ?? (file.endsWith('.svg') ? `/docs/${file}` : undefined);
  if (path === undefined) throw new Error(`A guide links to ${target}, which is not a page of the site.`);
  return anchor === undefined ? path : `${path}#${anchor}`;
}

/** Returns whether a link can be used unchanged: an anchor, a path of the same host, or a URL. */
export const isPlace = (target: string): boolean => /^(#|\/|[a-z]+:)/.test(target);

/** Renders a guide for a site. Throws if a link is invalid or a placeholder is unknown. */
export async function renderedGuide({ file }: Guide, parts: GuideParts, site: Site): Promise<RenderedPage> {
  // the parser is loaded on first use, because only the guides require it
  const { filled, renderMarkdown } = await import('./markdown.js');
  const { publicUrls } = parts.config;
  const callOf = callFinder(parts.calls);
  const memberOf = memberFinder(parts.schemas, site.host, publicUrls);
  return renderMarkdown(filled(textOf(file), valuesOf(parts)), {
    documentAt: (target) => (isPlace(target) ? target : placeOn(site, publicUrls.uat, pathOf(target))),
    nameAt: (text) => {
      const call = callOf(text);
      if (call) return placeOn(site, publicUrls.uat, call.place);
      return pathsOf(site).includes(text) ? text : memberOf(text);
    },
  });
}
