import { actorOf } from '../accounts/account.changes.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import { entryView, walletView } from '../ledger/wallet.views.js';
import type { Order } from '../order-views/order.types.js';
import { orderView } from '../order-views/order.view.js';
import type { OrderStore } from '../orders/order.store.js';
import type { Decider } from '../proposals/proposal.service.js';
import { proposalView } from '../proposals/proposal.view.js';
import { decidedView } from './bulk-decision.types.js';
import type { MoneyPayload } from './money.types.js';
import type { ListDecision, MoneyDecision } from './money-decision.js';
import type { ReviewQueue } from './review.queue.js';

/** Decisions about money as the console answers them. */
export class MoneyPayloads {
  readonly #ledger: LedgerService;
  readonly #queue: ReviewQueue;
  readonly #store: OrderStore;

  constructor(ledger: LedgerService, queue: ReviewQueue, store: OrderStore) {
    this.#ledger = ledger;
    this.#queue = queue;
    this.#store = store;
  }

  async of(decision: MoneyDecision | ListDecision): Promise<MoneyPayload> {
    if ('results' in decision) {
      const { results, replayed } = decision;
      return { wallet: null, entry: null, order: null, proposal: null, results: results.map(decidedView), replayed };
    }
    const { developerId, environment, line, orderId, proposal, replayed } = decision;
    const order = orderId === undefined ? null : await this.order(orderId);
    if (proposal)
      return { wallet: null, entry: null, order, proposal: proposalView(proposal), results: null, replayed };
    const wallet = walletView({ developerId, environment }, await this.#ledger.wallet(developerId, environment));
    return { wallet, entry: line ? entryView(line) : null, order, proposal: null, results: null, replayed };
  }

  /** The order as staff see it; null when there is no such payment. */
  async order(orderId: string): Promise<Order | null> {
    const order = await this.#queue.find(orderId);
    return order ? orderView(order, this.#store, { masked: true }) : null;
  }
}

/** Who decides, as proposals and the audit trail name them. */
export const deciderOf = (context: RequestContext): Decider => ({
  ...actorOf(context),
  userId: sessionOf(context).userId,
});
