import type { Host } from '../../core/environment.js';
import { escape, HTML, htmlPage } from '../pages/html.js';
import type { Chapter } from './markdown.js';

/** A page of a site, with its name in the table of contents. */
export interface Page {
  path: string;
  name: string;
}

/** Documentation site of one host. */
export interface Site {
  host: Host;
  baseUrl: string;
  /** Pages of the guides, in reading order. */
  guides: readonly Page[];
  references: readonly Page[];
  /** Machine-readable documents. */
  forPrograms: readonly Page[];
}

export const REFERENCE: Page = { path: '/docs/reference', name: 'REST reference' };

const NAMES: Readonly<Record<Host, string>> = { uat: 'UAT', production: 'Production', console: 'Console' };

/** Script of the pages: copy buttons, search, language selection. The pages are readable without it. */
export const SCRIPT = { path: '/docs/pages.js', file: 'portal/pages/docs.js' };

/**
 * Headers of documentation pages. They are the same as those of other pages, but scripts from this host are allowed and can send
 * requests only to this host.
 */
export const PAGE_HEADERS = {
  ...HTML,
  'content-security-policy': HTML['content-security-policy'].replace(
    "default-src 'none';",
    "default-src 'none'; script-src 'self'; connect-src 'self';",
  ),
};

export const pageTitle = (title: string, { host }: Site): string => `${title} · ${NAMES[host]}`;

/**
 * Returns the header of every page, with the environment and its URL.
 * @param more HTML to append, such as links
 */
export const header = ({ host, baseUrl }: Site, more: string): string =>
  `<header class="site"><a class="home" href="/docs">API documentation</a> <span class="environment ${host}">${NAMES[host]}</span> <code>${escape(baseUrl)}</code>${more}</header>`;

const linkTo = ({ path, name }: Page): string => `<a href="${escape(path)}">${escape(name)}</a>`;

const entry = ({ path, name }: Page, current: string, inside = ''): string =>
  `<li><a href="${escape(path)}"${path === current ? ' aria-current="page"' : ''}>${escape(name)}</a>${inside}</li>`;

const chapterList = (chapters: readonly Chapter[]): string =>
  chapters.length > 0
    ? `<ul>${chapters.map(({ id, title }) => `<li><a href="#${id}">${escape(title)}</a></li>`).join('')}</ul>`
    : '';

/** Returns the table of contents: all pages of the site, with the chapters of the current page. */
function contents({ guides, references, forPrograms }: Site, current: string, chapters: readonly Chapter[]): string {
  const pages = [...guides, ...references].map((page) =>
    entry(page, current, page.path === current ? chapterList(chapters) : ''),
  );
  return `<nav class="contents" id="contents" aria-label="Contents"><ul>${pages.join('')}</ul><h2>Machine-readable</h2><ul>${forPrograms
    .map((page) => entry(page, current))
    .join('')}</ul></nav>`;
}

/** Returns the links to the previous and the next guide. */
function neighbours({ guides }: Site, path: string): string {
  const at = guides.findIndex((guide) => guide.path === path);
  const link = (index: number, word: string): string => {
    const guide = guides[index];
    return guide ? `<a href="${guide.path}">${word}: ${escape(guide.name)}</a>` : '';
  };
  return at === -1 ? '' : `<p class="neighbours">${link(at - 1, 'Previous')}${link(at + 1, 'Next')}</p>`;
}

/** Returns a page with header, table of contents and links to its neighbors. */
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
