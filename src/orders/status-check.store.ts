import type { Queryable } from '../db/pool.js';
import {
  LEASED_COLUMNS,
  type LeasedOrder,
  type LeasedRow,
  leasedOrderOf,
  type OrderKey,
  type StoredOrder,
} from './stored-order.js';

/** How an order stays pending: checked again after `dueMs`, or in manual review. */
export interface PendingOrder {
  /** Null: nobody asks again. */
  dueMs: number | null;
  /** After a status check nobody asks again before, whatever callbacks say. */
  pauseMs: number;
  review: boolean;
  /** The sweeper says so, not the call itself. */
  statusCheck: boolean;
  /** Kind of the event in the timeline: a status check, or the response to the call. */
  event: 'response' | 'status_check';
  /** A status check that found nothing and counts. */
  notFound: boolean;
  providerTxnId: string;
  /** Hashes that the order is to be found by from now on. */
  search: Buffer;
  detail: object;
}

type PendingState = 'open' | 'review' | 'in_review' | 'already';

/** What became of a callback; see `CallbackResult`. */
type Recorded = 'unknown_order' | 'archived' | 'status_check' | 'status_conflict' | 'noted';

/**
 * ±10 % of a delay, so that orders which a brownout left behind together do not come back together. The one place: everything that
 * is scheduled goes through here.
 */
export const jittered = (delayMs: number, random: () => number = Math.random): number =>
  Math.round(delayMs * (0.9 + 0.2 * random()));

/** SQL: whether orders of the provider are due, whoever waits for them. The name is ours, never input. */
export const ordersDue = (provider: string): string =>
  `exists (select from order_due where provider = '${provider}' and waited_for in (true, false) and due_at <= now())`;

/**
 * The orders that their providers are asked about: which of them are due, and how each is left by what a callback or an answer says,
 * as far as no money moves. See order-status-checks.sql and ledger-correct.sql.
 */
export class StatusCheckStore {
  constructor(private readonly db: Queryable) {}

  /** Records that the outcome is unknown. `in_review`: manual review began earlier; `already`: the order was resolved in the meantime. */
  async markPending(order: OrderKey, pending: PendingOrder): Promise<PendingState> {
    const { dueMs, pauseMs, review, statusCheck, event, notFound, providerTxnId, search, detail } = pending;
    const { rows } = await this.db.query<{ state: PendingState }>({
      name: 'order-unknown',
      text: 'select order_unknown($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as state',
      values: [
        order.developerId,
        order.id,
        dueMs === null ? null : jittered(dueMs),
        pauseMs,
        review,
        statusCheck,
        notFound,
        providerTxnId,
        event,
        JSON.stringify(detail),
        search,
      ],
    });
    return rows[0]!.state;
  }

  /**
   * An open order of a provider that cannot be asked leaves now (`send`), or never will. False: the other was claimed before, or the
   * order is decided.
   */
  async claim(order: OrderKey, what: 'send' | 'never send'): Promise<boolean> {
    const { rows } = await this.db.query<{ claimed: boolean }>({
      name: 'order-claim',
      text: 'select order_claim($1, $2, $3) as claimed',
      values: [order.developerId, order.id, what === 'send'],
    });
    return rows[0]!.claimed;
  }

  /** Whether an order that was claimed for its send is as the claim left it: nobody has taken it over or decided it. */
  async isStillClaimed(order: OrderKey): Promise<boolean> {
    const { rows } = await this.db.query<{ claimed: boolean }>({
      name: 'order-still-claimed',
      text: `select exists (select from orders o where o.developer_id = $1 and o.id = $2
        and o.state = 'open' and o.asked = 0 and o.send_claimed_at > '-infinity') as claimed`,
      values: [order.developerId, order.id],
    });
    return rows[0]!.claimed;
  }

  /**
   * Takes due orders of one provider for `leaseMs`; other sweepers skip them until then. Open ones and doubted successes come
   * first, then successes that are to be checked again.
   */
  async leaseDue(provider: string, limit: number, leaseMs: number): Promise<LeasedOrder[]> {
    const { rows } = await this.db.query<LeasedRow>({
      name: 'order-lease-due',
      text: `select ${LEASED_COLUMNS} from order_lease_due($1, $2, $3)`,
      values: [provider, limit, leaseMs],
    });
    return rows.map(leasedOrderOf);
  }

  /** The providers of due orders that are none of these. */
  async providersDueBeside(known: readonly string[]): Promise<string[]> {
    const { rows } = await this.db.query<{ provider: string }>({
      text: 'select distinct provider from order_due where provider <> all($1) order by 1',
      values: [known],
    });
    return rows.map(({ provider }) => provider);
  }

  /** Remembers a callback as one of at most `keep` and makes its order due when it is a reason to ask; see order-status-checks.sql. */
  async recordCallback(
    provider: string,
    reference: string,
    says: string,
    keep: number,
    detail: object,
  ): Promise<Recorded> {
    const { rows } = await this.db.query<{ result: Recorded }>({
      name: 'order-callback',
      text: 'select order_callback($1, $2, $3, $4, $5) as result',
      values: [provider, reference, says, keep, JSON.stringify(detail)],
    });
    return rows[0]!.result;
  }

  /**
   * A status check of a success proved no reversal: the next check is due in `dueMs`, or never if undefined. `over`: the success is no
   * longer in doubt. `detail` is undefined if the provider has no status check.
   */
  async markStillSuccess(
    order: StoredOrder,
    {
      dueMs,
      pauseMs,
      over,
      detail,
    }: { dueMs: number | undefined; pauseMs: number; over: boolean; detail: object | undefined },
  ): Promise<void> {
    await this.db.query({
      text: 'select order_still_success($1, $2, $3, $4, $5, $6, $7)',
      values: [
        order.developerId,
        order.id,
        order.asked,
        dueMs === undefined ? null : jittered(dueMs),
        pauseMs,
        over,
        detail === undefined ? null : JSON.stringify(detail),
      ],
    });
  }

  /** The provider says that it performed the payment, or that it did not. True when that contradicts what was decided. */
  async recordConflict(order: OrderKey, performed: boolean, detail: object): Promise<boolean> {
    const { rows } = await this.db.query<{ conflicting: boolean }>({
      text: 'select order_status_conflict($1, $2, $3, $4) as conflicting',
      values: [order.developerId, order.id, performed, JSON.stringify(detail)],
    });
    return rows[0]!.conflicting;
  }

  /** Ends the status check of a refunded payment; no further check is scheduled. `detail` undefined: no check was made. */
  async markStillDecided(order: OrderKey, pauseMs: number, detail: object | undefined): Promise<void> {
    await this.db.query({
      text: 'select order_still_decided($1, $2, $3, $4)',
      values: [order.developerId, order.id, pauseMs, detail === undefined ? null : JSON.stringify(detail)],
    });
  }
}
