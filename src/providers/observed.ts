import type { Logger } from '../core/log.js';
import { currentScope, inScope, type Scope, type SpanValues } from '../core/scope.js';
import type { ProviderHttpClient, ProviderRequest, ProviderResponse } from './http-client.js';
import type { Evidence, EvidenceReason, StatusCheckOutcome } from './outcome.js';
import { isDeclineCode } from './registry.js';

/** Result of a call. `fault`: the outcome is unknown because the connection failed or the response is unreadable. */
type CallResult = 'success' | 'declined' | 'pending' | 'not_found' | 'not_sent' | 'fault';

/** Finished call, for metrics. Contains no URL, no body and no personal data. */
interface CallReport {
  result: CallResult;
  reason: EvidenceReason;
  /** Duration including the time in the queue. */
  durationMs: number;
}

const NOT_SENT: ReadonlySet<EvidenceReason> = new Set(['never_sent', 'breaker_open']);

function resultOf({ kind, evidence }: { kind: StatusCheckOutcome<unknown>['kind']; evidence: Evidence }): CallResult {
  switch (kind) {
    case 'accepted':
      return 'success';
    case 'declined':
      return NOT_SENT.has(evidence.reason) ? 'not_sent' : 'declined';
    case 'not_found':
      return 'not_found';
    case 'unknown':
      return evidence.reason === 'provider_pending' ? 'pending' : 'fault';
  }
}

/**
 * Wraps a client so that it reports the result of each call for metrics: immediately if there was no response, otherwise after
 * the adapter has evaluated the response. A response that is not evaluated is not reported.
 */
export function measuredClient(client: ProviderHttpClient, report: (call: CallReport) => void): ProviderHttpClient {
  return {
    get available() {
      return client.available;
    },
    close: () => client.close(),
    async send(request: ProviderRequest): Promise<ProviderResponse> {
      const startedAt = performance.now();
      const response = await client.send(request);
      const durationMs = performance.now() - startedAt;
      if (response.kind !== 'response') {
        const { reason } = response.evidence;
        report({ result: response.kind === 'never_sent' ? 'not_sent' : 'fault', reason, durationMs });
        return response;
      }
      let isReported = false;
      const onOutcome = (outcome: StatusCheckOutcome<unknown>): void => {
        if (isReported) return;
        isReported = true;
        report({ result: resultOf(outcome), reason: outcome.evidence.reason, durationMs });
      };
      return { ...response, onOutcome };
    },
  };
}

type Call = (...args: never[]) => Promise<unknown>;
type CallOf<Port> = { [Name in keyof Port]-?: NonNullable<Port[Name]> extends Call ? Name : never }[keyof Port] &
  string;

/**
 * Reasons for which the adapter has recognized the provider's status word. In other responses, this word can contain any text.
 */
const LISTED: readonly EvidenceReason[] = [
  'provider_success',
  'provider_failure',
  'provider_pending',
  'provider_not_found',
];

/**
 * Wraps a port so that it logs one line for each call, and creates a span if the scope is traced. The line contains the
 * provider, the call, the order and request, the duration and the result. It never contains request or response data.
 * @param names calls that send requests
 */
export function loggedPort<Port extends { readonly provider: string }>(
  port: Port,
  names: readonly CallOf<Port>[],
  log: Logger,
): Port {
  // preserves the getters of the port
  const logged = Object.create(port) as Record<string, unknown>;
  for (const name of names) {
    const call = port[name] as Call | undefined;
    if (call) logged[name] = (...args: never[]) => observe(port.provider, name, () => call.apply(port, args), log);
  }
  return logged as unknown as Port;
}

async function observe<T>(provider: string, call: string, work: () => Promise<T>, log: Logger): Promise<T> {
  const scope = currentScope();
  const span = scope?.span?.child(`${provider} ${call}`, 'client', {
    'provider.name': provider,
    'provider.call': call,
    'order.id': scope.order?.id,
    'order.api_request_id': scope.order?.reference,
  });
  const startedAt = performance.now();
  const exchangeCounter = { exchanges: 0 };
  let line: CallLine = { result: 'threw' };
  try {
    const outcome = await inScope({ ...scope, call: exchangeCounter, ...(span ? { span } : {}) }, work);
    line = lineOf(provider, outcome);
    return outcome;
  } finally {
    const ms = Math.round(performance.now() - startedAt);
    span?.end(spanValuesOf(line), line.result === 'threw');
    // a status check can send one request per day
    const exchangeFields = exchangeCounter.exchanges === 1 ? {} : exchangeCounter;
    log.info({ ...causeOf(scope), provider, call, ms, ...line, ...exchangeFields }, 'provider call');
  }
}

interface CallLine {
  result: StatusCheckOutcome<unknown>['kind'] | 'answered' | 'threw';
  reason?: EvidenceReason;
  httpStatus?: number;
  providerStatus?: string;
  providerCode?: string;
}

/** Returns the log fields of an outcome, taken from its evidence. Some calls have no outcome. */
export function lineOf(provider: string, outcome: unknown): CallLine {
  const { kind, evidence } = (outcome ?? {}) as { kind?: StatusCheckOutcome<unknown>['kind']; evidence?: Evidence };
  if (!kind || !evidence) return { result: 'answered' };
  const { reason, httpStatus, providerStatus, providerCode } = evidence;
  return {
    result: kind,
    reason,
    httpStatus,
    ...(LISTED.includes(reason) ? { providerStatus } : {}),
    ...(providerCode !== undefined && isDeclineCode(provider, providerCode) ? { providerCode } : {}),
  };
}

const spanValuesOf = ({ result, reason, httpStatus, providerCode }: CallLine): SpanValues => ({
  'provider.result': result,
  'provider.reason': reason,
  'http.response.status_code': httpStatus,
  'provider.code': providerCode,
});

/** Returns the log fields for the origin of a call: a request or a background loop. */
const causeOf = ({ requestId, loop, order, span, notes }: Scope = {}): object => ({
  requestId,
  loop,
  orderId: order?.id,
  apiRequestId: order?.reference,
  traceId: span?.traceId ?? notes?.traceId,
});
