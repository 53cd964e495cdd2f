import { type ErrorCode, errorCatalogue } from '../../core/error-catalogue.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';

const count = { type: 'integer', minimum: 0 };

/** Response headers for clients. */
export const headerComponents: { readonly [name: string]: JsonSchema } = {
  'X-Request-Id': {
    description: 'ID of the request. Include it when you contact support.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Correlation-Id': {
    description:
      'The X-Request-Id sent by the client, if it is a valid ID. It is logged together with the ID of the request.',
    schema: { type: 'string', maxLength: 128 },
  },
  'Retry-After': {
    description: 'Number of seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: {
    description: 'Remaining requests of this endpoint: r requests within t seconds.',
    schema: { type: 'string' },
    example: '"recharge";r=59;t=60',
  },
  'RateLimit-Policy': {
    description: 'Rate limit of this endpoint: q requests per w seconds.',
    schema: { type: 'string' },
    example: '"recharge";q=60;w=60',
  },
  'X-RateLimit-Limit': { description: 'Rate limit of this endpoint in requests per minute.', schema: count },
  'X-RateLimit-Remaining': { description: 'Remaining requests of this endpoint in the current minute.', schema: count },
  'Idempotent-Replayed': {
    description: 'Present if the response replays that of an earlier, identical request. Nothing was charged again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Preference-Applied': {
    description:
      'Maximum time in seconds that the response waited for the outcome. Present if the request has the header `Prefer: wait`.',
    schema: { type: 'string', pattern: '^wait=[0-9]+$' },
    example: 'wait=8',
  },
  'X-Order-Status': {
    description: 'Status of the order that the rejected request refers to, same as order_status.',
    schema: { type: 'string', enum: ['success', 'pending', 'failed', 'reversed'] },
  },
  'Content-Disposition': {
    description: 'Name of the file.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="statement.csv"',
  },
};

export type HeaderName = keyof typeof headerComponents;

const IDS: readonly HeaderName[] = ['X-Request-Id', 'X-Correlation-Id'];
const LIMITS: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'];

/**
 * Returns the named headers.
 * @param always headers that this response always has, although they are optional elsewhere
 */
export const headersNamed = (names: readonly HeaderName[], always: readonly HeaderName[] = []): JsonSchema =>
  Object.fromEntries(
    names.map((name) => [
      name,
      always.includes(name) ? { ...headerComponents[name], required: true } : { $ref: `#/components/headers/${name}` },
    ]),
  );

/** Returns the headers of a 200 response. */
export const successHeaders = ({
  retryAfter,
  replay,
  preference,
}: {
  retryAfter: boolean;
  replay: boolean;
  preference: boolean;
}): JsonSchema =>
  headersNamed([
    ...IDS,
    ...LIMITS,
    ...(replay ? ['Idempotent-Replayed'] : []),
    ...(preference ? ['Preference-Applied'] : []),
    ...(retryAfter ? ['Retry-After'] : []),
  ]);

/** Error codes with a Retry-After header, in addition to those with status 503. */
const TIMED: readonly ErrorCode[] = ['RATE_LIMITED', 'TOO_MANY_FAILED_EXCHANGES', 'BILL_PAYMENT_IN_PROGRESS'];
const isTimed = (code: ErrorCode): boolean => errorCatalogue[code].httpStatus === 503 || TIMED.includes(code);

/** Error codes that are returned before a request is counted. */
const UNCOUNTED: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'WRONG_HOST',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Returns the headers of a response with one of these errors. */
export function refusalHeaders(
  codes: readonly ErrorCode[],
  { replay, order }: { replay: boolean; order: boolean },
): JsonSchema {
  const timed = codes.some(isTimed);
  return headersNamed(
    [
      ...IDS,
      ...(codes.every((code) => UNCOUNTED.includes(code)) ? [] : LIMITS),
      ...(timed ? ['Retry-After'] : []),
      ...(replay ? ['Idempotent-Replayed'] : []),
      ...(order ? ['X-Order-Status'] : []),
    ],
    codes.every(isTimed) ? ['Retry-After'] : [],
  );
}
