import type { CombinedError } from 'urql';
import { words } from './words.js';

/** What the console says of a request that it did not do, or that did not reach it. */
export interface Failure {
  /** Of the error catalogue; UNREACHABLE where no answer came. */
  code: string;
  /** For people. */
  message: string;
  requestId: string | undefined;
  /** When it may be tried again, where the console says so. */
  retryAt?: number;
  /** Problems of single fields, by the name that the form has for them. */
  fields: Record<string, string>;
}

interface Extensions {
  code?: string;
  requestId?: string;
  retryAfterMs?: number;
  fields?: { path: string; message: string }[];
}

const MINUTE_MS = 60_000;

/** Another try may well be answered: nothing is known to be different from before. */
const PASSING: readonly string[] = ['UNREACHABLE', 'RATE_LIMITED', 'OVERLOADED', 'DEPENDENCY_DOWN', 'INTERNAL'];
export const isPassing = ({ code }: Failure): boolean => PASSING.includes(code);

/** `input.email` → `email`: a form has one input, and its fields are those. */
const fieldName = (path: string): string => path.replace(/^input\./, '');

export function failureOf(error: Pick<CombinedError, 'graphQLErrors'>): Failure {
  const [first] = error.graphQLErrors;
  if (!first) return { code: 'UNREACHABLE', message: words.failure.unreachable, requestId: undefined, fields: {} };
  const { code = 'INTERNAL', requestId, retryAfterMs, fields = [] } = first.extensions as Extensions;
  const tooMany = code === 'RATE_LIMITED' || code === 'TOO_MANY_FAILED_EXCHANGES';
  const waitMs = retryAfterMs ?? (tooMany ? MINUTE_MS : undefined);
  return {
    code,
    message: tooMany ? words.failure.tooMany(waitMs!) : first.message,
    requestId,
    ...(waitMs === undefined ? {} : { retryAt: Date.now() + waitMs }),
    fields: Object.fromEntries(fields.map(({ path, message }) => [fieldName(path), message])),
  };
}
