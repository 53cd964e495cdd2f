import { lastArchivedS } from '../../archive/archive-figures.js';
import type { AuditTail } from '../../audit/audit-tail.js';
import { lastComparison } from '../../audit/comparison.look.js';
import { comparedKinds } from '../../audit/comparison.table.js';
import type { Metrics } from '../../core/metrics.js';
import type { Paise } from '../../core/money.js';
import { jobFigures } from '../../db/job-queue.js';
import { emailFigures } from '../../mails/email-figures.js';
import type { Exposure } from '../../orders/exposure.js';
import { allProviders, paidProviders } from '../../providers/registry.js';
import type { Switches } from '../../providers/switches.js';
import { webhookFigures } from '../../webhooks/webhook-figures.js';
import {
  addBooksGauges,
  addDifferenceGauge,
  addExposureGauges,
  addNumber,
  addOrderGauges,
  addSwitchGauges,
  addWalletGauges,
  type Books,
} from './money-gauges.js';
import { addProcessGauges, type ProcessParts } from './process-gauges.js';
import { Readings } from './readings.js';

export interface GaugeParts extends Omit<ProcessParts, 'pausesOrders' | 'workers' | 'ledger'> {
  ledger: ProcessParts['ledger'] & Books;
  exposure: Exposure;
  switches: Switches;
  auditTail: Pick<AuditTail, 'look'>;
  config: { pauseOrders: boolean; workers: ProcessParts['workers']; lowBalancePaise: Paise };
}

/** Registers all gauges that are read during a scrape. `stop` aborts readings in progress. */
export function addGauges(metrics: Metrics, parts: GaugeParts): { stop: () => void } {
  const { config, pool, ledger, exposure } = parts;
  const stopController = new AbortController();
  // must be registered before the readings: a scrape reads gauges in this order, and the pool gauges must not include connections
  // that the scrape itself waits for
  addProcessGauges(metrics, { ...parts, pausesOrders: config.pauseOrders, workers: config.workers });
  const readings = new Readings(metrics, pool);
  addOrderGauges(
    metrics,
    readings,
    allProviders.map(({ name }) => name),
  );
  addDifferenceGauge(
    metrics,
    readings,
    paidProviders.map(({ name }) => name),
  );
  addExposureGauges(metrics, exposure);
  addSwitchGauges(metrics, parts.switches);
  addBooksGauges(metrics, readings, ledger, stopController.signal);
  addWalletGauges(metrics, readings, config.lowBalancePaise);
  addAuditGauges(metrics, readings, parts.auditTail);
  addQueueGauges(metrics, readings);
  return { stop: () => stopController.abort() };
}

/** Adds gauges for the differences between the audit log and the compared tables, by kind. Their value is NaN while unknown. */
function addAuditGauges(metrics: Metrics, readings: Readings, auditTail: GaugeParts['auditTail']): void {
  const tail = readings.addQuery('audit-tail', (query) => auditTail.look(query));
  addNumber(metrics, 'auditLast', tail, ({ lastId }) => lastId);
  addNumber(metrics, 'auditMissing', tail, ({ missing }) => missing);
  const comparison = readings.addQuery('audit-comparison', lastComparison);
  metrics.gauge('unexplained', async (put) => {
    const last = await comparison.look();
    for (const kind of comparedKinds) put(last ? (last.found[kind] ?? 0) : Number.NaN, kind);
  });
  addNumber(metrics, 'comparedAt', comparison, (last) => last?.completedAtS ?? Number.NaN);
}

const ARCHIVE_INTERVAL_MS = 5 * 60_000;

/** Adds gauges for queued events and emails, and for the time of the last archiving. */
function addQueueGauges(metrics: Metrics, readings: Readings): void {
  const webhooks = readings.addQuery('webhooks', webhookFigures);
  addNumber(metrics, 'outbox', webhooks, ({ outbox }) => outbox);
  addNumber(metrics, 'oldestOutbox', webhooks, ({ oldestOutboxS }) => oldestOutboxS);
  addNumber(metrics, 'deliveries', webhooks, ({ pending }) => pending);
  addNumber(metrics, 'overdueDelivery', webhooks, ({ overdueS }) => overdueS);

  const emails = readings.addQuery('mails', emailFigures);
  addNumber(metrics, 'mails', emails, ({ waiting }) => waiting);
  addNumber(metrics, 'oldestMail', emails, ({ oldestS }) => oldestS);

  const jobs = readings.addQuery('jobs', jobFigures);
  metrics.gauge('jobs', async (put) => {
    for (const { queue, ...counts } of (await jobs.look()) ?? [])
      for (const [state, count] of Object.entries(counts)) put(count, queue, state);
  });

  const archive = readings.addQuery('archive', lastArchivedS, ARCHIVE_INTERVAL_MS);
  addNumber(metrics, 'archivedAt', archive, (atS) => atS);
}
