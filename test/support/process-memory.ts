import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { containerLimitBytes } from './shipped.js';
import { until } from './until.js';

/** Interval of the checks: a process that exceeds its memory limit takes a few hundred MB per second. */
const CHECK_INTERVAL_MS = 50;
const RESPONSE_LIMIT_MS = 20_000;
/** Unread responses are dropped after half a minute. */
const SHRINK_LIMIT_MS = 60_000;
const COLLECT = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' });
const COLLECT_EVERY_MS = 500;
/** Process information of Linux. On other systems no process is ended because of its memory. */
const FILES_OF_LINUX = '/proc';

export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;

export interface Process {
  readonly pid: number;
  readonly isUp: boolean;
  kill(): void;
  /** Output to stderr. */
  complaints(): string;
}

export interface Figures {
  heapBytes: number;
  residentBytes: number;
  /** Processor time of all threads since the start. */
  cpuSeconds: number;
}

/**
 * Memory of a process, measured from outside with the /metrics of its ops listener and the figures of the system. Also replaces
 * the container: it ends a process that exceeds the memory limit in compose.yaml.
 */
export class ProcessMemory {
  readonly limitBytes = containerLimitBytes();
  /** Reason for which it was ended; undefined while it is within its limit. */
  ended: string | undefined;
  #peakBytes = 0;
  readonly #process: Process;
  readonly #opsUrl: string;
  readonly #timer: NodeJS.Timeout;
  // the heap is queried while the service handles two thousand other requests
  readonly #agent = new Agent({ headersTimeout: RESPONSE_LIMIT_MS, bodyTimeout: RESPONSE_LIMIT_MS });

  constructor(subject: Process, opsUrl: string) {
    this.#process = subject;
    this.#opsUrl = opsUrl;
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Highest memory since the last call; for a process that has exited, the last known value. */
  takePeakBytes(): number {
    this.#check();
    const peak = this.#peakBytes;
    this.#peakBytes = 0;
    // 5 resets the peak value
    if (this.#process.isUp)
      undefinedOnError(() => writeFileSync(`${FILES_OF_LINUX}/${this.#process.pid}/clear_refs`, '5'));
    return peak;
  }

  /** Errors: the process does not respond. */
  async figures(): Promise<Figures> {
    const response = await request(`${this.#opsUrl}/metrics`, { dispatcher: this.#agent });
    const text = await response.body.text();
    const valueOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return {
      heapBytes: valueOf('nodejs_heap_size_used_bytes'),
      residentBytes: valueOf('process_resident_memory_bytes'),
      cpuSeconds: valueOf('process_cpu_seconds_total'),
    };
  }

  /** Heap in use after a complete garbage collection. */
  async heapInUseBytes(): Promise<number> {
    await this.#collect();
    return (await this.figures()).heapBytes;
  }

  /** Waits until at most `bytes` are in use. Returns the current value, also after the limit. */
  async waitUntilBelow(bytes: number, limitMs = SHRINK_LIMIT_MS): Promise<number> {
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
   * Through the inspector of V8, which a signal enables. Otherwise V8 does not collect a heap far below its limit for minutes,
   * and garbage cannot be distinguished from data in use.
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

  #check(): void {
    if (!this.#process.isUp) return;
    const peakBytes = peakOf(this.#process.pid);
    this.#peakBytes = Math.max(this.#peakBytes, peakBytes);
    if (peakBytes <= this.limitBytes || this.ended) return;
    this.ended = `took ${megabytes(peakBytes)}, and its container has ${megabytes(this.limitBytes)}`;
    this.#process.kill();
  }
}

/** Peak of the resident memory; 0 if the system does not report it. */
function peakOf(pid: number): number {
  const status = undefinedOnError(() => readFileSync(`${FILES_OF_LINUX}/${pid}/status`, 'utf8')) ?? '';
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}

function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
