import type { Clock } from '../../core/clock.js';
import type { Scenarios } from './scenarios.js';

/** Options of every sandbox adapter. */
export interface SandboxOptions {
  /** Time after which a missing response times out: the provider timeout of the configuration. */
  answerTimeoutMs: number;
  /** Duration of a slow response. Defaults to `SLOW_ANSWER_MS`; tests use less. */
  slowAnswerMs?: number;
  /** Determines the month of a card bill. */
  clock?: Clock;
  /** Scenarios of callers. Omitted if only numbers decide. */
  scenarios?: Scenarios;
}

export interface Closable {
  /** Ends every current wait as a lost connection, and every later wait immediately. */
  close(): Promise<void>;
}
