import { afterEach, expect, it, vi } from 'vitest';
import { elapsedMeter } from '../../src/core/clock.js';

const clocks = { monotonic: 0, wall: 0 };
afterEach(() => vi.restoreAllMocks());

it.each([
  ['both clocks advance', 5_000, 5_000, 5_000],
  ['the monotonic clock stopped while the machine was paused', 10, 60_000, 60_000],
  ['the wall clock was set back', 5_000, -3_600_000, 5_000],
  ['the wall clock was set ahead', 5_000, 3_600_000, 3_600_000],
])('uses the clock that advanced more: %s', (_, monotonic, wall, elapsed) => {
  vi.spyOn(performance, 'now').mockImplementation(() => 700 + clocks.monotonic);
  vi.spyOn(Date, 'now').mockImplementation(() => 1_900_000_000_000 + clocks.wall);
  Object.assign(clocks, { monotonic: 0, wall: 0 });
  const elapsedMs = elapsedMeter();
  expect(elapsedMs()).toBe(0);
  Object.assign(clocks, { monotonic, wall });
  expect(elapsedMs()).toBe(elapsed);
});
