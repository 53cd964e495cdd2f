import type { FastifyInstance } from 'fastify';

const HSTS = 'max-age=31536000';

/**
 * Headers of every answer: nobody keeps it (tokens, money, personal data), nobody guesses its type, and links out of it do not
 * tell where they were. A route may say otherwise. On https, browsers never come by http again.
 */
export const securityHeaders = (publicUrl: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
});

export function mountSecurityHeaders(app: FastifyInstance, publicUrl: string): void {
  const headers = securityHeaders(publicUrl);
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
}
