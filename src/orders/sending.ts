import type { Logger } from '../core/log.js';
import type { DeveloperId } from '../core/principal.js';
import type { WalletState } from '../ledger/ledger.service.js';
import type { Outcome } from '../providers/outcome.js';
import type { SendPermit } from '../providers/send-permit.js';
import type { EarlierOrders, Placed } from './earlier-orders.js';
import type { OrderStore } from './order.store.js';
import type { Outcomes } from './outcomes.js';
import type { Placement } from './placement.js';

/** An order whose money is held, and of which nobody knows more yet. */
export const pendingOrder = <Value>(
  { id, reference, createdAt }: { id: string; reference: string; createdAt: Date },
  { balancePaise, version }: WalletState,
): Placed<Value> => ({
  status: 'pending',
  orderId: id,
  reference,
  createdAt,
  settledAt: null,
  reversedAt: null,
  replayed: false,
  balancePaise,
  version,
});

const neverSent: Outcome<never> = { kind: 'declined', evidence: { reason: 'never_sent' } };

/** The send of an order whose money is held, and T2, its resolution. */
export class Sending {
  readonly #store: OrderStore;
  readonly #outcomes: Outcomes;
  readonly #earlier: EarlierOrders;
  readonly #log: Logger;

  constructor(store: OrderStore, outcomes: Outcomes, earlier: EarlierOrders, log: Logger) {
    this.#store = store;
    this.#outcomes = outcomes;
    this.#earlier = earlier;
    this.#log = log;
  }

  /**
   * Sends once, and settles or gives back what the provider's answer proves. Never throws: an order whose end is not known is
   * pending, and a sweeper's when its lease ends. What is not sent by then (`isOver`) is given back.
   */
  async send<Value>(
    placement: Pick<Placement<Value>, 'principal' | 'operation' | 'provider'>,
    { id, reference, createdAt }: { id: string; reference: string; createdAt: Date },
    { send, isOver }: { send: (permit: SendPermit) => Promise<Outcome<Value>>; isOver: () => boolean },
    held: WalletState,
  ): Promise<Placed<Value>> {
    const { developerId, environment } = placement.principal;
    const pending = pendingOrder<Value>({ id, reference, createdAt }, held);
    try {
      const { operation, provider } = placement;
      const permit = await this.#outcomes.permitOf({ developerId, id, operation, provider }, isOver);
      if (!permit) return await this.#decided(developerId, id, pending);
      const sentAt = performance.now();
      // a lookup asks no later: one that is sent late performs nothing
      const outcome = permit.isOver() ? neverSent : await send(permit);
      const { state, resolved, decline } = await this.#outcomes.apply(
        {
          developerId,
          id,
          operation,
          provider,
          environment,
          ageMs: 0,
          sentAgeMs: null,
          enquiries: 0,
          notFound: 0,
        },
        outcome,
        'answer',
        { elapsedMs: Math.round(performance.now() - sentAt) },
      );
      if (state === 'already') return await this.#decided(developerId, id, pending);
      const { providerTxnId } = outcome.evidence;
      if (!resolved) return { ...pending, providerTxnId };
      const { settledAt, balancePaise, version } = resolved;
      // a success takes what the hold has taken: its state of the wallet is the one that this call made
      if (outcome.kind === 'accepted')
        return { ...pending, status: 'success', settledAt, value: outcome.value, providerTxnId };
      return { ...pending, status: 'failed', settledAt, decline, providerTxnId, balancePaise, version };
    } catch (error) {
      // The money is held and the lease ends: a sweeper finds out. Saying anything but "pending" would be a guess.
      this.#log.error(
        { err: error as Error, orderId: id, operation: placement.operation },
        'order left to the sweeper',
      );
      return pending;
    }
  }

  /** The answer of an order that somebody else has decided. */
  async #decided<Value>(developerId: DeveloperId, id: string, pending: Placed<Value>): Promise<Placed<Value>> {
    const order = await this.#store.byId(developerId, id);
    return order ? { ...(await this.#earlier.answerOf<Value>(order)), replayed: false } : pending;
  }
}
