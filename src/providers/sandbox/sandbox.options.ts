import type { Clock } from '../../core/clock.js';
import type { Scenarios } from './scenarios.js';

export interface SandboxOptions {
  /** Time after which a call without a response times out: the provider timeout of the configuration. */
  responseTimeoutMs: number;
  /** Duration of a slow response. Defaults to `SLOW_RESPONSE_MS`; tests use a shorter one. */
  slowResponseMs?: number;
  /** Clock that determines the month of a card bill. */
  clock?: Clock;
  /** Scenarios of callers. They are omitted if only numbers determine the outcome. */
  scenarios?: Scenarios;
}

export interface Closable {
  /** Ends all current waits as if the connection was lost. Later waits end immediately. */
  close(): Promise<void>;
}
