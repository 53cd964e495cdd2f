import type { Logger } from '../core/log.js';
import type { EnquiryParts } from '../orders/enquiries.js';
import { type OrderCounts, uncounted } from '../orders/order-counts.js';
import { type EnquiryPolicy, nextDoubtStep } from '../orders/states.js';
import type { LeasedOrder, StoredOrder } from '../orders/stored-order.js';
import type { EnquiryOutcome } from '../providers/outcome.js';

/** Asks about successes that are in doubt or to be checked again, and gives the money back, once, where the provider took one back. */
export class Reversals {
  readonly #parts: EnquiryParts;
  readonly #policy: EnquiryPolicy;
  readonly #log: Logger;
  readonly #counts: OrderCounts;

  constructor(parts: EnquiryParts, policy: EnquiryPolicy, log: Logger, counts = uncounted) {
    this.#parts = parts;
    this.#policy = policy;
    this.#log = log;
    this.#counts = counts;
  }

  /** One enquiry about a leased success; see `nextDoubtStep` for what proves a reversal. */
  async check(order: LeasedOrder): Promise<void> {
    const { ledger, store, enquiryStore, enquiries } = this.#parts;
    const known = enquiries.of(order.operation, order.provider);
    const outcome: EnquiryOutcome<unknown> = known?.canEnquire
      ? await enquiries.ask(known, order, () => store.decrypt(order.id, order.request))
      : { kind: 'unknown', evidence: { reason: 'provider_pending' } };
    const recheckAfterMs = known?.recheckAfterMs ?? 0;
    const settledAgeMs = order.settledAgeMs ?? 0;
    const routine = order.doubtAgeMs === null;
    const step = nextDoubtStep(
      outcome.kind,
      {
        canEnquire: known?.canEnquire ?? false,
        namesTransaction: namesTransaction(order, outcome),
        routine,
        asked: order.asked,
        ageMs: order.doubtAgeMs ?? settledAgeMs - recheckAfterMs,
      },
      this.#policy,
    );
    const { developerId, id, provider } = order;
    if (step.kind === 'reverse') {
      const reversed = await ledger.reverse(developerId, id, outcome.evidence, order.askedAt);
      if (reversed === 'reversed') this.#counts.decided(order, 'reversed');
      if (reversed !== 'decided_by_people') {
        this.#log.warn({ orderId: id, developerId, provider }, 'a success was reversed by the provider');
        return;
      }
    }
    switch (step.kind) {
      case 'reverse':
        this.#log.error(
          { orderId: id, developerId, provider },
          'a provider calls a success that people decided a failure',
        );
        await enquiryStore.contradict(order, false, outcome.evidence);
        break;
      case 'over':
        if (outcome.kind !== 'accepted')
          this.#log.warn(
            { orderId: id, developerId, provider },
            'a success that was asked about stays one: no enquiry confirmed it, none proved a reversal',
          );
        if (outcome.kind === 'declined') await enquiryStore.contradict(order, false, outcome.evidence);
        break;
      case 'wait':
        break;
    }
    // a doubt that came before the usual check does not replace it
    const leftUntilRecheck = !routine && settledAgeMs < recheckAfterMs ? recheckAfterMs - settledAgeMs : undefined;
    await enquiryStore.markStillSuccess(order, {
      dueMs: step.kind === 'wait' ? step.dueMs : leftUntilRecheck,
      pauseMs: this.#policy.scheduleMs[0]!,
      over: step.kind !== 'wait',
      // when it was asked: a later answer may be measured by it
      detail: { ...outcome.evidence, askedAt: order.askedAt },
    });
  }
}

/** A success whose transaction id we never learned is proven by any transaction: the adapters compare our own reference. */
function namesTransaction(order: StoredOrder, { evidence }: EnquiryOutcome<unknown>): boolean {
  const named = evidence.providerTxnId;
  return named !== undefined && (order.providerTxnId === '' || named === order.providerTxnId);
}
