import type { Host } from '../../core/environment.js';
import { escape, HTML, htmlPage } from '../pages/html.js';
import type { Chapter } from './markdown.js';

/** A page of a site, and what its list of pages calls it. */
export interface Page {
  path: string;
  name: string;
}

/** The site of one host. */
export interface Site {
  host: Host;
  baseUrl: string;
  /** In the order to read them. */
  guides: readonly Page[];
  references: readonly Page[];
  /** What programs read. */
  forPrograms: readonly Page[];
}

export const REFERENCE: Page = { path: '/docs/reference', name: 'REST reference' };

const NAMES: Readonly<Record<Host, string>> = { uat: 'UAT', production: 'Production', console: 'Console' };

/** What the pages run: copying, searching, choosing a language. They can be read without it. */
export const SCRIPT = { path: '/docs/pages.js', file: 'portal/pages/docs.js' };

/** As the other pages, with files of scripts of this host, which ask this host alone. */
export const PAGE_HEADERS = {
  ...HTML,
  'content-security-policy': HTML['content-security-policy'].replace(
    "default-src 'none';",
    "default-src 'none'; script-src 'self'; connect-src 'self';",
  ),
};

export const pageTitle = (title: string, { host }: Site): string => `${title} · ${NAMES[host]}`;

/** The head of every page: where the reader is. @param more links behind it */
export const header = ({ host, baseUrl }: Site, more: string): string =>
  `<header class="site"><a class="home" href="/docs">API documentation</a> <span class="environment ${host}">${NAMES[host]}</span> <code>${escape(baseUrl)}</code>${more}</header>`;

const linkTo = ({ path, name }: Page): string => `<a href="${escape(path)}">${escape(name)}</a>`;

const entry = ({ path, name }: Page, current: string, inside = ''): string =>
  `<li><a href="${escape(path)}"${path === current ? ' aria-current="page"' : ''}>${escape(name)}</a>${inside}</li>`;

const chapterList = (chapters: readonly Chapter[]): string =>
  chapters.length > 0
    ? `<ul>${chapters.map(({ id, title }) => `<li><a href="#${id}">${escape(title)}</a></li>`).join('')}</ul>`
    : '';

/** Every page of the site; the chapters stand below the one that is read. */
function contents({ guides, references, forPrograms }: Site, current: string, chapters: readonly Chapter[]): string {
  const pages = [...guides, ...references].map((page) =>
    entry(page, current, page.path === current ? chapterList(chapters) : ''),
  );
  return `<nav class="contents" id="contents" aria-label="Contents"><ul>${pages.join('')}</ul><h2>Machine-readable</h2><ul>${forPrograms
    .map((page) => entry(page, current))
    .join('')}</ul></nav>`;
}

/** The pages before and after one, for who reads them in order. */
function neighbours({ guides }: Site, path: string): string {
  const at = guides.findIndex((guide) => guide.path === path);
  const link = (index: number, word: string): string => {
    const guide = guides[index];
    return guide ? `<a href="${guide.path}">${word}: ${escape(guide.name)}</a>` : '';
  };
  return at === -1 ? '' : `<p class="neighbours">${link(at - 1, 'Previous')}${link(at + 1, 'Next')}</p>`;
}

/** A page in its frame. */
export function framedPage(
  path: string,
  { title, chapters, html }: { title: string; chapters: readonly Chapter[]; html: string },
  site: Site,
): string {
  const links = `<nav class="references">${site.references.map(linkTo).join('')}<a class="to-contents" href="#contents">Contents</a></nav>`;
  return htmlPage(
    pageTitle(title, site),
    `${header(site, links)}<div class="columns"><main class="guide">${html}${neighbours(site, path)}</main>${contents(site, path, chapters)}</div>`,
    `<script src="${SCRIPT.path}" defer></script>`,
  );
}
