import { describe, expect, it, test } from 'vitest';
import { lowerKeys, wireArray, wireInteger, wireListOf, wirePaise, wireWord } from '../../src/providers/wire.js';

describe('keys', () => {
  it('are read in any case, except for nested ones', () => {
    expect(lowerKeys({ STATUS: '2', Data: { TOPUP: [] } })).toEqual({ status: '2', data: { TOPUP: [] } });
  });

  it('may be repeated with equal values, but not with different ones', () => {
    expect(lowerKeys({ status: 1, STATUS: 1 })).toEqual({ status: 1 });
    expect(lowerKeys({ status: 1, STATUS: 2 })).toBeUndefined();
  });

  it('cannot change the prototype', () => {
    const lowered = lowerKeys(JSON.parse('{"__proto__": {"status": "Success"}}'));
    expect(lowered?.status).toBeUndefined();
  });

  test.each([[null], [undefined], ['text'], [1], [true], [[1]]])('%j has none', (value) => {
    expect(lowerKeys(value)).toBeUndefined();
  });
});

describe('values', () => {
  test.each<[unknown, bigint | undefined]>([
    [199, 19900n],
    [0.1, 10n],
    [-12.4, -1240n],
    ['7475.12', 747512n],
    [' 2344 ', 234400n],
    ['0', 0n],
    [1.005, undefined],
    ['1e3', undefined],
    ['1,000', undefined],
    ['', undefined],
    [null, undefined],
    [true, undefined],
  ])('%j as an amount is %s', (value, amount) => {
    expect(wirePaise.safeParse(value).data).toBe(amount);
  });

  test.each<[unknown, number | undefined]>([
    [13, 13],
    ['13', 13],
    [' 13 ', 13],
    ['0013', 13],
    [0, 0],
    [-1, undefined],
    [1.5, undefined],
    ['', undefined],
    ['0x10', undefined],
    [1e21, undefined],
    ['9007199254740993', undefined],
    [true, undefined],
  ])('%j as an integer is %j', (value, integer) => {
    expect(wireInteger.safeParse(value).data).toBe(integer);
  });

  test.each<[unknown, string | undefined]>([
    ['Success', 'success'],
    [' FAILED ', 'failed'],
    [true, 'true'],
    [2, '2'],
    ['', undefined],
    [null, undefined],
    [{}, undefined],
  ])('%j as a status is %j', (value, word) => {
    expect(wireWord.safeParse(value).data).toBe(word);
  });
});

describe('lists', () => {
  test.each<[unknown, unknown[] | undefined]>([
    [
      [1, 2],
      [1, 2],
    ],
    [[], []],
    [{ 0: 'a', 2: 'c' }, ['a', 'c']],
    [{}, []],
    [[1, 2, 3, 4], undefined],
    [{ 0: 1, 1: 2, 2: 3, 3: 4 }, undefined],
    [{ a: 1 }, undefined],
    [null, undefined],
    ['[]', undefined],
  ])('%j is %j', (value, list) => {
    expect(wireArray(3).safeParse(value).data).toEqual(list);
  });

  test.each<[unknown, number[] | undefined]>([
    [
      [1, 'x', '2'],
      [1, 2],
    ],
    [[], []],
    [['x', 'y'], undefined],
    [[1, 2, 3, 4], undefined],
  ])('%j with integers is %j', (value, list) => {
    expect(wireListOf(wireInteger, 3).safeParse(value).data).toEqual(list);
  });
});
