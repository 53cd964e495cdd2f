import type { Environment } from '../../core/environment.js';
import { escape, htmlPage } from '../html.js';
import { guides } from './guides.js';
import type { Chapter } from './markdown.js';

/** The site of one host. */
export interface Site {
  environment: Environment;
  baseUrl: string;
}

export const REFERENCE = { path: '/docs/reference', name: 'REST reference' };

/** What programs read; the names are those of the tools. */
const FOR_PROGRAMS: readonly (readonly [path: string, name: string])[] = [
  ['/openapi.json', 'OpenAPI 3.1'],
  ['/openapi-3.0.json', 'OpenAPI 3.0'],
  ['/schema.graphql', 'GraphQL schema'],
  ['/scalars', 'GraphQL scalars'],
];

const NAMES: Readonly<Record<Environment, string>> = { uat: 'UAT', production: 'Production' };

export const pageTitle = (title: string, { environment }: Site): string => `${title} · ${NAMES[environment]}`;

/** The head of every page: where the reader is. @param more links behind it */
export const header = ({ environment, baseUrl }: Site, more: string): string =>
  `<header class="site"><a class="home" href="/docs">API documentation</a> <span class="environment ${environment}">${NAMES[environment]}</span> <code>${escape(baseUrl)}</code>${more}</header>`;

const LINKS = `<a class="reference" href="${REFERENCE.path}">${REFERENCE.name}</a><a class="to-contents" href="#contents">Contents</a>`;

const entry = (path: string, name: string, current: string, inside = ''): string =>
  `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escape(name)}</a>${inside}</li>`;

const chapterList = (chapters: readonly Chapter[]): string =>
  chapters.length > 0
    ? `<ul>${chapters.map(({ id, title }) => `<li><a href="#${id}">${escape(title)}</a></li>`).join('')}</ul>`
    : '';

/** Every page of the site; the chapters stand below the one that is read. */
const contents = (current: string, chapters: readonly Chapter[]): string =>
  `<nav class="contents" id="contents" aria-label="Contents"><ul>${[
    ...guides.map(({ path, name }) => entry(path, name, current, path === current ? chapterList(chapters) : '')),
    entry(REFERENCE.path, REFERENCE.name, current),
  ].join(
    '',
  )}</ul><h2>For programs</h2><ul>${FOR_PROGRAMS.map(([path, name]) => entry(path, name, current)).join('')}</ul></nav>`;

/** The pages before and after one, for who reads them in order. */
function neighbours(path: string): string {
  const at = guides.findIndex((guide) => guide.path === path);
  const link = (index: number, word: string): string => {
    const guide = guides[index];
    return guide ? `<a href="${guide.path}">${word}: ${escape(guide.name)}</a>` : '';
  };
  return `<p class="neighbours">${at > 0 ? link(at - 1, 'Before') : ''}${link(at + 1, 'Next')}</p>`;
}

/** A guide in its frame. */
export const guidePage = (
  path: string,
  { title, chapters, html }: { title: string; chapters: readonly Chapter[]; html: string },
  site: Site,
): string =>
  htmlPage(
    pageTitle(title, site),
    `${header(site, LINKS)}<div class="columns"><main class="guide">${html}${neighbours(path)}</main>${contents(path, chapters)}</div>`,
  );
