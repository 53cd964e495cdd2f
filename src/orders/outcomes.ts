import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../core/environment.js';
import { Metrics } from '../core/metrics.js';
import type { DeveloperId } from '../core/principal.js';
import { forOrder, traced } from '../core/scope.js';
import type { ClockWatch } from '../db/clock-watch.js';
import type { Hold, LedgerService, Operation, ResolutionResult } from '../ledger/ledger.service.js';
import type { DeclineReason } from '../providers/decline-reasons.js';
import type { SendPermit } from '../providers/http-client.js';
import type { Evidence, StatusCheckOutcome } from '../providers/outcome.js';
import { declineReasonOf } from '../providers/registry.js';
import type { OrderSearch, OrderStore, SearchTerms, StoredResult } from './order.store.js';
import type { ResolvedOrders } from './resolved-orders.js';
import {
  countsAsNotFound,
  isPayment,
  nextStep,
  type OutcomeKind,
  recheckAfter,
  type StatusCheckPolicy,
  soonestCheckMs,
} from './states.js';
import type { StatusCheckStore } from './status-check.store.js';
import type { LeasedOrder, StoredOrder } from './stored-order.js';

/** Status checks of one operation and provider. */
export interface ProviderStatusChecks {
  canCheckStatus: boolean;
  notFoundIsFinal: boolean;
  /**
   * Delay after which every settled payment is checked again. 0 disables the check, because a daily statement reports
   * reversals.
   */
  recheckAfterMs: number;
  /** Returns the receipt of an order that was resolved manually as successful, in the format of the provider port. */
  receiptOf(order: StoredOrder): object;
  /** @param request decrypted request that the order was placed with */
  checkStatus(order: LeasedOrder, request: unknown): Promise<StatusCheckOutcome<{ providerTxnId: string }>>;
}

/** Status check that threw an error. */
export interface StatusCheckFailure {
  orderId: string;
  provider: string;
  error: unknown;
}

/** Pause of the status checks of a provider after its breaker rejected one. Afterwards, one check is the probe. */
const REJECTED_PAUSE_MS = 30_000;

/** Registry of the status checks by operation and provider. Lookups have no status checks. */
export class StatusCheckRegistry {
  readonly #statusChecks = new Map<string, ProviderStatusChecks>();
  /** Monotonic time of the last rejection, in milliseconds, by provider. Removed when a status check was sent. */
  readonly #rejectedAtMs = new Map<string, number>();

