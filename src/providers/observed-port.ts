import type { Logger } from '../core/log.js';
import { currentScope, inScope, type Scope } from '../core/scope.js';
import type { SpanValues } from '../core/tracing.js';
import { isDeclineCode } from './decline-codes.js';
import type { EnquiryOutcome, Evidence, EvidenceReason } from './outcome.js';

type Call = (...given: never[]) => Promise<unknown>;
/** The calls of a port, by name. */
type CallOf<Port> = { [Name in keyof Port]-?: NonNullable<Port[Name]> extends Call ? Name : never }[keyof Port] &
  string;

/** The provider's word was one that its adapter knows; of any other answer nobody knows what a word may hold. */
const LISTED: readonly EvidenceReason[] = [
  'provider_success',
  'provider_failure',
  'provider_pending',
  'provider_not_found',
];

/**
 * The same port, whose calls are one log line each, and a span where the scope is traced. A line says who was asked what, for
 * which order and request, how long it took and what came of it: never what was sent or answered.
 *
 * @param names calls that send something
 */
export function observedPort<Port extends { readonly provider: string }>(
  port: Port,
  names: readonly CallOf<Port>[],
  log: Logger,
): Port {
  // getters of the port stay its own
  const observed = Object.create(port) as Record<string, unknown>;
  for (const name of names) {
    const call = port[name] as Call | undefined;
    if (call) observed[name] = (...given: never[]) => observe(port.provider, name, () => call.apply(port, given), log);
  }
  return observed as unknown as Port;
}

async function observe<T>(provider: string, call: string, ask: () => Promise<T>, log: Logger): Promise<T> {
  const scope = currentScope();
  const span = scope?.span?.child(`${provider} ${call}`, 'client', {
    'provider.name': provider,
    'provider.call': call,
    'order.id': scope.order?.id,
    'order.api_request_id': scope.order?.reference,
  });
  const startedAt = performance.now();
  const sent = { exchanges: 0 };
  let told: Told = { result: 'threw' };
  try {
    const outcome = await inScope({ ...scope, call: sent, ...(span ? { span } : {}) }, ask);
    told = toldBy(provider, outcome);
    return outcome;
  } finally {
    const ms = Math.round(performance.now() - startedAt);
    span?.end(spanValuesOf(told), told.result === 'threw');
    // an enquiry may ask about more than one day
    const several = sent.exchanges === 1 ? {} : sent;
    log.info({ ...causeOf(scope), provider, call, ms, ...told, ...several }, 'provider call');
  }
}

interface Told {
  result: EnquiryOutcome<unknown>['kind'] | 'answered' | 'threw';
  reason?: EvidenceReason;
  httpStatus?: number;
  providerStatus?: string;
  providerCode?: string;
}

/** Of an outcome what its evidence proves; some calls give no outcome. */
function toldBy(provider: string, outcome: unknown): Told {
  const { kind, evidence } = (outcome ?? {}) as { kind?: EnquiryOutcome<unknown>['kind']; evidence?: Evidence };
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

const spanValuesOf = ({ result, reason, httpStatus, providerCode }: Told): SpanValues => ({
  'provider.result': result,
  'provider.reason': reason,
  'http.response.status_code': httpStatus,
  'provider.code': providerCode,
});

/** Who caused a call: a request, or a loop. */
const causeOf = ({ requestId, loop, order, span, notes }: Scope = {}): object => ({
  requestId,
  loop,
  orderId: order?.id,
  apiRequestId: order?.reference,
  traceId: span?.traceId ?? notes?.traceId,
});
