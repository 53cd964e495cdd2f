import { packageRoot } from '../../core/package-root.js';
import { htmlPage } from '../pages/html.js';
import type { ServedDocument } from '../pages/static-documents.js';
import { textOf } from './guides.js';
import { header, pageTitle, REFERENCE, type Site } from './layout.js';

/**
 * Content policy of the viewer. All resources come from this host. The viewer adds inline styles as elements and attributes,
 * which hashes and nonces cannot cover. Its scripts are files.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const SCRIPT_TYPE = { 'content-type': 'text/javascript; charset=utf-8' };

/** Returns the REST reference, a viewer for /openapi.json. The build copies the viewer from its package. */
export function viewerDocuments(site: Site): ServedDocument[] {
  const page = (): string =>
    htmlPage(
      pageTitle(REFERENCE.name, site),
      `${header(site, '<a class="reference" href="/docs">Guides</a>')}<div id="reference" data-environment="${site.host}"></div><noscript><p>The reference requires JavaScript. Without it, read <a href="/openapi.json">the OpenAPI document</a> and <a href="/docs">the guides</a>.</p></noscript><script src="/docs/viewer.js"></script><script src="/docs/viewer-start.js"></script>`,
      '<link rel="stylesheet" href="/docs/viewer.css">',
    );
  return [
    {
      path: REFERENCE.path,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': CONTENT_SECURITY_POLICY,
      },
      text: page,
    },
    { path: '/docs/viewer.js', headers: SCRIPT_TYPE, file: new URL('dist/viewer/scalar.js', packageRoot) },
    { path: '/docs/viewer-start.js', headers: SCRIPT_TYPE, text: () => textOf('portal/pages/viewer.js') },
    {
      path: '/docs/viewer.css',
      headers: { 'content-type': 'text/css; charset=utf-8' },
      text: () => textOf('portal/pages/viewer.css'),
    },
  ];
}
