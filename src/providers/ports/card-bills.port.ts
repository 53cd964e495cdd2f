import type { Paise } from '../../core/money.js';
import type { Caller, MayBeAway } from '../calls.js';
import type { SendPermit } from '../http-client.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';

export interface CardBill {
  /** The provider's fetch id; ours wraps it. */
  fetchId: string;
  customerName: string;
  /** ISO calendar dates. */
  billDate: string;
  billDueDate: string;
  /** Negative when the card has a credit. */
  billAmountPaise: Paise;
  minimumDuePaise: Paise;
}

export interface CardPaymentOrder {
  /** Ours, unique; sent as the provider's orderid. */
  reference: string;
  card: string;
  mobile: string;
  opcode: string;
  amountPaise: Paise;
  /** The provider's fetch id. */
  fetchId: string;
  pan?: string;
}

export interface CardPaymentReceipt {
  utr: string;
  /** The provider's transaction id, an integer. */
  txid: number;
}

/** A provider of credit card bills (interface.md 4.4 and 4.5). */
export interface CardBillsPort<Name extends string = string> extends MayBeAway {
  readonly provider: Name;
  readonly available: boolean;
  readonly canCheckStatus: boolean;
  readonly notFoundIsFinal: boolean;
  fetchBill(
    query: { reference: string; card: string; mobile: string; opcode: string },
    caller?: Caller,
  ): Promise<Outcome<CardBill>>;
  /** Sends once, never retries, and not once the permit is over. */
  pay(order: CardPaymentOrder, caller?: Caller, permit?: SendPermit): Promise<Outcome<CardPaymentReceipt>>;
  checkStatus(
    order: CardPaymentOrder & { placedAt: Date; askedAt: Date; attempt: number; providerTxnId?: string },
  ): Promise<StatusCheckOutcome<CardPaymentReceipt>>;
}
