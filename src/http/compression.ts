import compress, { type FastifyCompressOptions } from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Minimum size of a compressed response. */
export const THRESHOLD_BYTES = 1_024;

/**
 * Option for routes with long responses: `compress: COMPRESSED`. Compressing a short response, such as a token, would save
 * nothing, and the compressed length could reveal a secret if the response also contains input from the caller.
 */
export const COMPRESSED = {
  encodings: ['br', 'gzip'],
  threshold: THRESHOLD_BYTES,
  // longer responses are compressed on another thread, which takes 1 MB each
  syncThreshold: 64 * 1_024,
} satisfies FastifyCompressOptions;

/** Removes the Content-Length header for HEAD, because the compressed length of a long response is not known. */
async function withoutLength({ headers }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isLong = Number(reply.getHeader('content-length')) >= THRESHOLD_BYTES;
  if (isLong && /br|gzip|\*/.test(String(headers['accept-encoding'])))
    void reply
      .removeHeader('content-length')
      .header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
  return payload;
}

/**
 * Compresses the responses of routes that are added afterward. Request bodies are not decompressed, because a short one could
 * expand to gigabytes.
 */
export async function mountCompression(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' || !route.compress) return;
    route.compress = false;
    route.onSend = [...[route.onSend ?? []].flat(), withoutLength];
  });
  await app.register(compress, { ...COMPRESSED, global: false, globalDecompression: false });
}
