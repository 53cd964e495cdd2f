import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Host } from '../core/environment.js';
import type { Span, TraceParent, Tracing } from '../core/tracing.js';
import { isProbe } from './request-line.js';

/** The span of a request, in the caller's trace where it named one; none of a probe. */
export function beginSpan(
  tracing: Tracing,
  host: Host,
  { id, method, routeOptions }: FastifyRequest,
  parent: TraceParent | undefined,
): Span | undefined {
  const route = routeOptions.url ?? 'unknown';
  if (isProbe(route)) return undefined;
  const values = { 'gateway.host': host, 'gateway.request_id': id, 'http.request.method': method, 'http.route': route };
  return tracing.begin(`${method} ${route}`, 'server', values, parent);
}

/** With what the notes hold: the same as on the log line. */
export function endSpan({ span, notes, context }: FastifyRequest, { statusCode }: FastifyReply): void {
  if (!span) return;
  const principal = context?.principal;
  const [failure] = notes.failures;
  const [order] = notes.orders;
  span.end(
    {
      'http.response.status_code': statusCode,
      'error.type': failure?.code,
      'graphql.operation.name': notes.operation?.name,
      'graphql.root_fields': notes.operation?.fields.join(' '),
      'order.id': order?.id,
      'order.api_request_id': order?.reference,
      'gateway.developer_id': principal?.developerId,
      'gateway.replayed': context?.replayed,
    },
    failure?.entry.logLevel === 'error',
  );
}
