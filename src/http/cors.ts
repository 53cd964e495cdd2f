import type { FastifyInstance } from 'fastify';

const METHODS = 'GET, POST';
const REQUEST_HEADERS = 'authorization, content-type, accept, idempotency-key';
/** What a page may read of an answer, beside its body. */
const RESPONSE_HEADERS = [
  'x-request-id',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'idempotent-replayed',
  'x-order-status',
].join(', ');
const PREFLIGHT_MAX_AGE_S = 600;

/**
 * Lets pages of the listed origins call this host with a Bearer token. Never with cookies: no answer allows credentials. For
 * other origins nothing is added, and the browser keeps the answer from the page.
 */
export function mountCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return;
    void reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', RESPONSE_HEADERS);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      return reply
        .code(204)
        .header('access-control-allow-methods', METHODS)
        .header('access-control-allow-headers', REQUEST_HEADERS)
        .header('access-control-max-age', String(PREFLIGHT_MAX_AGE_S))
        .send();
    }
  });
}
