import { describe, expect, it } from 'vitest';
import {
  canHoldCardNumber,
  clientKeyOf,
  isHashedKey,
  maskedKey,
  storedKeyOf,
  withMaskedCards,
} from '../../src/core/card-number.js';
import { Secret } from '../../src/core/secret.js';

const pepper = new Secret('a pepper for tests only');

describe('a text that may hold a card number', () => {
  it.each([
    '4539578763621486',
    '4539 5787 6362 1486',
    'ORD-4539-5787-6362-1486/2',
    '20260301#4539578763621486', // within a longer run of digits
    '99994539578763621486000000',
    '\uFF14\uFF15\uFF13\uFF19578763621486', // full-width digits
    '٤٥٣٩٥٧٨٧٦٣٦٢١٤٨٦', // Arabic
    'क्रम-४५३९ ५७८७ ६३६२ १४८६', // Devanagari, with a word in front
    '۴۵۳۹ ५७८७ 6362 𝟙𝟜𝟠𝟞', // Persian, Devanagari, ASCII and mathematical digits
    '①④⑤③⑨⑤⑦⑧⑦⑥③⑥②①④⑧⑥', // circled digits
    'x4539578763621486x',
    '6759649826438453', // Maestro
    '676770000005', // twelve digits
    '378282246310005', // fifteen digits
  ])('"%s" can contain one', (text) => expect(canHoldCardNumber(text)).toBe(true));

  it.each([
    '4539578763621487',
    'order 28',
    '2026-03-01',
    '12345678901',
    '٤٥٣٩٥٧٨٧٦٣٦٢١٤٨٧',
    '२०२६-०३-०१',
    'a1b2c3d4e5f6a7b8c9d0',
    '',
  ])('"%s" contains none', (text) => expect(canHoldCardNumber(text)).toBe(false));
});

describe('a text that leaves the system', () => {
  it.each([
    ['4539578763621486', 'xxxxxxxxxxxx1486'],
    ['4539 5787 6362 1486', 'xxxx xxxx xxxx 1486'],
    ['ORD-4539-5787-6362-1486/2', 'ORD-xxxx-xxxx-xxxx-1486/2'],
    ['20260301#4539578763621486', '20260301#xxxxxxxxxxxx1486'],
    ['क्रम-४५३९ ५७८७ ६३६२ १४८६', 'क्रम-xxxx xxxx xxxx 1486'],
    ['4539578763621487', '4539578763621487'],
    ['99994539578763621486000000', '99994539578763621486000000'],
    ['order 28', 'order 28'],
  ])('has no card number: "%s"', (text, masked) => expect(withMaskedCards(text)).toBe(masked));

  it('keeps four digits of a longer number for support', () => {
    expect(maskedKey('99994539578763621486000000')).toBe(`${'x'.repeat(22)}0000`);
    expect(maskedKey('#Order 28/ä?')).toBe('#Order 28/ä?');
  });
});

describe('the stored form of an idempotency key', () => {
  it('is the key itself if it has no card number', () => {
    expect(storedKeyOf(pepper, '#Order 28/ä?')).toBe('#Order 28/ä?');
    expect(clientKeyOf('#Order 28/ä?', () => expect.unreachable())).toBe('#Order 28/ä?');
    expect(clientKeyOf(null, () => expect.unreachable())).toBeNull();
  });

  it('is a keyed hash that fits the column if the key can contain a card number', () => {
    const stored = storedKeyOf(pepper, '4539578763621486');
    expect(stored).toMatch(/^h:[\w-]{43}$/);
    expect(stored).not.toBe(storedKeyOf(new Secret('another pepper'), '4539578763621486'));
    expect(storedKeyOf(pepper, '4539 5787 6362 1486')).not.toBe(stored);
    expect(clientKeyOf(stored, () => ({ clientKey: '4539578763621486' }))).toBe('4539578763621486');
  });

  it('is hashed if the key looks like such a hash, so that a client cannot use the key of another client', () => {
    const stored = storedKeyOf(pepper, '4539578763621486');
    expect(storedKeyOf(pepper, stored)).not.toBe(stored);
    expect(isHashedKey(storedKeyOf(pepper, 'h:mine'))).toBe(true);
  });
});
