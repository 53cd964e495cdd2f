import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { containerLimitBytes } from './shipped.js';
import { until } from './until.js';

/** How often is looked: a process that is ended for its memory takes a few hundred MB in a second. */
const LOOK_EVERY_MS = 50;
const ANSWER_LIMIT_MS = 20_000;
/** Answers that nobody fetches are given up after half a minute. */
const BACK_LIMIT_MS = 60_000;
const COLLECT = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' });
const COLLECT_EVERY_MS = 500;
/** What Linux knows of its processes; on other systems no process is ended for its memory. */
const FILES_OF_LINUX = '/proc';

export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;

export interface Process {
  readonly pid: number;
  readonly isUp: boolean;
  kill(): void;
  /** What it wrote to stderr. */
  complaints(): string;
}

export interface Figures {
  heapBytes: number;
  residentBytes: number;
  /** Of all its threads, since it began. */
  cpuSeconds: number;
}

/**
 * What a process takes, seen from outside: /metrics of its ops listener, and the system's own figures. Stands in for the container too:
 * the process is ended when it takes more than compose.yaml gives it.
 */
export class ProcessMemory {
  readonly limitBytes = containerLimitBytes();
  /** Why it was ended; undefined while it keeps its limit. */
  ended: string | undefined;
  #peakBytes = 0;
  readonly #process: Process;
  readonly #opsUrl: string;
  readonly #timer: NodeJS.Timeout;
  // the heap is asked for while the service has two thousand others to answer
  readonly #agent = new Agent({ headersTimeout: ANSWER_LIMIT_MS, bodyTimeout: ANSWER_LIMIT_MS });

  constructor(subject: Process, opsUrl: string) {
    this.#process = subject;
    this.#opsUrl = opsUrl;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** The most that it took since this was asked last. Of a process that has ended: the last that was seen. */
  takePeakBytes(): number {
    this.#look();
    const peak = this.#peakBytes;
    this.#peakBytes = 0;
    // 5: forget the highest mark
    if (this.#process.isUp) unlessGone(() => writeFileSync(`${FILES_OF_LINUX}/${this.#process.pid}/clear_refs`, '5'));
    return peak;
  }

  /** Errors: when it does not answer. */
  async figures(): Promise<Figures> {
    const answer = await request(`${this.#opsUrl}/metrics`, { dispatcher: this.#agent });
    const text = await answer.body.text();
    const valueOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return {
      heapBytes: valueOf('nodejs_heap_size_used_bytes'),
      residentBytes: valueOf('process_resident_memory_bytes'),
      cpuSeconds: valueOf('process_cpu_seconds_total'),
    };
  }

  /** What is in use and no garbage: the collector goes through the whole heap first. */
  async heapInUseBytes(): Promise<number> {
    await this.#collect();
    return (await this.figures()).heapBytes;
  }

  /** Waits until no more than so much is in use; answers what is, in time or not. */
  async backTo(bytes: number, limitMs = BACK_LIMIT_MS): Promise<number> {
    const end = Date.now() + limitMs;
    for (;;) {
      const inUseBytes = await this.heapInUseBytes();
      if (inUseBytes <= bytes || Date.now() > end) return inUseBytes;
      await sleep(COLLECT_EVERY_MS);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#agent.destroy();
  }

  /**
   * Through V8's inspector, which a signal opens: without it a heap that is far from its limit is not looked through for minutes, and
   * what is garbage cannot be told from what is kept.
   */
  async #collect(): Promise<void> {
    const address = (): string | undefined => /ws:\/\/127\.0\.0\.1:\S+/.exec(this.#process.complaints())?.[0];
    if (!address()) process.kill(this.#process.pid, 'SIGUSR1');
    await until('the inspector listens', () => address() !== undefined || !this.#process.isUp);
    if (!this.#process.isUp) return;
    const socket = new WebSocket(address()!);
    const ended = Promise.race(['message', 'close', 'error'].map((event) => once(socket, event)));
    socket.addEventListener('open', () => socket.send(COLLECT));
    await ended;
    socket.close();
  }

  #look(): void {
    if (!this.#process.isUp) return;
    const taken = peakOf(this.#process.pid);
    this.#peakBytes = Math.max(this.#peakBytes, taken);
    if (taken <= this.limitBytes || this.ended) return;
    this.ended = `took ${megabytes(taken)}, and its container has ${megabytes(this.limitBytes)}`;
    this.#process.kill();
  }
}

/** The highest mark of the resident memory; 0 where the system does not say. */
function peakOf(pid: number): number {
  const status = unlessGone(() => readFileSync(`${FILES_OF_LINUX}/${pid}/status`, 'utf8')) ?? '';
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}

function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
