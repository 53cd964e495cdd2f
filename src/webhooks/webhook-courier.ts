import type { MikroORM } from '@mikro-orm/postgresql';
import type { Environment } from '../core/environment.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Tracing } from '../core/scope.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { retryWhileUnavailable } from '../db/patience.js';
import type { Queryable } from '../db/pool.js';
import type { Emails } from '../mails/emails.room.js';
import type { DeliveryState, DueDelivery, WebhookDeliveryStore, WebhookError } from './webhook-delivery.store.js';
import { claimProbe, PROBE_S, recordSuccess } from './webhook-endpoint.health.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';
import { bodyOf, messageIdOf } from './webhook-event.js';
import type { WebhookJob, WebhookJobs } from './webhook-jobs.js';
import { capacityOf, type Lane, type Shares, shareOf } from './webhook-lanes.js';
import type { Attempt, WebhookSender } from './webhook-sender.js';
import { signedHeaders } from './webhook-signature.js';

/**
 * Time during which writes are retried if the database is unavailable, so that no result is lost. A process owns a job for one
 * minute.
 */
const OUTLAST_MS = 40_000;

/**
 * Result of an attempt. `failed`: retries are exhausted. `gone`: the receiver returned 410. `postponed`: no attempt was made,
 * because the endpoint is paused.
 */
export type AttemptResult = 'delivered' | 'retried' | 'failed' | 'gone' | 'postponed';

export interface CourierParts {
  orm: MikroORM;
  db: Queryable;
  jobs: WebhookJobs;
  store: WebhookDeliveryStore;
  endpoints: WebhookEndpointService;
  mails: Pick<Emails, 'ready' | 'wake'>;
  sender: WebhookSender;
  log: Logger;
  tracing?: Tracing | undefined;
  /** Receives the result of each attempt, for metrics. */
  count: (environment: Environment, result: AttemptResult) => void;
}

export interface CourierOptions {
  shares: Shares;
  /** Maximum delay that a receiver can request with `Retry-After`. */
  retryAfterMaxMs: number;
  /**
   * Time that running attempts have to finish when the process stops. After that, they are aborted, and another process
   * retries them.
   */
  stopGraceMs: number;
}

/**
 * Recorded result of an attempt. Without `result`, another process has taken over the job. `mailed` indicates that an email
 * was queued.
 */
interface AttemptOutcome {
  result?: AttemptResult;
  emailed: boolean;
}
const LOST: AttemptOutcome = { emailed: false };

/**
 * Takes due jobs, sends their messages, and records each result together with the state of its job. No database connection is
 * held while sending. If the process crashes in between, the job is taken again, so a receiver may get a message twice with
 * the same ID.
 */
export class WebhookCourier {
  readonly #poller: Poller;
  readonly #running = new Map<Promise<void>, Lane>();
  #stopping = false;

