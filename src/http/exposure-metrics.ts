import { Gauge, type Registry } from 'prom-client';
import { rupeesNumber } from '../core/money.js';
import type { Exposure } from '../orders/exposure.js';

/** Gauges of what is undecided with each provider, the same in every process. */
export function addExposureMetrics(registry: Registry, exposure: Pick<Exposure, 'figures' | 'keepFresh'>): void {
  const gauge = (
    name: string,
    help: string,
    valueOf: (figure: ReturnType<Exposure['figures']>[number]) => number,
  ): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: ['provider'],
      registers: [registry],
      collect: async () => {
        await exposure.keepFresh();
        for (const figure of exposure.figures()) made.set({ provider: figure.provider }, valueOf(figure));
      },
    });
  };
  gauge(
    'provider_undecided_payments',
    'Payments of real money whose outcome nobody knows.',
    ({ undecided }) => undecided.payments,
  );
  gauge('provider_undecided_rupees', 'The money of these payments.', ({ undecided }) =>
    rupeesNumber(undecided.amountPaise),
  );
  gauge('provider_exposure_reached', '1 while new payments are refused because too much is undecided.', ({ reached }) =>
    Number(reached),
  );
}
