import { readFileSync } from 'node:fs';
import { packageRoot } from '../../core/package-root.js';
import { callFinder } from './calls.js';
import type { RenderedPage } from './markdown.js';
import { type GuideParts, valuesOf } from './values.js';

export interface Guide {
  /** Its path on the site. */
  path: string;
  /** Its markdown, below the package. */
  file: string;
  /** What the list of pages calls it. */
  name: string;
}

const guide = (slug: string, name: string): Guide => ({
  path: slug === 'start' ? '/docs' : `/docs/${slug}`,
  file: `docs/guide/${slug}.md`,
  name,
});

/** The pages beside the reference of the paths, in the order to read them. */
export const guides: readonly Guide[] = [
  guide('start', 'Five minutes'),
  guide('environments', 'Environments and keys'),
  guide('orders', 'Pending and idempotency'),
  guide('services', 'Bills, lookups and leads'),
  guide('statements', 'Statements and files'),
  guide('webhooks', 'Webhooks'),
  guide('limits', 'Limits and headers'),
  guide('graphql', 'GraphQL and frontends'),
  guide('errors', 'Errors'),
  guide('codes', 'Operators, circles, banks'),
  guide('test-numbers', 'Test numbers'),
  guide('migration', 'Moving from another service'),
  { path: '/docs/changelog', file: 'CHANGELOG.md', name: 'Changelog' },
];

/** Pictures of the guides, by their path on the site. */
export const pictures: Readonly<Record<string, string>> = {
  '/docs/order-states.svg': 'docs/guide/order-states.svg',
};

export const textOf = (file: string): string => readFileSync(new URL(file, packageRoot), 'utf8');

const byFile = new Map(guides.map(({ file, path }) => [file.split('/').at(-1)!, path]));

/** Where a link of one guide to another, or to a picture beside it, leads on the site. */
function placeOf(target: string): string {
  const [file = '', anchor] = target.split('#', 2);
  if (file === '' || /^[a-z]+:/.test(target)) return target;
  const path = byFile.get(file) ?? (file.endsWith('.svg') ? `/docs/${file}` : undefined);
  if (path === undefined) throw new Error(`A guide links to ${target}, which is no page of the site.`);
  return anchor === undefined ? path : `${path}#${anchor}`;
}

/** One guide as the host of these parts shows it. Errors: a link or a value that leads nowhere. */
export async function renderedGuide({ file }: Guide, parts: GuideParts): Promise<RenderedPage> {
  // with its parser, which only readers of the guides need
  const { filled, renderMarkdown } = await import('./markdown.js');
  const callOf = callFinder(parts.calls);
  return renderMarkdown(filled(textOf(file), valuesOf(parts)), {
    documentAt: placeOf,
    callAt: (text) => callOf(text)?.place,
  });
}
