import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../support/program.js';
import { asService } from '../../support/service-login.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const PROGRAM = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const PRELOAD = new URL('../preload.mjs', import.meta.url).href;
/** Reports blocks of the event loop, and skips slow steps of the start. */
const WATCHED: Command = {
  program: PROGRAM,
  execArgv: ['--enable-source-maps', '--import', PRELOAD],
  env: COMPILE_CACHE,
};
const READY_LIMIT_MS = 120_000;
const LAST_LINES = 8;

/** A block of the event loop. */
export interface Block {
  ms: number;
  atMs: number;
}

export interface Command {
  program: string;
  args?: readonly string[];
  execArgv: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** The service as `npm run serve` runs it, in a separate process, so that blocks of the test are not counted. */
export class ServiceProcess {
  readonly blocks: Block[] = [];
  /** Processor time until the last query for blocks. */
  cpuMs = 0;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #child: ChildProcess;
  readonly #logFile: number;
  readonly #errorPath: string;
  #resolvers: ((ms: number) => void)[] = [];

  private constructor(child: ChildProcess, logFile: number, errorPath: string) {
    this.#child = child;
    this.#logFile = logFile;
    this.#errorPath = errorPath;
    this.exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
    child.on('error', () => {}); // the message was sent too late
    child.on('message', (message: { fuzz?: string; ms: number; atMs: number; cpuMs: number }) => {
      if (message.fuzz === 'blocked') this.blocks.push({ ms: message.ms, atMs: message.atMs });
      if (message.fuzz !== 'longest') return;
      this.cpuMs = message.cpuMs;
      this.#resolvers.shift()?.(message.ms);
    });
  }

  /**
   * Resolves when it listens. Its log goes to a file, because a full pipe would block the process. A custom command has no
   * reporting of blocks.
   */
  static async start(env: Readonly<Record<string, string>>, command: Command = WATCHED): Promise<ServiceProcess> {
    const directory = temporaryDirectory();
    const errorPath = path.join(directory, 'stderr');
    const log = openSync(path.join(directory, 'log'), 'a+');
    const errors = openSync(errorPath, 'a');
    const child = fork(command.program, command.args ?? [], {
      env: { ...command.env, ...asService(env) },
      execArgv: [...command.execArgv],
      stdio: ['ignore', log, errors, 'ipc'],
    });
    closeSync(errors);
    const service = new ServiceProcess(child, log, errorPath);
    const ready = new Promise<void>((resolve) =>
      child.on('message', (message: { ready?: boolean }) => message.ready && resolve()),
    );
    const limit = setTimeout(() => child.kill('SIGKILL'), READY_LIMIT_MS);
    const ended = await Promise.race([ready, service.exited]);
    clearTimeout(limit);
    if (ended) throw new Error(`The service did not start (${ended.code ?? ended.signal}): ${service.complaints()}`);
    return service;
  }

  get isUp(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Output to stderr so far. */
  complaints(): string {
    return readFileSync(this.#errorPath, 'utf8');
  }

  /** The reason for which the process exited, without code addresses and messages of the inspector. */
  exitReason(): string {
    const lines = this.complaints().split('\n');
    return lines
      .filter((line) => line.trim() !== '' && !/^ *\d+: 0x|Native stack trace|^Debugger |^For help/.test(line))
      .slice(-LAST_LINES)
      .join('\n');
  }

  /** The log since the last call. */
  takeLog(): string {
    const { size } = fstatSync(this.#logFile);
    const bytes = Buffer.alloc(size);
    readSync(this.#logFile, bytes, 0, size, 0);
    ftruncateSync(this.#logFile, 0);
    return bytes.toString();
  }

  /** Longest block since the last call in milliseconds, if the process is watched. */
  longestBlockMs(): Promise<number> {
    if (!this.isUp) return Promise.resolve(0);
    return new Promise((resolve) => {
      this.#resolvers.push(resolve);
      void this.exited.then(() => resolve(0));
      this.#child.send({ fuzz: 'longest' });
    });
  }

  /** Kills the process immediately. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), 15_000);
    this.#child.kill('SIGTERM');
    await this.exited;
    clearTimeout(limit);
    closeSync(this.#logFile);
  }
}
