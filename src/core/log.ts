import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

/** Names whose values never reach a log line, at any depth that we log. */
const sensitive = [
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
];

/**
 * Errors are logged by type, code and stack only: texts and properties of driver errors can quote parameters.
 */
function redactedError(error: Error): Record<string, unknown> {
  const { type, stack } = stdSerializers.err(error);
  return {
    type,
    code: (error as { code?: unknown }).code,
    stack: stack
      .split('\n')
      .filter((line) => line.trimStart().startsWith('at '))
      .join('\n'),
  };
}

/** `destination` is standard output unless somebody listens. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: redactedError, error: redactedError },
    redact: { paths: sensitive.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
