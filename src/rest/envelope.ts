import type { DocUrl } from '../core/doc-url.js';
import { type AppError, type FieldProblem, missingMoney } from '../core/errors.js';
import { RANGE_END } from './range.js';
import type { RestField, RestRoute } from './route.js';

/** What a failure needs to know of the row it happened in; paths without a row answer `error`. */
export type FailureStyle = Pick<RestRoute, 'mayHaveFailed' | 'validationStatus' | 'fields'>;

const NO_ROUTE: FailureStyle = { validationStatus: 422, fields: {} };

/** The request that failed, as far as its answer tells. */
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
      ...(httpStatus >= 500 ? { request_id: requestId } : {}),
    },
  };
}

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
    const name = field?.name ?? path;
    const texts = errors.get(name) ?? [];
    errors.set(name, texts);
    const text = field ? textOf(problem, field) : problem.message;
    if (!field?.list || !texts.includes(text)) texts.push(text);
  }
  // a caller may have named a field like a method of every object
  return Object.fromEntries(errors);
}

/** What is wrong, in the words of REST. */
function textOf({ message, rule, allowed }: FieldProblem, { kind }: RestField): string {
  if (typeof kind === 'object') return allowed ? `Must be one of ${wordsOf(kind).join(', ')}.` : message;
  return (kind === 'from' || kind === 'to') && rule === 'PATTERN' ? RANGE_END : message;
}

/** REST's words as docs/interface.md spells them, capitals included. */
const wordsOf = (words: Readonly<Record<string, string>>): string[] => Object.keys(words);
