import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { fromKysely, type JobWithMetadata, type PgBoss } from 'pg-boss';
import type { Environment } from '../core/environment.js';
import { jobsDue } from '../db/job-queue.js';
import type { Queryable } from '../db/pool.js';
import { type Lane, laneOf, lanes } from './webhook-lanes.js';

/** The queue of deliveries and the one that holds those given up; the migration makes both. */
const QUEUE = 'webhook';
const DEAD_LETTERS = 'webhook-dead';

export interface RetryPolicy {
  /** After the first attempt. */
  retries: number;
  /** Before the first retry: one to two times this, doubled for each further one. */
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
  /** At most so many, and no more than is usual. */
  retries?: number | undefined;
}
export type WebhookJob = JobWithMetadata<QueuedDelivery>;

/** A developer's jobs of one environment: they share the places that one developer may have. */
const groupOf = (developerId: string, environment: Environment): string => `${developerId}:${environment}`;

const DUE_LANES = `select p as priority from unnest($1::integer[]) p where ${jobsDue(QUEUE, 'and priority = p')}`;
/** SQL: whether a delivery is due. */
export const DELIVERIES_DUE = jobsDue(QUEUE);

/** What is left to do for a delivery whose attempt failed; `lost`: another process has taken the job over. */
export type AfterFailure = { kind: 'retry'; at: Date } | { kind: 'failed' } | { kind: 'lost' };

/** Webhook deliveries as jobs of pg-boss. Whatever changes a delivery changes its job in the same transaction. */
export class WebhookJobs {
  constructor(
    private readonly queue: PgBoss,
    private readonly db: Queryable,
    private readonly policy: RetryPolicy,
  ) {}

  /** Safe to repeat: pg-boss starts once, and again after a start that failed because the database was away. */
  async start(): Promise<void> {
    await this.queue.start();
  }

  async stop(): Promise<void> {
    await this.queue.stop();
  }

  /** Queues deliveries, each under its job's id, to be tried now. */
  async add(deliveries: readonly NewDelivery[], em: EntityManager) {
    const { retries, delayS, delayMaxS } = this.policy;
    const jobs = deliveries.map(({ jobId, environment, developerId, deliveryId, retries: most = retries }) => ({
      id: jobId,
      data: { developerId, deliveryId },
      priority: laneOf(environment, false).priority,
      group: { id: groupOf(developerId, environment) },
      retryLimit: Math.min(most, retries),
      retryDelay: delayS,
      retryBackoff: true,
      retryDelayMax: delayMaxS,
    }));
    await this.queue.insert(QUEUE, jobs, { db: fromKysely(em.getKysely()) });
  }

  /** Lanes in which something is due, in the order in which places are given out. */
  async dueLanes(): Promise<Lane[]> {
    const { rows } = await this.db.query<{ priority: number }>({
      name: 'webhook-due-lanes',
      text: DUE_LANES,
      values: [lanes.map(({ priority }) => priority)],
    });
    return lanes.filter((lane) => rows.some(({ priority }) => priority === lane.priority));
  }

  /**
   * Due jobs of a lane, of developers that have fewer than `perDeveloper` under way; no other process gets them. One that is
   * neither done nor failed comes back after a minute. The library takes the oldest `limit` jobs and then their groups, so that
   * there may be more although it found fewer: take until there are none.
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

  /** False when another process has taken the job over meanwhile. */
  async done(job: WebhookJob, em: EntityManager): Promise<boolean> {
    return affected(await this.queue.complete(QUEUE, job, null, { db: fromKysely(em.getKysely()) }));
  }

  /** Retried with growing pauses and not before an instant, behind first attempts; in the end a dead letter. */
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

  /** Puts a job back until a time. Unlike `failed` this is not one of its attempts. False when another process has taken it over. */
  async hold(job: WebhookJob, until: Date, em: EntityManager): Promise<boolean> {
    // pg-boss counts an attempt when it takes a job that was started before, and has no call that undoes a start
    const { numAffectedRows } = await sql`update pgboss.job
      set state = case when retry_count > 0 then 'retry' else 'created' end::pgboss.job_state, started_on = null, heartbeat_on = null,
        start_after = ${until.toISOString()}::timestamptz
      where name = ${QUEUE} and id = ${job.id} and state = 'active' and retry_count = ${job.retryCount}`.execute(
      em.getKysely(),
    );
    return numAffectedRows === 1n;
  }

  /** Deletes the jobs and dead letters of deliveries, which are then queued again. */
  async remove(deliveries: readonly { jobId: string; id: string }[], em: EntityManager): Promise<void> {
    if (deliveries.length === 0) return;
    const db = em.getKysely();
    const jobs = deliveries.map(({ jobId }) => jobId);
    // in one order: two calls about the same deliveries wait for each other
    await sql`select from pgboss.job where name = ${QUEUE} and id = any(${jobs}::uuid[]) order by id for update`.execute(
      db,
    );
    await this.queue.deleteJob(QUEUE, jobs, { db: fromKysely(db) });
    await sql`delete from pgboss.job where name = ${DEAD_LETTERS}
      and data ->> 'deliveryId' = any(${deliveries.map(({ id }) => id)}::text[])`.execute(db);
  }
}

/** Whether a call settled its job; the library's types leave the count out. */
const affected = (response: object): boolean => (response as { affected: number }).affected > 0;
