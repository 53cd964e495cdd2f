import { createHmac, randomBytes } from 'node:crypto';
import { Secret } from '../core/secret.js';

// Uses the HMAC of Node.js, because the `standardwebhooks` library contains SHA-256 in JavaScript (last released in 2019) and
// cannot create secrets.

/** Prefix of a secret (Standard Webhooks). The key follows in base64 and has 24 to 64 bytes. */
const PREFIX = 'whsec_';
const KEY_BYTES = 32;

export const newWebhookSecret = (): Secret => new Secret(PREFIX + randomBytes(KEY_BYTES).toString('base64'));

export interface Message {
  /** ID that is the same for all attempts to deliver an event, so that a receiver can detect duplicates. */
  id: string;
  /** Time of this attempt in seconds. Receivers reject old messages as replays. */
  timestampS: number;
  body: string;
}

/**
 * Returns the headers of an attempt (Standard Webhooks, symmetric scheme) with the HMAC-SHA256 of `id.timestamp.body`. During
 * a rotation, the message has one signature per secret, so that a receiver can verify it with either secret.
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
