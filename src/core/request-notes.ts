import type { AppError } from './errors.js';

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
  /** Of a document that fits the schema, on /graphql. */
  operation: NotedOperation | undefined;
  /** Where it placed one, or repeated one. */
  payment: NotedPayment | undefined;
  #keptMoney = false;
  #failures: AppError[] | undefined;
  #orders: NotedOrder[] | undefined;

  /** Refusals and failures in the order in which they were found, of a partial answer too. */
  get failures(): readonly AppError[] {
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
    if (this.#failures.length < MOST) this.#failures.push(error);
  }

  concerns({ id, reference }: NotedOrder): void {
    this.#orders ??= [];
    if (this.#orders.length < MOST && !this.#orders.some((known) => known.reference === reference))
      this.#orders.push({ id, reference });
  }
}
