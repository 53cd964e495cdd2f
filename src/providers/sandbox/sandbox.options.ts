import type { Clock } from '../../core/clock.js';
import type { Scenarios } from './scenarios.js';

/** What every sandbox adapter is built with. */
export interface SandboxOptions {
  /** How long an answer that never comes is waited for: the provider timeout of the configuration. */
  answerTimeoutMs: number;
  /** How long a slow answer takes; `SLOW_ANSWER_MS` unless a test has less patience. */
  slowAnswerMs?: number;
  /** Says which month a card bill is from. */
  clock?: Clock;
  /** What callers want of their calls; left out where numbers alone decide. */
  scenarios?: Scenarios;
}

export interface Closable {
  /** Ends every wait that is under way, as a lost connection, and every later one at once. */
  close(): Promise<void>;
}
