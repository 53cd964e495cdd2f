import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../support/program.js';
import { asService } from '../../support/service-login.js';

const PROGRAM = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const PRELOAD = new URL('../preload.mjs', import.meta.url).href;
/** Ready after a second normally, but after a minute if ten processes start on a busy machine. */
const READY_LIMIT_MS = 120_000;

/** Developer to watch, and the texts that identify this developer in provider calls. */
export interface Subject {
  developerId: string;
  texts: string[];
}
export interface Watch {
  subjects: Subject[];
  stops: [gate: string, developerId: string][];
}
/** An order has reached a gate; see preload.mjs. */
export interface Reached {
  gate: string;
  developers: string[];
  stopped: boolean;
  /** Port of the database connection, if there is one. */
  port?: number;
  pid?: number;
}

/** One API process, as `npm run serve` runs it, with the preload that watches its boundaries. */
export class ApiProcess {
  readonly reached: Reached[] = [];
  /** Forbidden events: output to stderr, warnings, unhandled rejections, INTERNAL errors. */
  readonly complaints: string[] = [];
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #child: ChildProcess;
  readonly #resolvers = new Map<number, (heapBytes: number) => void>();
  #requestCount = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
    child.on('message', (message: Record<string, unknown>) => this.#receive(message));
    child.on('error', () => {}); // the message was sent too late
    child.stderr?.on('data', (bytes: Buffer) => this.complaints.push(bytes.toString()));
    let rest = '';
    child.stdout?.on('data', (bytes: Buffer) => {
      const lines = (rest + bytes.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.includes('"code":"INTERNAL"')) this.complaints.push(line);
    });
  }

  /** Resolves when it listens. */
  static async start(env: Readonly<Record<string, string>>, watch?: Watch): Promise<ApiProcess> {
    const child = fork(PROGRAM, [], {
      env: { ...COMPILE_CACHE, ...asService(env), ...(watch ? { FAULT_WATCH: JSON.stringify(watch) } : {}) },
      execArgv: ['--enable-source-maps', '--expose-gc', '--import', PRELOAD],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const api = new ApiProcess(child);
    const ready = new Promise<void>((resolve) =>
      child.on('message', (message: { ready?: boolean }) => message.ready && resolve()),
    );
    const limit = setTimeout(() => child.kill('SIGKILL'), READY_LIMIT_MS);
    const ended = await Promise.race([ready, api.exited]);
    clearTimeout(limit);
    if (ended)
      throw new Error(`The API process did not start (${ended.code ?? ended.signal}): ${api.complaints.join('\n')}`);
    return api;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get isUp(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends SIGKILL, as in a crash; resolves when the process has exited. */
  async kill(): Promise<NodeJS.Signals | null> {
    this.signal('SIGKILL');
    return (await this.exited).signal;
  }

  /** Sends SIGTERM; resolves to the exit code, or null if the process had to be killed. */
  async terminate(limitMs = 15_000): Promise<number | null> {
    this.signal('SIGTERM');
    const limit = setTimeout(() => this.signal('SIGKILL'), limitMs);
    return (await this.exited.finally(() => clearTimeout(limit))).code;
  }

  /** Replaces the watch list and its stops; paused operations continue. */
  async watch(watch: Watch): Promise<void> {
    this.reached.length = 0;
    await this.#request({ fault: 'watch', ...watch });
  }

  /** Heap in use after garbage collection, in bytes; undefined if the process has exited. */
  heapBytes(): Promise<number | undefined> {
    return this.#request({ fault: 'memory' });
  }

  /** Continues the operations that are paused at a gate, and removes the stops of these developers there. */
  async go(gate: string, developers: readonly string[]): Promise<void> {
    await this.#request({ fault: 'go', gate, developers });
  }

  /** Event of the order of this developer at a gate. */
  at(gate: string, developerId: string): Reached | undefined {
    return this.reached.find((event) => event.gate === gate && event.developers.includes(developerId));
  }

  #request(message: object): Promise<number | undefined> {
    if (!this.isUp) return Promise.resolve(undefined);
    const id = ++this.#requestCount;
    return new Promise((resolve) => {
      this.#resolvers.set(id, resolve);
      void this.exited.then(() => resolve(undefined));
      this.#child.send({ ...message, ask: id });
    });
  }

  #receive(message: Record<string, unknown>): void {
    switch (message.fault) {
      case 'reached':
        this.reached.push(message as unknown as Reached);
        return;
      case 'done':
        this.#resolvers.get(message.ask as number)?.(message.heapBytes as number);
        this.#resolvers.delete(message.ask as number);
        return;
      case 'complaint':
        this.complaints.push(`${String(message.kind)}: ${String(message.text)}`);
        return;
    }
  }
}