  constructor(
    private readonly parts: CourierParts,
    private readonly options: CourierOptions,
  ) {
    this.#poller = new Poller(
      () => this.#take(),
      undefined,
      (err) => parts.log.warn({ err }, 'taking webhook jobs failed, retrying in the next round'),
    );
  }

  start(): void {
    this.#poller.start();
  }

  /** Starts taking jobs. Must be called when there may be deliveries. */
  wake(): void {
    this.#poller.wake();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#poller.stop();
    const grace = setTimeout(() => void this.parts.sender.close(), this.options.stopGraceMs);
    await Promise.all(this.#running.keys());
    clearTimeout(grace);
    await this.parts.sender.close();
  }

  /** Returns true if more jobs can be taken. Each finished attempt frees a slot and triggers another call. */
  async #take(): Promise<boolean> {
    const { jobs, mails } = this.parts;
    await Promise.all([jobs.start(), mails.ready()]);
    let total = 0;
    for (const lane of await jobs.dueLanes()) {
      // makes two passes, so that every developer gets a slot before any developer gets a second one
      for (const share of new Set([1, shareOf(lane, this.options.shares)])) total += await this.#fill(lane, share);
    }
    return total > 0;
  }

  /** Takes jobs of a lane until no slot is free or the shares of the developers are used up. */
  async #fill(lane: Lane, share: number): Promise<number> {
    let count = 0;
    while (!this.#stopping) {
      const capacity = capacityOf(lane, this.options.shares, this.#running.values());
      const batch = capacity > 0 ? await this.parts.jobs.take(lane, capacity, share) : [];
      if (batch.length === 0) break;
      for (const job of batch) this.#run(job, lane);
      count += batch.length;
    }
    return count;
  }

  #run(job: WebhookJob, lane: Lane): void {
    const run = this.#deliver(job, lane).finally(() => {
      this.#running.delete(run);
      this.wake();
    });
    this.#running.set(run, lane);
  }

  /** Delivers a message. Never rejects. If the result could not be recorded, the job is taken again. */
  async #deliver(job: WebhookJob, lane: Lane): Promise<void> {
    const { log, store, jobs, db, mails, count } = this.parts;
    const deadlineMs = Date.now() + OUTLAST_MS;
    try {
      const delivery = await this.#outlast(deadlineMs, () => store.due(job.data, job.id));
      if (delivery && !delivery.endpointDisabled) {
        const { heldUntil } = delivery;
        if (heldUntil) {
          await this.#record(deadlineMs, async (tx) => {
            if (await jobs.hold(job, heldUntil, tx)) await store.hold(delivery, heldUntil, tx);
          });
        } else if (delivery.pausedUntil && !(await this.#outlast(deadlineMs, () => claimProbe(delivery, db)))) {
          await this.#record(deadlineMs, (tx) => this.#postpone(job, lane, delivery, tx));
          count(lane.environment, 'postponed');
        } else {
          const attempt = await this.#post(delivery);
          let outcome: AttemptOutcome = { emailed: false };
          await this.#record(deadlineMs, async (tx) => {
            outcome = await this.#settle(job, lane, delivery, attempt, tx);
          });
          if (outcome.result) count(lane.environment, outcome.result);
          if (outcome.emailed) mails.wake();
        }
      } else {
        await this.#record(deadlineMs, async (tx) => {
          if ((await jobs.done(job, tx)) && delivery) await store.cancel(delivery, tx);
        });
      }
    } catch (error) {
      log.warn(
        { err: error as Error, deliveryId: job.data.deliveryId },
        'recording a webhook delivery failed, its job will be taken again',
      );
    }
  }

  async #post(delivery: DueDelivery): Promise<Attempt> {
    const { sender, tracing } = this.parts;
    const body = bodyOf(delivery);
    const message = { id: messageIdOf(delivery), timestampS: Math.floor(Date.now() / 1_000), body };
    // the URL is never recorded, because its path may contain a secret of the receiver
    const span = tracing?.begin('webhook delivery', 'client', {
      'webhook.delivery_id': delivery.id,
      'webhook.endpoint_id': delivery.endpointId,
      'webhook.event': delivery.event,
      'order.id': delivery.orderId,
    });
    const attempt = await sender.post(delivery.url, signedHeaders(message, delivery.secrets), body);
    if (attempt.kind === 'answered') span?.end({ 'http.response.status_code': attempt.httpStatus });
    else span?.end({ 'error.type': attempt.error }, true);
    return attempt;
  }

  /**
   * Runs one transaction. Can be repeated safely, because the job is settled only once and all other changes are in the same
   * transaction.
   */
  #record(deadlineMs: number, work: (tx: EntityManager) => Promise<void>): Promise<void> {
    return this.#outlast(deadlineMs, () => inTransaction(this.parts.orm, work));
  }

  #outlast<T>(deadlineMs: number, work: () => Promise<T>): Promise<T> {
    return retryWhileUnavailable(work, () => !this.#stopping && Date.now() < deadlineMs);
  }

  /**
   * Postpones a delivery because its endpoint does not respond, so that it does not use a slot. This uses one of the
   * delivery's retries, so that the delivery ends eventually.
   */
  async #postpone(job: WebhookJob, lane: Lane, delivery: DueDelivery, tx: EntityManager): Promise<void> {
    const { jobs, store } = this.parts;
    const notBefore = new Date(Math.max(delivery.pausedUntil?.getTime() ?? 0, Date.now() + PROBE_S * 1_000));
    const after = await jobs.failed(job, lane, tx, notBefore);
    if (after.kind !== 'lost') await store.postpone(delivery, after.kind === 'retry' ? after.at : null, tx);
  }

  /**
   * Processes a response. A 2xx status means that the message was delivered, 410 disables the endpoint, and any other status
   * leads to a retry. Locks job, endpoint and delivery in this order.
   */
  async #settle(
    job: WebhookJob,
    lane: Lane,
    delivery: DueDelivery,
    attempt: Attempt,
    tx: EntityManager,
  ): Promise<AttemptOutcome> {
    const { jobs, store, endpoints } = this.parts;
    const httpStatus = attempt.kind === 'answered' ? attempt.httpStatus : null;
    const { durationMs } = attempt;
    const record = (state: DeliveryState, nextAttemptAt: Date | null, error: WebhookError | null): Promise<void> =>
      store.recordAttempt(delivery, { state, nextAttemptAt, httpStatus, error, durationMs }, tx);
    if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) {
      if (!(await jobs.done(job, tx))) return LOST;
      await recordSuccess(delivery, tx);
      await record('delivered', null, null);
      return { result: 'delivered', emailed: false };
    }
    if (httpStatus === 410) {
      if (!(await jobs.done(job, tx))) return LOST;
      await endpoints.disableGone(delivery, tx);
      await record('cancelled', null, 'gone');
      return { result: 'gone', emailed: false };
    }
    const error = attempt.kind === 'failed' ? attempt.error : 'http_status';
    const retryAfterMs = attempt.kind === 'answered' ? attempt.retryAfterMs : 0;
    const notBefore = new Date(Date.now() + Math.min(retryAfterMs, this.options.retryAfterMaxMs));
    const after = await jobs.failed(job, lane, tx, notBefore);
    if (after.kind === 'lost') return LOST;
    // an attempt that this process aborted is not a failure of the receiver, and a receiver that is being tested may not be ready
    // yet
    const isCounted = error !== 'interrupted' && delivery.operation !== 'test';
    const emailed = isCounted && (await endpoints.failed(delivery, httpStatus !== null, tx));
    await (after.kind === 'retry' ? record('pending', after.at, error) : record('failed', null, error));
    return { result: after.kind === 'retry' ? 'retried' : 'failed', emailed };
  }
}
