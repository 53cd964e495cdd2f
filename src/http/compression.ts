import compress, { type FastifyCompressOptions } from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Shorter answers stay as they are. */
export const THRESHOLD_BYTES = 1_024;

/**
 * Of routes whose answers may be long: `compress: COMPRESSED`. A short one, such as a token, stays as it is: it would gain
 * nothing, and the length of a compressed secret beside a caller's own words could tell about it.
 */
export const COMPRESSED = {
  encodings: ['br', 'gzip'],
  threshold: THRESHOLD_BYTES,
  // longer ones are compressed on another thread, and each takes a megabyte for that
  syncThreshold: 64 * 1_024,
} satisfies FastifyCompressOptions;

/** The length of a long answer to GET after compression is not known before. */
async function withoutLength({ headers }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isLong = Number(reply.getHeader('content-length')) >= THRESHOLD_BYTES;
  if (isLong && /br|gzip|\*/.test(String(headers['accept-encoding'])))
    void reply
      .removeHeader('content-length')
      .header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
  return payload;
}

/** For routes that are added later. Bodies of requests are taken as they are: a short one could hold gigabytes. */
export async function mountCompression(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' || !route.compress) return;
    route.compress = false;
    route.onSend = [...[route.onSend ?? []].flat(), withoutLength];
  });
  await app.register(compress, { ...COMPRESSED, global: false, globalDecompression: false });
}
