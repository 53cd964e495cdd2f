import type { Client } from 'pg';
import { until } from '../../support/until.js';
import type { Account } from '../support/accounts.js';
import type { Reached, Watch } from '../support/api-process.js';
import type { Lane } from '../support/lane.js';
import type { Reply, Station } from '../support/station.js';
import type { Trial } from './calls.js';
import type { Point } from './cells.js';

/** Time in which an order must reach its point; otherwise its cell has not fired. */
const ARRIVAL_LIMIT_MS = 4_000;

/** One batch in progress: its calls, their positions, and everything that must be released afterwards. */
export class Scene {
  readonly lane: Lane;
  readonly trials: readonly Trial[];
  /** Orders that keep both slots of a batcher of postings busy, so that the orders after them are queued together. */
  readonly plugs: { hold: readonly Trial[]; resolve: readonly Trial[] };
  readonly replies = new Map<Trial, Promise<Reply | undefined>>();
  /** Connections whose reply is withheld: the statement has been executed, but the process does not know. */
  readonly withheld = new Set<number>();
  /** Backends that wait for a lock of the test. */
  readonly blocked = new Set<number>();
  locks: Client | undefined;

  constructor(lane: Lane, trials: readonly Trial[], plugs: Scene['plugs']) {
    this.lane = lane;
    this.trials = trials;
    this.plugs = plugs;
  }

  get allTrials(): readonly Trial[] {
    return [...this.trials, ...this.plugs.hold, ...this.plugs.resolve];
  }

  get victim(): Station {
    return this.lane.victim;
  }

  at(gate: string, { account }: Trial): Reached | undefined {
    return this.victim.api.at(gate, account.developerId);
  }

  trialsAt(...points: Point[]): Trial[] {
    return this.trials.filter(({ cell }) => points.includes(cell.point));
  }

  start(trials: readonly Trial[]): void {
    for (const trial of trials) this.replies.set(trial, this.victim.call(trial.call));
  }

  /** Waits for each trial. A trial that does not arrive is left to the final check. */
  async each(trials: readonly Trial[], arrived: (trial: Trial) => boolean | Promise<boolean>): Promise<void> {
    const wait = (trial: Trial) =>
      until('it has arrived', async () => arrived(trial), ARRIVAL_LIMIT_MS).catch(() => {});
    await Promise.all(trials.map(wait));
  }

  go(gate: string, trials: readonly Trial[]): Promise<void> {
    return this.victim.api.go(gate, idsOf(trials));
  }

  /** Lets statements run without delivering their replies, and waits until the server has finished them. */
  async runWithoutReply(gate: string, trials: readonly Trial[]): Promise<void> {
    const ports = new Set(trials.flatMap((trial) => this.at(gate, trial)?.port ?? []));
    for (const port of ports) {
      this.victim.database.withhold(port);
      this.withheld.add(port);
    }
    await this.go(gate, trials);
    const limit = new Promise<void>((resume) => setTimeout(resume, ARRIVAL_LIMIT_MS).unref());
    await Promise.race([Promise.all([...ports].map((port) => this.victim.database.waitUntilFinished(port))), limit]);
  }

  /**
   * Locks the queue rows of the orders, so that their final updates start but do not end. A locked order itself would be skipped.
   */
  async lock(trials: readonly Trial[]): Promise<void> {
    this.locks = await this.lane.db.connect();
    await this.locks.query('begin');
    await this.locks.query(
      'select 1 from order_due where developer_id = any($1::uuid[]) order by developer_id for update',
      [idsOf(trials)],
    );
  }

  async unlock(): Promise<void> {
    await this.locks?.end().catch(() => {});
    this.locks = undefined;
  }

  /** Records which of these backends wait for a lock now. */
  async recordBlocked(pids: readonly number[]): Promise<void> {
    const rows = await this.lane.db.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = any($1::int[]) and wait_event_type = 'Lock'`,
      [pids],
    );
    for (const { pid } of rows) this.blocked.add(pid);
  }

  /** Releases everything that was stopped, locked or withheld, after the fault. */
  async release(): Promise<void> {
    await this.unlock();
    await this.victim.api.watch({ subjects: [], stops: [] });
    this.victim.database.deliver();
    this.victim.provider.deliver();
  }
}

export const idsOf = (trials: readonly Trial[]): string[] => trials.map(({ account }) => account.developerId);

/** Watch list of the victim: all trials, with stops at these gates. */
export const watchOf = (watchedTrials: readonly Trial[], stops: readonly [string, readonly Trial[]][]): Watch => ({
  subjects: watchedTrials.map(({ account, text }) => ({ developerId: account.developerId, texts: [text] })),
  stops: stops.flatMap(([gate, trials]) =>
    trials.map(({ account }: { account: Account }): [string, string] => [gate, account.developerId]),
  ),
});
