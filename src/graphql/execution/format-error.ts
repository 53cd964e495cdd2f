import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { DocUrl } from '../../core/error-catalogue.js';
import { AppError, type DocumentPlace, type ErrorDetails, missingMoney } from '../../core/errors.js';
import { type Logger, loggedCause } from '../../core/log.js';
import type { NotedPayment } from '../../core/scope.js';
import { services } from '../../core/services.js';
import { failureKindOf } from '../../db/database-errors.js';
import { placesOf } from '../documents/places.js';

/**
 * Text for an uncertain outcome. The connection was lost during the request, so a lead fee, for example, may have been charged.
 * Retries never charge twice.
 */
const IN_DOUBT =
  'A connection was lost during this request, and its outcome is unknown. Retry the request to get the outcome.';

/**
 * Returns the AppError inside errors that the engine wrapped around it. An unavailable database has its own code; any other
 * unexpected error is INTERNAL.
 */
export function appErrorOf(error: unknown): AppError {
  for (
    let current = error;
    current instanceof Error;
    current = (current as GraphQLError).originalError ?? current.cause
  ) {
    if (current instanceof AppError) return current;
    const trouble = failureKindOf(current);
    if (trouble === 'away') return new AppError('DEPENDENCY_DOWN', { cause: error });
    if (trouble === 'doubt')
      return new AppError('DEPENDENCY_DOWN', { message: IN_DOUBT, charged: 'unknown', cause: error });
    if (!(current instanceof GraphQLError) && !(current as { originalError?: unknown }).originalError) break;
  }
  return new AppError('INTERNAL', { cause: error });
}

/**
 * Logs a failed event of a stream at its catalog level. The log line of the request is written when the stream ends, which
 * may be never.
 */
export function logFailedEvent(error: AppError, requestId: string, log: Logger): void {
  const err = loggedCause(error);
  log[error.entry.logLevel]({ requestId, code: error.code, ...(err ? { err } : {}) }, 'event of a stream failed');
}

/** GraphQL names of fields and services. Texts of the catalog use the REST names of fields and services. */
const GRAPHQL_NAMES: Readonly<Record<string, string>> = {
  client_request_id: 'clientRequestId',
  orderid: 'clientRequestId',
  fetch_id: 'fetchId',
  ...Object.fromEntries(services.map((service) => [service, service.toUpperCase()])),
};
const REST_NAMES = new RegExp(`\\b(${Object.keys(GRAPHQL_NAMES).join('|')})\\b`, 'g');

/** Part of the REST message for a failed provider call (fixed by the contract) that does not apply to GraphQL callers. */
const ADVICE_OF_REST = ' Check credentials, wallet balance or validation errors.';

/** Executed field that an error belongs to. */
export interface FailedField {
  path: readonly (string | number)[] | undefined;
  locations: readonly DocumentPlace[];
  /** Whether the caller was, or may have been, charged for the field without a refund. */
  charged: boolean;
  /** Payment that the field belongs to. */
  payment?: NotedPayment | undefined;
}

/** Request that an error belongs to. */
export interface ErrorSource {
  requestId: string;
  docUrl: DocUrl;
}

/**
 * Returns an error in the format of GraphQL: position in the document, catalog code, request ID, and invalid fields by path and
 * rule.
 */
export function formatError(
  error: AppError,
  { requestId, docUrl }: ErrorSource,
  field?: FailedField,
): GraphQLFormattedError {
  const { fields, retryAfterMs, reason } = error.details;
  const { apiRequestId, orderId, orderStatus, replayed } = withPayment(error.details, field?.payment);
  const locations = placesOf(field?.locations ?? error.details.locations);
  return {
    message: error.message.replace(ADVICE_OF_REST, '').replace(REST_NAMES, (name) => GRAPHQL_NAMES[name]!),
    ...(locations.length > 0 ? { locations } : {}),
    ...(field?.path ? { path: field.path } : {}),
    extensions: {
      code: error.code,
      docUrl: docUrl(error.code),
      requestId,
      retryable: error.entry.retryable,
      charged: field?.charged ?? error.charged,
      ...(fields ? { fields: fields.map(({ place: _inLocations, ...problem }) => problem) } : {}),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(apiRequestId === undefined ? {} : { apiRequestId }),
      ...(orderId === undefined ? {} : { clientRequestId: orderId }),
      ...(orderStatus === undefined ? {} : { orderStatus }),
      ...(replayed === undefined ? {} : { replayed }),
      ...(reason === undefined ? {} : { reason }),
      ...missingMoney(error.details),
    },
  };
}

/** Returns the payment data of an error: its own data, otherwise those of the payment field that contains the failed field. */
function withPayment(details: ErrorDetails, payment: NotedPayment | undefined): ErrorDetails {
  if (details.apiRequestId !== undefined || !payment) return details;
  return {
    apiRequestId: payment.apiRequestId,
    orderId: details.orderId ?? payment.clientRequestId ?? undefined,
    orderStatus: details.orderStatus ?? payment.status,
    replayed: details.replayed ?? (payment.replayed || undefined),
  };
}
