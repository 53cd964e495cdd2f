import { expect, it } from 'vitest';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { Secret } from '../../src/core/secret.js';

const encryption = new FieldEncryption([{ id: 'key-1', key: new Secret(Buffer.alloc(32, 3).toString('base64')) }]);
const plans = Array.from({ length: 100 }, (_, n) => ({
  rs: n,
  desc: `Unlimited calls and ${n} GB`,
  validity: '28 days',
}));

it.each([
  ['a short value', { pan: 'ABCDE1234F' }],
  ['a long value', { plans }],
  ['text beyond ASCII', { name: 'श्रेया '.repeat(200) }],
  ['nothing', null],
  ['a file', Buffer.alloc(200_000, 'no JSON \x00\xff')],
  ['an empty file', Buffer.alloc(0)],
])('%s is decrypted to its original value, and only in its own context', (_name, value) => {
  const bytes = encryption.encrypt('orders:1', value);
  expect(encryption.decrypt('orders:1', bytes)).toEqual(value);
  expect(() => encryption.decrypt('orders:2', bytes)).toThrow();
  for (const place of [0, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 3;
    expect(() => encryption.decrypt('orders:1', changed)).toThrow();
  }
});

it('a long value is encrypted to a fraction of the size of its text', () => {
  expect(encryption.encrypt('orders:1', { plans }).length).toBeLessThan(JSON.stringify({ plans }).length / 3);
});
