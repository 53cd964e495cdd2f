import { AsyncLocalStorage } from 'node:async_hooks';
import type { NotedOrder, RequestNotes } from './request-notes.js';

/** What the code that runs now is done for: a request, or a round of a loop. For log lines alone, nothing is decided by it. */
export interface Scope {
  /** The request; of other work none. */
  readonly requestId?: string;
  readonly notes?: RequestNotes;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Undefined in what nobody asked for by a request or a loop. */
export const currentScope = (): Scope | undefined => scopes.getStore();

/** Does some work, and whatever it leads to, in a scope. */
export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work);

/** Remembers for the request's log line that it placed or read this order. */
export const noteOrder = (order: NotedOrder): void => scopes.getStore()?.notes?.concerns(order);
