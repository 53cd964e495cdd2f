import type { Environment } from './environment.js';
import { type CatalogueEntry, type ErrorCode, errorCatalogue, keepsMoney } from './error-catalogue.js';
import { type BrokenRule, type LimitedRule, limitedRule } from './field-rules.js';
import { type Paise, rupeesNumber } from './money.js';
import type { DeveloperId } from './principal.js';
import type { Service } from './services.js';

export type { ErrorCode } from './error-catalogue.js';

/** Location in a GraphQL document, counted from 1. It reveals nothing about the text at this location. */
export interface DocumentPlace {
  line: number;
  column: number;
}

/** Violated rule: `path` with GraphQL names (`input.accountNumber`), and a `message` that is safe to display. */
export interface FieldProblem extends LimitedRule {
  path: string;
  message: string;
  /** Location of the value in the document. */
  place?: DocumentPlace;
}

export interface Shortfall {
  requiredPaise: Paise;
  availablePaise: Paise;
}

/** Account and environment of the credentials. */
export interface CallOwner {
  developerId: DeveloperId;
  environment: Environment;
}

/** Data that is recorded for a call that is rejected because of its caller. It is never part of the response. */
export interface Rejection {
  /** GraphQL field that was called. */
  field?: string | undefined;
  /** Service that the field requires. */
  service?: Service | undefined;
  /**
   * Account of the credentials, if the request has no principal. Credentials of another host are looked up after the response;
   * `key` identifies them and is not a secret.
   */
  owner?: CallOwner | { key: string; find: () => Promise<CallOwner | undefined> } | undefined;
}

export interface ErrorDetails {
  /**
   * Text that replaces the text of the catalog. It must be safe to show and contain no secrets, no personal data, no texts of
   * providers.
   */
  message?: string;
  fields?: readonly FieldProblem[];
  /** Locations of the errors in the caller's document. */
  locations?: readonly (DocumentPlace | undefined)[];
  retryAfterMs?: number;
  /** Order ID of the caller, for bill payments. It is returned in the duplicate error. */
  orderId?: string;
  /** Status of the order that a duplicate request refers to: success, pending, failed or reversed. */
  orderStatus?: string;
  apiRequestId?: string;
  replayed?: boolean;
  /** Reason of a failed or reversed payment (a key of `declineReasons`), or of a declined lead (a key of `leadRejections`). */
  reason?: string;
  shortfall?: Shortfall;
  /** Overrides the catalog: it is unknown whether money was taken. */
  charged?: 'unknown';
  cause?: unknown;
  /** The exhausted resource, for the metric. It is set only for OVERLOADED. */
  overload?: OverloadCause;
  rejection?: Rejection;
}

export const overloadCauses = [
  'memory',
  'connection',
  'slow_bodies',
  'running',
  'payments',
  'uploads',
  'passwords',
  'products',
] as const;
export type OverloadCause = (typeof overloadCauses)[number];

/** Default retry time for a 503. */
const RETRY_AFTER_MS = 1_000;

/** Any error that a client can receive. Anything else that is thrown becomes INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? errorCatalogue[code].message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    // every 503 has a retry time
    this.details = errorCatalogue[code].httpStatus === 503 ? { retryAfterMs: RETRY_AFTER_MS, ...details } : details;
  }

  get entry(): CatalogueEntry {
    return errorCatalogue[this.code];
  }

  /** Whether this request charged, or may have charged, money that was not refunded. */
  get charged(): boolean {
    return keepsMoney(this.details.charged ?? this.entry.charged);
  }
}

/**
 * Stored part of an order that can no longer be read because its encryption key is lost or its bytes are damaged. As the value
 * of a field, it makes that field null with an error at its path; the other fields of the order are returned.
 */
export class UnreadablePart extends AppError {
  constructor(cause: unknown) {
    super('INTERNAL', { message: 'This part of the order can no longer be read.', cause });
  }
}

export const overloaded = (overload: OverloadCause, details: ErrorDetails = {}): AppError =>
  new AppError('OVERLOADED', { ...details, overload });

/**
 * Returns the VALIDATION_FAILED error for one or more fields. Its message contains the first problem and the number of other
 * invalid fields.
 */
export function validationError(fields: readonly FieldProblem[]): AppError {
  const [first] = fields;
  const message = first && `${nameIn(first.path)}: ${first.message}${othersIn(fields)}`;
  return new AppError('VALIDATION_FAILED', { message, fields, locations: fields.map(({ place }) => place) });
}

/** Returns the last name in a path. An index is not a name, so it is kept together with the name of its list. */
const nameIn = (path: string): string => /[^.]*(?:\.\d+)*$/.exec(path)![0];

function othersIn(fields: readonly FieldProblem[]): string {
  // a name can be invalid in two locations, because two selections can have arguments with the same name
  const nameOf = ({ path, place }: FieldProblem): string => `${path} ${place?.line}:${place?.column}`;
  const others = new Set(fields.map(nameOf)).size - 1;
  if (others === 0) return '';
  return others === 1 ? ' 1 more field is invalid.' : ` ${others} more fields are invalid.`;
}

export const insufficientBalance = (
  requiredPaise: Paise,
  availablePaise: Paise,
  details: Pick<ErrorDetails, 'message'> = {},
): AppError => new AppError('INSUFFICIENT_BALANCE', { ...details, shortfall: { requiredPaise, availablePaise } });

/** Returns the required and available amount in rupees, as returned by REST and GraphQL. */
export const missingMoney = ({ shortfall }: ErrorDetails): { required?: number; available?: number } =>
  shortfall === undefined
    ? {}
    : { required: rupeesNumber(shortfall.requiredPaise), available: rupeesNumber(shortfall.availablePaise) };

/** Rejects an amount above the maximum of one call. Throws VALIDATION_FAILED. */
export function requireAtMost(amount: Paise, maxAmount: Paise): void {
  const max = rupeesNumber(maxAmount);
  if (amount > maxAmount) throw fieldError('input.amount', { rule: 'RANGE', max }, `Must be at most ${max} rupees.`);
}

export function fieldError(path: string, rule: BrokenRule, message: string): AppError {
  return validationError([{ path, ...limitedRule(rule), message }]);
}
