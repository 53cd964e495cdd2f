import { startTestSimulator, type TestSimulator } from '../../support/simulator.js';
import { until } from '../../support/until.js';
import { type Account, createAccounts } from './accounts.js';
import { type OwnDatabase, type OwnPostgres, type Postgres, postgresOfRun, startOwnPostgres } from './own-postgres.js';
import { Station } from './station.js';

export interface LaneOptions {
  accounts: number;
  settings?: Readonly<Record<string, string>>;
  /** Uses a separate PostgreSQL that the test can stop, instead of a database on the server of the test run. */
  ownServer?: boolean | OwnPostgres;
  /** The server, if it is started in another way. */
  postgres?: Postgres;
}

/**
 * Environment for faults: a database, a simulator and two API processes, each with separate links that the test can cut. Faults
 * hit the victim; the survivor is the other process, which production always has.
 */
export class Lane {
  /** The separate server, if the lane has one. */
  readonly server: OwnPostgres | undefined;
  readonly db: OwnDatabase;
  readonly simulator: TestSimulator;
  readonly victim: Station;
  readonly survivor: Station;
  readonly accounts: readonly Account[];
  readonly #closePostgres: () => Promise<void>;

  private constructor(
    parts: Pick<Lane, 'server' | 'db' | 'simulator' | 'victim' | 'survivor' | 'accounts'>,
    closePostgres: () => Promise<void>,
  ) {
    this.server = parts.server;
    this.db = parts.db;
    this.simulator = parts.simulator;
    this.victim = parts.victim;
    this.survivor = parts.survivor;
    this.accounts = parts.accounts;
    this.#closePostgres = closePostgres;
  }

  static async open({ accounts: count, settings = {}, ownServer, postgres: given }: LaneOptions): Promise<Lane> {
    const [server, simulator] = await Promise.all([
      ownServer === true ? startOwnPostgres() : ownServer || undefined,
      startTestSimulator(),
    ]);
    const postgres = given ?? server ?? postgresOfRun();
    const db = await postgres.database();
    const [accounts, victim, survivor] = await Promise.all([
      createAccounts(db, count),
      Station.open(postgres, db.name, simulator.port, settings),
      Station.open(postgres, db.name, simulator.port, settings),
    ]);
    return new Lane({ server, db, simulator, victim, survivor, accounts }, () => postgres.close());
  }

  /** Waits until no order is open: each is a success, failed or in review. */
  async waitUntilSettled(limitMs = 25_000): Promise<void> {
    const open = async () =>
      (await this.db.query<{ n: number }>(`select count(*)::int as n from orders where state = 'open'`))[0]!.n;
    await until('every order is terminal or in review', async () => (await open()) === 0, limitMs, 50);
  }

  /** Waits until every success that is due for a recheck was checked. Orders in review continue to be checked. */
  async waitUntilRechecked(limitMs: number): Promise<void> {
    const due = async () =>
      this.db.query<{ provider: string; n: number }>(
        `select o.provider, count(*)::int as n from order_due q join orders o on o.developer_id = q.developer_id and o.id = q.order_id
         where o.state = 'success' group by 1`,
      );
    let left = await due();
    const isDone = async () => (left = await due()).length === 0;
    await until('every success was rechecked', isDone, limitMs, 100).catch((error: Error) => {
      throw new Error(`${error.message} Left: ${JSON.stringify(left)}`);
    });
  }

  /** Order with the idempotency key of a client. */
  async orderOf(clientKey: string): Promise<{ id: string; state: string } | undefined> {
    const rows = await this.db.query<{ id: string; state: string }>(
      'select id, state from orders where client_key = $1',
      [clientKey],
    );
    return rows[0];
  }

  /** Counts calls to providers that contain one of these texts from now on, in both processes. */
  watchCalls(texts: readonly string[]): void {
    this.victim.provider.watch(texts);
    this.survivor.provider.watch(texts);
  }

  /** Number of calls to providers that contained the text. */
  callsOf(text: string): number {
    return this.victim.provider.calls(text) + this.survivor.provider.calls(text);
  }

  /** All violated invariants of the books. */
  async violations(): Promise<string[]> {
    const rows = await this.db.query<{ rule: string; detail: string }>('select rule, detail from ledger_check()');
    return rows.map(({ rule, detail }) => `${rule}: ${detail}`);
  }

  /** Warnings, unhandled rejections, INTERNAL errors and output to stderr of every process that ran here. */
  get complaints(): string[] {
    return [...this.victim.complaints, ...this.survivor.complaints];
  }

  async close(): Promise<void> {
    await Promise.all([this.victim.close(), this.survivor.close()]);
    await this.simulator.stop();
    await this.#closePostgres();
  }
}
