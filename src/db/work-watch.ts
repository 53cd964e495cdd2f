import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
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
  /** What this process does; the others hear of the rest. */
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
 * and again, and notifies the others over the channel. Leading is a lock of the channel's session, so it ends with the process, and
 * whoever looks next takes it. Without the channel each process looks for itself.
 */
export class WorkWatch implements Task {
  readonly #db: Queryable;
  readonly #channel: Channel | undefined;
  readonly #duties: ReadonlyMap<string, Duty>;
  readonly #due: string;
  readonly #poller: Poller;
  #pauseMs = 0;
  #leads = false;

  /** @param channel undefined where there is one process alone */
  constructor(
    parts: { db: Queryable; channel?: Channel; log: Logger },
    duties: readonly Duty[],
    private readonly options: WatchOptions,
  ) {
    this.#db = parts.db;
    this.#channel = parts.channel;
    this.#duties = new Map(duties.map((duty) => [duty.name, duty]));
    const cases = duties.map(({ name, due }) => `case when ${due} then '${name}' end`);
    this.#due = `array_remove(array[${cases.join(', ')}]::text[], null) as due`;
    this.#poller = new Poller(
      () => this.#look(),
      () => this.#pauseMs,
      (err) => parts.log.warn({ err }, 'nobody could look for work that is due, the next look tries again'),
    );
    this.#channel?.on(TOPIC, (names) => this.#hear(names.split(' ')));
    this.#channel?.onConnect(async () => {
      // the locks of the session before went with it
      this.#leads = false;
      if (this.#poller.isActive) await this.#join();
    });
  }

  /** What this process does. */
  get workers(): ReadonlySet<Worker> {
    return this.options.workers;
  }

  /** When it last looked. */
  get succeededAtMs(): number {
    return this.#poller.succeededAtMs;
  }

  /** Whether this process is the one that looks for all. */
  get leads(): boolean {
    return this.#leads;
  }

  /** Does nothing in a process that does no work. */
  start(): void {
    if (this.options.workers.size === 0) return;
    if (this.#channel?.isUp) this.#join().catch(() => {});
    this.#poller.start();
  }

  /** One more that looks; counted until its session ends. */
  async #join(): Promise<void> {
    await this.#channel!.query({ text: `select ${locks.share('watcher')}` });
  }

  /** Gives the lead to another process at once. */
  async stop(): Promise<void> {
    await this.#poller.stop();
    if (!this.#leads || !this.#channel?.isUp) return;
    this.#leads = false;
    await this.#channel
      .query({ text: `select ${locks.release('leader')}, ${locks.unshare('watcher')}` })
      .catch(() => {});
    this.#channel.say(TOPIC, '');
  }

  #hear(names: readonly string[]): void {
    // nobody leads any more
    if (names[0] === '') this.#poller.wake();
    else this.#wake(names);
  }

  #wake(names: readonly string[]): void {
    if (!this.#poller.isActive) return;
    for (const name of names) {
      const duty = this.#duties.get(name);
      if (duty && this.options.workers.has(duty.worker)) duty.wake();
    }
  }

  /** All that is due in one round: there is never more at once. */
  async #look(): Promise<boolean> {
    this.#pauseMs = this.options.intervalMs;
    const { due, leads, watchers } = await this.#ask();
    if (leads !== undefined) this.#leads = leads;
    this.#wake(due);
    if (due.length > 0 && this.#channel?.isUp) this.#channel.say(TOPIC, due.join(' '));
    if (!this.#leads && watchers !== undefined)
      // not in step with the others
      this.#pauseMs = Math.max(this.#pauseMs, FOLLOWER_MS * Math.max(1, watchers) * (0.75 + Math.random() / 2));
    return false;
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
