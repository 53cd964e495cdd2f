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

/** Where the caller's own trace stands, as it told in `traceparent`. */
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
