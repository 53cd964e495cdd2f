import { type Clock, indianTime, systemClock } from '../../core/clock.js';
import { paise } from '../../core/money.js';
import type { CardBill, CardBillsPort, CardPaymentReceipt } from '../ports/card-bills.port.js';
import { sampleCardholder } from './sample-people.js';
import { sampleDigits, sampleHex, sampleInteger } from './sample-values.js';
import type { Closable, SandboxOptions } from './sandbox.options.js';
import { replyToLookup } from './sandbox.scripts.js';
import { ScriptedPayments } from './scripted-payments.js';

const MS_PER_DAY = 86_400_000;

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
    canEnquire: true,
    notFoundIsFinal: true,
    isAway: (caller, account) => payments.chosen.isAway(caller, account),
    async fetchBill(query, caller) {
      const script = await payments.chosen.ofLookup(caller, query.mobile);
      return payments.answer(replyToLookup[script], () => billOf(query, clock));
    },
    pay: (order, caller) => payments.pay(order, order.mobile, caller),
    enquire: (order) => payments.enquire(order, order.mobile),
    close: async () => payments.close(),
  };
}

/** The bill of the current month (Indian time): dated the 1st, due 18 to 22 days later, ₹500 to ₹85,000 with paise. */
function billOf(query: Parameters<CardBillsPort['fetchBill']>[0], clock: Clock): CardBill {
  const seed = `${query.card}:${query.mobile}:${query.opcode}`;
  const billDate = `${indianTime(clock.now()).slice(0, 7)}-01`;
  const billAmount = sampleInteger(`bill:${seed}`, 500_01, 85_000_99);
  return {
    // A provider names every fetch anew, so the reference takes part; the bill itself stays the same.
    fetchId: `TSB${sampleHex(`fetch:${query.reference}:${seed}`, 8)}`,
    customerName: sampleCardholder(`card:${seed}`),
    billDate,
    billDueDate: daysAfter(billDate, sampleInteger(`due:${seed}`, 18, 22)),
    billAmountPaise: paise(billAmount),
    // Issuers ask for 5 %, in whole rupees, and at least ₹200.
    minimumDuePaise: paise(Math.max(200, Math.ceil(billAmount / 2_000)) * 100),
  };
}

const daysAfter = (isoDate: string, days: number): string =>
  new Date(Date.parse(isoDate) + days * MS_PER_DAY).toISOString().slice(0, 10);

const receiptOf = (reference: string): CardPaymentReceipt => ({
  utr: `TJ${sampleDigits(`utr-digits:${reference}`, 12)}${sampleHex(`utr:${reference}`, 6).toUpperCase()}`,
  txid: sampleInteger(`txid:${reference}`, 10_000_000, 999_999_999),
});
