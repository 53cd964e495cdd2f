import { expect, it } from 'vitest';
import { isUuid, newId } from '../../src/core/ids.js';

const ID = '0190a3b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';

it('accepts an ID in lower case', () => {
  expect(isUuid(newId())).toBe(true);
});

it.each(['1001', '-1', 'abc', '', `${ID}0`, ` ${ID}`, ID.toUpperCase(), "' or 1=1 --"])(
  'rejects %j as an ID',
  (text) => {
    expect(isUuid(text)).toBe(false);
  },
);
