import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { DevelopersReader } from '../accounts/developers/developers.reader.js';
import type { AuditService } from '../audit/audit.service.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import type { Logger } from '../core/log.js';
import type { Metrics } from '../core/metrics.js';
import type { Duty, Task } from '../core/room.js';
import type { Tracing } from '../core/scope.js';
import type { Worker } from '../core/workers.js';
import { type JobQueueOptions, openJobQueue } from '../db/job-queue.js';
import type { Emails } from '../mails/emails.room.js';
import type { OrderStore } from '../orders/order.store.js';
import { ApiWebhookResolver } from './api-webhook.resolver.js';
import { ConsoleWebhookResolver } from './console-webhook.resolver.js';
import { OrderDeliveriesResolver } from './order-deliveries.resolver.js';
import { endpointNode } from './webhook.nodes.js';
import { WebhookResolver } from './webhook.resolver.js';
import { WebhookCourier } from './webhook-courier.js';
import { WebhookDeliveryStore } from './webhook-delivery.store.js';
import { EVENTS_PENDING, WebhookDispatcher } from './webhook-dispatcher.js';
import { type EndpointOptions, WebhookEndpointService } from './webhook-endpoint.service.js';
import {
  ConsoleWebhookDeliveryResolver,
  WebhookDeliveryFieldsResolver,
  WebhookEndpointFieldsResolver,
} from './webhook-fields.resolver.js';
import { DELIVERIES_DUE, type RetryPolicy, WebhookJobs } from './webhook-jobs.js';
import { defaultShares, type Shares } from './webhook-lanes.js';
import { WebhookLogService } from './webhook-log.service.js';
import { WebhookRedeliveryService } from './webhook-redelivery.service.js';
import { WebhookSender } from './webhook-sender.js';

export interface WebhookParts {
  pool: Pool;
  orm: MikroORM;
  encryption: FieldEncryption;
  audit: AuditService;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
  orders: OrderStore;
  log: Logger;
  tracing?: Tracing | undefined;
  metrics: Metrics;
}

export interface WebhookOptions extends RetryPolicy, EndpointOptions, JobQueueOptions {
  shares?: Shares;
  stopGraceMs?: number;
  timeoutMs?: number;
}

const STOP_GRACE_MS = 2_000;

/**
 * Assembles the webhook module: endpoints and log for the console, and two loops, one that moves events from the outbox to the
 * job queue and one that sends them to the receivers.
 */
export function createWebhooks(parts: WebhookParts, options: WebhookOptions) {
  const { pool: db, orm, encryption, audit, mails, orders, log, metrics, tracing } = parts;
  const jobs = new WebhookJobs(openJobQueue(db, log, options), db, options);
  const endpoints = new WebhookEndpointService({ orm, encryption, audit, mails }, options);
  const courier = new WebhookCourier(
    {
      orm,
      db,
      jobs,
      store: new WebhookDeliveryStore(db, encryption, orders),
      endpoints,
      mails,
      sender: new WebhookSender(options),
      log,
      tracing,
      count: (environment, result) => metrics.counter('attempts').add(1, environment, result),
    },
    {
      shares: options.shares ?? defaultShares,
      retryAfterMaxMs: options.delayMaxS * 1_000,
      stopGraceMs: options.stopGraceMs ?? STOP_GRACE_MS,
    },
  );
  const dispatcher = new WebhookDispatcher({ orm, db, jobs, log, onDispatched: () => courier.wake() });
  const deliveries = new WebhookLogService(db, orders);
  const shared = [
    new WebhookResolver(endpoints, new WebhookRedeliveryService({ orm, audit }, jobs)),
    new WebhookDeliveryFieldsResolver(orders, deliveries),
    new WebhookEndpointFieldsResolver(db),
    new OrderDeliveriesResolver(deliveries),
  ];
  const developers = new DevelopersReader(db);
  const WebhookEndpoint = endpointNode(endpoints);
  return {
    endpoints,
    resolvers: {
      api: [new ApiWebhookResolver(endpoints, deliveries), ...shared],
      console: [
        new ConsoleWebhookResolver(endpoints, deliveries, developers),
        new ConsoleWebhookDeliveryResolver(developers),
        ...shared,
      ],
    },
    nodes: { api: { WebhookEndpoint }, console: { WebhookEndpoint } },
    tasks: (workers: ReadonlySet<Worker>): Readonly<Record<string, Task>> =>
      workers.has('housekeeping') ? { 'webhook-housekeeping': dispatcher.housekeeping } : {},

    duties: [
      { name: 'webhooks/events', worker: 'webhooks', due: EVENTS_PENDING, wake: () => dispatcher.wake() },
      { name: 'webhooks/deliveries', worker: 'webhooks', due: DELIVERIES_DUE, wake: () => courier.wake() },
    ] satisfies Duty[],

    /** Starts the loops and returns immediately. If the database is unavailable, they wait for it in the background. */
    start(workers: ReadonlySet<Worker>): void {
      if (workers.has('webhooks')) {
        dispatcher.start();
        courier.start();
      }
      if (workers.has('housekeeping')) dispatcher.housekeeping.start();
    },

    /** Stops both loops. Running attempts have two seconds to finish. Must be called before the pool is closed. */
    async stop(): Promise<void> {
      await Promise.all([dispatcher.stop(), dispatcher.housekeeping.stop(), courier.stop()]);
      await jobs.stop();
    },
  };
}
