import { type ErrorCode, errorCatalogue } from '../../core/error-catalogue.js';
import { accessCodes } from '../../graphql/schema/access.js';
import { type PolicyRow } from '../../graphql/schema/policy.js';

/** What any request may be answered, whatever it asks for; one that did not arrive in time, also before its path was read. */
const ALWAYS: readonly ErrorCode[] = [
  'MALFORMED_REQUEST',
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'OVERLOADED',
  'DEPENDENCY_DOWN',
  'INTERNAL',
];

/** Of a body that is too large, or is called something else. */
const OF_BODIES: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** What can be refused or fail of an operation. */
export interface Refusable {
  /** The policy of what it asks for. */
  rows: readonly PolicyRow[];
  hasBody: boolean;
  /** It has fields or parameters, which can be wrong. */
  hasInput: boolean;
  /** The failures of its service. */
  own: readonly ErrorCode[];
}

const catalogued = Object.keys(errorCatalogue) as ErrorCode[];

/** Every code that a request of an operation can be answered with, in the order of the catalogue. */
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
