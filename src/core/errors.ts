import type { Environment } from './environment.js';
import { type CatalogueEntry, type ErrorCode, errorCatalogue, keepsMoney } from './error-catalogue.js';
import { type BrokenRule, type LimitedRule, limitedRule } from './field-rules.js';
import { type Paise, rupeesNumber } from './money.js';
import type { DeveloperId } from './principal.js';
import type { Service } from './services.js';

export type { ErrorCode } from './error-catalogue.js';

/** A point of a GraphQL document, counted from 1. It says nothing of what stands there. */
export interface DocumentPlace {
  line: number;
  column: number;
}

/** One rule that a value breaks: `path` in GraphQL names (`input.accountNumber`), `message` safe to show. */
export interface FieldProblem extends LimitedRule {
  path: string;
  message: string;
  /** Where the value is written. */
  place?: DocumentPlace;
}

export interface Shortfall {
  requiredPaise: Paise;
  availablePaise: Paise;
}

/** An account in the environment of its credentials. */
export interface CallOwner {
  developerId: DeveloperId;
  environment: Environment;
}

/** Data that is recorded for a call that is rejected because of its caller. Never part of the response. */
export interface Rejection {
  /** GraphQL field that was called. */
  field?: string | undefined;
  /** Service that the field requires. */
  service?: Service | undefined;
  /**
   * Account of the credentials, where the request has no principal. Credentials of another host are looked up after the response;
   * `key` stands for them and is no secret.
   */
  owner?: CallOwner | { key: string; find: () => Promise<CallOwner | undefined> } | undefined;
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
  /** Why the payment was not performed or was taken back, a word of `declineReasons`; or a lead refused, one of `leadRefusals`. */
  reason?: string;
  /** What the wallet would have had to hold, and what was in it. */
  shortfall?: Shortfall;
  /** Replaces what the catalogue says of the code: nobody knows whether money was taken. */
  charged?: 'unknown';
  cause?: unknown;
  /** Of OVERLOADED, for the metric: what has no room. */
  overload?: OverloadCause;
  rejection?: Rejection;
}

/** Causes of OVERLOADED. */
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

  /** Whether this request cost money that did not come back, or may have. */
  get charged(): boolean {
    return keepsMoney(this.details.charged ?? this.entry.charged);
  }
}

/**
 * A part of an order that is stored and cannot be read any more: its key is lost, or its bytes are damaged. As the value of a field
 * it makes that field null, with an error at its path; what else is known of the order is there.
 */
export class UnreadablePart extends AppError {
  constructor(cause: unknown) {
    super('INTERNAL', { message: 'This part of the order is stored, but cannot be read any more.', cause });
  }
}

export const overloaded = (overload: OverloadCause, details: ErrorDetails = {}): AppError =>
  new AppError('OVERLOADED', { ...details, overload });

/** A VALIDATION_FAILED that names one or more fields; the text says the first problem, and how many other fields are wrong. */
export function validationError(fields: readonly FieldProblem[]): AppError {
  const [first] = fields;
  const message = first && `${nameIn(first.path)}: ${first.message}${othersIn(fields)}`;
  return new AppError('VALIDATION_FAILED', { message, fields, locations: fields.map(({ place }) => place) });
}

/** The last name of a path. A place in a list is no name: the list stands before it. */
const nameIn = (path: string): string => /[^.]*(?:\.\d+)*$/.exec(path)![0];

function othersIn(fields: readonly FieldProblem[]): string {
  // one name may be wrong in two places: two selections have arguments of the same name
  const nameOf = ({ path, place }: FieldProblem): string => `${path} ${place?.line}:${place?.column}`;
  const others = new Set(fields.map(nameOf)).size - 1;
  if (others === 0) return '';
  return others === 1 ? ' 1 more field is wrong.' : ` ${others} more fields are wrong.`;
}

/** A wallet that cannot pay, with what it would have had to hold and what was in it. */
export const insufficientBalance = (
  requiredPaise: Paise,
  availablePaise: Paise,
  details: Pick<ErrorDetails, 'message'> = {},
): AppError => new AppError('INSUFFICIENT_BALANCE', { ...details, shortfall: { requiredPaise, availablePaise } });

/** What a refusal says of money that a wallet lacks, in rupees; the same over REST and GraphQL. */
export const missingMoney = ({ shortfall }: ErrorDetails): { required?: number; available?: number } =>
  shortfall === undefined
    ? {}
    : { required: rupeesNumber(shortfall.requiredPaise), available: rupeesNumber(shortfall.availablePaise) };

/** Of an amount that is more than one call may move. Errors: VALIDATION_FAILED. */
export function requireAtMost(amount: Paise, most: Paise): void {
  const max = rupeesNumber(most);
  if (amount > most) throw fieldError('input.amount', { rule: 'RANGE', max }, `Must be at most ${max} rupees.`);
}

export function fieldError(path: string, rule: BrokenRule, message: string): AppError {
  return validationError([{ path, ...limitedRule(rule), message }]);
}
