import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { AppError } from './errors.js';

export type { Logger };

/** Field names whose values are never logged. */
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
/** Maximum depth of logged values. */
const DEPTH = 3;

/** Redacts values. Pino's own `redact` searches every line with patterns, which took a tenth of the time of a busy process. */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || 'toJSON' in value) return value;
  if (depth === DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value))
    fields[name] = sensitive.has(name) ? '[redacted]' : redact(field, depth + 1);
  return fields;
}

/** Returns the log fields for several causes. The first one is in the usual field. */
export const causesOnLine = ([first, ...others]: readonly LoggedError[]): object =>
  first ? { err: first, ...(others.length > 0 ? { moreErrs: others } : {}) } : {};

/** Creates a logger. It logs to standard output by default. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: asLogged, error: asLogged },
    formatters: { log: (line: object) => redact(line) as Record<string, unknown> },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * SQLSTATE classes whose messages contain only names of our own objects and no parameters: connection, sign-in, database,
 * rollback (the details of a deadlock contain parameters, its message does not), syntax and access, resources, operator
 * intervention.
 */
const PLAIN_STATES = /^(08|28|3D|40|42|53|57)[0-9A-Z]{3}$/;
/** Error codes of the operating system and of name resolution. */
const SYSTEM_CODES = /^E[A-Z0-9_]{2,}$/;
const LONGEST_MESSAGE = 300;
/** Maximum depth of the causes of an error that are followed. */
const MAX_CAUSES = 5;

interface Coded extends Error {
  code?: unknown;
  /** Set for PostgreSQL errors. */
  severity?: unknown;
  /** Set for system errors of Node. */
  syscall?: unknown;
  /** Set for a host with several addresses, with one error per address. The containing error has no message. */
  errors?: readonly Error[];
}

/**
 * Error as logged: type, code and stack. Messages can quote input, so the message is logged only for errors that quote nothing:
 * some classes of PostgreSQL errors, and system errors. For an error that wraps such an error, the message of the wrapped error
 * is logged.
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

/** Returns the cause of a failure as logged, or undefined for an expected error. */
export function loggedCause({ details: { cause }, entry }: AppError): LoggedError | undefined {
  if (entry.logLevel !== 'error' || !(cause instanceof Error)) return undefined;
  return loggedError((cause as { originalError?: Error }).originalError ?? cause);
}

/** Returns the error whose message may be logged: this error or one of its causes. */
function plainCause(error: Error): Coded | undefined {
  let current: unknown = error;
  for (let depth = 0; current instanceof Error && depth < MAX_CAUSES; depth++) {
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
  const text = message || (errors ?? []).map((error) => error.message).join('; ');
  return text.slice(0, LONGEST_MESSAGE);
}
