import type { Queryable } from '../db/pool.js';
import {
  LEASED_COLUMNS,
  type LeasedOrder,
  type LeasedRow,
  leasedOrderOf,
  type OrderKey,
  type StoredOrder,
} from './stored-order.js';

/** Next step for an order that remains pending: another check after `dueMs`, or manual review. */
export interface PendingOrder {
  /** Delay until the next check. Null if no further check is scheduled. */
  dueMs: number | null;
  /** Minimum time between two status checks, even if callbacks arrive. */
  pauseMs: number;
  review: boolean;
  /** Whether the result comes from the sweeper, not from the call itself. */
  statusCheck: boolean;
  /** Kind of the event in the timeline, either a status check or the response to the call. */
  event: 'response' | 'status_check';
  /** Whether this is a status check with a valid "not found". */
  notFound: boolean;
  providerTxnId: string;
  /** Search hashes to add to the order. */
  search: Buffer;
  detail: object;
}

type PendingState = 'open' | 'review' | 'in_review' | 'already';

/** Result of a callback; see `CallbackResult`. */
type CallbackRecord = 'unknown_order' | 'archived' | 'status_check' | 'status_conflict' | 'noted';

/**
 * Adds ±10 % to a delay, so that orders affected by the same outage are not all checked at the same time. It is applied to all
 * scheduled delays.
 */
export const jittered = (delayMs: number, random: () => number = Math.random): number =>
  Math.round(delayMs * (0.9 + 0.2 * random()));

/**
 * Returns an SQL condition: whether orders of the provider are due, with or without a waiting customer. The provider name must
 * be a constant, never input.
 */
export const ordersDue = (provider: string): string =>
  `exists (select from order_due where provider = '${provider}' and waited_for in (true, false) and due_at <= now())`;

/**
 * Queue of status checks. It finds due orders, and applies callbacks and results that move no money. See
 * order-status-checks.sql and ledger-correct.sql.
 */
export class StatusCheckStore {
  constructor(private readonly db: Queryable) {}

  /**
   * Records that the outcome is unknown. Returns `in_review` if manual review began earlier, and `already` if the order has
   * been resolved in the meantime.
   */
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
   * Claims an open order of a provider without a status check, either to send it or to ensure that it is never sent. Returns
   * false if the opposite claim was first or the order is final.
   */
  async claim(order: OrderKey, intent: 'send' | 'never send'): Promise<boolean> {
    const { rows } = await this.db.query<{ claimed: boolean }>({
      name: 'order-claim',
      text: 'select order_claim($1, $2, $3) as claimed',
      values: [order.developerId, order.id, intent === 'send'],
    });
    return rows[0]!.claimed;
  }

  /** Whether an order claimed for sending is unchanged, that is, neither taken over nor resolved. */
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
   * Leases due orders of one provider for `leaseMs`. Other sweepers skip them during this time. Open orders and successes in
   * doubt come before successes with a routine check.
   */
  async leaseDue(provider: string, limit: number, leaseMs: number): Promise<LeasedOrder[]> {
    const { rows } = await this.db.query<LeasedRow>({
      name: 'order-lease-due',
      text: `select ${LEASED_COLUMNS} from order_lease_due($1, $2, $3)`,
      values: [provider, limit, leaseMs],
    });
    return rows.map(leasedOrderOf);
  }

  async providersDueExcept(providers: readonly string[]): Promise<string[]> {
    const { rows } = await this.db.query<{ provider: string }>({
      text: 'select distinct provider from order_due where provider <> all($1) order by 1',
      values: [providers],
    });
    return rows.map(({ provider }) => provider);
  }

  /**
   * Stores a callback and makes its order due if there is a reason for a check. At most `keep` callbacks are stored; see
   * order-status-checks.sql.
   */
  async recordCallback(
    provider: string,
    reference: string,
    reportedStatus: string,
    maxCallbacks: number,
    detail: object,
  ): Promise<CallbackRecord> {
    const { rows } = await this.db.query<{ result: CallbackRecord }>({
      name: 'order-callback',
      text: 'select order_callback($1, $2, $3, $4, $5) as result',
      values: [provider, reference, reportedStatus, maxCallbacks, JSON.stringify(detail)],
    });
    return rows[0]!.result;
  }

  /**
   * Records a status check of a success that proved no reversal. The next check is due in `dueMs`; undefined if there is none.
   * `over` means that the success is no longer in doubt. `detail` is undefined if the provider has no status check.
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
        order.checksSinceCallback,
        dueMs === undefined ? null : jittered(dueMs),
        pauseMs,
        over,
        detail === undefined ? null : JSON.stringify(detail),
      ],
    });
  }

  /** Records the provider status of a payment (completed or failed). Returns true if it conflicts with the final status. */
  async recordConflict(order: OrderKey, completed: boolean, detail: object): Promise<boolean> {
    const { rows } = await this.db.query<{ conflicting: boolean }>({
      text: 'select order_status_conflict($1, $2, $3, $4) as conflicting',
      values: [order.developerId, order.id, completed, JSON.stringify(detail)],
    });
    return rows[0]!.conflicting;
  }

  /** Ends the status check of a refunded payment. No further check is scheduled. `detail` is undefined if no check was made. */
  async markStillFinal(order: OrderKey, pauseMs: number, detail: object | undefined): Promise<void> {
    await this.db.query({
      text: 'select order_still_decided($1, $2, $3, $4)',
      values: [order.developerId, order.id, pauseMs, detail === undefined ? null : JSON.stringify(detail)],
    });
  }
}
