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
    'क्रम-४५३९ ५७८७ ६३६२ १४८६', // Devanagari, with a word around it
    '۴۵۳۹ ५७८७ 6362 𝟙𝟜𝟠𝟞', // Persian, Devanagari, our own and those of mathematics
    '①④⑤③⑨⑤⑦⑧⑦⑥③⑥②①④⑧⑥', // in circles
    'x4539578763621486x',
    '6759649826438453', // Maestro
    '676770000005', // twelve digits
    '378282246310005', // fifteen
  ])('"%s" may', (text) => expect(canHoldCardNumber(text)).toBe(true));

  it.each([
    '4539578763621487',
    'order 28',
    '2026-03-01',
    '12345678901',
    '٤٥٣٩٥٧٨٧٦٣٦٢١٤٨٧',
    '२०२६-०३-०१',
    'a1b2c3d4e5f6a7b8c9d0',
    '',
  ])('"%s" does not', (text) => expect(canHoldCardNumber(text)).toBe(false));
});

describe('a text that people take out of the system', () => {
  it.each([
    ['4539578763621486', 'xxxxxxxxxxxx1486'],
    ['4539 5787 6362 1486', 'xxxx xxxx xxxx 1486'],
    ['ORD-4539-5787-6362-1486/2', 'ORD-xxxx-xxxx-xxxx-1486/2'],
    ['20260301#4539578763621486', '20260301#xxxxxxxxxxxx1486'],
    ['क्रम-४५३९ ५७८७ ६३६२ १४८६', 'क्रम-xxxx xxxx xxxx 1486'],
    ['4539578763621487', '4539578763621487'],
    ['99994539578763621486000000', '99994539578763621486000000'],
    ['order 28', 'order 28'],
  ])('has no card number: "%s"', (text, shown) => expect(withMaskedCards(text)).toBe(shown));

  it('keeps four digits of a longer run for support', () => {
    expect(maskedKey('99994539578763621486000000')).toBe(`${'x'.repeat(22)}0000`);
    expect(maskedKey('#Order 28/ä?')).toBe('#Order 28/ä?');
  });
});

describe('a client’s key as it is stored', () => {
  it('stays as it is without a card number', () => {
    expect(storedKeyOf(pepper, '#Order 28/ä?')).toBe('#Order 28/ä?');
    expect(clientKeyOf('#Order 28/ä?', () => expect.unreachable())).toBe('#Order 28/ä?');
    expect(clientKeyOf(null, () => expect.unreachable())).toBeNull();
  });

  it('is a keyed hash where it may hold one, of a length that the column takes', () => {
    const stored = storedKeyOf(pepper, '4539578763621486');
    expect(stored).toMatch(/^h:[\w-]{43}$/);
    expect(stored).not.toBe(storedKeyOf(new Secret('another pepper'), '4539578763621486'));
    expect(storedKeyOf(pepper, '4539 5787 6362 1486')).not.toBe(stored);
    expect(clientKeyOf(stored, () => ({ clientKey: '4539578763621486' }))).toBe('4539578763621486');
  });

  it('is a hash of its own when it looks like one, so that nobody names another’s', () => {
    const stored = storedKeyOf(pepper, '4539578763621486');
    expect(storedKeyOf(pepper, stored)).not.toBe(stored);
    expect(isHashedKey(storedKeyOf(pepper, 'h:mine'))).toBe(true);
  });
});
