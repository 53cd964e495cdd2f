import { type ErrorCode, errorCatalogue } from '../../core/error-catalogue.js';
import { accessCodes } from '../../graphql/schema/access.js';
import { type PolicyRow } from '../../graphql/schema/policy.js';

/** Error codes that any request can receive. REQUEST_TIMEOUT can be returned even before the path is known. */
const ALWAYS: readonly ErrorCode[] = [
  'MALFORMED_REQUEST',
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'OVERLOADED',
  'DEPENDENCY_DOWN',
  'INTERNAL',
];

/** Error codes for bodies that are too large or have an unsupported media type. */
const OF_BODIES: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** Properties of an operation that determine its error codes. */
export interface Refusable {
  /** Policy rows of its root fields. */
  rows: readonly PolicyRow[];
  hasBody: boolean;
  /** Whether the operation has fields or parameters, which can be invalid. */
  hasInput: boolean;
  /** Error codes specific to the operation. */
  own: readonly ErrorCode[];
}

const catalogued = Object.keys(errorCatalogue) as ErrorCode[];

/** All error codes that an operation can return, in catalogue order. */
export function codesOf({ rows, hasBody, hasInput, own }: Refusable): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...ALWAYS,
    ...rows.flatMap(accessCodes),
    ...(hasBody ? OF_BODIES : []),
    ...(hasInput ? (['VALIDATION_FAILED'] as const) : []),
    ...own,
  ]);
  return catalogued.filter((code) => codes.has(code));
}
