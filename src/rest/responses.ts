import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { wholeSeconds } from '../core/clock.js';
import { type DocUrl, errorCatalogue } from '../core/error-catalogue.js';
import { AppError, type FieldProblem, missingMoney } from '../core/errors.js';
import type { DeclineReason } from './generated/documents.js';
import type { RestField, RestRoute, RouteResponse } from './route.js';

/** Time that a client should wait before it checks a pending order again. */
export const PENDING_RETRY_S = 5;

/** Returns the envelope of calls with a fee (interface.md 2.1): all business calls except recharge and bill pay. */
export const chargedResponse = (
  message: string,
  { fee, wallet }: { fee: number; wallet: { balance: number } | null },
  data: object,
): RouteResponse => ({ body: { fee, data, status: 'success', message, wallet_balance: wallet!.balance } });

/** Returns the envelope of calls without a fee. */
export const successResponse = (message: string, data: object, extra: object = {}): RouteResponse => ({
  body: { status: 'success', message, data, ...extra },
});

/**
 * Returns one page of a GraphQL connection. Includes the cursor of the next page, which is null on the last page. `beside`
 * contains additional fields of the response.
 */
export const listResponse = <Node>(
  message: string,
  { edges, pageInfo }: { edges: { node: Node }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } },
  entryOf: (node: Node) => object,
  extra: object = {},
): RouteResponse =>
  successResponse(
    message,
    edges.map(({ node }) => entryOf(node)),
    { next_cursor: pageInfo.hasNextPage ? pageInfo.endCursor : null, ...extra },
  );

/** Formats a time for REST. Null is returned unchanged. */
export const secondsOrNull = (time: string | null): string | null => time && wholeSeconds(time);

export type Status = 'SUCCESS' | 'PENDING' | 'FAILED' | 'REVERSED';

/** Final status of an order and its reason. */
interface OrderOutcome {
  status: Status;
  decline: { reason: DeclineReason } | null;
}

/** Placeholder for a missing value: null while the order is pending, and "" once its status is final. */
type Missing = null | '';

/**
 * Returns the response to the call that placed an order: 200 unless the order has failed. Throws PROVIDER_DECLINED and REVERSED,
 * with the reference of the order.
 * @param data always contains the documented keys
 */
export function placementResponse(
  { status, apiRequestId, decline }: OrderOutcome & { apiRequestId: string },
  {
    message,
    replayed,
    warnings = [],
  }: { message: Readonly<Record<'SUCCESS' | 'PENDING', string>>; replayed?: boolean; warnings?: readonly object[] },
  data: (missing: Missing) => object,
): RouteResponse {
  switch (status) {
    case 'FAILED':
    case 'REVERSED':
      throw new AppError(codeOf(status), {
        apiRequestId,
        replayed: replayed || undefined,
        reason: decline?.reason,
      });
    case 'SUCCESS':
    case 'PENDING':
      return envelope(status, message[status], warnings.length === 0 ? {} : { warnings }, data);
  }
}

/**
 * Returns the response with the status of an order: always 200, with the result in `status` and the reason of a failure in
 * `code`.
 */
export function statusResponse({ status, decline }: OrderOutcome, data: (missing: Missing) => object): RouteResponse {
  switch (status) {
    case 'SUCCESS':
      return envelope(status, 'The provider completed the payment. The debit is final.', {}, data);
    case 'PENDING':
      return envelope(
        status,
        'The outcome is not known yet and the amount is held. Do not create a new order. Check the status again later.',
        {},
        data,
      );
    case 'FAILED':
    case 'REVERSED': {
      const code = codeOf(status);
      return envelope('FAILED', errorCatalogue[code].message, { code, reason: decline?.reason }, data);
    }
  }
}

/** Returns the error code of an order whose amount was refunded. */
export const codeOf = (status: 'FAILED' | 'REVERSED') => (status === 'FAILED' ? 'PROVIDER_DECLINED' : 'REVERSED');

const envelope = (
  status: 'SUCCESS' | 'PENDING' | 'FAILED',
  message: string,
  extra: object,
  data: (missing: Missing) => object,
): RouteResponse => ({
  ...(status === 'PENDING' ? { retryAfterS: PENDING_RETRY_S } : {}),
  body: { status: status.toLowerCase(), message, ...extra, data: data(status === 'PENDING' ? null : '') },
});

/** Properties of a route that a failure depends on. For paths without a route, `status` is `error`. */
export type FailureStyle = Pick<RestRoute, 'mayHaveFailed' | 'validationStatus' | 'fields'>;

const NO_ROUTE: FailureStyle = { validationStatus: 422, fields: {} };

