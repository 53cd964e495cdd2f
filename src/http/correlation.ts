import type { FastifyRequest } from 'fastify';
import { type TraceParent, traceParentOf } from '../core/tracing.js';

/** What a caller names a request by. */
export interface Correlation {
  /** Its own id, from `X-Request-Id`. */
  correlationId: string | undefined;
  trace: TraceParent | undefined;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._:/=+-]{0,127}$/;
/** As many digits as a telephone or a card number has, and nothing else: an id is no place for one. */
const NUMBER = /^\+?\d([ .-]?\d){7,18}$/;
const NONE: Correlation = { correlationId: undefined, trace: undefined };

/**
 * The caller's names for its request. Anybody can write these headers, also through a proxy that is trusted: so ours stays the id
 * of the request, by which the audit trail knows it, and theirs stands beside it. What does not look like an id counts as none.
 */
export function correlationOf({ headers }: Pick<FastifyRequest, 'headers'>): Correlation {
  const { 'x-request-id': id, traceparent } = headers;
  if (id === undefined && traceparent === undefined) return NONE;
  const usable = typeof id === 'string' && ID.test(id) && !NUMBER.test(id);
  return { correlationId: usable ? id : undefined, trace: traceParentOf(traceparent) };
}
