import { AsyncLocalStorage } from 'node:async_hooks';
import type { AppError, ErrorCode, OverloadCause, Rejection } from './errors.js';
import { type LoggedError, loggedCause } from './log.js';

/**
 * Request or task that the running code belongs to. It is used only for log lines and traces; the behavior never depends on it.
 */
export interface Scope {
  /** ID of the request; undefined for other work. */
  readonly requestId?: string;
  readonly notes?: RequestNotes;
  /** Name of the loop, if the work is not a request. */
  readonly loop?: 'sweeper';
  /** The order that is being processed. */
  readonly order?: NotedOrder;
  /** Running call to a provider, with the number of its exchanges. */
  readonly call?: { exchanges: number };
  /** Set if traces are recorded. */
  readonly span?: Span;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

export const currentScope = (): Scope | undefined => scopes.getStore();

/** Runs work, and everything that it starts, in a scope. */
export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work);

/** Starts work that runs indefinitely and does not belong to the request that started it. */
export const outOfScope = <T>(work: () => T): T => scopes.run(undefined, work);

/** Runs work for an order. */
export const forOrder = <T>({ id, reference }: NotedOrder, work: () => T): T =>
  scopes.run({ ...scopes.getStore(), order: { id, reference } }, work);

/** Notes in the request's log line that the request placed or read this order. */
export const noteOrder = (order: NotedOrder): void => scopes.getStore()?.notes?.addOrder(order);

/** Notes in the log line of the provider call that a request was sent. */
export function countExchange(): void {
  const call = scopes.getStore()?.call;
  if (call) call.exchanges++;
}

/**
 * Runs work in its own span if the scope is traced, otherwise without a span.
 *
 * @param valuesOf span values for the result of the work
 */
export function traced<T>(
  name: string,
  kind: SpanKind,
  values: SpanValues,
  work: () => Promise<T>,
  valuesOf?: (result: T) => SpanValues,
): Promise<T> {
  const scope = scopes.getStore();
  if (scope?.span === undefined) return work();
  const span = scope.span.child(name, kind, values);
  return scopes.run({ ...scope, span }, work).then(
    (result) => {
      span.end(valuesOf?.(result));
      return result;
    },
    (error: unknown) => {
      span.end({ 'error.type': codeOf(error) }, true);
      throw error;
    },
  );
}

/** Returns the code of an error for a span. The message is never used, because it can quote a value. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
};

/** Order that a request placed or read: its ID, and its reference, which callers know as api_request_id. */
export interface NotedOrder {
  /** Order ID; undefined for a callback, which contains only the reference. */
  id?: string | undefined;
  reference: string;
}

/** Payment that a request refers to. */
export interface NotedPayment {
  apiRequestId: string;
  clientRequestId?: string | null;
  status?: 'success' | 'failed' | 'pending' | 'reversed';
  replayed?: boolean;
  /** Called when the caller has received the response. The callback is undefined if this need not be recorded. */
  received?: (() => void) | undefined;
}

/** GraphQL operation for logs and metrics. */
export interface NotedOperation {
  /** Name in the document, at most 60 characters. Digits are hidden if they could be a phone or card number. */
  name?: string;
  /** Schema names of the root fields without duplicates, at most ten. */
  fields: readonly string[];
}

/**
 * Failure for logs and metrics. It does not contain the error itself, because the cause of an error can refer to the document
 * and the context of the request. They would then remain in memory after the request.
 */
export interface NotedFailure {
  code: ErrorCode;
  overload?: OverloadCause | undefined;
  /** Cause; set for an unexpected error or a failed dependency. */
  cause?: LoggedError | undefined;
  rejection?: Rejection | undefined;
}

/** Maximum number of failures, and of orders, stored per request. */
const MAX_NOTES = 10;
const NONE: readonly never[] = [];

/**
 * Data of a request for its log line and its metrics. It is written while the request is processed and read at its end. Contains
 * only names, codes and IDs, never a value of the request. There is one object per HTTP request.
 */
export class RequestNotes {
  /** Request ID of the caller, if it sent one. */
  correlationId: string | undefined;
  /** Trace ID of the request. It is that of the caller, or our own if traces are recorded. */
  traceId: string | undefined;
  /** Origin of a page whose preflight request was rejected. */
  rejectedOrigin: string | undefined;
  /** Set on /graphql for a document that matches the schema. */
  operation: NotedOperation | undefined;
  /** Set if the request placed a payment or repeated it. */
  payment: NotedPayment | undefined;
  #hasKeptMoney = false;
  #failures: NotedFailure[] | undefined;
  #orders: NotedOrder[] | undefined;

  /** Failures in the order in which they occurred, including those of a partial response. */
  get failures(): readonly NotedFailure[] {
    return this.#failures ?? NONE;
  }

  /** Orders of the request, without duplicates. */
  get orders(): readonly NotedOrder[] {
    return this.#orders ?? NONE;
  }

  /** Whether calls of the request charged money that was not refunded. */
  get hasKeptMoney(): boolean {
    return this.#hasKeptMoney;
  }

  noteKeptMoney(): void {
    this.#hasKeptMoney = true;
  }

  addFailure(error: AppError): void {
    this.#failures ??= [];
    if (this.#failures.length >= MAX_NOTES) return;
    const { overload, rejection } = error.details;
    this.#failures.push({ code: error.code, overload, cause: loggedCause(error), rejection });
  }

  addOrder({ id, reference }: NotedOrder): void {
    this.#orders ??= [];
    if (this.#orders.length < MAX_NOTES && !this.#orders.some((noted) => noted.reference === reference))
      this.#orders.push({ id, reference });
  }
}

/** Span values: IDs, codes and counts, never personal data. Undefined values are omitted. */
export type SpanValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** Kind of a span. `server`: an incoming request. `client`: an outgoing call. `internal`: a part of the work. */
export type SpanKind = 'server' | 'client' | 'internal';

/** Unit of work in a trace. It must be ended exactly once. */
export interface Span {
  readonly traceId: string;
  /** Starts a child span. It can end after its parent. */
  child(name: string, kind: SpanKind, values: SpanValues): Span;
  /**
   * Ends the span.
   * @param failed whether the work ended with an error
   */
  end(values?: SpanValues, failed?: boolean): void;
}

/** Position in the caller's trace, from `traceparent`. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  /** Whether the caller records its part of the trace. */
  sampled: boolean;
}

/** Exports traces. Exists only if a collector is configured. */
export interface Tracing {
  /** Starts a trace, or continues that of the caller. */
  begin(name: string, kind: SpanKind, values: SpanValues, parent?: TraceParent): Span;
  /** Sends the remaining spans within a few seconds. Never rejects. */
  close(): Promise<void>;
}

const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Parses a `traceparent` header of the W3C Trace Context. Returns undefined if it is invalid. Later versions can have additional
 * content at the end.
 */
export function traceParentOf(header: unknown): TraceParent | undefined {
  const [, traceId, spanId, flags, more] = (typeof header === 'string' && TRACE_PARENT.exec(header)) || [];
  if (!traceId || !spanId || !flags) return undefined;
  if (more !== undefined && (header as string).startsWith('00')) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
