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
import type { ResolvedOrders } from './decided-orders.js';
import type { OrderSearch, OrderStore, SearchTerms, StoredAnswer } from './order.store.js';
import { type Answer, askAgainAfter, countsAsNotFound, isPayment, nextStep, type StatusCheckPolicy } from './states.js';
import type { StatusCheckStore } from './status-check.store.js';
import type { LeasedOrder, StoredOrder } from './stored-order.js';

/** What can be asked about an order of one provider. */
export interface ProviderStatusChecks {
  canCheckStatus: boolean;
  notFoundIsFinal: boolean;
  /** Every settled payment is asked about once more after this time; 0: never, because a daily statement says it. */
  recheckAfterMs: number;
  /** What is known of a success that a person decided, in the shape of the port's receipt. */
  receiptOf(order: StoredOrder): object;
  /** `request` is the decrypted request that the order was placed with. */
  checkStatus(order: LeasedOrder, request: unknown): Promise<StatusCheckOutcome<{ providerTxnId: string }>>;
}

/** A status check that threw. */
export interface StatusCheckFailure {
  orderId: string;
  provider: string;
  error: unknown;
}

/** Finds the status checks of an order's operation and provider. Lookups are never checked with its provider. */
export class StatusCheckRegistry {
  readonly #known = new Map<string, ProviderStatusChecks>();

  constructor(private readonly onFailure: (failure: StatusCheckFailure) => void = () => {}) {}

  register(operation: Operation, provider: string, statusChecks: ProviderStatusChecks): this {
    this.#known.set(`${operation}/${provider}`, statusChecks);
    return this;
  }

  of(operation: Operation, provider: string): ProviderStatusChecks | undefined {
    return this.#known.get(`${operation}/${provider}`);
  }

  /**
   * Asks about an order; `request` decrypts what it was placed with. One that throws, because of a request without its key or of
   * a defect, says nothing and has been asked all the same: else the order would be asked about for ever, and no person would learn of it.
   */
  async ask(
    statusChecks: ProviderStatusChecks,
    order: LeasedOrder,
    request: () => unknown,
  ): Promise<StatusCheckOutcome<{ providerTxnId: string }>> {
    try {
      return await forOrder(order, () => statusChecks.checkStatus(order, request()));
    } catch (error) {
      this.onFailure({ orderId: order.id, provider: order.provider, error });
      return { kind: 'unknown', evidence: { reason: 'status_check_failed' } };
    }
  }

