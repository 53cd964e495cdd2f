import { instantOrNull } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { Operation } from '../ledger/ledger.service.js';
import type { OrderState } from './states.js';

export interface OrderKey {
  developerId: DeveloperId;
  id: string;
}

/** Stored form of an idempotency key, with its scope. */
export interface StoredKey {
  developerId: DeveloperId;
  environment: Environment;
  operation: Operation;
  storedKey: string;
}

/** Origin of a reversal: the provider, as proven by a status check, or two administrators. */
export type Reverser = 'provider' | 'support';

export interface StoredOrder extends OrderKey {
  /** Reference sent to the provider, which is also our api_request_id. */
  reference: string;
  environment: Environment;
  operation: Operation;
  /** Idempotency key of the client, or its hash; see core/client-key. */
  storedKey: string | null;
  fingerprint: Buffer;
  amountPaise: Paise;
  provider: string;
  state: OrderState;
  unknownSince: Date | null;
  /** Time since which a success is in doubt. Null if it is not in doubt, including during its routine check. */
  doubtedSince: Date | null;
  statusChecks: number;
  /** Number of status checks started since the last callback, including one in progress. */
  checksSinceCallback: number;
  notFound: number;
  providerTxnId: string;
  createdAt: Date;
  settledAt: Date | null;
  reversedAt: Date | null;
  /** Origin of the reversal. Null if the order was not reversed. */
  reversedBy: Reverser | null;
  /** Time since which the provider reports a conflicting status. Null if there is no conflict or staff have reviewed it. */
  statusConflictAt: Date | null;
  /** Request of the order, encrypted. */
  request: Buffer;
  result: Buffer | null;
}

/**
 * Order whose status is being checked. The database computes ages at the time of the lease, so the clocks of the processes
 * have no influence.
 */
export interface LeasedOrder extends StoredOrder {
  /** Time of the lease, before the status check starts. */
  leasedAt: Date;
  /** Time since the order was placed. */
  ageMs: number;
  /**
   * Time since the latest possible sending of the order; see `Circumstances`. Null before the first status check of an order
   * without a response.
   */
  sentAgeMs: number | null;
  /** Time since the settlement. Null while the order is open. */
  settledAgeMs: number | null;
  /** Time since the last reason for doubt. Null if the success is not in doubt. */
  doubtAgeMs: number | null;
}

export interface OrderRow {
  developer_id: DeveloperId;
  id: string;
  reference: string;
  environment: Environment;
  operation: Operation;
  client_key: string | null;
  fingerprint: Buffer;
  amount_paise: string;
  provider: string;
  state: OrderState;
  unknown_since: string | null;
  doubted_since: string | null;
  status_checks: number;
  asked: number;
  not_found: number;
  provider_txn_id: string | null;
  created_at: string;
  settled_at: string | null;
  reversed_at: string | null;
  reversed_by: Reverser | null;
  status_conflict_at: string | null;
  request: Buffer;
  answer: Buffer | null;
  lookup_answer?: Buffer | null;
}

/** SQL: columns of `orders` that `orderOf` reads. For a lookup, they contain everything except its response. */
export const ORDER_COLUMNS = `developer_id, id, reference, environment, operation, client_key, fingerprint, amount_paise::text, provider, state, unknown_since,
  doubted_since, status_checks, asked, not_found, provider_txn_id, created_at, settled_at, reversed_at, reversed_by, status_conflict_at, request, answer`;

/** SQL: response of a lookup while it can be replayed, for a query that reads `orders`. */
export const LOOKUP_RESPONSE = `(select l.answer from lookup_answer l
  where l.developer_id = orders.developer_id and l.order_id = orders.id and l.settled_at >= now() - interval '10 minutes') as lookup_answer`;

/**
 * Returns the SQL that joins orders `o` to the rows of a small table. It forces lookups by key, because the planner might
 * otherwise scan months of orders.
 */
const ordersOf = (table: string): string =>
  `cross join lateral (select * from orders x where x.developer_id = ${table}.developer_id and x.id = ${table}.order_id limit 1) o`;

/** SQL: orders `o` with their rows `q` in the queue of status checks. */
export const SCHEDULED_ORDERS = `order_due q ${ordersOf('q')}`;
/** SQL: orders `o` that need review, with the reason and the time in `v`. */
export const ORDERS_TO_REVIEW = `order_review v ${ordersOf('v')}`;

export interface LeasedRow extends OrderRow {
  asked_at: string;
  age_ms: number;
  sent_age_ms: number | null;
  settled_age_ms: number | null;
  doubt_age_ms: number | null;
}

const ageOf = (column: string): string => `extract(epoch from now() - ${column})::float8 * 1000`;

/** SQL: columns that `leasedOrderOf` reads in the statement that acquires the lease. */
export const LEASED_COLUMNS = `${ORDER_COLUMNS}, now() as asked_at, ${ageOf('created_at')} as age_ms, ${ageOf('unknown_since')} as sent_age_ms,
  ${ageOf('settled_at')} as settled_age_ms, ${ageOf('doubted_since')} as doubt_age_ms`;

export function orderOf(row: OrderRow): StoredOrder {
  return {
    developerId: row.developer_id,
    id: row.id,
    reference: row.reference,
    environment: row.environment,
    operation: row.operation,
    storedKey: row.client_key,
    fingerprint: row.fingerprint,
    amountPaise: paise(row.amount_paise),
    provider: row.provider,
    state: row.state,
    unknownSince: instantOrNull(row.unknown_since),
    doubtedSince: instantOrNull(row.doubted_since),
    statusChecks: row.status_checks,
    checksSinceCallback: row.asked,
    notFound: row.not_found,
    providerTxnId: row.provider_txn_id ?? '',
    createdAt: new Date(row.created_at),
    settledAt: instantOrNull(row.settled_at),
    reversedAt: instantOrNull(row.reversed_at),
    reversedBy: row.reversed_by,
    statusConflictAt: instantOrNull(row.status_conflict_at),
    request: row.request,
    result: row.answer ?? row.lookup_answer ?? null,
  };
}

export const leasedOrderOf = (row: LeasedRow): LeasedOrder => ({
  ...orderOf(row),
  leasedAt: new Date(row.asked_at),
  ageMs: row.age_ms,
  sentAgeMs: row.sent_age_ms,
  settledAgeMs: row.settled_age_ms,
  doubtAgeMs: row.doubt_age_ms,
});
