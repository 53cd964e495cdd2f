import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.js';
import { newWebhookSecret, signedHeaders } from '../../src/webhooks/webhook-signature.js';

describe('webhook signature', () => {
  it('matches the published example of Standard Webhooks', () => {
    const headers = signedHeaders(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampS: 1614265330, body: '{"test": 2432232314}' },
      [new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('contains one signature per valid secret, separated by spaces', () => {
    const message = { id: 'msg_1', timestampS: 1, body: '{}' };
    const [first, second] = [newWebhookSecret(), newWebhookSecret()];
    const separate = [first, second].map((secret) => signedHeaders(message, [secret])['webhook-signature']);
    expect(signedHeaders(message, [first, second])['webhook-signature']).toBe(separate.join(' '));
  });

  it('uses secrets of 32 random bytes', () => {
    const secrets = Array.from({ length: 50 }, () => newWebhookSecret().reveal());
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});
