import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RejectedCalls } from '../../accounts/rejected-calls.js';
import type { RequestContext } from '../../core/context.js';
import type { Host } from '../../core/environment.js';
import { errorCatalogue } from '../../core/error-catalogue.js';
import { causesOnLine, type Logger } from '../../core/log.js';
import type { Metrics } from '../../core/metrics.js';
import type { RequestNotes, Span, TraceParent, Tracing } from '../../core/scope.js';
import { isProbe } from '../health.js';
import { clientAddressKey } from './head.js';

/** Writes the log line of a request after its response. The line contains names, codes, IDs and counts, but no content. */
export function logRequest(log: Logger, host: Host, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url;
  if (isProbe(route)) return;
  const { notes, context } = request;
  const level = levelOf(notes);
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId: request.id,
      correlationId: notes.correlationId,
      traceId: notes.traceId,
      host,
      method: request.method,
      path: route ?? 'unknown',
      httpStatus: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      address: context?.addressKey ?? clientAddressKey(request),
      origin: notes.rejectedOrigin,
      ...callerOf(context),
      ...(notes.operation ? { operation: notes.operation.name, fields: notes.operation.fields } : {}),
      ...failuresOf(notes),
      ...ordersOf(notes),
      ...(context?.replayed ? { replayed: true } : {}),
    },
    'request',
  );
}

/** Returns the highest log level of the failures. */
function levelOf({ failures }: RequestNotes): 'info' | 'warn' | 'error' {
  let level: 'info' | 'warn' | 'error' = 'info';
  for (const { code } of failures) {
    const { logLevel } = errorCatalogue[code];
    if (logLevel === 'error') return 'error';
    if (logLevel === 'warn') level = 'warn';
  }
  return level;
}

function callerOf(context: RequestContext | undefined): object | undefined {
  const principal = context?.principal;
  switch (principal?.kind) {
    case 'developer':
      return { developerId: principal.developerId, clientId: principal.clientId };
    case 'session':
      return { userId: principal.userId, developerId: principal.developerId };
    case undefined:
      return undefined;
  }
}

/** Returns the first error code, further codes if there are several, and the causes of unexpected failures. */
function failuresOf({ failures }: RequestNotes): object | undefined {
  const [first] = failures;
  if (!first) return undefined;
  const others = new Set(failures.map(({ code }) => code));
  others.delete(first.code);
  return {
    code: first.code,
    ...(others.size > 0 ? { moreCodes: [...others] } : {}),
    ...causesOnLine(failures.flatMap(({ cause }) => cause ?? [])),
  };
}

function ordersOf({ orders: [first, ...others] }: RequestNotes): object | undefined {
  if (!first) return undefined;
  const firstOrder = { orderId: first.id, apiRequestId: first.reference };
  if (others.length === 0) return firstOrder;
  return {
    ...firstOrder,
    moreOrderIds: others.map(({ id }) => id),
    moreApiRequestIds: others.map(({ reference }) => reference),
  };
}

/**
 * Records calls of an account that were rejected because of the caller: with 403, or with 401 because the credential belongs to
 * another host.
 */
export function noteRejectedCalls(
  calls: RejectedCalls,
  { id, method, routeOptions, notes, context }: FastifyRequest,
): void {
  const principal = context?.principal;
  const caller = principal?.kind === 'developer' ? principal : undefined;
  for (const { code, rejection } of notes.failures) {
    const owner = rejection?.owner ?? caller;
    if (!owner || (errorCatalogue[code].httpStatus !== 403 && code !== 'WRONG_HOST')) continue;
    const { field = notes.operation?.fields[0], service } = rejection ?? {};
    const isGraphql = routeOptions.url === '/graphql';
    const operation = isGraphql ? `GraphQL ${field ?? 'request'}` : `${method} ${routeOptions.url}`;
    calls.note({ service, at: new Date(), code, requestId: id, operation }, owner);
  }
}

/** Starts the span of a request. It continues the trace of the caller, if the request has one. Probes have no span. */
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

/** Ends the span with the same data as the log line. */
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
    failure && errorCatalogue[failure.code].logLevel === 'error',
  );
}

export interface CompletedRequest {
  host: Host;
  method: string;
  /** Pattern of the route; `unknown` for an unknown path. */
  route: string;
  httpStatus: number;
  elapsedMs: number;
  /** Whether the response is a stream. The duration of a stream depends on the client. */
  isStream: boolean;
  notes: RequestNotes;
}

/** Request rate, errors and latency per route and, for GraphQL, per root field. */
export class RequestMetrics {
  readonly #requests;
  readonly #durations;
  readonly #fields;
  readonly #fieldDurations;
  readonly #overloads;

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter('requests');
    this.#durations = metrics.histogram('requestDurations');
    this.#fields = metrics.counter('fields');
    this.#fieldDurations = metrics.histogram('fieldDurations');
    this.#overloads = metrics.counter('overloads');
  }

  count({ host, method, route, httpStatus, elapsedMs, isStream, notes }: CompletedRequest): void {
    const code = notes.failures[0]?.code ?? 'OK';
    const elapsedS = elapsedMs / 1000;
    for (const { overload } of notes.failures) if (overload) this.#overloads.add(1, host, overload);
    this.#requests.add(1, host, method, route, String(httpStatus), code);
    if (!isStream) this.#durations.observe(elapsedS, host, method, route, `${Math.floor(httpStatus / 100)}xx`);
    for (const field of notes.operation?.fields ?? []) {
      this.#fields.add(1, host, field, code);
      if (!isStream) this.#fieldDurations.observe(elapsedS, host, field);
    }
  }
}
