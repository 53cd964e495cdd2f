import { type ErrorCode, errorCatalogue } from '../../core/error-catalogue.js';
import { accessCodes } from '../../graphql/schema/access.js';
import { type PolicyRow } from '../../graphql/schema/policy.js';

/** Error codes that any request can receive. A request that does not arrive in time is rejected even before its path is read. */
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

/** Properties of an operation that determine its errors. */
export interface Refusable {
  /** Access policies of the requested fields. */
  rows: readonly PolicyRow[];
  hasBody: boolean;
  /** Whether the operation has fields or parameters that can be invalid. */
  hasInput: boolean;
  /** Error codes of the service that runs the operation. */
  own: readonly ErrorCode[];
}

const catalogued = Object.keys(errorCatalogue) as ErrorCode[];

/** Returns all error codes that an operation can return, in the order of the catalog. */
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
