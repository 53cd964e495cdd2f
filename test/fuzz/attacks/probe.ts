import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** Posted; each `{{serial}}` in it is another number. */
  body?: string;
  /** Stands in every response that is a success. */
  needs?: string;
  /** Between an answer and the next question. */
  pauseMs?: number;
}

export interface Waited {
  asked: number;
  longestMs: number;
  p50Ms: number;
  p99Ms: number;
  statuses: Record<string, number>;
  /** The beginning of the last answer that was none of success. */
  refusal?: string;
}

export interface Report {
  /** How late the probe's own timers came at most: the machine had others to serve. */
  lateMs: number;
  rows: Record<string, Waited>;
}

/** Watches from outside how long the service takes to answer others. */
export class Probe {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./probe.mjs', import.meta.url)), { execArgv: [] });

  /**
   * Resolves when it has asked often enough to measure the service alone.
   *
   * @param from the address of this machine that the probe uses, of which the names of all targets are names too
   */
  async begin(targets: readonly Target[], from?: string): Promise<void> {
    this.#child.send({ begin: targets, from });
    await once(this.#child, 'message');
  }

  async end(): Promise<Report> {
    this.#child.send({ end: true });
    const [message] = (await once(this.#child, 'message')) as [{ report: Report }];
    return message.report;
  }

  close(): void {
    this.#child.disconnect();
  }
}
