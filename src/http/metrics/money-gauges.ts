import type { Metrics } from '../../core/metrics.js';
import { type Paise, rupeesNumber } from '../../core/money.js';
import type { PatientQuery } from '../../db/patience.js';
import { asConsoleRead } from '../../db/pool.js';
import type { FullCheck, ProviderPayable, Violation } from '../../ledger/books-check.js';
import { countLowWallets } from '../../ledger/wallet-figures.js';
import type { Exposure } from '../../orders/exposure.js';
import { type OrderFigures, orderFiguresByProvider } from '../../orders/order-figures.js';
import { type Switches, switchable } from '../../providers/switches.js';
import { openDifferences } from '../../reconcile/difference.store.js';
import type { BoundedReading } from './bounded-reading.js';
import type { Readings } from './readings.js';

const EVERY_MS = 5 * 60_000;
/**
 * Time limit of a check. A check takes long only if it has a large backlog. The first check of a restored database reads all
 * entries, which takes minutes per million orders. It must not be aborted, because the next one would start from the beginning.
 */
const CHECK_LIMIT_MS = 2 * 3_600_000;

export interface Books {
  checkNew(limitMs: number, signal: AbortSignal): Promise<Violation[]>;
  owed(limitMs: number): Promise<ProviderPayable[]>;
  verifiedAtS(limitMs: number): Promise<number>;
  lastFullCheck(limitMs: number): Promise<FullCheck>;
}

/**
 * Adds gauges for the open orders of each provider, including providers without open orders. Their value is NaN while unknown.
 */
export function addOrderGauges(
  metrics: Metrics,
  readings: Readings,
  providers: readonly string[],
  read: (query: PatientQuery) => Promise<(OrderFigures & { provider: string })[]> = orderFiguresByProvider,
): void {
  const figures = readings.addQuery('orders', read);
  const gauge = (
    key: 'open' | 'oldestOpen' | 'review' | 'oldestReview' | 'conflicting',
    valueOf: (figure: OrderFigures) => number,
  ): void =>
    metrics.gauge(key, async (put) => {
      const found = await figures.look();
      const byProvider = new Map(found?.map((figure) => [figure.provider, valueOf(figure)]));
      for (const provider of new Set([...providers, ...byProvider.keys()]))
        put(byProvider.get(provider) ?? (found ? 0 : Number.NaN), provider);
    });
  gauge('open', ({ open }) => open);
  gauge('oldestOpen', ({ oldestOpenS }) => oldestOpenS);
  gauge('review', ({ review }) => review);
  gauge('oldestReview', ({ oldestReviewS }) => oldestReviewS);
  gauge('conflicting', ({ conflicting }) => conflicting);
}

/** Adds a gauge for the unresolved differences of `gateway reconcile`, by provider. Its value is NaN while unknown. */
export function addDifferenceGauge(metrics: Metrics, readings: Readings, providers: readonly string[]): void {
  const differences = readings.addQuery('statement-differences', openDifferences);
  metrics.gauge('differences', async (put) => {
    const found = await differences.look();
    const byProvider = new Map(found?.map(({ provider, count }) => [provider, count]));
    for (const provider of new Set([...providers, ...byProvider.keys()]))
      put(byProvider.get(provider) ?? (found ? 0 : Number.NaN), provider);
  });
}

/** Adds gauges for the pending payments of each provider. */
export function addExposureGauges(metrics: Metrics, exposure: Pick<Exposure, 'figures' | 'keepFresh'>): void {
  const gauge = (
    key: 'pendingPayments' | 'pendingRupees' | 'exposureReached',
    valueOf: (figure: ReturnType<Exposure['figures']>[number]) => number,
  ): void =>
    metrics.gauge(key, async (put) => {
      await exposure.keepFresh();
      for (const figure of exposure.figures()) put(valueOf(figure), figure.provider);
    });
  gauge('pendingPayments', ({ pending }) => pending.payments);
  gauge('pendingRupees', ({ pending }) => rupeesNumber(pending.amountPaise));
  gauge('exposureReached', ({ reached }) => Number(reached));
}

/** Adds a gauge for the providers that staff have disabled. */
export const addSwitchGauges = (metrics: Metrics, switches: Pick<Switches, 'reasonOf'>): void =>
  metrics.gauge('switchedOff', (put) => {
    for (const { environment, provider } of switchable)
      put(Number(switches.reasonOf(environment, provider) !== undefined), environment, provider);
  });

/**
 * Adds the gauges of the ledger. They use the connections of the console, so that payments never wait for a check.
 * @param signal aborts a running check when the process stops
 */
export function addBooksGauges(metrics: Metrics, readings: Readings, books: Books, signal: AbortSignal): void {
  const checked = readings.add(
    'ledger',
    () =>
      asConsoleRead(async () => ({
        violations: (await books.checkNew(CHECK_LIMIT_MS, signal)).length,
        owed: await books.owed(CHECK_LIMIT_MS),
      })),
    EVERY_MS,
  );
  const verified = readings.add('ledger-checkpoint', () => books.verifiedAtS(CHECK_LIMIT_MS));
  const full = readings.add('ledger-full', () => books.lastFullCheck(CHECK_LIMIT_MS));
  metrics.gauge('violations', async (put) => {
    const [newCheck, fullCheck] = await Promise.all([checked.look(), full.look()]);
    put(newCheck?.violations ?? Number.NaN, 'new');
    put(fullCheck?.violations.length ?? Number.NaN, 'full');
  });
  addNumber(metrics, 'fullCheckAt', full, ({ completedAtS }) => completedAtS);
  metrics.gauge('fullCheckEndsAt', async (put) => {
    const endsAtS = (await full.look())?.endsAtS;
    if (endsAtS != null) put(endsAtS);
  });
  addNumber(metrics, 'verifiedAt', verified, (atS) => atS);
  metrics.gauge('owed', async (put) => {
    for (const { environment, provider, paise } of (await checked.look())?.owed ?? [])
      put(paise, environment, provider);
  });
}

export function addWalletGauges(metrics: Metrics, readings: Readings, lowPaise: Paise): void {
  const wallets = readings.addQuery('wallets', (query) => countLowWallets(query, lowPaise), EVERY_MS);
  addNumber(metrics, 'walletsLow', wallets, (low) => low);
}

type NumberGauge =
  | 'auditLast'
  | 'auditMissing'
  | 'comparedAt'
  | 'fullCheckAt'
  | 'verifiedAt'
  | 'walletsLow'
  | 'archivedAt'
  | 'mails'
  | 'oldestMail';
type Queues = 'outbox' | 'oldestOutbox' | 'deliveries' | 'overdueDelivery';

/** Adds a gauge without labels for a reading. Its value is NaN while unknown. */
export function addNumber<T>(
  metrics: Metrics,
  key: NumberGauge | Queues,
  reading: BoundedReading<T>,
  valueOf: (value: T) => number,
): void {
  metrics.gauge(key, async (put) => {
    const value = await reading.look();
    put(value === undefined ? Number.NaN : valueOf(value));
  });
}
