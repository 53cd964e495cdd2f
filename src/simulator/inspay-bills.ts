import { indianTime } from '../core/clock.js';
import { decimalText, paise } from '../core/money.js';
import { fingerprint, pick } from './fingerprint.js';
import { personOf } from './people.js';

export interface CardOwner {
  card: string;
  mobile: string;
  opcode: string;
}

const DAY_MS = 86_400_000;
const DAYS_TO_PAY = 20;

const ownerKey = ({ card, mobile, opcode }: CardOwner): string => `${card}\0${mobile}\0${opcode}`;

/**
 * The id of one fetch of one card's bill. It proves itself (a nonce and a keyed hash over it and the card), so that payments for
 * it work after a restart without a table of fetches.
 */
export function fetchIdFor(owner: CardOwner, orderId: string): string {
  const nonce = fingerprint('fetch nonce', orderId).toString('hex').slice(0, 8);
  return `TSB${nonce}${proof(owner, nonce)}`;
}

export function isFetchId(fetchId: string, owner: CardOwner): boolean {
  const nonce = /^TSB([0-9a-f]{8})[0-9a-f]{12}$/.exec(fetchId)?.[1];
  return nonce !== undefined && fetchId === `TSB${nonce}${proof(owner, nonce)}`;
}

const proof = (owner: CardOwner, nonce: string): string =>
  fingerprint('fetch id', `${ownerKey(owner)}\0${nonce}`)
    .toString('hex')
    .slice(0, 12);

/** A card's bill: the same amount each time, dated to the current month. A card that ends in 0000 has a credit of ₹250. */
export function cardBillOf(owner: CardOwner) {
  const key = ownerKey(owner);
  const billedPaise = owner.card.endsWith('0000') ? -250_00 : 500_00 + pick('bill', key, 45_000_00);
  const minimumPaise = Math.max(0, Math.ceil(billedPaise / 20 / 100) * 100);
  const billedOn = Date.now() - pick('bill day', key, DAYS_TO_PAY) * DAY_MS;
  const { firstName, lastName } = personOf(key);
  return {
    customerName: `XXXX ${firstName} ${lastName}`.toUpperCase(),
    billDate: dateText(billedOn),
    billDueDate: dateText(billedOn + DAYS_TO_PAY * DAY_MS),
    billAmount: decimalText(paise(billedPaise)),
    minimum_due: String(minimumPaise / 100),
  };
}

/** DD/MM/YYYY in India. */
const dateText = (time: number): string => indianTime(new Date(time)).slice(0, 10).split('-').toReversed().join('/');
