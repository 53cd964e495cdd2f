import type { Logger } from '../core/log.js';
import type { Tracing } from '../core/scope.js';
import { type Environment, isTracingEnabled, UnusableVariable } from './tracing-environment.js';

/**
 * Returns the tracing if the environment names a collector. Otherwise, returns undefined and loads nothing of the SDK. Never
 * rejects, because a service without traces is better than none.
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
