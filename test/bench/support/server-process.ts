import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;

/** A server in its own process, without any instrumentation. It sends `{ready: true}` when it listens. */
export class ServerProcess {
  readonly readyMs: number;
  readonly #child: ChildProcess;
  readonly #logPath: string;

  private constructor(child: ChildProcess, logPath: string, readyMs: number) {
    this.#child = child;
    this.#logPath = logPath;
    this.readyMs = readyMs;
  }

  static async start(
    program: string,
    env: Readonly<Record<string, string>>,
    nodeArguments: readonly string[] = [],
  ): Promise<ServerProcess> {
    const logPath = path.join(temporaryDirectory(), 'log');
    const log = openSync(logPath, 'a');
    const startedAt = performance.now();
    const child = fork(program, [], { env, execArgv: [...nodeArguments], stdio: ['ignore', log, log, 'ipc'] });
    closeSync(log);
    const limit = setTimeout(() => child.kill('SIGKILL'), READY_LIMIT_MS);
    const ready = new Promise<true>((resolve) =>
      child.on('message', (message: { ready?: boolean }) => message.ready && resolve(true)),
    );
    const isReady = await Promise.race([ready, once(child, 'exit').then(() => false)]);
    clearTimeout(limit);
    if (!isReady) throw new Error(`${program} did not start:\n${readFileSync(logPath, 'utf8').slice(-2_000)}`);
    return new ServerProcess(child, logPath, performance.now() - startedAt);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Output of the process. */
  log(): string {
    return readFileSync(this.#logPath, 'utf8');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    clearTimeout(limit);
  }
}
