import type { EntityManager } from '@mikro-orm/postgresql';
import { fromKysely, type Job, type PgBoss } from 'pg-boss';

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

/** Deliveries at one endpoint at a time, over all processes: a slow receiver keeps nobody else's events waiting. */
const PER_ENDPOINT = 4;

export interface QueuedDelivery {
  developerId: number;
  deliveryId: string;
}
export type WebhookJob = Job<QueuedDelivery>;

/** What is left to do for a delivery whose attempt failed; `lost`: another process has taken the job over. */
export type AfterFailure = { kind: 'retry'; at: Date } | { kind: 'dead' } | { kind: 'lost' };

/** Webhook deliveries as jobs of pg-boss. Whatever changes a delivery changes its job in the same transaction. */
export class WebhookJobs {
  readonly #queue: PgBoss;
  readonly #policy: RetryPolicy;
  #started: Promise<unknown> | undefined;

  constructor(queue: PgBoss, policy: RetryPolicy) {
    this.#queue = queue;
    this.#policy = policy;
  }

  /** Safe to repeat; a start that failed, because the database was away, is tried again. */
  async start(): Promise<void> {
    this.#started ??= this.#queue.start();
    await this.#started.catch((error) => {
      this.#started = undefined;
      throw error;
    });
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
    this.#started = undefined;
  }

  /** Queues deliveries, each under its job's id, to be tried now. */
  async add(deliveries: readonly (QueuedDelivery & { jobId: string; endpointId: string })[], em: EntityManager) {
    const { retries, delayS, delayMaxS } = this.#policy;
    const jobs = deliveries.map(({ jobId, endpointId, developerId, deliveryId }) => ({
      id: jobId,
      data: { developerId, deliveryId },
      group: { id: endpointId },
      retryLimit: retries,
      retryDelay: delayS,
      retryBackoff: true,
      retryDelayMax: delayMaxS,
    }));
    await this.#queue.insert(QUEUE, jobs, { db: fromKysely(em.getKysely()) });
  }

  /** Jobs that are due; no other process gets them. One that is neither done nor failed comes back after a minute. */
  take(limit: number): Promise<WebhookJob[]> {
    return this.#queue.fetch<QueuedDelivery>(QUEUE, { batchSize: limit, groupConcurrency: PER_ENDPOINT });
  }

  /** False when another process has taken the job over meanwhile. */
  async done(job: WebhookJob, em: EntityManager): Promise<boolean> {
    return affected(await this.#queue.complete(QUEUE, job, null, { db: fromKysely(em.getKysely()) }));
  }

  /** Retried with growing pauses, in the end a dead letter. */
  async failed(job: WebhookJob, em: EntityManager): Promise<AfterFailure> {
    const db = fromKysely(em.getKysely());
    if (!affected(await this.#queue.fail(QUEUE, job, null, { db }))) return { kind: 'lost' };
    const [after] = await this.#queue.findJobs(QUEUE, { id: job.id, db });
    return after?.state === 'retry' ? { kind: 'retry', at: new Date(after.startAfter) } : { kind: 'dead' };
  }

  /** Takes a delivery's job and dead letter away: it is tried anew. */
  async remove(jobId: string, deliveryId: string, em: EntityManager): Promise<void> {
    const db = fromKysely(em.getKysely());
    await this.#queue.deleteJob(QUEUE, jobId, { db });
    const letters = await this.#queue.findJobs(DEAD_LETTERS, { data: { deliveryId }, db });
    for (const { id } of letters) await this.#queue.deleteJob(DEAD_LETTERS, id, { db });
  }
}

/** Whether a call settled its job; the library's types leave the count out. */
const affected = (response: object): boolean => (response as { affected: number }).affected > 0;
