import { type CatalogueEntry, type ErrorCode, errorCatalogue } from './error-catalogue.js';

export type { ErrorCode } from './error-catalogue.js';

/** A point of a GraphQL document, counted from 1. It says nothing of what stands there. */
export interface DocumentPlace {
  line: number;
  column: number;
}

/** One wrong input value: `path` in GraphQL names (`input.accountNumber`), `messages` safe to show. */
export interface FieldProblem {
  path: string;
  messages: string[];
  /** The enum whose words are allowed, so that REST can name its own spelling of them. */
  allowed?: readonly string[];
  /** Where it is written. */
  place?: DocumentPlace;
}

export interface ErrorDetails {
  /** Replaces the catalogue's text. Must be safe to show: no secret, no personal data, no provider text. */
  message?: string;
  fields?: readonly FieldProblem[];
  /** Where the mistake stands in the caller's document. */
  locations?: readonly (DocumentPlace | undefined)[];
  retryAfterMs?: number;
  /** Bill pay: the caller's own order id, echoed on the duplicate error. */
  orderId?: string;
  /** The state of the order that a refused repetition names: success, pending, failed or reversed. */
  orderStatus?: string;
  apiRequestId?: string;
  replayed?: boolean;
  cause?: unknown;
}

/** For a 503 whose thrower knows no better time. */
const RETRY_AFTER_MS = 1_000;

/** Every refusal and failure that a client may see. Anything else that is thrown becomes INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? errorCatalogue[code].message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    // every 503 says when to come back
    this.details = errorCatalogue[code].httpStatus === 503 ? { retryAfterMs: RETRY_AFTER_MS, ...details } : details;
  }

  get entry(): CatalogueEntry {
    return errorCatalogue[this.code];
  }
}

/** A VALIDATION_FAILED that names one or more fields; the first message becomes the text. */
export function validationError(fields: readonly FieldProblem[]): AppError {
  const first = fields[0];
  const message = first ? `${first.path.split('.').at(-1)}: ${first.messages[0]}` : undefined;
  return new AppError('VALIDATION_FAILED', { message, fields, locations: fields.map(({ place }) => place) });
}

export function fieldError(path: string, message: string): AppError {
  return validationError([{ path, messages: [message] }]);
}
