import type pg from 'pg';
import type { Logger } from '../core/log.js';
import type { Queryable, Statement } from './pool.js';

/** A replica that is further behind is not read. */
const LAG_LIMIT_MS = 30_000;
const MEASURED_EVERY_MS = 5_000;
/** Of the line that a read failed; a replica that refuses each would fill the log. */
const SAID_EVERY_MS = 60_000;

/** Which server it is, and how far it has come in the write-ahead log, in bytes. */
const serverAt = (position: string): string => `
  select (${position} - '0/0')::text as position, pg_is_in_recovery() as follows, pg_postmaster_start_time()::text as started,
    (select system_identifier::text from pg_control_system()) as system`;
const PRIMARY = serverAt('pg_current_wal_flush_lsn()');
const REPLICA = serverAt(
  'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end',
);

interface Server {
  position: string;
  follows: boolean;
  started: string;
  system: string;
}

export interface ReplicaParts {
  primary: pg.Pool;
  /** Divided as the primary's is. */
  replica: pg.Pool;
  /** A connection to the replica that no reader takes. */
  measuring: pg.Pool;
  log: Logger;
}

/**
 * What may be some seconds old is read from a replica while one follows; else, and whenever it fails, from the primary. How far it
 * is behind is shown by the positions of both in the write-ahead log: a primary on which nothing happens leaves nobody behind, and no
 * clocks are compared.
 */
export class Replica implements Queryable {
  /** Where the primary was within the last LAG_LIMIT_MS, oldest first. */
  #positions: { bytes: bigint; atMs: number }[] = [];
  /** Why it is not read; undefined: it is. */
  #reason: string | undefined = 'was not measured yet';
  /** It failed a reader since it was measured. */
  #isSuspect = false;
  #saidAtMs = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: ReplicaParts) {}

  start(): void {
    this.#timer = setInterval(() => void this.measure(), MEASURED_EVERY_MS).unref();
    void this.measure();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#measuring;
    await Promise.all([this.parts.replica.end(), this.parts.measuring.end()]);
  }

  get isRead(): boolean {
    return this.#reason === undefined && !this.#isSuspect;
  }

  /** Why it is not read, as a sentence; undefined: it is. */
  get complaint(): string | undefined {
    return this.#reason && `The replica ${this.#reason}: the primary is read instead.`;
  }

  async query<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>> {
    const { primary, replica } = this.parts;
    if (!this.isRead) return primary.query<Row>(statement);
    try {
      return await replica.query<Row>(statement);
    } catch (error) {
      this.#suspect(error as Error);
      return primary.query<Row>(statement);
    }
  }

  /** A replica that has gone silent keeps one reader waiting, not those after it. */
  #suspect(err: Error): void {
    this.#isSuspect = true;
    void this.measure();
    if (performance.now() - this.#saidAtMs < SAID_EVERY_MS) return;
    this.#saidAtMs = performance.now();
    this.parts.log.warn({ err }, 'a read of the replica failed, the primary answered');
  }

  /** Asks both servers, never twice at the same time. */
  measure(): Promise<void> {
    return (this.#measuring ??= this.#measure().finally(() => (this.#measuring = undefined)));
  }

  async #measure(): Promise<void> {
    const { primary, measuring, log } = this.parts;
    const ask = async (pool: pg.Pool, text: string): Promise<Server | undefined> =>
      pool.query<Server>(text).then(
        ({ rows }) => rows[0],
        () => undefined,
      );
    // first: what it has written by now the replica may have a moment later
    const followed = await ask(primary, PRIMARY);
    const nowMs = performance.now();
    if (followed) this.#positions.push({ bytes: BigInt(followed.position), atMs: nowMs });
    const found = await ask(measuring, REPLICA);
    // a primary that cannot be asked says nothing about its replica
    const reason = !found ? 'is away' : followed ? this.#judge(found, followed, nowMs) : this.#reason;
    this.#isSuspect = false;
    if (reason === this.#reason) return;
    if (reason === undefined) log.info({}, 'the replica is read');
    else log.warn({ reason }, 'the replica is not read: the primary is read instead');
    this.#reason = reason;
  }

  #judge(replica: Server, primary: Server, nowMs: number): string | undefined {
    if (replica.system !== primary.system) return 'is of another database';
    // both addresses may lead to one server after a failover; a former primary that nobody repaired follows no longer
    if (!replica.follows) return replica.started === primary.started ? undefined : 'follows nobody';
    this.#positions = this.#positions.filter(({ atMs }) => nowMs - atMs <= LAG_LIMIT_MS);
    return BigInt(replica.position) >= this.#positions[0]!.bytes
      ? undefined
      : `is more than ${LAG_LIMIT_MS / 1_000} s behind`;
  }
}
