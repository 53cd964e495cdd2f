import type { Environment } from '../core/environment.js';
import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { Operation } from '../ledger/ledger.service.js';
import type { OrderState } from './states.js';

export interface StoredOrder {
  developerId: DeveloperId;
  id: string;
  environment: Environment;
  operation: Operation;
  /** The client's key, or its hash: see core/client-key. */
  storedKey: string | null;
  fingerprint: Buffer;
  amountPaise: Paise;
  provider: string;
  state: OrderState;
  unknownSince: Date | null;
  /** Since when a success is in doubt; the last time, when the doubt is over. */
  doubtedSince: Date | null;
  enquiries: number;
  /** Enquiries begun since the last callback, the one under way included. */
  asked: number;
  notFound: number;
  providerTxnId: string;
  createdAt: Date;
  settledAt: Date | null;
  reversedAt: Date | null;
  /** Encrypted, as is the answer. */
  request: Buffer;
  answer: Buffer | null;
}

export interface OrderRow {
  developer_id: DeveloperId;
  id: string;
  environment: Environment;
  operation: Operation;
  client_key: string | null;
  fingerprint: Buffer;
  amount_paise: string;
  provider: string;
  state: OrderState;
  unknown_since: string | null;
  doubted_since: string | null;
  enquiries: number;
  asked: number;
  not_found: number;
  provider_txn_id: string | null;
  created_at: string;
  settled_at: string | null;
  reversed_at: string | null;
  request: Buffer;
  answer: Buffer | null;
}

/** What `orderOf` reads, from `orders` and nothing beside it. */
export const ORDER_COLUMNS = `developer_id, id, environment, operation, client_key, fingerprint, amount_paise::text, provider, state, unknown_since,
  doubted_since, enquiries, asked, not_found, provider_txn_id, created_at, settled_at, reversed_at, request, answer`;

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));

export function orderOf(row: OrderRow): StoredOrder {
  return {
    developerId: row.developer_id,
    id: row.id,
    environment: row.environment,
    operation: row.operation,
    storedKey: row.client_key,
    fingerprint: row.fingerprint,
    amountPaise: paise(row.amount_paise),
    provider: row.provider,
    state: row.state,
    unknownSince: instant(row.unknown_since),
    doubtedSince: instant(row.doubted_since),
    enquiries: row.enquiries,
    asked: row.asked,
    notFound: row.not_found,
    providerTxnId: row.provider_txn_id ?? '',
    createdAt: new Date(row.created_at),
    settledAt: instant(row.settled_at),
    reversedAt: instant(row.reversed_at),
    request: row.request,
    answer: row.answer,
  };
}