  /** @param nowMs monotonic clock, in milliseconds */
  constructor(
    private readonly onFailure: (failure: StatusCheckFailure) => void = () => {},
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  register(operation: Operation, provider: string, statusChecks: ProviderStatusChecks): this {
    this.#statusChecks.set(`${operation}/${provider}`, statusChecks);
    return this;
  }

  of(operation: Operation, provider: string): ProviderStatusChecks | undefined {
    return this.#statusChecks.get(`${operation}/${provider}`);
  }

  /**
   * Checks the status of an order. `request` decrypts its stored request. If the check throws, because the request cannot be
   * decrypted or because of a bug, the result is unknown and the error is counted. Otherwise the order would be checked
   * indefinitely and never enter manual review.
   */
  async check(
    statusChecks: ProviderStatusChecks,
    order: LeasedOrder,
    request: () => unknown,
  ): Promise<StatusCheckOutcome<{ providerTxnId: string }>> {
    try {
      const outcome = await forOrder(order, () => statusChecks.checkStatus(order, request()));
      if (isRejected(outcome)) this.#rejectedAtMs.set(order.provider, this.nowMs());
      else this.#rejectedAtMs.delete(order.provider);
      return outcome;
    } catch (error) {
      this.onFailure({ orderId: order.id, provider: order.provider, error });
      return { kind: 'unknown', evidence: { reason: 'status_check_failed' } };
    }
  }

  /**
   * Returns the maximum number of concurrent status checks of a provider. While its breaker rejects them, orders stay due
   * instead of being rescheduled, so that they are checked as soon as a probe succeeds.
   */
  readonly limitOf = (provider: string): number => {
    const rejectedAtMs = this.#rejectedAtMs.get(provider);
    if (rejectedAtMs === undefined) return Number.POSITIVE_INFINITY;
    return this.nowMs() - rejectedAtMs < REJECTED_PAUSE_MS ? 0 : 1;
  };

  /** Returns all providers with orders that are swept. */
  readonly providers = (): string[] => [
    ...new Set([...this.#statusChecks.keys()].map((key) => key.slice(key.indexOf('/') + 1))),
  ];
}

/** Whether the breaker of the provider rejected the status check, so that nothing was sent. */
const isRejected = ({ evidence }: StatusCheckOutcome<unknown>): boolean => evidence.reason === 'breaker_open';

/** Dependencies of the components that check orders and apply the results. */
export interface StatusCheckParts {
  ledger: LedgerService;
  store: OrderStore;
  statusCheckStore: StatusCheckStore;
  statusChecks: StatusCheckRegistry;
}

/** Metric labels of an order. */
interface CountedOrder {
  operation: Operation;
  provider: string;
  environment: Environment;
}

/**
 * Counts a resolved order in the metrics.
 *
 * @param decline reason of the failure, if the provider reported one
 */
export function countResolved(
  metrics: Metrics,
  { operation, provider, environment }: CountedOrder,
  outcome: 'success' | 'failed' | 'review' | 'reversed',
  decline?: DeclineReason,
): void {
  metrics.counter('ordersDecided').add(1, operation, provider, environment, outcome);
  if (outcome === 'failed') metrics.counter('declines').add(1, provider, decline ?? 'UNSPECIFIED');
}

/** Interval of the query for a hold that may exist. */
const IN_DOUBT_RETRY_MS = 500;
const NO_SEARCH_HASHES = Buffer.alloc(0);

export interface Applied {
  /** State of the order. `in_review`: manual review began earlier. `already`: the order had a final status. */
  state: 'success' | 'failed' | 'open' | 'review' | 'in_review' | 'already';
  /** Resolution, if this result made the order final. */
  resolved?: ResolutionResult;
  /** Reason of the failure, if the order failed. */
  decline?: DeclineReason | undefined;
}

/** Applies provider results to orders and their money. */
export class Outcomes {
  /** @param resolvedOrders function that receives each order that became final, after the commit */
  constructor(
    private readonly parts: StatusCheckParts,
    private readonly search: OrderSearch,
    private readonly policy: StatusCheckPolicy,
    private readonly resolvedOrders?: Pick<ResolvedOrders, 'announce'>,
    private readonly metrics = new Metrics(),
    private readonly clock: Pick<ClockWatch, 'isSteadyFor'> = { isSteadyFor: async () => true },
  ) {}

  /**
   * Applies a provider result to an open order. Every result of a call or a status check changes money only through this
   * method. An order that is already final remains unchanged. A call can be repeated safely after an error. With
   * `no_status_check`, the sweeper found the order but made no status check, so the timeline shows none.
   *
   * @param more `elapsedMs` is the duration of the call; `onRetry` is called before the money is posted again
   */
  async apply(
    order: CountedOrder & Pick<LeasedOrder, 'developerId' | 'id' | 'ageMs' | 'sentAgeMs' | 'statusChecks' | 'notFound'>,
    outcome: StatusCheckOutcome<unknown>,
    source: 'response' | 'status_check' | 'no_status_check',
    { elapsedMs, onRetry }: { elapsedMs?: number; onRetry?: (error: unknown) => void } = {},
  ): Promise<Applied> {
    const event = source === 'status_check' ? ('status_check' as const) : ('response' as const);
    const isSwept = source !== 'response';
    const { developerId, id, ageMs } = order;
    const { ledger, store, statusCheckStore, statusChecks } = this.parts;
    const policy = this.policy;
    const sentAgeMs = await this.#trustedAge(outcome.kind, order.sentAgeMs);
    const capabilities = statusChecks.of(order.operation, order.provider) ?? {
      canCheckStatus: false,
      notFoundIsFinal: false,
      recheckAfterMs: 0,
    };
    const step = nextStep(
      outcome.kind,
      {
        operation: order.operation,
        ...capabilities,
        notFoundBefore: order.notFound,
        ageMs,
        sentAgeMs,
        statusChecks: order.statusChecks + (isSwept ? 1 : 0),
      },
      policy,
    );
    const detail: Evidence = { ...(elapsedMs === undefined ? {} : { elapsedMs }), ...outcome.evidence };
    const providerTxnId = outcome.evidence.providerTxnId ?? '';
    const search = isPayment(order.operation)
      ? this.search.ofAll({ ...receiptIn(outcome), providerTxnId })
      : NO_SEARCH_HASHES;
    switch (step.kind) {
      case 'settle':
      case 'refund': {
        const success = step.kind === 'settle';
        const value = outcome.kind === 'accepted' ? outcome.value : null;
        const decline = success ? undefined : declineReasonOf(order.provider, outcome.evidence);
        const resolution = {
          developerId,
          id,
          success,
          result: store.encrypt(id, { value, decline } satisfies StoredResult<unknown>),
          providerTxnId,
          event,
          detail,
          search,
          decline,
          onRetry,
          recheckAfterMs:
            outcome.kind === 'accepted' ? recheckAfter(order.operation, capabilities, outcome.recheckAfterMs) : null,
        };
        const values = { 'order.id': id, 'order.kind': order.operation };
        const result = await traced(
          step.kind,
          'internal',
          values,
          () => ledger.resolve(resolution),
          ({ outcome: ledgerOutcome }) => ({ outcome: ledgerOutcome }),
        );
        if (result.outcome === 'already') {
          // a late result moves no money, but staff must be informed if it conflicts with the final status
          await statusCheckStore.recordConflict(order, success, detail);
          return { state: 'already' };
        }
        this.resolvedOrders?.announce({ developerId, id });
        const state = success ? 'success' : 'failed';
        countResolved(this.metrics, order, state, decline);
        return { state, resolved: result, decline };
      }
      case 'wait':
      case 'review': {
        const state = await statusCheckStore.markPending(order, {
          dueMs: step.kind === 'wait' && isRejected(outcome) ? soonestCheckMs(step.dueMs, policy) : step.dueMs,
          pauseMs: policy.scheduleMs[0]!,
          review: step.kind === 'review',
          statusCheck: isSwept,
          event,
          notFound: countsAsNotFound(outcome.kind, sentAgeMs, policy),
          providerTxnId,
          search,
          detail,
        });
        if (state === 'review') countResolved(this.metrics, order, state);
        return { state };
      }
    }
  }

  /**
   * Returns the age of the sent request. Returns 0 if "not found" would cause a refund, but a jump of the database clock may
   * have increased the age.
   */
  async #trustedAge(result: OutcomeKind, sentAgeMs: number | null): Promise<number | null> {
    if (!countsAsNotFound(result, sentAgeMs, this.policy)) return sentAgeMs;
    return (await this.clock.isSteadyFor(this.policy.visibilityDelayMs)) ? sentAgeMs : 0;
  }

  /** Refunds the held amount of an order without a provider result. Returns false if the order was already final. */
  async refund(developerId: DeveloperId, id: string, reason: 'never_sent' | 'timeout'): Promise<boolean> {
    const { ledger, store } = this.parts;
    const decline = reason === 'never_sent' ? 'NEVER_SENT' : undefined;
    const answer = store.encrypt(id, { value: null, decline } satisfies StoredResult<unknown>);
    const { outcome } = await ledger.resolve({
      developerId,
      id,
      success: false,
      result: answer,
      providerTxnId: '',
      event: 'response',
      detail: { reason },
      recheckAfterMs: null,
      decline,
    });
    return outcome === 'refund';
  }

  /**
   * Refunds a hold that may exist. Reads its order until the database responds, but no longer than the lease lasts. After
   * that, the sweeper takes over.
   */
  async refundInDoubt({ developerId, id, leaseMs }: Hold): Promise<void> {
    const until = performance.now() + leaseMs;
    while (performance.now() < until) {
      try {
        if (!(await this.parts.store.byId(developerId, id))) return;
        await this.refund(developerId, id, 'never_sent');
        return;
      } catch {
        await pause(IN_DOUBT_RETRY_MS);
      }
    }
  }

  /**
   * Returns the permission for the call that placed an order to send its request. Undefined if the order is final, or if the
   * provider has no status check and a sweeper has claimed the order to refund it.
   */
  async permitOf(
    order: Pick<LeasedOrder, 'developerId' | 'id' | 'operation' | 'provider'>,
    isOver: () => boolean,
  ): Promise<SendPermit | undefined> {
    if (!this.#mustBeClaimed(order)) return { isOver };
    const { statusCheckStore } = this.parts;
    if (!(await statusCheckStore.claim(order, 'send'))) return undefined;
    return { isOver, isStillClaimed: () => statusCheckStore.isStillClaimed(order) };
  }

  /** Checks the status of a leased order with its provider and applies the response. */
  async checkStatus(order: LeasedOrder): Promise<void> {
    const { store, statusChecks } = this.parts;
    const { id, operation, provider, request } = order;
    const providerChecks = statusChecks.of(operation, provider);
    if (!isPayment(operation) || !providerChecks?.canCheckStatus)
      await this.apply(order, await this.#outcomeUnchecked(order), 'no_status_check');
    else
      await this.apply(
        order,
        await statusChecks.check(providerChecks, order, () => store.decrypt(id, request)),
        'status_check',
      );
  }

  /**
   * Returns the outcome of an order without a status check whose process crashed while sending. Lookups move no money at the
   * provider.
   */
  async #outcomeUnchecked(order: LeasedOrder): Promise<StatusCheckOutcome<{ providerTxnId: string }>> {
    const wasNeverSent = this.#mustBeClaimed(order) && (await this.parts.statusCheckStore.claim(order, 'never send'));
    // a stored response resolves the order or starts manual review, so the sweeper cannot get here
    return wasNeverSent
      ? { kind: 'declined', evidence: { reason: 'never_sent' } }
      : { kind: 'unknown', evidence: { reason: 'answer_not_stored' } };
  }

  /** Whether a payment must be claimed before it is sent, because a later check cannot determine whether it was sent. */
  #mustBeClaimed({ operation, provider }: { operation: Operation; provider: string }): boolean {
    return isPayment(operation) && !this.parts.statusChecks.of(operation, provider)?.canCheckStatus;
  }
}

/** Returns the references in a receipt, as returned by the provider. The response to a status check may not contain any. */
const receiptIn = (outcome: StatusCheckOutcome<unknown>): Pick<SearchTerms, 'operatorRef' | 'utr'> =>
  outcome.kind === 'accepted' ? (outcome.value as Pick<SearchTerms, 'operatorRef' | 'utr'>) : {};
