import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
}

export interface Waited {
  asked: number;
  longestMs: number;
  statuses: Record<string, number>;
}

/** Watches from outside how long the service takes to answer others. */
export class Probe {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./probe.mjs', import.meta.url)), { execArgv: [] });

  begin(targets: readonly Target[]): void {
    this.#child.send({ begin: targets });
  }

  async end(): Promise<Record<string, Waited>> {
    this.#child.send({ end: true });
    const [message] = (await once(this.#child, 'message')) as [{ report: Record<string, Waited> }];
    return message.report;
  }

  close(): void {
    this.#child.disconnect();
  }
}
