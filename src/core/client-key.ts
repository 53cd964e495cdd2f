import { mayHoldCardNumber } from './card-number.js';
import { keyedHash, type Secret } from './secret.js';

/*
 * A client's own key of an order (client_request_id, orderid) is stored as it came, so that people find the order by it; unless
 * it may hold a card number: then the row has a keyed hash in its place and the key itself stands in the encrypted request.
 */

const PREFIX = 'h:';

/** A key as `orders.client_key` holds it. A key that begins as a hash does is hashed too, so that nobody can name another's hash. */
export const storedKeyOf = (secret: Secret, clientKey: string): string =>
  clientKey.startsWith(PREFIX) || mayHoldCardNumber(clientKey)
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
