import { type MoneyScript } from '../core/magic-numbers.js';
import type { ProviderName } from './provider-name.js';

/** Line of `GET /_/book`: a completed transaction, or its later reversal (a second line). */
export interface BookLine {
  provider: ProviderName;
  /** Reference of the caller. It is null if the provider has none. */
  reference: string | null;
  account: string;
  /** Amount in integer paise. */
  amount: number;
  outcome: 'succeeded' | 'reversed';
  /** Time in ISO 8601, UTC. */
  time: string;
}

/**
 * Transaction as booked by the provider, completed or not. `serial` is unique and increasing; the provider's IDs are derived from
 * it.
 */
export interface TransactionRecord extends Omit<BookLine, 'outcome'> {
  kind: 'transaction';
  outcome: 'succeeded' | 'failed';
  serial: number;
  script: MoneyScript;
  /** Last four digits of the card, for a card payment. */
  cardTail?: string;
}

/** Line of book.jsonl. PANs are stored only as fingerprints. */
export type SimulatorRecord =
  | TransactionRecord
  | { kind: 'status_check'; serial: number }
  | { kind: 'reversal'; serial: number; time: string }
  | { kind: 'profile'; customerId: string; mobileTail: string; panFingerprint: string }
  | { kind: 'lead'; leadCode: string; productId: string; serial: number }
  | { kind: 'lead_status_call'; leadCode: string };
