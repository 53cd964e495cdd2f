import { type MoneyScript } from '../core/magic-numbers.js';
import type { ProviderName } from './provider-name.js';

/** What `GET /_/book` shows of a transaction: it was performed, and perhaps reversed later (a second line). */
export interface BookLine {
  provider: ProviderName;
  /** The caller's own reference; null where the provider takes none. */
  reference: string | null;
  account: string;
  /** Integer paise. */
  amount: number;
  outcome: 'succeeded' | 'reversed';
  /** ISO 8601, UTC. */
  time: string;
}

/** A transaction as the provider booked it, performed or not. `serial` is unique and increasing: the provider's ids derive from it. */
export interface TransactionRecord extends Omit<BookLine, 'outcome'> {
  kind: 'transaction';
  outcome: 'succeeded' | 'failed';
  serial: number;
  script: MoneyScript;
  /** The last four digits, where a card was paid. */
  cardTail?: string;
}

/** One line of book.jsonl. People are kept as fingerprints: the file holds no PAN. */
export type SimulatorRecord =
  | TransactionRecord
  | { kind: 'status_check'; serial: number }
  | { kind: 'reversal'; serial: number; time: string }
  | { kind: 'profile'; customerId: string; mobileTail: string; panFingerprint: string }
  | { kind: 'lead'; leadCode: string; productId: string; serial: number }
  | { kind: 'lead_status_call'; leadCode: string };
