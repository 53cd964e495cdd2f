import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { wholeSeconds } from '../core/clock.js';
import { type DocUrl, errorCatalogue } from '../core/error-catalogue.js';
import { AppError, type FieldProblem, missingMoney } from '../core/errors.js';
import type { DeclineReason } from './generated/documents.js';
import type { RestAnswer, RestField, RestRoute } from './route.js';

/** How long a client waits before it asks again about a pending order. */
export const PENDING_RETRY_S = 5;

/** The envelope of the calls that have a fee (interface.md 2.1): all business calls but recharge and bill pay. */
export const charged = (
  message: string,
  { fee, wallet }: { fee: number; wallet: { balance: number } | null },
  data: object,
): RestAnswer => ({ body: { fee, data, status: 'success', message, wallet_balance: wallet!.balance } });

/** The envelope of a call that has no fee. */
export const answered = (message: string, data: object, beside: object = {}): RestAnswer => ({
  body: { status: 'success', message, data, ...beside },
});

/** A page of a GraphQL connection, with what asks for the next one: null after the last, and with `beside`. */
export const listed = <Node>(
  message: string,
  { edges, pageInfo }: { edges: { node: Node }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } },
  entryOf: (node: Node) => object,
  beside: object = {},
): RestAnswer =>
  answered(
    message,
    edges.map(({ node }) => entryOf(node)),
    { next_cursor: pageInfo.hasNextPage ? pageInfo.endCursor : null, ...beside },
  );

/** A time as REST writes it, where there may be none. */
export const secondsOrNull = (time: string | null): string | null => time && wholeSeconds(time);

export type Status = 'SUCCESS' | 'PENDING' | 'FAILED' | 'REVERSED';

/** What is known of how an order ended. */
interface Ended {
  status: Status;
  decline: { reason: DeclineReason } | null;
}

/** What stands for a value that there is not: null while the outcome is unknown, and "" later. */
type Missing = null | '';

/**
 * The answer to the call that placed an order: 200 while it has not failed. Errors: PROVIDER_DECLINED and REVERSED, which name it.
 *
 * @param data always holds the documented keys
 */
export function placementAnswer(
  { status, apiRequestId, decline }: Ended & { apiRequestId: string },
  {
    message,
    replayed,
    warnings = [],
  }: { message: Readonly<Record<'SUCCESS' | 'PENDING', string>>; replayed?: boolean; warnings?: readonly object[] },
  data: (missing: Missing) => object,
): RestAnswer {
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

/** The answer to what became of an order: 200 whatever it is, `status` says it, and `code` why it failed. */
export function statusAnswer({ status, decline }: Ended, data: (missing: Missing) => object): RestAnswer {
  switch (status) {
    case 'SUCCESS':
      return envelope(status, 'The provider performed the order; the debit is final.', {}, data);
    case 'PENDING':
      return envelope(
        status,
        'The outcome is not known yet and the money is held. Do not create a new order: ask again later.',
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

/** The code of an order whose money came back. */
export const codeOf = (status: 'FAILED' | 'REVERSED') => (status === 'FAILED' ? 'PROVIDER_DECLINED' : 'REVERSED');

const envelope = (
  status: 'SUCCESS' | 'PENDING' | 'FAILED',
  message: string,
  beside: object,
  data: (missing: Missing) => object,
): RestAnswer => ({
  ...(status === 'PENDING' ? { retryAfterS: PENDING_RETRY_S } : {}),
  body: { status: status.toLowerCase(), message, ...beside, data: data(status === 'PENDING' ? null : '') },
});

/** What a failure needs to know of the row it happened in; paths without a row answer `error`. */
export type FailureStyle = Pick<RestRoute, 'mayHaveFailed' | 'validationStatus' | 'fields'>;

const NO_ROUTE: FailureStyle = { validationStatus: 422, fields: {} };

/** The request that failed, as far as its answer says. */
export interface FailedRequest {
  requestId: string;
  /** Where people read about a code; undefined where no page is. */
  docUrl: DocUrl | undefined;
}

/** An error as REST answers it: no `data`, the stable code, wrong fields by their REST names. */
export function failureAnswer(error: AppError, { requestId, docUrl }: FailedRequest, route: FailureStyle = NO_ROUTE) {
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
 * Why a parameter is refused that a path does not have, and what there is instead.
 *
 * @param name `query` stands for one that is not shown
 */
export function unknownParameter(name: string, known: readonly string[]): Pick<FieldProblem, 'rule' | 'message'> {
  const [near] = suggestionList(name, known);
  const all = known.length === 0 ? 'This path has none.' : `This path has ${known.join(', ')}.`;
  return {
    rule: 'UNKNOWN_FIELD',
    message: `${name === 'query' ? 'Has an unknown parameter.' : 'There is no such parameter.'} ${near === undefined ? all : `Did you mean ${near}? ${all}`}`,
  };
}

/** The path of a problem of a field that the route does not have: a variable may have the same name. */
export const unknownField = (name: string): string => `${UNKNOWN}${name}`;

function restProblems(
  problems: NonNullable<AppError['details']['fields']>,
  route: FailureStyle,
): Record<string, string[]> {
  const byPath = new Map(Object.entries(route.fields).map(([name, field]) => [field.to, { name, ...field }]));
  const errors = new Map<string, string[]>();
  for (const problem of problems) {
    // of a list each value has a place
    const path = problem.path.replace(/\.\d+$/, '');
    const field = byPath.get(path);
    const name = field?.name ?? (path.startsWith(UNKNOWN) ? path.slice(UNKNOWN.length) : path);
    const texts = errors.get(name) ?? [];
    errors.set(name, texts);
    const text = inRestNames(field ? textOf(problem, field) : problem.message, path, byPath);
    if (!field?.list || !texts.includes(text)) texts.push(text);
  }
  // a caller may have named a field like a method of every object
  return Object.fromEntries(errors);
}

/** A text that names another field of the same input in backticks. */
const inRestNames = (text: string, path: string, byPath: ReadonlyMap<string, { name: string }>): string =>
  text.replaceAll(/`(\w+)`/g, (whole, name: string) => {
    const other = byPath.get(path.replace(/[^.]*$/, name));
    return other ? `\`${other.name}\`` : whole;
  });

/** Said of an end of a range that is neither. */
const RANGE_END = 'Must be a day in the form YYYY-MM-DD, or an ISO 8601 instant with a UTC offset.';

/** What is wrong, in the words of REST. */
function textOf({ message, rule, allowed }: FieldProblem, { kind }: RestField): string {
  if (typeof kind === 'object') return allowed ? `Must be one of ${wordsOf(kind).join(', ')}.` : message;
  return (kind === 'from' || kind === 'to') && rule === 'PATTERN' ? RANGE_END : message;
}

/** REST's words as docs/interface.md spells them, capitals included. */
const wordsOf = (words: Readonly<Record<string, string>>): string[] => Object.keys(words);
