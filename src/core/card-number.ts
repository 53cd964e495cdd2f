import { keyedHash, type Secret } from './secret.js';

/** The check digit of payment cards (ISO/IEC 7812). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Whether a text holds a whole card number: 12 to 19 digits in a row that pass the check digit, however they are grouped by
 * blanks and punctuation. Such a text must never be stored, logged or sent on.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = text.replace(/[^A-Za-z0-9]/g, '').match(/\d+/g) ?? [];
  return runs.some((run) => run.length >= 12 && run.length <= 19 && passesLuhn(run));
}

/**
 * Digits of every script as 0 to 9. Unicode has the ten of each script in a row, the zero first; where several such rows follow one
 * another, as those of mathematics do, each has ten too.
 */
const inAsciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0)!;
    let before = 0;
    while (isDigit(String.fromCodePoint(point - before - 1))) before++;
    return String(before % 10);
  });

const isDigit = (character: string): boolean => /^\p{Nd}$/u.test(character);

/**
 * Whether a card number may stand anywhere in a text: any 12 to 19 digits in a row, of any script, also within a longer run, that
 * pass the check digit. One number in ten passes it by chance, and new ranges of issuers are given out every year: so this is no
 * reason to refuse a text, only to keep it out of plain sight, and no list of issuers is asked.
 */
export function canHoldCardNumber(text: string): boolean {
  const runs =
    inAsciiDigits(text)
      .replace(/[^A-Za-z0-9]/g, '')
      .match(/\d{12,}/g) ?? [];
  return runs.some((run) => {
    for (let start = 0; start + 12 <= run.length; start++)
      for (let end = start + 12; end <= Math.min(start + 19, run.length); end++)
        if (passesLuhn(run.slice(start, end))) return true;
    return false;
  });
}

/** Separators between the digit groups of a card number. */
const BETWEEN_GROUPS = /^[^A-Za-z0-9]+$/;

/**
 * A text without card numbers, for files and other places that people take out of the system: of each series of digit groups that
 * is a card number as a whole, only the last four digits are left. Narrower than `canHoldCardNumber`, which also looks inside longer
 * runs of digits and would hide most long numeric keys from the accounts that match their own records by them.
 */
export function withMaskedCards(text: string): string {
  const plain = inAsciiDigits(text);
  const groups = [...plain.matchAll(/\d+/g)].map((match) => ({ at: match.index, digits: match[0] }));
  const hidden = new Set<number>();
  for (let first = 0; first < groups.length; first++) {
    let digits = '';
    const places: number[] = [];
    for (let last = first; last < groups.length && digits.length <= 19; last++) {
      const group = groups[last]!;
      const end = places.at(-1);
      if (end !== undefined && !BETWEEN_GROUPS.test(plain.slice(end + 1, group.at))) break;
      digits += group.digits;
      for (let n = 0; n < group.digits.length; n++) places.push(group.at + n);
      if (digits.length >= 12 && digits.length <= 19 && passesLuhn(digits))
        for (const place of places.slice(0, -4)) hidden.add(place);
    }
  }
  return hidden.size === 0 ? text : withHidden(plain, hidden);
}

/** A client's key as staff see it who need no whole one: of a key that may hold a card number, the last four digits are left. */
export function maskedKey(key: string): string {
  if (!canHoldCardNumber(key)) return key;
  const plain = inAsciiDigits(key);
  return withHidden(plain, new Set([...plain.matchAll(/\d/g)].slice(0, -4).map(({ index }) => index)));
}

const withHidden = (text: string, hidden: ReadonlySet<number>): string =>
  text
    .split('')
    .map((character, place) => (hidden.has(place) ? 'x' : character))
    .join('');

/*
 * A client's own key of an order (client_request_id, orderid) is stored as it came, so that people find the order by it; unless
 * it may hold a card number: then the row has a keyed hash in its place and the key itself stands in the encrypted request.
 */

const PREFIX = 'h:';

/** A key as `orders.client_key` holds it. A key that begins as a hash does is hashed too, so that nobody can name another's hash. */
export const storedKeyOf = (secret: Secret, clientKey: string): string =>
  clientKey.startsWith(PREFIX) || canHoldCardNumber(clientKey)
    ? PREFIX + keyedHash(secret, 'client-key', clientKey).toString('base64url')
    : clientKey;

export const isHashedKey = (storedKey: string): boolean => storedKey.startsWith(PREFIX);

/** What the encrypted request of an order holds beside the request, where the row has a hash. */
export interface KeptKey {
  clientKey?: string;
}

/** The key as the client sent it. `request` decrypts the request of the order, and is called when that is needed. */
export const clientKeyOf = (storedKey: string | null, request: () => KeptKey): string | null =>
  storedKey !== null && isHashedKey(storedKey) ? (request().clientKey ?? null) : storedKey;

/** What requests and answers of an order are encrypted with, so that those of another one do not decrypt. */
export const orderContext = (orderId: string): string => `orders:${orderId}`;
