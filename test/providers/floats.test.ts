import { expect, it, vi } from 'vitest';
import { type Paise, paise } from '../../src/core/money.js';
import { Floats } from '../../src/providers/floats.js';

it('a provider balance is requested at most once a minute, and the last known value is kept', async () => {
  let now = 1_000_000;
  const responses: (Paise | undefined)[] = [paise(500), undefined, paise(300)];
  const float = vi.fn(async () => responses.shift());
  const floats = new Floats([{ provider: 'ONE', float }, { provider: 'SILENT' }], () => now);
  const first = { paise: paise(500), at: new Date(now) };
  expect(await Promise.all([floats.of('ONE'), floats.of('ONE')])).toEqual([first, first]);
  now += 59_999;
  expect(await floats.of('ONE')).toEqual(first);
  expect(float).toHaveBeenCalledTimes(1);
  now += 1;
  // this time the provider returns no balance
  expect(await floats.of('ONE')).toEqual(first);
  now += 60_000;
  expect(await floats.of('ONE')).toEqual({ paise: paise(300), at: new Date(now) });
  expect([await floats.of('SILENT'), await floats.of('NOBODY')]).toEqual([undefined, undefined]);
});
