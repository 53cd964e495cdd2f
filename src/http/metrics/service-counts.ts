import type { Environment } from '../../core/environment.js';
import type { Trouble } from '../../db/trouble.js';
import type { PostingKind } from '../../ledger/ledger.service.js';
import type { OrderCounts } from '../../orders/outcomes.js';
import type { CallReport } from '../../providers/observed.js';
import type { Connection, ProviderWatch } from '../../providers/providers.js';
import type { ExchangeReport } from '../../providers/undici-http-client.js';
import type { AttemptResult } from '../../webhooks/webhook-courier.js';
import type { Metrics } from './metrics.js';

/** What rooms count as it happens. Each of them is given the part that it needs. */
export class ServiceCounts implements ProviderWatch {
  readonly #calls;
  readonly #callDurations;
  readonly #batchSizes;
  readonly orders: OrderCounts;

  constructor(private readonly metrics: Metrics) {
    this.#calls = metrics.counter('providerCalls');
    this.#callDurations = metrics.histogram('providerDurations');
    this.#batchSizes = metrics.histogram('batchSizes');
    const placed = metrics.counter('ordersPlaced');
    const decided = metrics.counter('ordersDecided');
    const declines = metrics.counter('declines');
    this.orders = {
      placed: ({ operation, provider, environment }) => placed.add(1, operation, provider, environment),
      decided({ operation, provider, environment }, outcome, decline) {
        decided.add(1, operation, provider, environment, outcome);
        if (outcome === 'failed') declines.add(1, provider, decline ?? 'UNSPECIFIED');
      },
    };
  }

  called({ provider, connection }: Connection, { result, reason, durationMs }: CallReport): void {
    this.#calls.add(1, provider, connection, result, reason);
    this.#callDurations.observe(durationMs / 1000, provider, connection, result);
  }

  exchanged({ provider, connection }: Connection, { textsCut }: ExchangeReport): void {
    if (textsCut > 0) this.metrics.counter('textsCut').add(textsCut, provider, connection);
  }

  readonly batch = (kind: PostingKind, size: number): void => this.#batchSizes.observe(size, kind);

  readonly limited = (endpoint: string): void => this.metrics.counter('limited').add(1, endpoint);

  countUnreadableOrder(part: 'request' | 'answer'): void {
    this.metrics.counter('unreadableOrders').add(1, part);
  }

  countFailedEnquiry(provider: string): void {
    this.metrics.counter('failedEnquiries').add(1, provider);
  }

  countFailedSweep(provider: string, trouble: Trouble): void {
    this.metrics.counter('failedSweeps').add(1, provider, trouble);
  }

  /** @param provider as its path names it, in lower case */
  countCallback(provider: string, result: string): void {
    this.metrics.counter('callbacks').add(1, provider.toUpperCase(), result);
  }

  countFailedAttempt(kind: string, reason: string): void {
    this.metrics.counter('failedAttempts').add(1, kind, reason);
  }

  countWebhookAttempt(environment: Environment, result: AttemptResult): void {
    this.metrics.counter('attempts').add(1, environment, result);
  }
}
