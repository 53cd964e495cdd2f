import { Readable } from 'node:stream';
import type { FastifyRequest, RequestPayload } from 'fastify';
import { AppError } from '../core/errors.js';

/** Of every body but those that may carry a file. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** A document of 5 MiB in base64, and what is around it. */
export const FILE_BODY_LIMIT_BYTES = 7 * 1024 * 1024;

/**
 * A hook for routes that take files: only somebody who is signed in may send more than the usual. Counts what arrives, because a
 * body without a length can be of any. Errors: PAYLOAD_TOO_LARGE.
 */
export async function usualLimitForStrangers(
  request: FastifyRequest,
  _reply: unknown,
  payload: RequestPayload,
): Promise<RequestPayload> {
  if (request.context.principal) return payload;
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw new AppError('PAYLOAD_TOO_LARGE');
  return Readable.from(upToTheLimit(payload), { objectMode: false });
}

async function* upToTheLimit(payload: Readable): AsyncGenerator<Buffer> {
  let receivedBytes = 0;
  // destroying the request would take the connection away before the refusal is sent
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    receivedBytes += (chunk as Buffer).length;
    if (receivedBytes > BODY_LIMIT_BYTES) throw new AppError('PAYLOAD_TOO_LARGE');
    yield chunk as Buffer;
  }
}
