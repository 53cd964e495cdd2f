import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { AuditService } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import type { Logger } from '../core/log.js';
import type { Tracing } from '../core/tracing.js';
import type { FieldEncryption } from '../db/field-encryption.js';
import { openJobQueue } from '../db/job-queue.js';
import type { Mails } from '../mails/mails.room.js';
import { ApiWebhookResolver } from './api-webhook.resolver.js';
import { ConsoleWebhookResolver } from './console-webhook.resolver.js';
import { endpointNode } from './webhook.nodes.js';
import { WebhookResolver } from './webhook.resolver.js';
import { type AttemptResult, WebhookCourier } from './webhook-courier.js';
import { WebhookDeliveryStore } from './webhook-delivery.store.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { type EndpointOptions, WebhookEndpointService } from './webhook-endpoint.service.js';
import { type RetryPolicy, WebhookJobs } from './webhook-jobs.js';
import { type Shares, usualShares } from './webhook-lanes.js';
import { WebhookLogService } from './webhook-log.service.js';
import { WebhookSender } from './webhook-sender.js';

export interface WebhookParts {
  pool: Pool;
  orm: MikroORM;
  encryption: FieldEncryption;
  audit: AuditService;
  mails: Pick<Mails, 'ready' | 'queue' | 'wake'>;
  log: Logger;
  tracing?: Tracing | undefined;
  /** Who counts attempts. */
  metrics?: { countWebhookAttempt(environment: Environment, result: AttemptResult): void };
}

export interface WebhookOptions extends RetryPolicy, EndpointOptions {
  pollMs: number;
  shares?: Shares;
  stopGraceMs?: number;
  /** For one attempt. */
  timeoutMs?: number;
  superviseIntervalS?: number;
}

const STOP_GRACE_MS = 2_000;

/**
 * Webhooks put together: endpoints and log for the console, and the two loops that every API process runs, from the outbox
 * into the job queue and from there to the receivers.
 */
export function createWebhooks(parts: WebhookParts, options: WebhookOptions) {
  const { pool: db, orm, encryption, audit, mails, log, metrics, tracing } = parts;
  const jobs = new WebhookJobs(openJobQueue(db, log, options), db, options);
  const endpoints = new WebhookEndpointService({ orm, encryption, audit, mails }, options);
  const courier = new WebhookCourier(
    {
      orm,
      db,
      jobs,
      store: new WebhookDeliveryStore(db, encryption),
      endpoints,
      mails,
      sender: new WebhookSender(options),
      log,
      tracing,
      count: (environment, result) => metrics?.countWebhookAttempt(environment, result),
    },
    {
      pollMs: options.pollMs,
      shares: options.shares ?? usualShares,
      stopGraceMs: options.stopGraceMs ?? STOP_GRACE_MS,
    },
  );
  const dispatcher = new WebhookDispatcher({ orm, db, jobs, log, onDispatched: () => courier.wake() }, options.pollMs);
  const deliveries = new WebhookLogService({ orm, db, audit }, jobs);
  const shared = new WebhookResolver(endpoints, deliveries);
  const WebhookEndpoint = endpointNode(endpoints);
  return {
    endpoints,
    resolvers: {
      api: [new ApiWebhookResolver(endpoints), shared],
      console: [new ConsoleWebhookResolver(endpoints), shared],
    },
    nodes: { api: { WebhookEndpoint }, console: { WebhookEndpoint } },
    tasks: { ...dispatcher.tasks, 'webhook-deliveries': courier.task },

    /** Returns at once; a database that is away is waited for. */
    start(): void {
      dispatcher.start();
      courier.start();
    },

    /** Ends both loops; attempts under way get two seconds. Before the pool is closed. */
    async stop(): Promise<void> {
      await Promise.all([dispatcher.stop(), courier.stop()]);
      await jobs.stop();
    },
  };
}
