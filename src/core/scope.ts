import { AsyncLocalStorage } from 'node:async_hooks';
import type { NotedOrder, RequestNotes } from './request-notes.js';
import type { Span, SpanKind, SpanValues } from './tracing.js';

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
