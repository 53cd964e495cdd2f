import type { Paise } from '../../core/money.js';
import type { Exposure } from '../../orders/exposure.js';
import { allProviders } from '../../providers/registry.js';
import type { Metrics } from './metrics.js';
import { addBooksGauges, addExposureGauges, addOrderGauges, addWalletGauges, type Books } from './money-gauges.js';
import { addProcessGauges, type ProcessParts } from './process-gauges.js';
import { addQueueGauges } from './queue-gauges.js';
import { Readings } from './readings.js';

export interface GaugeParts extends Omit<ProcessParts, 'holdsOrders' | 'workers' | 'ledger'> {
  ledger: ProcessParts['ledger'] & Books;
  exposure: Exposure;
  config: { holdOrders: boolean; workers: ProcessParts['workers']; lowBalancePaise: Paise };
}

/** Everything that is looked at when a scrape comes. `stop` ends what is read at that moment. */
export function addGauges(metrics: Metrics, parts: GaugeParts): { stop: () => void } {
  const { config, pool, ledger, exposure } = parts;
  const stopping = new AbortController();
  const readings = new Readings(metrics, pool);
  addProcessGauges(metrics, { ...parts, holdsOrders: config.holdOrders, workers: config.workers });
  addOrderGauges(
    metrics,
    readings,
    allProviders.map(({ name }) => name),
  );
  addExposureGauges(metrics, exposure);
  addBooksGauges(metrics, readings, ledger, stopping.signal);
  addWalletGauges(metrics, readings, config.lowBalancePaise);
  addQueueGauges(metrics, readings);
  return { stop: () => stopping.abort() };
}
