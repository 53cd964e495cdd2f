import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Environment } from '../core/environment.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { WebhookJobs } from './webhook-jobs.js';

/** Maximum number of events per transaction. */
const BATCH = 200;
/** SQL condition: whether there are events in the outbox. */
export const EVENTS_PENDING = 'exists (select from webhook_outbox)';
const HOUSEKEEPING_MS = 3_600_000;

interface DispatchedRow {
  developer_id: string;
  id: string;
  environment: Environment;
  job_id: string;
}

/**
 * Moves events from the outbox, to which the ledger functions write them, to the job queue. All deliveries of an event, one
 * per endpoint, are created in one transaction, so that each event is in exactly one of the two. Any number of processes can
 * run it concurrently.
 */
export class WebhookDispatcher {
  readonly #orm: MikroORM;
  readonly #db: Queryable;
  readonly #jobs: WebhookJobs;
  readonly #onDispatched: () => void;
  readonly #poller: Poller;
  /** Loop that deletes log entries after 90 days; see webhook_housekeeping. */
  readonly housekeeping: Poller;

  constructor(parts: { orm: MikroORM; db: Queryable; jobs: WebhookJobs; log: Logger; onDispatched: () => void }) {
    this.#orm = parts.orm;
    this.#db = parts.db;
    this.#jobs = parts.jobs;
    this.#onDispatched = parts.onDispatched;
    const onError = (err: Error) =>
      parts.log.warn({ err }, 'moving webhooks out of the outbox failed, retrying in the next round');
    this.#poller = new Poller(() => this.#dispatch(), undefined, onError);
    this.housekeeping = new Poller(
      () => this.#tidy(),
      HOUSEKEEPING_MS,
      (err) => parts.log.warn({ err }, 'deleting old webhook log entries failed, retrying in the next round'),
    );
  }

  start(): void {
    this.#poller.start();
  }

  /** Starts a run. Must be called when there may be events in the outbox. */
  wake(): void {
    this.#poller.wake();
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
  }

  /** Moves a batch of events. Returns true if there may be more. An empty outbox costs one query and no transaction. */
  async #dispatch(): Promise<boolean> {
    await this.#jobs.start();
    const { rows } = await this.#db.query<{ waiting: boolean }>({
      name: 'webhook-outbox',
      text: `select ${EVENTS_PENDING} as waiting`,
    });
    if (!rows[0]!.waiting) return false;
    const count = await inTransaction(this.#orm, (em) => this.#dispatchIn(em));
    if (count > 0) this.#onDispatched();
    return count > 0;
  }

  async #dispatchIn(tx: EntityManager): Promise<number> {
    const { rows } =
      await sql<DispatchedRow>`select developer_id, id, environment, job_id from webhook_dispatch(${BATCH})`.execute(
        tx.getKysely(),
      );
    const deliveries = rows.map((row) => ({
      developerId: row.developer_id,
      deliveryId: row.id,
      environment: row.environment,
      jobId: row.job_id,
    }));
    if (deliveries.length > 0) await this.#jobs.add(deliveries, tx);
    return deliveries.length;
  }

  async #tidy(): Promise<boolean> {
    await this.#db.query({ text: 'select webhook_housekeeping()' });
    return false;
  }
}
