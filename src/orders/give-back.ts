import { setTimeout as pause } from 'node:timers/promises';
import type { DeveloperId } from '../core/principal.js';
import type { Hold, LedgerService } from '../ledger/ledger.service.js';
import type { Evidence } from '../providers/outcome.js';
import type { OrderStore, StoredAnswer } from './order.store.js';

/** Gives back what was held for calls that were not sent, or whose answer nobody waits for. */
export class GiveBack {
  readonly #ledger: LedgerService;
  readonly #store: OrderStore;

  constructor(ledger: LedgerService, store: OrderStore) {
    this.#ledger = ledger;
    this.#store = store;
  }

  /** Reads the order by its id until the database answers, at most for its lease: from then on it is a sweeper's. */
  async whenItIsThere({ developerId, id, leaseMs }: Hold): Promise<void> {
    const until = performance.now() + leaseMs;
    while (performance.now() < until) {
      try {
        if (!(await this.#store.byId(developerId, id))) return;
        await this.refund(developerId, id, { reason: 'never_sent' });
        return;
      } catch {
        await pause(500);
      }
    }
  }

  /** The hold goes back, unless the order was decided before: false. */
  async refund(developerId: DeveloperId, id: string, detail: Evidence): Promise<boolean> {
    const decline = detail.reason === 'never_sent' ? 'NEVER_SENT' : undefined;
    const answer = this.#store.encrypt(id, { value: null, decline } satisfies StoredAnswer<unknown>);
    const { outcome } = await this.#ledger.resolve({
      developerId,
      id,
      success: false,
      answer,
      providerTxnId: '',
      event: 'answer',
      detail,
      askAgainMs: null,
      decline,
    });
    return outcome === 'refund';
  }
}
