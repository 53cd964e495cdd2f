import { type Host, surfaceOf } from '../../core/environment.js';
import { ownTurn } from '../../core/turns.js';
import { asOpenApi30 } from '../../rest/openapi/version-3-0.js';
import { JSON_TEXT, type ServedDocument } from '../pages/static-documents.js';
import { callsOf, type OpenApi } from './calls.js';
import { GRAPH_REFERENCE, graphReference } from './graph-reference.js';
import { consoleGuides, type Guide, guides, pictures, renderedGuide, textOf } from './guides.js';
import { kitDocuments } from './kits.js';
import { framedPage, PAGE_HEADERS, type Page, REFERENCE, SCRIPT, type Site } from './layout.js';
import type { RenderedPage } from './markdown.js';
import { SEARCH_INDEX, type SearchEntry, searchEntries } from './search.js';
import type { GuideParts } from './values.js';
import { SCRIPT_TYPE, viewerDocuments } from './viewer.js';

type Given = Omit<GuideParts, 'calls'>;

const FOR_GRAPHQL: readonly Page[] = [
  { path: '/schema.graphql', name: 'GraphQL schema' },
  { path: '/scalars', name: 'GraphQL scalars' },
  { path: '/clients.json', name: 'Settings of GraphQL clients' },
];
const FOR_REST: readonly Page[] = [
  { path: '/openapi.json', name: 'OpenAPI 3.1' },
  { path: '/openapi-3.0.json', name: 'OpenAPI 3.0' },
];
const SOURCE_ADDRESSES: Page = { path: '/webhook-addresses.json', name: 'Source addresses of webhooks' };
/** Start page of the documentation on each host. */
export const FRONT = '/docs';
const GRAPHIQL: Page = { path: '/graphiql', name: 'GraphiQL' };

const siteOf = (host: Host, { config }: Given, pages: Omit<Site, 'host' | 'baseUrl'>): Site => ({
  host,
  baseUrl: config.publicUrls[host],
  ...pages,
});

/** Returns the documentation of an API host: pages and machine-readable documents. */
export function siteDocuments(openApi: () => OpenApi | Promise<OpenApi>, given: Given): ServedDocument[] {
  const { environment } = given;
  const site = siteOf(environment, given, {
    guides,
    references: [REFERENCE, GRAPH_REFERENCE, ...(environment === 'uat' ? [GRAPHIQL] : [])],
    forPrograms: [...FOR_REST, ...FOR_GRAPHQL, SOURCE_ADDRESSES],
  });
  return [
    { path: '/openapi.json', headers: JSON_TEXT, text: async () => JSON.stringify(await openApi()) },
    { path: '/openapi-3.0.json', headers: JSON_TEXT, text: async () => JSON.stringify(asOpenApi30(await openApi())) },
    {
      path: SOURCE_ADDRESSES.path,
      headers: JSON_TEXT,
      text: () => JSON.stringify({ addresses: given.config.webhooks.sourceAddresses }),
    },
    ...pageDocuments(site, guides, given, async () => callsOf(await openApi())),
    ...kitDocuments(openApi, { environment, baseUrl: site.baseUrl }),
    ...viewerDocuments(site),
  ];
}

/** Returns the documentation of the console: the GraphQL reference, and the page about errors that error responses link to. */
export function consoleDocuments(openApi: () => OpenApi | Promise<OpenApi>, given: Given): ServedDocument[] {
  const { publicUrls } = given.config;
  const site = siteOf('console', given, {
    guides: consoleGuides,
    references: [GRAPH_REFERENCE, GRAPHIQL, { path: `${publicUrls.uat}/docs`, name: 'API documentation' }],
    forPrograms: FOR_GRAPHQL,
  });
  return pageDocuments(site, consoleGuides, given, async () => callsOf(await openApi()));
}

interface SitePage {
  path: string;
  render: () => Promise<RenderedPage> | RenderedPage;
}

function pageDocuments(
  site: Site,
  guidesOfSite: readonly Guide[],
  given: Given,
  calls: () => Promise<GuideParts['calls']>,
): ServedDocument[] {
  const surface = surfaceOf(site.host);
  const pages: SitePage[] = [
    ...guidesOfSite.map((guide) => ({
      path: guide.path,
      render: async () => renderedGuide(guide, { ...given, calls: await calls() }, site),
    })),
    { path: GRAPH_REFERENCE.path, render: () => graphReference(given.schemas[surface], surface) },
  ];
  return [
    ...pages.map(
      ({ path, render }): ServedDocument => ({
        path,
        headers: PAGE_HEADERS,
        text: async () => framedPage(path, await render(), site),
      }),
    ),
    { path: SEARCH_INDEX, headers: JSON_TEXT, text: async () => JSON.stringify(await indexOf(pages, site.host)) },
    { path: SCRIPT.path, headers: SCRIPT_TYPE, text: () => textOf(SCRIPT.file) },
    ...Object.entries(pictures).map(
      ([path, file]): ServedDocument => ({
        path,
        headers: {
          'content-type': 'image/svg+xml',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        },
        text: () => textOf(file),
      }),
    ),
  ];
}

/** Indexes one page per turn of the event loop, so that the first search does not delay payments. */
async function indexOf(pages: readonly SitePage[], host: Host): Promise<SearchEntry[]> {
  const index: SearchEntry[] = [];
  for (const [n, { path, render }] of pages.entries()) {
    await ownTurn(host, { isContinued: n > 0 });
    index.push(...searchEntries(path, await render()));
  }
  return index;
}
