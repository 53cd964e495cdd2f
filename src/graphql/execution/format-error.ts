import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { DocUrl } from '../../core/error-catalogue.js';
import { AppError, type DocumentPlace, type ErrorDetails, missingMoney } from '../../core/errors.js';
import { type Logger, loggedCause } from '../../core/log.js';
import type { NotedPayment } from '../../core/scope.js';
import { services } from '../../core/services.js';
import { troubleOf } from '../../db/trouble.js';
import { placesOf } from '../documents/places.js';

/** The connection went in the middle: a lead fee, say, may have been charged. Repetitions never charge twice. */
const IN_DOUBT = 'A part of the service was lost during this request. Repeat it to learn what became of it.';

/**
 * The error of ours behind whatever the engine wrapped around it. A database that is away is no defect; anything else that
 * nobody foresaw is INTERNAL.
 */
export function appErrorOf(error: unknown): AppError {
  for (
    let current = error;
    current instanceof Error;
    current = (current as GraphQLError).originalError ?? current.cause
  ) {
    if (current instanceof AppError) return current;
    const trouble = troubleOf(current);
    if (trouble === 'away') return new AppError('DEPENDENCY_DOWN', { cause: error });
    if (trouble === 'doubt')
      return new AppError('DEPENDENCY_DOWN', { message: IN_DOUBT, charged: 'unknown', cause: error });
    if (!(current instanceof GraphQLError) && !(current as { originalError?: unknown }).originalError) break;
  }
  return new AppError('INTERNAL', { cause: error });
}

/** Logs a failed event of a stream at its catalogue level: the line of the request comes when the stream ends, which may be never. */
export function logFailedEvent(error: AppError, requestId: string, log: Logger): void {
  const err = loggedCause(error);
  log[error.entry.logLevel]({ requestId, code: error.code, ...(err ? { err } : {}) }, 'event of a stream failed');
}

/** Texts of the catalogue call a field or a service as REST does. */
const GRAPHQL_NAMES: Readonly<Record<string, string>> = {
  client_request_id: 'clientRequestId',
  orderid: 'clientRequestId',
  fetch_id: 'fetchId',
  ...Object.fromEntries(services.map((service) => [service, service.toUpperCase()])),
};
const REST_NAMES = new RegExp(`\\b(${Object.keys(GRAPHQL_NAMES).join('|')})\\b`, 'g');

/** What the contract of REST lets a provider's failure advise: nothing of it is the caller's. */
const ADVICE_OF_REST = ' Check credentials, wallet balance or validation errors.';

/** The field that an error is about, of one that ran. */
export interface FailedField {
  path: readonly (string | number)[] | undefined;
  locations: readonly DocumentPlace[];
  /** Whether money was kept for it, or may have been. */
  charged: boolean;
  /** The payment that it belongs to. */
  payment?: NotedPayment | undefined;
}

/** The request that an error answers. */
export interface ErrorSource {
  requestId: string;
  docUrl: DocUrl;
}

/** An error as GraphQL answers it: its place in the document, catalogue code, request id, wrong fields by path and rule. */
export function formatError(
  error: AppError,
  { requestId, docUrl }: ErrorSource,
  field?: FailedField,
): GraphQLFormattedError {
  const { fields, retryAfterMs, reason } = error.details;
  const { apiRequestId, orderId, orderStatus, replayed } = ofPayment(error.details, field?.payment);
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

/** What a failure says of a payment: what it knows itself, else that of the field that it lies in. */
function ofPayment(details: ErrorDetails, payment: NotedPayment | undefined): ErrorDetails {
  if (details.apiRequestId !== undefined || !payment) return details;
  return {
    apiRequestId: payment.apiRequestId,
    orderId: details.orderId ?? payment.clientRequestId ?? undefined,
    orderStatus: details.orderStatus ?? payment.status,
    replayed: details.replayed ?? (payment.replayed || undefined),
  };
}
