import type { FastifyRequest } from 'fastify';

/** Bodies that a page of anywhere makes a browser send without asking this host first. */
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/**
 * Whether a browser sent the request on behalf of a page of another site. Browsers say so, and a page cannot keep them from it; what
 * is no browser says nothing, or what it likes, and is no victim of a page.
 *
 * @param origins whose pages may call this host, beside its own
 */
export function isForeignPage(request: FastifyRequest, origins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site, 'content-type': type = '' } = request.headers;
  if (origin !== undefined && (origins.includes(origin) || isOfHost(origin, request))) return false;
  return site === 'cross-site' || (origin !== undefined && FORM.test(type));
}

/** The page was served by the very host that it calls, under whatever name the browser knows it. */
export function isOfHost(origin: string, request: FastifyRequest): boolean {
  return URL.canParse(origin) && new URL(origin).host === request.host;
}
