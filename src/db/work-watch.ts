import type { Logger } from '../core/log.js';
import type { Duty, Task } from '../core/room.js';
import type { Worker } from '../core/workers.js';
import type { Channel } from './channel.js';
import { locks } from './locks.js';
import type { Queryable } from './pool.js';

const TOPIC = 'work_due';
/**
 * Those that do not lead look once in so long times their number: as often in all, however many they are. So a leader that hangs, or
 * a word that was lost, holds nothing up for longer than a few seconds.
 */
const FOLLOWER_MS = 2_000;

export interface WatchOptions {
  /** What this process does; the others are told of the rest. */
  workers: ReadonlySet<Worker>;
  /** How often the process that leads looks. */
  intervalMs: number;
}

interface Look {
  due: string[];
  /** Of one that does not lead (yet). */
  leads?: boolean;
  watchers?: number;
}

/**
 * Looks for work that is due, of all kinds with one statement, and wakes whoever does it. One process of all leads: it looks again
 * and again, and tells the others over the channel. Leading is a lock of the channel's session, so it ends with the process, and
 * whoever looks next takes it. Without the channel each process looks for itself.
 */
export class WorkWatch implements Task {
  readonly #db: Queryable;
  readonly #channel: Channel | undefined;
  readonly #log: Logger;
  readonly #duties: ReadonlyMap<string, Duty>;
  readonly #due: string;
  #leads = false;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #active = false;
  #succeededAtMs = Date.now();

  /** @param channel undefined where there is one process alone */
  constructor(
    parts: { db: Queryable; channel?: Channel; log: Logger },
    duties: readonly Duty[],
    private readonly options: WatchOptions,
  ) {
    this.#db = parts.db;
    this.#channel = parts.channel;
    this.#log = parts.log;
    this.#duties = new Map(duties.map((duty) => [duty.name, duty]));
    const cases = duties.map(({ name, due }) => `case when ${due} then '${name}' end`);
    this.#due = `array_remove(array[${cases.join(', ')}]::text[], null) as due`;
    this.#channel?.on(TOPIC, (names) => this.#hear(names.split(' ')));
    this.#channel?.onConnect(async () => {
      // the locks of the session before went with it
      this.#leads = false;
      if (this.#active) await this.#join();
    });
  }

  /** What this process does. */
  get workers(): ReadonlySet<Worker> {
    return this.options.workers;
  }

  /** When it last looked. */
  get succeededAtMs(): number {
    return this.#succeededAtMs;
  }

  /** Whether this process is the one that looks for all. */
  get leads(): boolean {
    return this.#leads;
  }

  /** Does nothing in a process that does no work. */
  start(): void {
    if (this.options.workers.size === 0) return;
    this.#active = true;
    if (this.#channel?.isUp) this.#join().catch(() => {});
    this.look();
  }

  /** One more that looks; counted until its session ends. */
  async #join(): Promise<void> {
    await this.#channel!.query({ text: `select ${locks.share('watcher')}` });
  }

  /** Gives the lead to another process at once. */
  async stop(): Promise<void> {
    if (!this.#active) return;
    this.#active = false;
    clearTimeout(this.#timer);
    await this.#looking;
    if (!this.#leads || !this.#channel?.isUp) return;
    this.#leads = false;
    await this.#channel
      .query({ text: `select ${locks.release('leader')}, ${locks.unshare('watcher')}` })
      .catch(() => {});
    this.#channel.say(TOPIC, '');
  }

  /** Looks now, and wakes all that have something to do. */
  look(): void {
    if (!this.#active) return;
    clearTimeout(this.#timer);
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
  }

  #hear(names: readonly string[]): void {
    if (!this.#active) return;
    // nobody leads any more
    if (names[0] === '') this.look();
    else this.#wake(names);
  }

  #wake(names: readonly string[]): void {
    if (!this.#active) return;
    for (const name of names) {
      const duty = this.#duties.get(name);
      if (duty && this.options.workers.has(duty.worker)) duty.wake();
    }
  }

  async #look(): Promise<void> {
    let nextMs = this.options.intervalMs;
    try {
      const { due, leads, watchers } = await this.#ask();
      if (leads !== undefined) this.#leads = leads;
      this.#succeededAtMs = Date.now();
      this.#wake(due);
      if (due.length > 0 && this.#channel?.isUp) this.#channel.say(TOPIC, due.join(' '));
      if (!this.#leads && watchers !== undefined)
        // not in step with the others
        nextMs = Math.max(nextMs, FOLLOWER_MS * Math.max(1, watchers) * (0.75 + Math.random() / 2));
    } catch (err) {
      this.#log.warn({ err: err as Error }, 'nobody could look for work that is due, the next look tries again');
    }
    if (this.#active) this.#timer = setTimeout(() => this.look(), nextMs).unref();
  }

  async #ask(): Promise<Look> {
    const channel = this.#channel?.isUp ? this.#channel : undefined;
    if (!channel) return (await this.#db.query<Look>({ name: 'work-due', text: `select ${this.#due}` })).rows[0]!;
    if (this.#leads) return (await channel.query<Look>({ name: 'work-due', text: `select ${this.#due}` }))[0]!;
    const [look] = await channel.query<Look>({
      text: `select ${this.#due}, ${locks.tryAlone('leader')} as leads, ${locks.countOf('watcher')} as watchers`,
    });
    return look!;
  }
}
