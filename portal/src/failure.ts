import type { CombinedError } from 'urql';
import { words } from './words.js';

/** What the console says of a request that it did not do, or that did not reach it. */
export interface Failure {
  /** Of the error catalogue; UNREACHABLE where no answer came. */
  code: string;
  /** For people. */
  message: string;
  requestId: string | undefined;
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
const minutes = (ms: number): number => Math.max(1, Math.ceil(ms / MINUTE_MS));

/** `input.email` → `email`: a form has one input, and its fields are those. */
const fieldName = (path: string): string => path.replace(/^input\./, '');

export function failureOf(error: Pick<CombinedError, 'graphQLErrors'>): Failure {
  const [first] = error.graphQLErrors;
  if (!first) return { code: 'UNREACHABLE', message: words.failure.unreachable, requestId: undefined, fields: {} };
  const { code = 'INTERNAL', requestId, retryAfterMs, fields = [] } = first.extensions as Extensions;
  const tooMany = code === 'RATE_LIMITED' || code === 'TOO_MANY_FAILED_EXCHANGES';
  return {
    code,
    message: tooMany ? words.failure.tooMany(minutes(retryAfterMs ?? MINUTE_MS)) : first.message,
    requestId,
    fields: Object.fromEntries(fields.map(({ path, message }) => [fieldName(path), message])),
  };
}
