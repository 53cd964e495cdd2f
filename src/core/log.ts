import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { AppError } from './errors.js';

export type { Logger };

/** Names whose values never reach a log line, at any depth that we log. */
const sensitive = new Set([
  'authorization',
  'cookie',
  'token',
  'apiSecret',
  'api_secret',
  'password',
  'pan',
  'card',
  'mobile',
  'email',
  'accountNumber',
]);
/** Nothing is logged that is deeper. */
const DEPTH = 3;

/** Pino's own `redact` finds its way by patterns in every line, which took a tenth of the time of a busy process. */
function redacted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || 'toJSON' in value) return value;
  if (depth === DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1));
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value))
    fields[name] = sensitive.has(name) ? '[redacted]' : redacted(field, depth + 1);
  return fields;
}

/** Of several causes the first stands where that of any line does. */
export const causesOnLine = ([first, ...others]: readonly LoggedError[]): object =>
  first ? { err: first, ...(others.length > 0 ? { moreErrs: others } : {}) } : {};

/** `destination` is standard output unless somebody listens. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: asLogged, error: asLogged },
    formatters: { log: (line: object) => redacted(line) as Record<string, unknown> },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * SQLSTATE classes whose texts name our own things and quote no parameters: connection, sign-in, database, rolled back (the
 * details of a deadlock quote some, its message none), syntax and access, resources, operator's intervention.
 */
const PLAIN_STATES = /^(08|28|3D|40|42|53|57)[0-9A-Z]{3}$/;
/** Codes of the operating system and of name resolution. */
const SYSTEM_CODES = /^E[A-Z0-9_]{2,}$/;
const LONGEST_MESSAGE = 300;
/** How deep the causes of an error are followed. */
const MOST_CAUSES = 5;

interface Coded extends Error {
  code?: unknown;
  /** PostgreSQL's errors have one. */
  severity?: unknown;
  /** Node's system errors have one. */
  syscall?: unknown;
  /** Of a host with several addresses: one of each. Its own text is empty. */
  errors?: readonly Error[];
}

/**
 * An error as lines have it: type, code and stack. Texts of errors can quote what was given, so the message is there only of
 * errors that quote nothing: PostgreSQL's of some classes, and the system's. Of an error that wraps one, the wrapped one's.
 */
export interface LoggedError {
  type: string;
  code: unknown;
  message?: string;
  stack: string;
}

function loggedError(error: Error): LoggedError {
  const { type, stack } = stdSerializers.err(error);
  const plain = plainCause(error);
  return {
    type,
    code: (error as Coded).code ?? plain?.code,
    ...(plain ? { message: textOf(plain) } : {}),
    stack: stack
      .split('\n')
      .filter((line) => line.trimStart().startsWith('at '))
      .join('\n'),
  };
}

const asLogged = (error: Error | LoggedError): LoggedError => (error instanceof Error ? loggedError(error) : error);

/** Cause of a failure as a log line has it: present for a defect or a failed dependency, absent for an expected error. */
export function loggedCause({ details: { cause }, entry }: AppError): LoggedError | undefined {
  if (entry.logLevel !== 'error' || !(cause instanceof Error)) return undefined;
  return loggedError((cause as { originalError?: Error }).originalError ?? cause);
}

/** The error that may be quoted: this one, or one that it was thrown for. */
function plainCause(error: Error): Coded | undefined {
  let current: unknown = error;
  for (let depth = 0; current instanceof Error && depth < MOST_CAUSES; depth++) {
    if (isPlain(current)) return current;
    current = current.cause;
  }
  return undefined;
}

function isPlain({ code, severity, syscall, errors }: Coded): boolean {
  if (typeof code !== 'string') return false;
  if (PLAIN_STATES.test(code)) return typeof severity === 'string';
  return SYSTEM_CODES.test(code) && (typeof syscall === 'string' || (errors?.every(isPlain) ?? false));
}

function textOf({ message, errors }: Coded): string {
  const text = message || (errors ?? []).map((one) => one.message).join('; ');
  return text.slice(0, LONGEST_MESSAGE);
}
