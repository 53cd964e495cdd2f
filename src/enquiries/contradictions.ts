import type { Logger } from '../core/log.js';
import type { EnquiryParts } from '../orders/enquiries.js';
import type { LeasedOrder } from '../orders/stored-order.js';
import type { EnquiryOutcome } from '../providers/outcome.js';

/** Asks about payments that were given back, because somebody wants to know. What contradicts them is a person's to judge. */
export class Contradictions {
  readonly #parts: Omit<EnquiryParts, 'ledger'>;
  readonly #pauseMs: number;
  readonly #log: Logger;

  /** @param pauseMs nobody asks again before */
  constructor(parts: Omit<EnquiryParts, 'ledger'>, pauseMs: number, log: Logger) {
    this.#parts = parts;
    this.#pauseMs = pauseMs;
    this.#log = log;
  }

  /** One enquiry about a leased order that has failed or was reversed. It moves no money, whatever the provider says. */
  async check(order: LeasedOrder): Promise<void> {
    const { enquiryStore } = this.#parts;
    const outcome = await this.#enquire(order);
    await enquiryStore.markStillDecided(order, this.#pauseMs, outcome.evidence);
    if (outcome.kind !== 'accepted') return;
    await enquiryStore.contradict(order, true, outcome.evidence);
    const { id: orderId, developerId, provider } = order;
    this.#log.error({ orderId, developerId, provider }, 'a provider calls a refunded order a success');
  }

  /** An enquiry that cannot be made ends like one without an answer, or the order would be due for ever. */
  async #enquire(order: LeasedOrder): Promise<EnquiryOutcome<unknown>> {
    const { enquiries, store } = this.#parts;
    try {
      const known = enquiries.of(order.operation, order.provider);
      if (known?.canEnquire) return await known.enquire(order, store.decrypt(order.id, order.request));
    } catch (error) {
      this.#log.error({ err: error as Error, orderId: order.id, provider: order.provider }, 'enquiry failed');
    }
    return { kind: 'unknown', evidence: { reason: 'never_sent' } };
  }
}
