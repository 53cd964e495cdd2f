import { asOpenApi30 } from '../../rest/openapi-3-0.js';
import { HTML } from '../html.js';
import { JSON_TEXT, type ServedDocument } from '../static-documents.js';
import { callsOf } from './calls.js';
import { guides, pictures, renderedGuide, textOf } from './guides.js';
import { guidePage, type Site } from './layout.js';
import type { GuideParts } from './values.js';
import { viewerDocuments } from './viewer.js';

/** The documentation of an API host, for people and for programs. */
export function siteDocuments(
  openApi: Record<string, unknown>,
  given: Pick<GuideParts, 'environment' | 'config' | 'schema'>,
): ServedDocument[] {
  const { environment, config } = given;
  const parts: GuideParts = { ...given, calls: callsOf(openApi) };
  const site: Site = { environment, baseUrl: config.publicUrls[environment] };
  return [
    { path: '/openapi.json', headers: JSON_TEXT, text: () => JSON.stringify(openApi) },
    { path: '/openapi-3.0.json', headers: JSON_TEXT, text: () => JSON.stringify(asOpenApi30(openApi)) },
    ...guides.map(
      (guide): ServedDocument => ({
        path: guide.path,
        headers: HTML,
        text: () => guidePage(guide.path, renderedGuide(guide, parts), site),
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
