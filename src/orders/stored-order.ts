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

/** What a caller's key is stored under. */
export interface PlacedKey {
  developerId: DeveloperId;
  environment: Environment;
  operation: Operation;
  storedKey: string;
}

/** Who took a success back: the provider, as a status check proved, or two of the platform's people. */
export type Reverser = 'provider' | 'support';

export interface StoredOrder extends OrderKey {
  /** What the provider was sent, and our api_request_id. */
  reference: string;
  environment: Environment;
  operation: Operation;
  /** The client's key, or its hash: see core/client-key. */
  storedKey: string | null;
  fingerprint: Buffer;
  amountPaise: Paise;
  provider: string;
  state: OrderState;
  unknownSince: Date | null;
  /** Since when a success is in doubt; null when it is not, also while it is only checked again. */
  doubtedSince: Date | null;
  statusChecks: number;
  /** Status checks begun since the last callback, the one under way included. */
  asked: number;
  notFound: number;
  providerTxnId: string;
  createdAt: Date;
  settledAt: Date | null;
  reversedAt: Date | null;
  /** Of a reversed one. */
  reversedBy: Reverser | null;
  /** Since when the provider says the opposite of what was decided; null when it does not, or a person has looked at it. */
  statusConflictAt: Date | null;
  /** Encrypted, as is the answer. */
  request: Buffer;
  answer: Buffer | null;
}

/** An order that is being asked about. Ages are those at the lease, by the database's clock: no process's clock decides anything. */
export interface LeasedOrder extends StoredOrder {
  /** The instant of the lease. The status check begins after it. */
  askedAt: Date;
  /** Since the order was placed. */
  ageMs: number;
  /** Since the latest instant at which it can have been sent, see `Circumstances`; null before the first status check of an order without an answer. */
  sentAgeMs: number | null;
  /** Since its settlement; null while it is open. */
  settledAgeMs: number | null;
  /** Since the last reason to doubt it; null when nobody does. */
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

/** What `orderOf` reads, from `orders` and nothing beside it: of a lookup all but its answer. */
export const ORDER_COLUMNS = `developer_id, id, reference, environment, operation, client_key, fingerprint, amount_paise::text, provider, state, unknown_since,
  doubted_since, status_checks, asked, not_found, provider_txn_id, created_at, settled_at, reversed_at, reversed_by, status_conflict_at, request, answer`;

/** The answer of a lookup for as long as it may be repeated, in a statement that reads `orders`. */
export const LOOKUP_ANSWER = `(select l.answer from lookup_answer l
  where l.developer_id = orders.developer_id and l.order_id = orders.id and l.settled_at >= now() - interval '10 minutes') as lookup_answer`;

/** The orders `o` of a slim table's rows, each found by its key: no statistics may make a scan of months of it. */
const ordersOf = (slim: string): string =>
  `cross join lateral (select * from orders x where x.developer_id = ${slim}.developer_id and x.id = ${slim}.order_id limit 1) o`;

/** Orders `o` with their places `q` in the queue of status checks. */
export const ASKED_ABOUT = `order_due q ${ordersOf('q')}`;
/** Orders `o` that a person has to look at, with the reason and the time in `v`. */
export const LOOKED_AT = `order_review v ${ordersOf('v')}`;

export interface LeasedRow extends OrderRow {
  asked_at: string;
  age_ms: number;
  sent_age_ms: number | null;
  settled_age_ms: number | null;
  doubt_age_ms: number | null;
}

const ageOf = (column: string): string => `extract(epoch from now() - ${column})::float8 * 1000`;

/** What `leasedOrderOf` reads, in the statement that leases. */
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
    asked: row.asked,
    notFound: row.not_found,
    providerTxnId: row.provider_txn_id ?? '',
    createdAt: new Date(row.created_at),
    settledAt: instantOrNull(row.settled_at),
    reversedAt: instantOrNull(row.reversed_at),
    reversedBy: row.reversed_by,
    statusConflictAt: instantOrNull(row.status_conflict_at),
    request: row.request,
    answer: row.answer ?? row.lookup_answer ?? null,
  };
}

export const leasedOrderOf = (row: LeasedRow): LeasedOrder => ({
  ...orderOf(row),
  askedAt: new Date(row.asked_at),
  ageMs: row.age_ms,
  sentAgeMs: row.sent_age_ms,
  settledAgeMs: row.settled_age_ms,
  doubtAgeMs: row.doubt_age_ms,
});
