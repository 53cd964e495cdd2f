import { systemClock } from '../core/clock.js';
import { decimalText, paise, rupeesNumber } from '../core/money.js';
import { type CardOwner, sampleCardBill, seedOf } from '../samples/card-bill.js';
import { sampleHex } from '../samples/values.js';

/**
 * The id of one fetch of one card's bill. It proves itself (a nonce and a hash over it and the card), so that payments for it work
 * after a restart without a table of fetches.
 */
export const fetchIdFor = (owner: CardOwner, orderId: string): string =>
  fetchIdOf(owner, sampleHex(`fetch nonce:${orderId}`, 8));

export function isFetchId(fetchId: string, owner: CardOwner): boolean {
  const nonce = /^TSB([0-9a-f]{8})[0-9a-f]{12}$/.exec(fetchId)?.[1];
  return nonce !== undefined && fetchId === fetchIdOf(owner, nonce);
}

const fetchIdOf = (owner: CardOwner, nonce: string): string =>
  `TSB${nonce}${sampleHex(`fetch id:${seedOf(owner)}:${nonce}`, 12)}`;

/** A card's bill: the same amount each time, dated to the current month. A card that ends in 0000 has a credit of ₹250. */
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

/** DD/MM/YYYY. */
const dayFirst = (isoDate: string): string => isoDate.split('-').toReversed().join('/');
