import { keyedHash, type Secret } from './secret.js';

/** Returns whether the check digit of a payment card number is valid (ISO/IEC 7812). */
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
 * Returns whether a text contains a full card number: 12 to 19 consecutive digits with a valid check digit, ignoring spaces and
 * punctuation between them. Such a text must never be stored, logged or forwarded.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = text.replace(/[^A-Za-z0-9]/g, '').match(/\d+/g) ?? [];
  return runs.some((run) => run.length >= 12 && run.length <= 19 && passesLuhn(run));
}

/**
 * Converts digits of all scripts to 0 to 9. In Unicode, the ten digits of a script are consecutive and start with zero. Adjacent
 * ranges, such as those of mathematical digits, have ten digits each as well.
 */
const inAsciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0)!;
    let offset = 0;
    while (isDigit(String.fromCodePoint(point - offset - 1))) offset++;
    return String(offset % 10);
  });

const isDigit = (character: string): boolean => /^\p{Nd}$/u.test(character);

/**
 * Returns whether a text may contain a card number anywhere: any 12 to 19 consecutive digits of any script with a valid check
 * digit, even within a longer run of digits. One in ten numbers has a valid check digit by chance, so this is not a reason to
 * reject a text, only to hide it. No list of issuers is used, because new issuer ranges are added every year.
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
 * Masks card numbers, for files and other data that leave the system. Only the last four digits remain in each series of digit
 * groups that together are a card number. This is narrower than `canHoldCardNumber`, which also checks parts of longer runs of
 * digits and would mask most long numeric keys, which accounts use to match their own records.
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

/**
 * Returns the idempotency key of a client in a form for staff who do not need the full key. If it may contain a card number,
 * only the last four digits remain.
 */
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

/**
 * The idempotency key of an order (client_request_id, orderid) is stored as sent, so that the order can be found by it. If it may
 * contain a card number, the row contains a keyed hash instead, and the key itself is in the encrypted request.
 */

const PREFIX = 'h:';

/**
 * Returns the value of `orders.client_key`. A key that starts with the prefix of a hash is hashed as well, so that a client
 * cannot send the hash of another key.
 */
export const storedKeyOf = (secret: Secret, clientKey: string): string =>
  clientKey.startsWith(PREFIX) || canHoldCardNumber(clientKey)
    ? PREFIX + keyedHash(secret, 'client-key', clientKey).toString('base64url')
    : clientKey;

export const isHashedKey = (storedKey: string): boolean => storedKey.startsWith(PREFIX);

/** Additional data in the encrypted request of an order whose row contains a hash. */
export interface KeptKey {
  clientKey?: string;
}

/**
 * Returns the idempotency key as sent by the client. `request` decrypts the request of the order and is called only if
 * necessary.
 */
export const clientKeyOf = (storedKey: string | null, request: () => KeptKey): string | null =>
  storedKey !== null && isHashedKey(storedKey) ? (request().clientKey ?? null) : storedKey;

/**
 * Returns the encryption context for the request and response of an order. The data of a different order cannot be decrypted with
 * this context.
 */
export const orderContext = (orderId: string): string => `orders:${orderId}`;
