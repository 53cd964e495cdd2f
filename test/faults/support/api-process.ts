import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../support/program.js';
import { asService } from '../../support/service-login.js';

const PROGRAM = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const PRELOAD = new URL('../preload.mjs', import.meta.url).href;
/** A second alone; a minute where ten start at once on a machine that is busy otherwise. */
const READY_LIMIT_MS = 120_000;

/** Who is watched: the texts name it in calls to providers. */
export interface Subject {
  developerId: string;
  texts: string[];
}
export interface Watch {
  subjects: Subject[];
  stops: [gate: string, developerId: string][];
}
/** An order has come to a gate; see preload.mjs. */
export interface Reached {
  gate: string;
  developers: string[];
  stopped: boolean;
  /** Of the database connection, where there is one. */
  port?: number;
  pid?: number;
}

/** One API process, as `npm run serve` runs it, with the preload that watches its boundaries. */
export class ApiProcess {
  readonly reached: Reached[] = [];
  /** What no process may do: write to stderr, warn, reject unheard, answer INTERNAL. */
  readonly complaints: string[] = [];
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (heapBytes: number) => void>();
  #asked = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
    child.on('message', (message: Record<string, unknown>) => this.#hear(message));
    child.on('error', () => {}); // a message that came too late
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

  /** SIGKILL, as a crash; resolves when it is gone. */
  async kill(): Promise<NodeJS.Signals | null> {
    this.signal('SIGKILL');
    return (await this.exited).signal;
  }

  /** SIGTERM; resolves to its exit code, null when it had to be killed. */
  async terminate(limitMs = 15_000): Promise<number | null> {
    this.signal('SIGTERM');
    const limit = setTimeout(() => this.signal('SIGKILL'), limitMs);
    return (await this.exited.finally(() => clearTimeout(limit))).code;
  }

  /** Replaces what is watched and where it stops; what waits goes on. */
  async watch(watch: Watch): Promise<void> {
    this.reached.length = 0;
    await this.#ask({ fault: 'watch', ...watch });
  }

  /** Bytes of the heap that are still needed; undefined when the process has ended. */
  heapBytes(): Promise<number | undefined> {
    return this.#ask({ fault: 'memory' });
  }

  /** Lets what waits at a gate go on, and stops these developers there no more. */
  async go(gate: string, developers: readonly string[]): Promise<void> {
    await this.#ask({ fault: 'go', gate, developers });
  }

  /** Where the developer's order has come to a gate. */
  at(gate: string, developerId: string): Reached | undefined {
    return this.reached.find((event) => event.gate === gate && event.developers.includes(developerId));
  }

  #ask(message: object): Promise<number | undefined> {
    if (!this.isUp) return Promise.resolve(undefined);
    const ask = ++this.#asked;
    return new Promise((resolve) => {
      this.#answers.set(ask, resolve);
      void this.exited.then(() => resolve(undefined));
      this.#child.send({ ...message, ask });
    });
  }

  #hear(message: Record<string, unknown>): void {
    switch (message.fault) {
      case 'reached':
        this.reached.push(message as unknown as Reached);
        return;
      case 'done':
        this.#answers.get(message.ask as number)?.(message.heapBytes as number);
        this.#answers.delete(message.ask as number);
        return;
      case 'complaint':
        this.complaints.push(`${String(message.kind)}: ${String(message.text)}`);
        return;
    }
  }
}