  /** Every provider that has orders to sweep. */
  readonly providers = (): string[] => [
    ...new Set([...this.#known.keys()].map((key) => key.slice(key.indexOf('/') + 1))),
  ];
}

/** What those work with who ask about orders and apply the answers. */
export interface StatusCheckParts {
  ledger: LedgerService;
  store: OrderStore;
  statusCheckStore: StatusCheckStore;
  statusChecks: StatusCheckRegistry;
}

/** What is counted of an order. */
interface CountedOrder {
  operation: Operation;
  provider: string;
  environment: Environment;
}

/** @param decline why it failed, where the provider said so */
export function countDecided(
  metrics: Metrics,
  { operation, provider, environment }: CountedOrder,
  outcome: 'success' | 'failed' | 'review' | 'reversed',
  decline?: DeclineReason,
): void {
  metrics.counter('ordersDecided').add(1, operation, provider, environment, outcome);
  if (outcome === 'failed') metrics.counter('declines').add(1, provider, decline ?? 'UNSPECIFIED');
}

/** How often the database is asked for a hold that may be there. */
const IN_DOUBT_RETRY_MS = 500;
const NONE = Buffer.alloc(0);

export interface Applied {
  /** `in_review`: manual review began earlier. */
  state: 'success' | 'failed' | 'open' | 'review' | 'in_review' | 'already';
  /** Where this answer decided the order. */
  resolved?: ResolutionResult;
  /** Where it failed. */
  decline?: DeclineReason | undefined;
}

/** What a provider said, and what it makes of an order and its money. */
export class Outcomes {
  /** @param decided called with each order that an answer has decided, after the commit */
  constructor(
    private readonly parts: StatusCheckParts,
    private readonly search: OrderSearch,
    private readonly policy: StatusCheckPolicy,
    private readonly decided?: Pick<ResolvedOrders, 'announce'>,
    private readonly metrics = new Metrics(),
    private readonly clock: Pick<ClockWatch, 'isSteadyFor'> = { isSteadyFor: async () => true },
  ) {}

  /**
   * Applies a provider's answer to an open order: the only way from an answer to money. Used by the call itself and by
   * the sweeper; an order that was decided before stays as it is. Safe to repeat after an error. `no_status_check`: the sweeper found the
   * order and made no status check, so the timeline shows none.
   *
   * @param more elapsedMs of the call; `onRetry` is called before the money is posted again
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
    const search = isPayment(order.operation) ? this.search.ofAll({ ...receiptIn(outcome), providerTxnId }) : NONE;
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
          answer: store.encrypt(id, { value, decline } satisfies StoredAnswer<unknown>),
          providerTxnId,
          event,
          detail,
          search,
          decline,
          onRetry,
          askAgainMs:
            outcome.kind === 'accepted' ? askAgainAfter(order.operation, capabilities, outcome.askAgainMs) : null,
        };
        const values = { 'order.id': id, 'order.kind': order.operation };
        const result = await traced(
          step.kind,
          'internal',
          values,
          () => ledger.resolve(resolution),
          ({ outcome: became }) => ({ outcome: became }),
        );
        if (result.outcome === 'already') {
          // a late answer moves nothing, but when it says the opposite of what was decided, a person has to know
          await statusCheckStore.recordConflict(order, success, detail);
          return { state: 'already' };
        }
        this.decided?.announce({ developerId, id });
        const state = success ? 'success' : 'failed';
        countDecided(this.metrics, order, state, decline);
        return { state, resolved: result, decline };
      }
      case 'wait':
      case 'review': {
        const state = await statusCheckStore.markPending(order, {
          dueMs: step.dueMs,
          pauseMs: policy.scheduleMs[0]!,
          review: step.kind === 'review',
          statusCheck: isSwept,
          event,
          notFound: countsAsNotFound(outcome.kind, sentAgeMs, policy),
          providerTxnId,
          search,
          detail,
        });
        if (state === 'review') countDecided(this.metrics, order, state);
        return { state };
      }
    }
  }

  /** The age of a send, or 0 if it would let "not found" refund although a step of the database's clock may have added to it. */
  async #trustedAge(answer: Answer, sentAgeMs: number | null): Promise<number | null> {
    if (!countsAsNotFound(answer, sentAgeMs, this.policy)) return sentAgeMs;
    return (await this.clock.isSteadyFor(this.policy.visibilityDelayMs)) ? sentAgeMs : 0;
  }

  /** Gives back what is held for an order, without an answer of its provider; false: it was decided before. */
  async giveBack(developerId: DeveloperId, id: string, reason: 'never_sent' | 'timeout'): Promise<boolean> {
    const { ledger, store } = this.parts;
    const decline = reason === 'never_sent' ? 'NEVER_SENT' : undefined;
    const answer = store.encrypt(id, { value: null, decline } satisfies StoredAnswer<unknown>);
    const { outcome } = await ledger.resolve({
      developerId,
      id,
      success: false,
      answer,
      providerTxnId: '',
      event: 'response',
      detail: { reason },
      askAgainMs: null,
      decline,
    });
    return outcome === 'refund';
  }

  /** Gives back a hold that may be there: reads its order until the database answers, at most for its lease; then it is a sweeper's. */
  async giveBackInDoubt({ developerId, id, leaseMs }: Hold): Promise<void> {
    const until = performance.now() + leaseMs;
    while (performance.now() < until) {
      try {
        if (!(await this.parts.store.byId(developerId, id))) return;
        await this.giveBack(developerId, id, 'never_sent');
        return;
      } catch {
        await pause(IN_DOUBT_RETRY_MS);
      }
    }
  }

  /**
   * How long the call that placed an order may send it. Undefined, of a provider that cannot be asked: a sweeper has claimed the order
   * to give it back, or it is decided.
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
    const known = statusChecks.of(operation, provider);
    if (!isPayment(operation) || !known?.canCheckStatus)
      await this.apply(order, await this.#outcomeUnchecked(order), 'no_status_check');
    else
      await this.apply(order, await statusChecks.ask(known, order, () => store.decrypt(id, request)), 'status_check');
  }

  /** Outcome of an order without a status check whose process died while sending. A lookup moves no money at the provider. */
  async #outcomeUnchecked(order: LeasedOrder): Promise<StatusCheckOutcome<{ providerTxnId: string }>> {
    const wasNeverSent = this.#mustBeClaimed(order) && (await this.parts.statusCheckStore.claim(order, 'never send'));
    // a stored response resolves the order or starts manual review, so the sweeper does not find it
    return wasNeverSent
      ? { kind: 'declined', evidence: { reason: 'never_sent' } }
      : { kind: 'unknown', evidence: { reason: 'answer_not_stored' } };
  }

  /** Whether a payment has to be claimed before it is sent: nobody could ask later whether it left. */
  #mustBeClaimed({ operation, provider }: { operation: Operation; provider: string }): boolean {
    return isPayment(operation) && !this.parts.statusChecks.of(operation, provider)?.canCheckStatus;
  }
}

/** A receipt's own references, as providers give them; an answer to a status check may have none. */
const receiptIn = (outcome: StatusCheckOutcome<unknown>): Pick<SearchTerms, 'operatorRef' | 'utr'> =>
  outcome.kind === 'accepted' ? (outcome.value as Pick<SearchTerms, 'operatorRef' | 'utr'>) : {};
