import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** Body of a POST request; each `{{serial}}` in it is replaced by a unique number. */
  body?: string;
  /** Text that is part of every successful response. */
  needs?: string;
  /** Pause between a response and the next request. */
  pauseMs?: number;
}

export interface Waited {
  asked: number;
  longestMs: number;
  p50Ms: number;
  p99Ms: number;
  statuses: Record<string, number>;
  /** Start of the last unsuccessful response. */
  errorText?: string;
}

export interface Report {
  /** Maximum delay of the timers of the probe, caused by other load on the machine. */
  lateMs: number;
  rows: Record<string, Waited>;
}

/** Watches from outside how long the service takes to respond to other callers. */
export class Probe {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./probe.mjs', import.meta.url)), { execArgv: [] });

  /**
   * Resolves after enough requests to measure the service without an attack. @param from local address for the connections of the
   * probe; all target names then resolve to this machine
   */
  async start(targets: readonly Target[], from?: string): Promise<void> {
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
