import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from '../core/log.js';
import type { EntityManager } from '../db/orm.js';
import { troubleOf } from '../db/trouble.js';
import { Poller } from './poller.js';
import type { DueDelivery, WebhookDeliveryStore } from './webhook-delivery.store.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';
import { bodyOf, messageIdOf } from './webhook-event.js';
import type { WebhookJob, WebhookJobs } from './webhook-jobs.js';
import type { Attempt, WebhookSender } from './webhook-sender.js';
import { signedHeaders } from './webhook-signature.js';

/** Attempts under way at once in one process. */
const MAX_RUNNING = 32;
/** How long an outage of the database is outlasted, so that an answer is not lost to it; a job is this process's for a minute. */
const OUTLAST_MS = 40_000;
const OUTLAST_PAUSE_MS = 200;

export interface CourierParts {
  orm: MikroORM;
  jobs: WebhookJobs;
  store: WebhookDeliveryStore;
  endpoints: WebhookEndpointService;
  sender: WebhookSender;
  log: Logger;
}

export interface CourierOptions {
  pollMs: number;
  /** What attempts may still take once the process stops; afterwards they are cut short and tried again elsewhere. */
  stopGraceMs: number;
}

/**
 * Delivers: takes due jobs, posts, and records how it went together with what becomes of the job. No database connection is
 * held while posting. A process that dies in between leaves a job that is taken again, so a receiver may see a message twice,
 * under the same id.
 */
export class WebhookCourier {
  readonly #parts: CourierParts;
  readonly #poller: Poller;
  readonly #stopGraceMs: number;
  readonly #running = new Set<Promise<void>>();
  #stopping = false;

  constructor(parts: CourierParts, { pollMs, stopGraceMs }: CourierOptions) {
    this.#parts = parts;
    this.#stopGraceMs = stopGraceMs;
    this.#poller = new Poller(
      () => this.#take(),
      pollMs,
      (err) => parts.log.warn({ err }, 'webhooks wait, the next round tries again'),
    );
  }

  start(): void {
    this.#poller.start();
  }

  /** There is something to deliver: do not wait for the next round. */
  wake(): void {
    this.#poller.wake();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#poller.stop();
    const grace = setTimeout(() => void this.#parts.sender.close(), this.#stopGraceMs);
    await Promise.all(this.#running);
    clearTimeout(grace);
    await this.#parts.sender.close();
  }

  /** True when there may be more that can be taken now. Each attempt that ends makes room and asks again. */
  async #take(): Promise<boolean> {
    await this.#parts.jobs.start();
    const room = MAX_RUNNING - this.#running.size;
    if (room === 0) return false;
    const taken = await this.#parts.jobs.take(room);
    for (const job of taken) {
      const run = this.#deliver(job).finally(() => {
        this.#running.delete(run);
        this.wake();
      });
      this.#running.add(run);
    }
    return taken.length > 0;
  }

  /** Never rejects: a job whose end could not be recorded is taken again. */
  async #deliver(job: WebhookJob): Promise<void> {
    const { log, store, jobs } = this.#parts;
    const giveUpAt = Date.now() + OUTLAST_MS;
    try {
      const delivery = await this.#outlast(giveUpAt, () => store.due(job.data, job.id));
      if (delivery && !delivery.endpointDisabled) {
        const attempt = await this.#post(delivery);
        await this.#record(giveUpAt, (tx) => this.#settle(job, delivery, attempt, tx));
      } else {
        await this.#record(giveUpAt, async (tx) => {
          if ((await jobs.done(job, tx)) && delivery) await store.cancel(delivery, tx);
        });
      }
    } catch (error) {
      log.warn({ err: error as Error, deliveryId: job.data.deliveryId }, 'webhook left to its job');
    }
  }

  #post(delivery: DueDelivery): Promise<Attempt> {
    const body = bodyOf(delivery);
    const message = { id: messageIdOf(delivery), timestampS: Math.floor(Date.now() / 1_000), body };
    return this.#parts.sender.post(delivery.url, signedHeaders(message, delivery.secrets), body);
  }

  /** One transaction. Repeating it is safe: the job is settled once, and what belongs to it is written with that or not at all. */
  #record(giveUpAt: number, work: (tx: EntityManager) => Promise<void>): Promise<void> {
    return this.#outlast(giveUpAt, () => this.#parts.orm.em.fork().transactional((tx) => work(tx as EntityManager)));
  }

  async #outlast<T>(giveUpAt: number, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const trouble = troubleOf(error);
        if (this.#stopping || (trouble !== 'away' && trouble !== 'doubt') || Date.now() >= giveUpAt) throw error;
        await new Promise((resume) => setTimeout(resume, OUTLAST_PAUSE_MS));
      }
    }
  }

  /** 2xx is delivered, 410 ends the endpoint, anything else is tried again. Locks job, endpoint, delivery, in this order. */
  async #settle(job: WebhookJob, delivery: DueDelivery, attempt: Attempt, tx: EntityManager): Promise<void> {
    const { jobs, store, endpoints } = this.#parts;
    const httpStatus = attempt.kind === 'answered' ? attempt.httpStatus : null;
    if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) {
      if (!(await jobs.done(job, tx))) return;
      await store.recordAttempt(delivery, { state: 'delivered', nextAttemptAt: null, httpStatus, error: null }, tx);
    } else if (httpStatus === 410) {
      if (!(await jobs.done(job, tx))) return;
      await endpoints.disableGone(delivery, tx);
      await store.recordAttempt(delivery, { state: 'cancelled', nextAttemptAt: null, httpStatus, error: 'gone' }, tx);
    } else {
      const error = attempt.kind === 'failed' ? attempt.error : 'http_status';
      const after = await jobs.failed(job, tx);
      switch (after.kind) {
        case 'lost':
          return;
        case 'retry':
          return store.recordAttempt(delivery, { state: 'pending', nextAttemptAt: after.at, httpStatus, error }, tx);
        case 'dead':
          return store.recordAttempt(delivery, { state: 'dead', nextAttemptAt: null, httpStatus, error }, tx);
      }
    }
  }
}
