import { createHmac, randomBytes } from 'node:crypto';
import { Secret } from '../core/secret.js';

// Signed with Node's own HMAC: the library `standardwebhooks` brings SHA-256 in JavaScript (last released in 2019), and makes no secrets.

/** Standard Webhooks: a secret is `whsec_` and the base64 text of the key, of which 24 to 64 bytes are allowed. */
const PREFIX = 'whsec_';
const KEY_BYTES = 32;

export const newWebhookSecret = (): Secret => new Secret(PREFIX + randomBytes(KEY_BYTES).toString('base64'));

export interface Message {
  /** The same for every attempt to deliver one event, so that a receiver can tell a repetition. */
  id: string;
  /** The instant of this attempt, in seconds; a receiver refuses old ones as replays. */
  timestampS: number;
  body: string;
}

/**
 * The headers of one attempt (Standard Webhooks, symmetric scheme): HMAC-SHA256 of `id.timestamp.body`. Several secrets sign
 * side by side, so that a receiver may verify with the old or the new one while they are exchanged.
 */
export function signedHeaders({ id, timestampS, body }: Message, secrets: readonly Secret[]): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampS}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signatures.join(' '),
  };
}
