import pg from 'pg';
import type { Logger } from '../core/log.js';

const RECONNECT_MS = 1_000;

/**
 * A channel of PostgreSQL's LISTEN and NOTIFY, on a connection of its own: what one process says, all hear. Nothing is promised:
 * while the connection is lost, what is said is lost too.
 */
export class Channel {
  readonly #connectionString: string;
  readonly #name: string;
  readonly #hear: (text: string) => void;
  readonly #log: Logger;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #active = false;
  #said: Promise<unknown> = Promise.resolve();

  /** @param hear is called with what other processes say */
  constructor(connectionString: string, name: string, hear: (text: string) => void, log: Logger) {
    this.#connectionString = connectionString;
    this.#name = name;
    this.#hear = hear;
    this.#log = log;
  }

  start(): void {
    this.#active = true;
    void this.#connect();
  }

  async stop(): Promise<void> {
    this.#active = false;
    clearTimeout(this.#timer);
    await this.#said;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  /** At most 8,000 bytes. */
  say(text: string): void {
    // one after the other: a connection has no queue
    this.#said = this.#said
      .then(() => this.#client?.query('select pg_notify($1, $2)', [this.#name, text]))
      .catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'recharge-gateway listen',
    });
    let lost = false;
    const lose = (cause?: Error): void => {
      if (lost) return;
      lost = true;
      if (this.#client === client) this.#client = undefined;
      if (!this.#active) return;
      this.#log.warn({ err: cause }, 'the connection that hears of decided orders is lost');
      this.#timer = setTimeout(() => void this.#connect(), RECONNECT_MS).unref();
      void client.end().catch(() => {});
    };
    client.on('error', lose);
    client.on('end', () => lose());
    client.on('notification', ({ processId, payload }) => {
      // one's own words are known already
      if (processId !== (client as unknown as { processID: number }).processID) this.#hear(payload ?? '');
    });
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(this.#name)}`);
      if (!this.#active) await client.end();
      else if (!lost) this.#client = client;
    } catch (error) {
      lose(error as Error);
    }
  }
}
