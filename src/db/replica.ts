import type pg from 'pg';
import type { Logger } from '../core/log.js';
import type { Queryable, Statement } from './pool.js';

/** Maximum lag of a replica that is used for reads. */
const LAG_LIMIT_MS = 30_000;
const MEASURED_EVERY_MS = 5_000;
/** Minimum interval between log entries about failed reads. */
const WARN_INTERVAL_MS = 60_000;

/** Returns the SQL expression for the identity of a server, and its position in the write-ahead log, in bytes. */
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
  /** Pool of the replica, divided like that of the primary. */
  replica: pg.Pool;
  /** Separate connection to the replica for measurements. */
  measuringPool: pg.Pool;
  log: Logger;
}

/**
 * Sends reads that can be a few seconds old to a replica that is in sync. If the replica is not in sync or fails, sends the reads
 * to the primary. The lag is determined from the positions of both servers in the write-ahead log, so an idle primary causes no
 * lag and no clocks are compared.
 */
export class Replica implements Queryable {
  /** Positions of the primary within the last LAG_LIMIT_MS, oldest first. */
  #positions: { bytes: bigint; atMs: number }[] = [];
  /** Reason why the replica is not used, or undefined if it is used. */
  #reason: string | undefined = 'has not been measured yet';
  /** Whether a read has failed since the last measurement. */
  #isSuspect = false;
  #warnedAtMs = Number.NEGATIVE_INFINITY;
  #measurement: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: ReplicaParts) {}

  start(): void {
    this.#timer = setInterval(() => void this.measure(), MEASURED_EVERY_MS).unref();
    void this.measure();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#measurement;
    await Promise.all([this.parts.replica.end(), this.parts.measuringPool.end()]);
  }

  get isInUse(): boolean {
    return this.#reason === undefined && !this.#isSuspect;
  }

  /** Reason why the replica is not used, as a sentence, or undefined if it is used. */
  get complaint(): string | undefined {
    return this.#reason && `The replica ${this.#reason}. Reads use the primary.`;
  }

  async query<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>> {
    const { primary, replica } = this.parts;
    if (!this.isInUse) return primary.query<Row>(statement);
    try {
      return await replica.query<Row>(statement);
    } catch (error) {
      this.#suspect(error as Error);
      return primary.query<Row>(statement);
    }
  }

  /** Stops using the replica after a failed read, so that a replica that does not respond delays only one read. */
  #suspect(err: Error): void {
    this.#isSuspect = true;
    void this.measure();
    if (performance.now() - this.#warnedAtMs < WARN_INTERVAL_MS) return;
    this.#warnedAtMs = performance.now();
    this.parts.log.warn({ err }, 'a read from the replica failed, the primary was used');
  }

  /** Measures both servers. Measurements never run concurrently. */
  measure(): Promise<void> {
    return (this.#measurement ??= this.#measure().finally(() => (this.#measurement = undefined)));
  }

  async #measure(): Promise<void> {
    const { primary, measuringPool, log } = this.parts;
    const read = async (pool: pg.Pool, text: string): Promise<Server | undefined> =>
      pool.query<Server>(text).then(
        ({ rows }) => rows[0],
        () => undefined,
      );
    // the primary is read first, so that the replica can reach its position in the meantime
    const primaryServer = await read(primary, PRIMARY);
    const nowMs = performance.now();
    if (primaryServer) this.#positions.push({ bytes: BigInt(primaryServer.position), atMs: nowMs });
    const replicaServer = await read(measuringPool, REPLICA);
    // if the primary is unavailable, the state of the replica is kept
    const reason = !replicaServer
      ? 'is unavailable'
      : primaryServer
        ? this.#judge(replicaServer, primaryServer, nowMs)
        : this.#reason;
    this.#isSuspect = false;
    if (reason === this.#reason) return;
    if (reason === undefined) log.info({}, 'reads use the replica');
    else log.warn({ reason }, 'reads use the primary instead of the replica');
    this.#reason = reason;
  }

  #judge(replica: Server, primary: Server, nowMs: number): string | undefined {
    if (replica.system !== primary.system) return 'belongs to another database';
    // after a failover, both addresses can refer to the same server; a former primary is not a replica of the new one
    if (!replica.follows) return replica.started === primary.started ? undefined : 'does not follow a primary';
    this.#positions = this.#positions.filter(({ atMs }) => nowMs - atMs <= LAG_LIMIT_MS);
    return BigInt(replica.position) >= this.#positions[0]!.bytes
      ? undefined
      : `is more than ${LAG_LIMIT_MS / 1_000} s behind`;
  }
}
