import { systemClock } from '../../core/clock.js';
import { sampleCardBill, seedOf } from '../../samples/card-bill.js';
import { sampleDigits, sampleHex, sampleInteger } from '../../samples/values.js';
import type { CardBillsPort, CardPaymentReceipt } from '../ports/card-bills.port.js';
import type { Closable, SandboxOptions } from './sandbox.options.js';
import { replyToLookup } from './sandbox.scripts.js';
import { ScriptedPayments } from './scripted-payments.js';

/**
 * Creates card bills with test funds (UAT). They use no network and no stored state. The outcome is determined by the scenario
 * of the caller or, without one, by the registered mobile number (`scriptOf`). Card, mobile number and opcode determine the
 * bill, and our reference determines the IDs. Any fetch ID can be paid. Our own check ensures that it belongs to the caller.
 */
export function createSandboxCardBills(options: SandboxOptions): CardBillsPort & Closable {
  const payments = new ScriptedPayments(options, receiptOf, ({ txid }) => String(txid));
  const clock = options.clock ?? systemClock;
  return {
    provider: 'SANDBOX',
    available: true,
    canCheckStatus: true,
    notFoundIsFinal: true,
    isDown: (caller, account) => payments.scripts.isDown(caller, account),
    async fetchBill(query, caller) {
      const script = await payments.scripts.ofLookup(caller, query.mobile);
      return payments.respond(replyToLookup[script], () => ({
        // Providers create a new ID for each fetch, so the ID depends on the reference. The bill does not change.
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
  // the IDs have more than 32 bits, as in Production, so that a column that is too small fails in UAT
  txid: sampleInteger(`txid:${reference}`, 1_000_000_000_000, 9_999_999_999_999),
});
