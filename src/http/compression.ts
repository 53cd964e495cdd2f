import compress, { type FastifyCompressOptions } from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/**
 * Of routes whose answers may be long: `compress: COMPRESSED`. A short one, such as a token, stays as it is: it would gain
 * nothing, and the length of a compressed secret beside a caller's own words could tell about it.
 */
export const COMPRESSED: FastifyCompressOptions = {
  encodings: ['br', 'gzip'],
  threshold: 1_024,
  // longer ones are compressed beside the event loop
  syncThreshold: 16 * 1_024,
};

/** For routes that are added later. Bodies of requests are taken as they are: a short one could hold gigabytes. */
export async function mountCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, { ...COMPRESSED, global: false, globalDecompression: false });
}
