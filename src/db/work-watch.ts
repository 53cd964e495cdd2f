import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Duty, Task } from '../core/room.js';
import type { Worker } from '../core/workers.js';
import type { Channel } from './channel.js';
import { locks } from './locks.js';
import type { Queryable } from './pool.js';

const TOPIC = 'work_due';
/**
 * Interval of checks by followers. Followers check for work at this interval times their number, so the total rate is constant.
 * A leader that does not respond or a lost notification therefore delays work by a few seconds at most.
 */
const FOLLOWER_MS = 2_000;

export interface WatchOptions {
  /** Workers of this process. Other processes are notified of work for other workers. */
  workers: ReadonlySet<Worker>;
  /** Interval at which the leader checks for work. */
  intervalMs: number;
}

interface DueWork {
  due: string[];
  /** Set to false for a process that never becomes the leader. */
  leads?: boolean;
  watchers?: number;
}

/**
 * Checks for due work of all kinds with one statement, and wakes the workers. One process is the leader: it checks for work
 * repeatedly and notifies the others over the channel. Leadership is a lock of the channel's session, so it ends with the
 * process, and the next process that checks takes it. Without the channel, each process checks on its own.
 */
export class WorkWatch implements Task {
  readonly #db: Queryable;
  readonly #channel: Channel | undefined;
  readonly #duties: ReadonlyMap<string, Duty>;
  readonly #due: string;
  readonly #poller: Poller;
  #pauseMs = 0;
  #isLeader = false;

  /**
   * Creates the watch.
   * @param channel undefined if there is only one process
   */
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
      () => this.#readDueWork(),
      () => this.#pauseMs,
      (err) => parts.log.warn({ err }, 'looking for due work failed, retrying at the next interval'),
    );
    this.#channel?.on(TOPIC, (names) => this.#onNotification(names.split(' ')));
    this.#channel?.onConnect(async () => {
      // the locks of the previous session were released when it ended
      this.#isLeader = false;
      if (this.#poller.isActive) await this.#join();
    });
  }

  get workers(): ReadonlySet<Worker> {
    return this.options.workers;
  }

  /** Time of the last successful check, in milliseconds. */
  get succeededAtMs(): number {
    return this.#poller.succeededAtMs;
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** Starts checking. Does nothing in a process without workers. */
  start(): void {
    if (this.options.workers.size === 0) return;
    if (this.#channel?.isUp) this.#join().catch(() => {});
    this.#poller.start();
  }

  /** Registers this process as a watcher until its session ends. */
  async #join(): Promise<void> {
    await this.#channel!.query({ text: `select ${locks.share('watcher')}` });
  }

  /** Stops checking, and passes the leadership to another process immediately. */
  async stop(): Promise<void> {
    await this.#poller.stop();
    if (!this.#isLeader || !this.#channel?.isUp) return;
    this.#isLeader = false;
    await this.#channel
      .query({ text: `select ${locks.release('leader')}, ${locks.unshare('watcher')}` })
      .catch(() => {});
    this.#channel.notify(TOPIC, '');
  }

  #onNotification(names: readonly string[]): void {
    // an empty name means that the leader has stopped
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

  /** Wakes all due work in one round, so that no further round is needed. */
  async #readDueWork(): Promise<boolean> {
    this.#pauseMs = this.options.intervalMs;
    const { due, leads, watchers } = await this.#queryDueWork();
    if (leads !== undefined) this.#isLeader = leads;
    this.#wake(due);
    if (due.length > 0 && this.#channel?.isUp) this.#channel.notify(TOPIC, due.join(' '));
    if (!this.#isLeader && watchers !== undefined)
      // distributes the checks of the followers over time
      this.#pauseMs = Math.max(this.#pauseMs, FOLLOWER_MS * Math.max(1, watchers) * (0.75 + Math.random() / 2));
    return false;
  }

  async #queryDueWork(): Promise<DueWork> {
    const channel = this.#channel?.isUp ? this.#channel : undefined;
    if (!channel) return (await this.#db.query<DueWork>({ name: 'work-due', text: `select ${this.#due}` })).rows[0]!;
    if (this.#isLeader) return (await channel.query<DueWork>({ name: 'work-due', text: `select ${this.#due}` }))[0]!;
    const [row] = await channel.query<DueWork>({
      text: `select ${this.#due}, ${locks.tryExclusive('leader')} as leads, ${locks.countOf('watcher')} as watchers`,
    });
    return row!;
  }
}
