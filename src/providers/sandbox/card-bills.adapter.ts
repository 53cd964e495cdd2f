import { systemClock } from '../../core/clock.js';
import { sampleCardBill, seedOf } from '../../samples/card-bill.js';
import { sampleDigits, sampleHex, sampleInteger } from '../../samples/values.js';
import type { CardBillsPort, CardPaymentReceipt } from '../ports/card-bills.port.js';
import type { Closable, SandboxOptions } from './sandbox.options.js';
import { replyToLookup } from './sandbox.scripts.js';
import { ScriptedPayments } from './scripted-payments.js';

/**
 * Card bills with play money (UAT): no network, no book. What the caller wants decides the outcome, else the registered mobile
 * (`scriptOf`); card, mobile and opcode decide the bill, our reference decides the ids. Any fetch id can be paid: whether it is the caller's is our check.
 */
export function createSandboxCardBills(options: SandboxOptions): CardBillsPort & Closable {
  const payments = new ScriptedPayments(options, receiptOf, ({ txid }) => String(txid));
  const clock = options.clock ?? systemClock;
  return {
    provider: 'SANDBOX',
    available: true,
    canCheckStatus: true,
    notFoundIsFinal: true,
    isAway: (caller, account) => payments.chosen.isAway(caller, account),
    async fetchBill(query, caller) {
      const script = await payments.chosen.ofLookup(caller, query.mobile);
      return payments.answer(replyToLookup[script], () => ({
        // A provider names every fetch anew, so the reference takes part; the bill itself stays the same.
        fetchId: `TSB${sampleHex(`fetch:${query.reference}:${seedOf(query)}`, 8)}`,
        ...sampleCardBill(query, clock),
      }));
    },
    pay: (order, caller) => payments.pay(order, order.mobile, caller),
    checkStatus: (order) => payments.checkStatus(order, order.mobile),
    close: async () => payments.close(),
  };
}

const receiptOf = (reference: string): CardPaymentReceipt => ({
  utr: `TJ${sampleDigits(`utr-digits:${reference}`, 12)}${sampleHex(`utr:${reference}`, 6).toUpperCase()}`,
  // beyond 32 bits, as in production: a column that is too small fails in UAT already
  txid: sampleInteger(`txid:${reference}`, 1_000_000_000_000, 9_999_999_999_999),
});
