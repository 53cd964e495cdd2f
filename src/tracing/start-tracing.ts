import type { Logger } from '../core/log.js';
import type { Tracing } from '../core/scope.js';
import { type Environment, isTracingEnabled, UnusableVariable } from './tracing-environment.js';

/**
 * Tracing if the environment names a collector, otherwise undefined; then nothing of the SDK is loaded. Never rejects: a
 * service without traces is better than none.
 */
export async function startTracing(environment: Environment, log: Logger): Promise<Tracing | undefined> {
  if (!isTracingEnabled(environment)) return undefined;
  try {
    const { OtlpTracing } = await import('./otlp-tracing.js');
    return new OtlpTracing(environment, log);
  } catch (error) {
    if (error instanceof UnusableVariable)
      log.error({ problem: error.message }, 'tracing is disabled: invalid environment variable');
    else log.error({ err: error as Error }, 'tracing is disabled: start failed');
    return undefined;
  }
}
