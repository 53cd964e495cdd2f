import compress, { type FastifyCompressOptions } from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Shorter responses are not compressed. */
export const THRESHOLD_BYTES = 1_024;

/**
 * For routes with long responses: `compress: COMPRESSED`. Short responses, such as a token, are not compressed: it would save
 * nothing, and the compressed length of a secret next to the caller's own text could reveal it.
 */
export const COMPRESSED = {
  encodings: ['br', 'gzip'],
  threshold: THRESHOLD_BYTES,
  // longer responses are compressed on another thread, which takes a megabyte each
  syncThreshold: 64 * 1_024,
} satisfies FastifyCompressOptions;

/** The compressed length of a long response is not known for HEAD, so the header is removed. */
async function withoutLength({ headers }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isLong = Number(reply.getHeader('content-length')) >= THRESHOLD_BYTES;
  if (isLong && /br|gzip|\*/.test(String(headers['accept-encoding'])))
    void reply
      .removeHeader('content-length')
      .header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
  return payload;
}

/** For routes that are added later. Request bodies are not decompressed: a short one could expand to gigabytes. */
export async function mountCompression(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' || !route.compress) return;
    route.compress = false;
    route.onSend = [...[route.onSend ?? []].flat(), withoutLength];
  });
  await app.register(compress, { ...COMPRESSED, global: false, globalDecompression: false });
}
