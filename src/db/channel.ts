import pg from 'pg';
import type { Logger } from '../core/log.js';
import { APPLICATION_ROLE } from './guards.js';

const RECONNECT_MS = 1_000;
const QUERY_LIMIT_MS = 5_000;

/**
 * Options for detecting lost connections. With these options, the server detects within about 20 seconds that this machine is no
 * longer reachable. Until then, its locks are not released.
 */
const OPTIONS = ['tcp_keepalives_idle=10', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=2', 'timezone=UTC'];

type Listener = (text: string) => void;

/**
 * Connection of a process outside the pool, for LISTEN and NOTIFY between processes, and for locks that are held while the
 * process runs. Best effort: while the connection is lost, notifications are lost, and other processes can take its locks.
 */
export class Channel {
  readonly #connectionString: string;
  readonly #listeners = new Map<string, Listener>();
  readonly #onConnect: (() => Promise<unknown>)[] = [];
  #client: pg.Client | undefined;
  #onLost: (cause: Error) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isActive = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    connectionString: string,
    private readonly log: Logger,
  ) {
    this.#connectionString = connectionString;
  }

  /** Subscribes to messages of other processes about a topic. The caller must call it before `start`. */
  on(topic: string, listener: Listener): void {
    this.#listeners.set(topic, listener);
  }

  /** Runs work after each connect or reconnect. If the work fails, the connection is closed and opened again. */
  onConnect(work: () => Promise<unknown>): void {
    this.#onConnect.push(work);
  }

  /** Whether the connection is established. */
  get isUp(): boolean {
    return this.#client !== undefined;
  }

  start(): void {
    this.#isActive = true;
    void this.#connect();
  }

  async stop(): Promise<void> {
    this.#isActive = false;
    clearTimeout(this.#timer);
    await this.#last.catch(() => {});
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  /** Sends a message of at most 8,000 bytes. */
  notify(topic: string, text: string): void {
    this.query({ text: 'select pg_notify($1, $2)', values: [topic, text] }).catch(() => {});
  }

  /**
   * Runs a statement in this session, after earlier ones. Throws the errors of the database, and an error if the connection is
   * lost.
   */
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<Row[]> {
    // one statement runs at a time, because a connection has no queue
    const result = this.#last.then(async () => {
      if (!this.#client) throw new Error('The notification connection is lost.');
      try {
        return (await this.#client.query<Row>(statement)).rows;
      } catch (error) {
        // the server did not respond, so the state of the session is unknown
        if (!(error instanceof pg.DatabaseError)) this.#onLost(error as Error);
        throw error;
      }
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      connectionTimeoutMillis: 5_000,
      query_timeout: QUERY_LIMIT_MS,
      options: [`role=${APPLICATION_ROLE}`, ...OPTIONS].map((option) => `-c ${option}`).join(' '),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'recharge-gateway listen',
    });
    let isLost = false;
    const onLost = (cause?: Error): void => {
      if (isLost) return;
      isLost = true;
      if (this.#client === client) this.#client = undefined;
      if (!this.#isActive) return;
      this.log.warn({ err: cause }, 'notification connection lost, reconnecting');
      this.#timer = setTimeout(() => void this.#connect(), RECONNECT_MS).unref();
      void client.end().catch(() => {});
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    client.on('notification', ({ processId, channel, payload }) => {
      // this ignores the messages of this process
      if (processId !== (client as unknown as { processID: number }).processID)
        this.#listeners.get(channel)?.(payload ?? '');
    });
    try {
      await client.connect();
      for (const topic of this.#listeners.keys()) await client.query(`listen ${client.escapeIdentifier(topic)}`);
      if (!this.#isActive) {
        await client.end();
        return;
      }
      if (isLost) return;
      this.#client = client;
      this.#onLost = onLost;
      for (const work of this.#onConnect) await work();
    } catch (error) {
      onLost(error as Error);
    }
  }
}
