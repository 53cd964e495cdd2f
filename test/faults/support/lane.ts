import { startTestSimulator, type TestSimulator } from '../../support/simulator.js';
import { until } from '../../support/until.js';
import { type Account, createAccounts } from './accounts.js';
import { type OwnDatabase, type OwnPostgres, type Postgres, postgresOfRun, startOwnPostgres } from './own-postgres.js';
import { Station } from './station.js';

export interface LaneOptions {
  accounts: number;
  settings?: Readonly<Record<string, string>>;
  /** With a PostgreSQL of its own, which the test may stop; otherwise with a database on that of the run. */
  ownServer?: boolean | OwnPostgres;
  /** The server where it is started in another way. */
  postgres?: Postgres;
}

/**
 * A small world for faults: a database, a simulator, and two API processes on them, each with ways of its own that the test
 * can cut. The victim is what happens to; the survivor is the other process that production always has.
 */
export class Lane {
  /** Of lanes that have one of their own. */
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

  /** Waits until no order is open any more: each is success, failed or in review. */
  async settled(limitMs = 25_000): Promise<void> {
    const open = async () =>
      (await this.db.query<{ n: number }>(`select count(*)::int as n from orders where state = 'open'`))[0]!.n;
    await until('every order is terminal or in review', async () => (await open()) === 0, limitMs, 50);
  }

  /** Waits until every success that has to be checked again was. What waits for a person goes on being asked about. */
  async checkedAgain(limitMs: number): Promise<void> {
    const due = async () =>
      this.db.query<{ provider: string; n: number }>(
        `select o.provider, count(*)::int as n from order_due q join orders o on o.developer_id = q.developer_id and o.id = q.order_id
         where o.state = 'success' group by 1`,
      );
    let left = await due();
    const none = async () => (left = await due()).length === 0;
    await until('every success was checked again', none, limitMs, 100).catch((error: Error) => {
      throw new Error(`${error.message} Left: ${JSON.stringify(left)}`);
    });
  }

  /** The order with a client's key. */
  async orderOf(clientKey: string): Promise<{ id: string; state: string } | undefined> {
    const rows = await this.db.query<{ id: string; state: string }>(
      'select id, state from orders where client_key = $1',
      [clientKey],
    );
    return rows[0];
  }

  /** From now on calls to providers that name one of these texts are counted, in both processes. */
  watchCalls(texts: readonly string[]): void {
    this.victim.provider.watch(texts);
    this.survivor.provider.watch(texts);
  }

  /** How many calls to providers named the text. */
  callsOf(text: string): number {
    return this.victim.provider.calls(text) + this.survivor.provider.calls(text);
  }

  /** Every violated invariant of the books. */
  async violations(): Promise<string[]> {
    const rows = await this.db.query<{ rule: string; detail: string }>('select rule, detail from ledger_check()');
    return rows.map(({ rule, detail }) => `${rule}: ${detail}`);
  }

  /** Warnings, unheard rejections, INTERNAL answers and everything on stderr, of every process that ran here. */
  get complaints(): string[] {
    return [...this.victim.complaints, ...this.survivor.complaints];
  }

  async close(): Promise<void> {
    await Promise.all([this.victim.close(), this.survivor.close()]);
    await this.simulator.stop();
    await this.#closePostgres();
  }
}
