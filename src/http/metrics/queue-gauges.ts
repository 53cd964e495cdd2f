import { lastArchivedS } from '../../archive/archive-figures.js';
import { jobFigures } from '../../db/job-queue.js';
import { mailFigures } from '../../mails/mail-figures.js';
import { webhookFigures } from '../../webhooks/webhook-figures.js';
import type { Metrics } from './metrics.js';
import { addNumber } from './money-gauges.js';
import type { Readings } from './readings.js';

const SELDOM_MS = 5 * 60_000;

/** What waits to be told or sent, and when months were last archived. */
export function addQueueGauges(metrics: Metrics, readings: Readings): void {
  const webhooks = readings.addQuery('webhooks', webhookFigures);
  addNumber(metrics, 'outbox', webhooks, ({ outbox }) => outbox);
  addNumber(metrics, 'oldestOutbox', webhooks, ({ oldestOutboxS }) => oldestOutboxS);
  addNumber(metrics, 'deliveries', webhooks, ({ pending }) => pending);
  addNumber(metrics, 'overdueDelivery', webhooks, ({ overdueS }) => overdueS);

  const mails = readings.addQuery('mails', mailFigures);
  addNumber(metrics, 'mails', mails, ({ waiting }) => waiting);
  addNumber(metrics, 'oldestMail', mails, ({ oldestS }) => oldestS);

  const jobs = readings.addQuery('jobs', jobFigures);
  metrics.gauge('jobs', async (put) => {
    for (const { queue, ...counts } of (await jobs.look()) ?? [])
      for (const [state, count] of Object.entries(counts)) put(count, queue, state);
  });

  const archive = readings.addQuery('archive', lastArchivedS, SELDOM_MS);
  addNumber(metrics, 'archivedAt', archive, (atS) => atS);
}
