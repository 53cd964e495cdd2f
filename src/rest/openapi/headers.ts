import { type ErrorCode, errorCatalogue } from '../../core/error-catalogue.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';

const count = { type: 'integer', minimum: 0 };

/** Every header of an answer that a client reads. */
export const headerComponents: { readonly [name: string]: JsonSchema } = {
  'X-Request-Id': {
    description: 'Our id of the request; quote it in a question.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Correlation-Id': {
    description: 'The X-Request-Id that you sent, where it looks like an id: it stands in our log beside ours.',
    schema: { type: 'string', maxLength: 128 },
  },
  'Retry-After': {
    description: 'Seconds to wait before asking again.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: {
    description: 'What is left of the limit of this endpoint: r requests in t seconds.',
    schema: { type: 'string' },
    example: '"recharge";r=59;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limit of this endpoint: q requests in w seconds.',
    schema: { type: 'string' },
    example: '"recharge";q=60;w=60',
  },
  'X-RateLimit-Limit': { description: 'Requests of this endpoint in a minute.', schema: count },
  'X-RateLimit-Remaining': { description: 'What is left of them.', schema: count },
  'Idempotent-Replayed': {
    description: 'There when this is the answer to an earlier, equal request: nothing was charged again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Preference-Applied': {
    description:
      'Seconds that the first response waited at most. Present if the request has a header Prefer with a wait.',
    schema: { type: 'string', pattern: '^wait=[0-9]+$' },
    example: 'wait=8',
  },
  'X-Order-Status': {
    description: 'The state of the order that a refused repetition or question names, as order_status says it.',
    schema: { type: 'string', enum: ['success', 'pending', 'failed', 'reversed'] },
  },
  'Content-Disposition': {
    description: 'The name of the file.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="statement.csv"',
  },
};

export type HeaderName = keyof typeof headerComponents;

const IDS: readonly HeaderName[] = ['X-Request-Id', 'X-Correlation-Id'];
const LIMITS: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'];

/** @param always those that the answer has in any case, although others have them only at times */
export const headersNamed = (names: readonly HeaderName[], always: readonly HeaderName[] = []): JsonSchema =>
  Object.fromEntries(
    names.map((name) => [
      name,
      always.includes(name) ? { ...headerComponents[name], required: true } : { $ref: `#/components/headers/${name}` },
    ]),
  );

/** Of a 200. */
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

/** Codes that say when to come back. */
const TIMED: readonly ErrorCode[] = ['RATE_LIMITED', 'TOO_MANY_FAILED_EXCHANGES', 'BILL_PAYMENT_IN_PROGRESS'];
const isTimed = (code: ErrorCode): boolean => errorCatalogue[code].httpStatus === 503 || TIMED.includes(code);

/** Refusals that come before a request is counted. */
const UNCOUNTED: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'WRONG_HOST',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Of an answer that is one of these refusals. */
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
