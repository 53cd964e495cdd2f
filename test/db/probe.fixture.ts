import { Client } from 'pg';
import { vi } from 'vitest';
import type { Statement } from '../../src/db/pool.js';

type Named = Statement & { name: string };

/** Pages that one statement reads, with the values of one call. */
export interface Probed {
  name: string;
  /** With a plan for these values. */
  custom: number;
  /** With a plan for all values. */
  generic: number;
}

/** Calls of each statement that are measured: the first call of a test may be for another account, or find nothing. */
const CALLS_OF_EACH = 2;
/** Number of executions after which PostgreSQL considers a generic plan. */
const CUSTOM = 5;
const TIMES = 10;

const isNamed = (statement: unknown): statement is Named =>
  typeof statement === 'object' && typeof (statement as Named | null)?.name === 'string';

/**
 * Measures every named statement that this process sends from now on. Just before a statement is sent, a separate connection
 * executes it ten times with the same values and counts the pages. Each execution is in a transaction that is rolled back. The
 * last five use a generic plan, which PostgreSQL can choose from the sixth execution on.
 */
export class Probe {
  readonly probed: Probed[] = [];
  readonly problems: string[] = [];
  readonly #client: Client;
  readonly #calls = new Map<string, number>();
  #turn: Promise<unknown> = Promise.resolve();
  #pages = 0;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<Probe> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_buffers = on;
      set auto_explain.log_timing = off; set auto_explain.log_format = json; set client_min_messages = log; set lock_timeout = '2s'; set role gateway_app`);
    const probe = new Probe(client);
    client.on('notice', ({ message = '' }) => {
      const json = /^duration: .*plan:\s*(\{.*)$/s.exec(message)?.[1];
      if (!json) return;
      const { Plan: plan } = JSON.parse(json);
      probe.#pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    });
    const { query } = Client.prototype;
    vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
      const send = () => query.apply(this, args as never) as unknown;
      const [statement] = args;
      if (this === client || !isNamed(statement)) return send() as never;
      return probe.#prepare(statement).then(send) as never;
    });
    return probe;
  }

  async close(): Promise<void> {
    vi.restoreAllMocks();
    await this.#turn;
    await this.#client.end();
  }

  /** One at a time, because there is one connection. */
  #prepare(statement: Named): Promise<unknown> {
    const calls = (this.#calls.get(statement.name) ?? 0) + 1;
    this.#calls.set(statement.name, calls);
    if (calls > CALLS_OF_EACH) return Promise.resolve();
    this.#turn = this.#turn
      .then(() => this.#measure(statement))
      .catch((error: Error) => this.problems.push(`${statement.name}: ${error.message}`));
    return this.#turn;
  }

  async #measure({ name, text, values = [] }: Named): Promise<void> {
    const pages: number[] = [];
    for (let n = 0; n < TIMES; n++) {
      await this.#client.query(
        `begin; set local plan_cache_mode = ${n < CUSTOM ? 'force_custom_plan' : 'force_generic_plan'}`,
      );
      try {
        this.#pages = Number.NaN;
        await this.#client.query({ name, text, values });
        // PostgreSQL reports the statistics of a read when the portal is closed by the next one
        await this.#client.query('set local plan_cache_mode = auto');
        if (Number.isNaN(this.#pages)) throw new Error('no plan was reported');
        pages.push(this.#pages);
      } finally {
        await this.#client.query('rollback');
      }
    }
    // the first executions of a function also read the catalog
    this.probed.push({
      name,
      custom: Math.min(...pages.slice(0, CUSTOM)),
      generic: Math.min(...pages.slice(CUSTOM)),
    });
  }
}