/** Properties of the failed request that are part of the response. */
export interface FailedRequest {
  requestId: string;
  /** URLs of the documentation of error codes. They are undefined if there is no documentation page. */
  docUrl: DocUrl | undefined;
}

/**
 * Converts an error to a REST response. The response has no `data`. It contains the stable error code, and the invalid fields by
 * their REST names.
 */
export function errorResponse(error: AppError, { requestId, docUrl }: FailedRequest, route: FailureStyle = NO_ROUTE) {
  const { fields, retryAfterMs, orderId, orderStatus, apiRequestId, replayed, reason } = error.details;
  const httpStatus = error.code === 'VALIDATION_FAILED' ? route.validationStatus : error.entry.httpStatus;
  const errors = fields && restProblems(fields, route);
  const first = errors && Object.entries(errors)[0];
  return {
    httpStatus,
    headers: {
      ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }),
      ...(orderStatus === undefined ? {} : { 'x-order-status': orderStatus }),
      ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
    },
    body: {
      status: route.mayHaveFailed ? error.entry.onRecharge : 'error',
      message: first ? `${first[0]}: ${first[1][0]}` : error.message,
      code: error.code,
      ...(docUrl ? { doc_url: docUrl(error.code) } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...missingMoney(error.details),
      ...(errors ? { errors } : {}),
      ...(orderId === undefined ? {} : { order_id: orderId }),
      ...(apiRequestId === undefined ? {} : { api_request_id: apiRequestId }),
      ...(orderStatus === undefined ? {} : { order_status: orderStatus }),
      request_id: requestId,
    },
  };
}

const UNKNOWN = 'unknown.';

/**
 * Returns the error for an unknown parameter, with a list of the valid parameters.
 * @param name `query` replaces a name that must not be shown
 */
export function unknownParameter(name: string, known: readonly string[]): Pick<FieldProblem, 'rule' | 'message'> {
  const [suggestion] = suggestionList(name, known);
  const validParameters =
    known.length === 0 ? 'This path has no parameters.' : `Valid parameters: ${known.join(', ')}.`;
  return {
    rule: 'UNKNOWN_FIELD',
    message: `${name === 'query' ? 'Contains an unknown parameter.' : 'Unknown parameter.'} ${suggestion === undefined ? validParameters : `Did you mean ${suggestion}? ${validParameters}`}`,
  };
}

/**
 * Returns the path of a validation error for a field that the route does not have. The prefix is required because a variable can
 * have the same name.
 */
export const unknownField = (name: string): string => `${UNKNOWN}${name}`;

function restProblems(
  problems: NonNullable<AppError['details']['fields']>,
  route: FailureStyle,
): Record<string, string[]> {
  const byPath = new Map(Object.entries(route.fields).map(([name, field]) => [field.to, { name, ...field }]));
  const errors = new Map<string, string[]>();
  for (const problem of problems) {
    // paths of list items end with an index
    const path = problem.path.replace(/\.\d+$/, '');
    const field = byPath.get(path);
    const name = field?.name ?? (path.startsWith(UNKNOWN) ? path.slice(UNKNOWN.length) : path);
    const texts = errors.get(name) ?? [];
    errors.set(name, texts);
    const text = inRestNames(field ? textOf(problem, field) : problem.message, path, byPath);
    if (!field?.list || !texts.includes(text)) texts.push(text);
  }
  // a client can send a field with the name of an inherited method, such as `toString`
  return Object.fromEntries(errors);
}

/** Replaces the names of other input fields (in backticks) with their REST names. */
const inRestNames = (text: string, path: string, byPath: ReadonlyMap<string, { name: string }>): string =>
  text.replaceAll(/`(\w+)`/g, (match, name: string) => {
    const other = byPath.get(path.replace(/[^.]*$/, name));
    return other ? `\`${other.name}\`` : match;
  });

/** Message for a range boundary that is neither a date nor a time. */
const RANGE_END = 'Must be a date in the form YYYY-MM-DD, or an ISO 8601 time with a UTC offset.';

/** Returns the text of a validation error in REST terms. */
function textOf({ message, rule, allowed }: FieldProblem, { kind }: RestField): string {
  if (typeof kind === 'object') return allowed ? `Must be one of ${wordsOf(kind).join(', ')}.` : message;
  return (kind === 'from' || kind === 'to') && rule === 'PATTERN' ? RANGE_END : message;
}

/** Returns the enum values in the spelling of docs/interface.md, including capital letters. */
const wordsOf = (words: Readonly<Record<string, string>>): string[] => Object.keys(words);
