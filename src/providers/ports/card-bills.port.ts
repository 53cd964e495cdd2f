import type { Paise } from '../../core/money.js';
import type { Caller, SimulatesOutage } from '../calls.js';
import type { SendPermit } from '../http-client.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';

export interface CardBill {
  /** Fetch ID of the provider. Our own fetch ID contains it. */
  fetchId: string;
  customerName: string;
  /** Calendar dates in ISO 8601 format. */
  billDate: string;
  billDueDate: string;
  /** Negative if the card has a credit balance. */
  billAmountPaise: Paise;
  minimumDuePaise: Paise;
}

export interface CardPaymentOrder {
  /** Our unique reference, sent as `orderid` to the provider. */
  reference: string;
  card: string;
  mobile: string;
  opcode: string;
  amountPaise: Paise;
  /** Fetch ID of the provider. */
  fetchId: string;
  pan?: string;
}

export interface CardPaymentReceipt {
  utr: string;
  /** Transaction ID of the provider, an integer. */
  txid: number;
}

/** Provider of credit card bills (interface.md 4.4 and 4.5). */
export interface CardBillsPort<Name extends string = string> extends SimulatesOutage {
  readonly provider: Name;
  readonly available: boolean;
  readonly canCheckStatus: boolean;
  readonly notFoundIsFinal: boolean;
  fetchBill(
    query: { reference: string; card: string; mobile: string; opcode: string },
    caller?: Caller,
  ): Promise<Outcome<CardBill>>;
  /** Sends the payment once, never retries, and never sends after the permit has expired. */
  pay(order: CardPaymentOrder, caller?: Caller, permit?: SendPermit): Promise<Outcome<CardPaymentReceipt>>;
  checkStatus(
    order: CardPaymentOrder & { placedAt: Date; checkedAt: Date; attempt: number; providerTxnId?: string },
  ): Promise<StatusCheckOutcome<CardPaymentReceipt>>;
}
