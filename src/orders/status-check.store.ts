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
  /** Null: no further check is scheduled. */
  dueMs: number | null;
  /** Minimum time between two status checks, whatever callbacks arrive. */
  pauseMs: number;
  review: boolean;
  /** Whether the result is from the sweeper and not from the call itself. */
  statusCheck: boolean;
  /** Kind of the event in the timeline: a status check, or the response to the call. */
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
type Recorded = 'unknown_order' | 'archived' | 'status_check' | 'status_conflict' | 'noted';

/**
 * Adds ±10 % to a delay, so that orders left behind by the same outage are not all checked at the same moment. All scheduled
 * delays go through this function.
 */
export const jittered = (delayMs: number, random: () => number = Math.random): number =>
  Math.round(delayMs * (0.9 + 0.2 * random()));

/**
 * SQL: whether orders of the provider are due, with or without a waiting customer. The provider name is a constant, never
 * input.
 */
export const ordersDue = (provider: string): string =>
  `exists (select from order_due where provider = '${provider}' and waited_for in (true, false) and due_at <= now())`;

/**
 * The queue of status checks: which orders are due, and how callbacks and results change them if no money moves. See
 * order-status-checks.sql and ledger-correct.sql.
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
   * Claims an open order of a provider without a status check, either to send it or to ensure that it is never sent. Returns
   * false if the other claim came first or the order is final.
   */
  async claim(order: OrderKey, what: 'send' | 'never send'): Promise<boolean> {
    const { rows } = await this.db.query<{ claimed: boolean }>({
      name: 'order-claim',
      text: 'select order_claim($1, $2, $3) as claimed',
      values: [order.developerId, order.id, what === 'send'],
    });
    return rows[0]!.claimed;
  }

  /** Whether an order claimed for sending is unchanged since then: it was neither taken over nor resolved. */
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
   * Leases due orders of one provider for `leaseMs`; other sweepers skip them until then. Open orders and doubted successes
   * come first, then successes with a routine check.
   */
  async leaseDue(provider: string, limit: number, leaseMs: number): Promise<LeasedOrder[]> {
    const { rows } = await this.db.query<LeasedRow>({
      name: 'order-lease-due',
      text: `select ${LEASED_COLUMNS} from order_lease_due($1, $2, $3)`,
      values: [provider, limit, leaseMs],
    });
    return rows.map(leasedOrderOf);
  }

  /** Providers of due orders that are not in the given list. */
  async providersDueBeside(known: readonly string[]): Promise<string[]> {
    const { rows } = await this.db.query<{ provider: string }>({
      text: 'select distinct provider from order_due where provider <> all($1) order by 1',
      values: [known],
    });
    return rows.map(({ provider }) => provider);
  }

  /**
   * Stores a callback, of which at most `keep` are kept, and makes its order due if there is a reason to check; see
   * order-status-checks.sql.
   */
  async recordCallback(
    provider: string,
    reference: string,
    reported: string,
    keep: number,
    detail: object,
  ): Promise<Recorded> {
    const { rows } = await this.db.query<{ result: Recorded }>({
      name: 'order-callback',
      text: 'select order_callback($1, $2, $3, $4, $5) as result',
      values: [provider, reference, reported, keep, JSON.stringify(detail)],
    });
    return rows[0]!.result;
  }

  /**
   * A status check of a success proved no reversal: the next check is due in `dueMs`, or never if undefined. `over`: the
   * success is no longer in doubt. `detail` is undefined if the provider has no status check.
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

  /**
   * Records that the provider reports a payment as completed or as failed. Returns true if this conflicts with the final
   * status.
   */
  async recordConflict(order: OrderKey, completed: boolean, detail: object): Promise<boolean> {
    const { rows } = await this.db.query<{ conflicting: boolean }>({
      text: 'select order_status_conflict($1, $2, $3, $4) as conflicting',
      values: [order.developerId, order.id, completed, JSON.stringify(detail)],
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
