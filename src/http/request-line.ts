import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../core/context.js';
import type { Host } from '../core/environment.js';
import { causesOnLine, type Logger } from '../core/log.js';
import type { RequestNotes } from '../core/request-notes.js';
import { loggedCause } from '../graphql/execution/format-error.js';
import { clientAddressKey } from './client.js';

/** Asked every few seconds by machines: they would be most of the log. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz', '/metrics']);

/** @param route undefined of a path that is not served */
export const isProbe = (route: string | undefined): boolean => PROBES.has(route);

/** The one line of a request that has been answered. Names, codes, ids and counts: what it carried stands nowhere. */
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
      ...callerOf(context),
      ...(notes.operation ? { operation: notes.operation.name, fields: notes.operation.fields } : {}),
      ...failuresOf(notes),
      ...ordersOf(notes),
      ...(context?.replayed ? { replayed: true } : {}),
    },
    'request',
  );
}

/** The most urgent of its failures decides. */
function levelOf({ failures }: RequestNotes): 'info' | 'warn' | 'error' {
  let level: 'info' | 'warn' | 'error' = 'info';
  for (const { entry } of failures) {
    if (entry.logLevel === 'error') return 'error';
    if (entry.logLevel === 'warn') level = 'warn';
  }
  return level;
}

/** Whose request it is, as ids. */
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

/** The first code, the others where there are several, and the causes of what is no refusal. */
function failuresOf({ failures }: RequestNotes): object | undefined {
  const [first] = failures;
  if (!first) return undefined;
  const others = new Set(failures.map(({ code }) => code));
  others.delete(first.code);
  return {
    code: first.code,
    ...(others.size > 0 ? { moreCodes: [...others] } : {}),
    ...causesOnLine(failures.flatMap((error) => loggedCause(error) ?? [])),
  };
}

function ordersOf({ orders: [first, ...others] }: RequestNotes): object | undefined {
  if (!first) return undefined;
  const named = { orderId: first.id, apiRequestId: first.reference };
  if (others.length === 0) return named;
  return {
    ...named,
    moreOrderIds: others.map(({ id }) => id),
    moreApiRequestIds: others.map(({ reference }) => reference),
  };
}
