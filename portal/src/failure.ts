import type { CombinedError } from 'urql';
import { words } from './words.js';

/** Error response of the console, or a request that did not reach it. */
export interface Failure {
  /** Code from the error catalogue, or UNREACHABLE if there was no response. */
  code: string;
  /** Message for the user. */
  message: string;
  requestId: string | undefined;
  /** Earliest time of a retry, if the console returned one. */
  retryAt?: number;
  /** Error messages of individual form fields, by field name. */
  fields: Record<string, string>;
}

interface Extensions {
  code?: string;
  requestId?: string;
  retryAfterMs?: number;
  fields?: { path: string; message: string }[];
}

const MINUTE_MS = 60_000;

/** Codes of temporary errors, for which a retry of the request may succeed. */
const TRANSIENT: readonly string[] = ['UNREACHABLE', 'RATE_LIMITED', 'OVERLOADED', 'DEPENDENCY_DOWN', 'INTERNAL'];
export const isTransient = ({ code }: Failure): boolean => TRANSIENT.includes(code);

/** Messages that replace those of the console, which contain mutation names. */
const MESSAGES: Readonly<Record<string, string>> = { STEP_UP_REQUIRED: words.failure.stepUpRequired };

/** Converts a path to a field name: `input.email` → `email`. */
const fieldName = (path: string): string => path.replace(/^input\./, '');

export function failureOf(error: Pick<CombinedError, 'graphQLErrors'>): Failure {
  const [first] = error.graphQLErrors;
  if (!first) return { code: 'UNREACHABLE', message: words.failure.unreachable, requestId: undefined, fields: {} };
  const { code = 'INTERNAL', requestId, retryAfterMs, fields = [] } = first.extensions as Extensions;
  const isRateLimited = code === 'RATE_LIMITED' || code === 'TOO_MANY_FAILED_EXCHANGES';
  const waitMs = retryAfterMs ?? (isRateLimited ? MINUTE_MS : undefined);
  return {
    code,
    message: isRateLimited ? words.failure.tooMany(waitMs!) : (MESSAGES[code] ?? first.message),
    requestId,
    ...(waitMs === undefined ? {} : { retryAt: Date.now() + waitMs }),
    fields: Object.fromEntries(fields.map(({ path, message }) => [fieldName(path), message])),
  };
}
