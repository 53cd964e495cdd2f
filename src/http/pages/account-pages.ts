import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../../core/package-root.js';

/** Where mailed links lead, and what those pages load. */
const PAGES: Readonly<Record<string, { file: string; type: string }>> = {
  '/verify': { file: 'verify.html', type: 'text/html; charset=utf-8' },
  '/reset-password': { file: 'reset-password.html', type: 'text/html; charset=utf-8' },
  '/accept-invitation': { file: 'accept-invitation.html', type: 'text/html; charset=utf-8' },
  '/confirm-email': { file: 'confirm-email.html', type: 'text/html; charset=utf-8' },
  '/account.css': { file: 'account.css', type: 'text/css; charset=utf-8' },
  '/account.js': { file: 'account.js', type: 'text/javascript; charset=utf-8' },
};

export const accountPagePaths: readonly string[] = Object.keys(PAGES);

/** Nothing inline and nothing from elsewhere; no frame, no form that a browser sends by itself, no address handed on. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-cache',
};

/** The pages that confirm an address, set a new password, and let somebody join. Read once, from the folder of the program. */
export function mountAccountPages(app: FastifyInstance): void {
  for (const [path, { file, type }] of Object.entries(PAGES)) {
    const content = readFileSync(new URL(`pages/${file}`, packageRoot), 'utf8');
    app.get(path, async (_request, reply) => reply.type(type).headers(HEADERS).send(content));
  }
}
