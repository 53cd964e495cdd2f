import { systemClock } from '../core/clock.js';
import { decimalText, paise, rupeesNumber } from '../core/money.js';
import { type CardOwner, sampleCardBill, seedOf } from '../samples/card-bill.js';
import { sampleHex } from '../samples/values.js';

/**
 * Returns the ID of one fetch of a card bill. The ID is verifiable (a nonce, and a hash of nonce and card), so payments for it
 * work after a restart without a table of fetches.
 */
export const fetchIdFor = (owner: CardOwner, orderId: string): string =>
  fetchIdOf(owner, sampleHex(`fetch nonce:${orderId}`, 8));

export function isFetchId(fetchId: string, owner: CardOwner): boolean {
  const nonce = /^TSB([0-9a-f]{8})[0-9a-f]{12}$/.exec(fetchId)?.[1];
  return nonce !== undefined && fetchId === fetchIdOf(owner, nonce);
}

const fetchIdOf = (owner: CardOwner, nonce: string): string =>
  `TSB${nonce}${sampleHex(`fetch id:${seedOf(owner)}:${nonce}`, 12)}`;

/** Returns the bill of a card with a constant amount, dated in the current month. A card ending in 0000 has a credit of ₹250. */
export function cardBillOf(owner: CardOwner) {
  const bill = sampleCardBill(owner, systemClock);
  const isCredit = owner.card.endsWith('0000');
  return {
    customerName: bill.customerName,
    billDate: dayFirst(bill.billDate),
    billDueDate: dayFirst(bill.billDueDate),
    billAmount: decimalText(isCredit ? paise(-250_00) : bill.billAmountPaise),
    minimum_due: isCredit ? '0' : String(rupeesNumber(bill.minimumDuePaise)),
  };
}

/** Formats a date as DD/MM/YYYY. */
const dayFirst = (isoDate: string): string => isoDate.split('-').toReversed().join('/');
