import { AsyncLocalStorage } from 'node:async_hooks';
import type { AppError, ErrorCode, OverloadCause, Rejection } from './errors.js';
import { type LoggedError, loggedCause } from './log.js';

/** What the code that runs now is done for. For log lines and traces alone: nothing is decided by it. */
export interface Scope {
  /** The request; of other work none. */
  readonly requestId?: string;
  readonly notes?: RequestNotes;
  /** The loop, where it is no request. */
  readonly loop?: 'sweeper';
  /** The order that is moved on. */
  readonly order?: NotedOrder;
  /** The call of a provider that is under way, and what it has sent so far. */
  readonly call?: { exchanges: number };
  /** Where traces are recorded. */
  readonly span?: Span;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/** Undefined in what neither a request nor a loop asked for. */
export const currentScope = (): Scope | undefined => scopes.getStore();

/** Does some work, and whatever it leads to, in a scope. */
export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work);

/** Begins work that goes on for ever, which whoever happened to begin it did not ask for. */
export const outOfScope = <T>(work: () => T): T => scopes.run(undefined, work);

/** Does some work for an order. */
export const forOrder = <T>({ id, reference }: NotedOrder, work: () => T): T =>
  scopes.run({ ...scopes.getStore(), order: { id, reference } }, work);

/** Remembers for the request's log line that it placed or read this order. */
export const noteOrder = (order: NotedOrder): void => scopes.getStore()?.notes?.concerns(order);

/** Remembers for the line of the provider's call that something was sent. */
export function countExchange(): void {
  const call = scopes.getStore()?.call;
  if (call) call.exchanges++;
}

/**
 * Does some work as a span of its own where its scope is traced, else as it is.
 *
 * @param valuesOf what the span says of what the work came to
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

/** Never the text, which may quote a value. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
};

/** An order that a request placed or read: its id, and the reference that callers know as api_request_id. */
export interface NotedOrder {
  /** Undefined of a callback, which knows the reference alone. */
  id?: string | undefined;
  reference: string;
}

/** The payment that the request came to. */
export interface NotedPayment {
  apiRequestId: string;
  clientRequestId?: string | null;
  status?: 'success' | 'failed' | 'pending' | 'reversed';
  replayed?: boolean;
  /** Somebody wants to know that the caller has received the answer. */
  received?: (() => void) | undefined;
}

/** A GraphQL operation as logs and metrics name it. */
export interface NotedOperation {
  /** As the document calls it, at most 60 characters; digits are hidden where they could be somebody's number. */
  name?: string;
  /** The root fields by their names in the schema, each once, at most ten. */
  fields: readonly string[];
}

/**
 * A failure as logs and metrics name it. Never the error itself, whose cause can refer to the document and the context of the request:
 * whatever outlives the request and refers to its notes would keep these too.
 */
export interface NotedFailure {
  code: ErrorCode;
  overload?: OverloadCause | undefined;
  /** Present for a defect or a failed dependency. */
  cause?: LoggedError | undefined;
  rejection?: Rejection | undefined;
}

/** So many failures and so many orders of one request are kept. */
const MOST = 10;
const NONE: readonly never[] = [];

/**
 * What a request leaves for its log line and its metrics, written by whoever learns it first and read when it ends. Names, codes
 * and ids only: never a value of the request. One per HTTP request.
 */
export class RequestNotes {
  /** The caller's own id of the request, where it sent one. */
  correlationId: string | undefined;
  /** Of the trace that the request belongs to: the caller's, or ours where traces are recorded. */
  traceId: string | undefined;
  /** Origin of a page whose preflight was rejected. */
  rejectedOrigin: string | undefined;
  /** Of a document that fits the schema, on /graphql. */
  operation: NotedOperation | undefined;
  /** Where it placed one, or repeated one. */
  payment: NotedPayment | undefined;
  #keptMoney = false;
  #failures: NotedFailure[] | undefined;
  #orders: NotedOrder[] | undefined;

  /** Refusals and failures in the order in which they were found, of a partial answer too. */
  get failures(): readonly NotedFailure[] {
    return this.#failures ?? NONE;
  }

  /** Each once. */
  get orders(): readonly NotedOrder[] {
    return this.#orders ?? NONE;
  }

  /** Its calls have taken money that did not come back. */
  get hasKeptMoney(): boolean {
    return this.#keptMoney;
  }

  keptMoney(): void {
    this.#keptMoney = true;
  }

  failed(error: AppError): void {
    this.#failures ??= [];
    if (this.#failures.length >= MOST) return;
    const { overload, rejection } = error.details;
    this.#failures.push({ code: error.code, overload, cause: loggedCause(error), rejection });
  }

  concerns({ id, reference }: NotedOrder): void {
    this.#orders ??= [];
    if (this.#orders.length < MOST && !this.#orders.some((known) => known.reference === reference))
      this.#orders.push({ id, reference });
  }
}

/** What a span says of its work: ids, codes and counts, never personal data. What is undefined is left out. */
export type SpanValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** server: a request that came. client: a call that goes out. internal: a part of the work. */
export type SpanKind = 'server' | 'client' | 'internal';

/** A piece of work in a trace. It must be ended, and only once. */
export interface Span {
  readonly traceId: string;
  /** Begins a part of this work. It may end after this one has. */
  child(name: string, kind: SpanKind, values: SpanValues): Span;
  /** @param failed the work came to an error */
  end(values?: SpanValues, failed?: boolean): void;
}

/** Where the caller's own trace stands, as `traceparent` says. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  /** The caller records its part. */
  sampled: boolean;
}

/** There is one where the settings name a collector. */
export interface Tracing {
  /** Begins a trace, or continues the caller's. */
  begin(name: string, kind: SpanKind, values: SpanValues, parent?: TraceParent): Span;
  /** Sends what is left, for a few seconds at most. Never rejects. */
  close(): Promise<void>;
}

const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` of the W3C's Trace Context; undefined when it is none. Later versions may have more at the end. */
export function traceParentOf(header: unknown): TraceParent | undefined {
  const [, traceId, spanId, flags, more] = (typeof header === 'string' && TRACE_PARENT.exec(header)) || [];
  if (!traceId || !spanId || !flags) return undefined;
  if (more !== undefined && (header as string).startsWith('00')) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
