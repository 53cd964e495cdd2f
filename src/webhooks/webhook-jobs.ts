import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { fromKysely, type JobWithMetadata, type PgBoss } from 'pg-boss';
import type { Environment } from '../core/environment.js';
import { jobsDue } from '../db/job-queue.js';
import type { Queryable } from '../db/pool.js';
import { type Lane, laneOf, lanes } from './webhook-lanes.js';

/** Names of the delivery queue and the queue of failed deliveries. A migration creates both. */
const QUEUE = 'webhook';
const DEAD_LETTERS = 'webhook-dead';

export interface RetryPolicy {
  /** Maximum number of retries after the first attempt. */
  retries: number;
  /** Seconds before the first retry: one to two times this value, doubled for each further retry. */
  delayS: number;
  delayMaxS: number;
}

export interface QueuedDelivery {
  developerId: string;
  deliveryId: string;
}
interface NewDelivery extends QueuedDelivery {
  jobId: string;
  environment: Environment;
  /** Maximum number of retries, if lower than the default. */
  retries?: number | undefined;
}
export type WebhookJob = JobWithMetadata<QueuedDelivery>;

/** Returns the group of a developer's jobs in one environment. The jobs of a group share the developer's slots. */
const groupOf = (developerId: string, environment: Environment): string => `${developerId}:${environment}`;

const DUE_LANES = `select p as priority from unnest($1::integer[]) p where ${jobsDue(QUEUE, 'and priority = p')}`;
/** SQL condition: whether a delivery is due. */
export const DELIVERIES_DUE = jobsDue(QUEUE);

/** Next step for a delivery after a failed attempt. `lost` means that another process has taken over the job. */
export type AfterFailure = { kind: 'retry'; at: Date } | { kind: 'failed' } | { kind: 'lost' };

/** Webhook deliveries as pg-boss jobs. A delivery and its job are always changed in the same transaction. */
export class WebhookJobs {
  constructor(
    private readonly queue: PgBoss,
    private readonly db: Queryable,
    private readonly policy: RetryPolicy,
  ) {}

  /** Starts pg-boss. Can be called again, including after a start that failed because the database was unavailable. */
  async start(): Promise<void> {
    await this.queue.start();
  }

  async stop(): Promise<void> {
    await this.queue.stop();
  }

  /** Queues deliveries for an immediate attempt. Each job has its own ID. */
  async add(deliveries: readonly NewDelivery[], em: EntityManager) {
    const { retries, delayS, delayMaxS } = this.policy;
    const jobs = deliveries.map(({ jobId, environment, developerId, deliveryId, retries: limit = retries }) => ({
      id: jobId,
      data: { developerId, deliveryId },
      priority: laneOf(environment, false).priority,
      group: { id: groupOf(developerId, environment) },
      retryLimit: Math.min(limit, retries),
      retryDelay: delayS,
      retryBackoff: true,
      retryDelayMax: delayMaxS,
    }));
    await this.queue.insert(QUEUE, jobs, { db: fromKysely(em.getKysely()) });
  }

  /** Returns the lanes with due jobs, in the order in which slots are assigned. */
  async dueLanes(): Promise<Lane[]> {
    const { rows } = await this.db.query<{ priority: number }>({
      name: 'webhook-due-lanes',
      text: DUE_LANES,
      values: [lanes.map(({ priority }) => priority)],
    });
    return lanes.filter((lane) => rows.some(({ priority }) => priority === lane.priority));
  }

  /**
   * Takes due jobs of a lane from developers that have fewer than `perDeveloper` running jobs. Other processes do not get
   * these jobs. A job that neither succeeds nor fails returns to the queue after a minute. The library selects the oldest
   * `limit` jobs before it checks their groups, so a call can return fewer jobs than are available. Call it until it returns
   * none.
   */
  take({ priority }: Lane, limit: number, perDeveloper: number): Promise<WebhookJob[]> {
    return this.queue.fetch<QueuedDelivery>(QUEUE, {
      batchSize: limit,
      groupConcurrency: perDeveloper,
      minPriority: priority,
      maxPriority: priority,
      includeMetadata: true,
    });
  }

  /** Completes a job. Returns false if another process has taken it over. */
  async done(job: WebhookJob, em: EntityManager): Promise<boolean> {
    return affected(await this.queue.complete(QUEUE, job, null, { db: fromKysely(em.getKysely()) }));
  }

  /**
   * Schedules a retry with increasing delays, not before the given time and with lower priority than first attempts. After the
   * last retry, the job becomes a dead letter.
   */
  async failed(job: WebhookJob, { environment }: Lane, em: EntityManager, notBefore?: Date): Promise<AfterFailure> {
    const db = fromKysely(em.getKysely());
    if (!affected(await this.queue.fail(QUEUE, job, null, { db }))) return { kind: 'lost' };
    const [after] = await this.queue.findJobs(QUEUE, { id: job.id, db });
    if (after?.state !== 'retry') return { kind: 'failed' };
    const at = new Date(Math.max(new Date(after.startAfter).getTime(), notBefore?.getTime() ?? 0));
    await this.queue.update(QUEUE, undefined, {
      id: job.id,
      priority: laneOf(environment, true).priority,
      startAfter: at,
      db,
    });
    return { kind: 'retry', at };
  }

  /**
   * Returns a job to the queue until a given time. Unlike `failed`, this does not count as an attempt. Returns false if another
   * process has taken over the job.
   */
  async hold(job: WebhookJob, until: Date, em: EntityManager): Promise<boolean> {
    // pg-boss counts an attempt when it takes a job that was started before, and has no function to undo a start
    const { numAffectedRows } = await sql`update pgboss.job
      set state = case when retry_count > 0 then 'retry' else 'created' end::pgboss.job_state, started_on = null, heartbeat_on = null,
        start_after = ${until.toISOString()}::timestamptz
      where name = ${QUEUE} and id = ${job.id} and state = 'active' and retry_count = ${job.retryCount}`.execute(
      em.getKysely(),
    );
    return numAffectedRows === 1n;
  }

  /** Deletes the jobs and dead letters of deliveries that will be queued again. */
  async remove(deliveries: readonly { jobId: string; id: string }[], em: EntityManager): Promise<void> {
    if (deliveries.length === 0) return;
    const db = em.getKysely();
    const jobs = deliveries.map(({ jobId }) => jobId);
    // locks in a fixed order, so that concurrent calls for the same deliveries do not deadlock
    await sql`select from pgboss.job where name = ${QUEUE} and id = any(${jobs}::uuid[]) order by id for update`.execute(
      db,
    );
    await this.queue.deleteJob(QUEUE, jobs, { db: fromKysely(db) });
    await sql`delete from pgboss.job where name = ${DEAD_LETTERS}
      and data ->> 'deliveryId' = any(${deliveries.map(({ id }) => id)}::text[])`.execute(db);
  }
}

/** Whether a call changed a job. The library's types do not include this number. */
const affected = (response: object): boolean => (response as { affected: number }).affected > 0;
