import { asOpenApi30 } from '../../rest/openapi/version-3-0.js';
import { HTML } from '../html.js';
import { JSON_TEXT, type ServedDocument } from '../static-documents.js';
import { callsOf, type OpenApi } from './calls.js';
import { guides, pictures, renderedGuide, textOf } from './guides.js';
import { guidePage, type Site } from './layout.js';
import type { GuideParts } from './values.js';
import { viewerDocuments } from './viewer.js';

/** The documentation of an API host, for people and for programs. */
export function siteDocuments(
  openApi: () => OpenApi | Promise<OpenApi>,
  given: Omit<GuideParts, 'calls'>,
): ServedDocument[] {
  const { environment, config } = given;
  const site: Site = { environment, baseUrl: config.publicUrls[environment] };
  return [
    { path: '/openapi.json', headers: JSON_TEXT, text: async () => JSON.stringify(await openApi()) },
    { path: '/openapi-3.0.json', headers: JSON_TEXT, text: async () => JSON.stringify(asOpenApi30(await openApi())) },
    ...guides.map(
      (guide): ServedDocument => ({
        path: guide.path,
        headers: HTML,
        text: async () => {
          const calls = callsOf(await openApi());
          return guidePage(guide.path, await renderedGuide(guide, { ...given, calls }), site);
        },
      }),
    ),
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
    ...viewerDocuments(site),
  ];
}
