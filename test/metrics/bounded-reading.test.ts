import { expect, it, vi } from 'vitest';
import { BoundedReading } from '../../src/http/metrics/bounded-reading.js';

it('a reading is shared by concurrent callers, and repeated after its interval', async () => {
  let reads = 0;
  const reading = new BoundedReading(async () => ++reads, 1_000);
  expect(await Promise.all(Array.from({ length: 20 }, () => reading.look()))).toEqual(Array(20).fill(1));
  expect(reading.readAtS).toBeCloseTo(Date.now() / 1000, -1);
  await vi.waitFor(async () => expect(await reading.look()).toBeGreaterThan(1), { timeout: 300_000, interval: 20 });
});

it('a reading is unknown while it fails, and known when it succeeds again', async () => {
  let fails = true;
  const reading = new BoundedReading(async () => (fails ? Promise.reject(new Error('away')) : 7), 1);
  expect([await reading.look(), reading.readAtS]).toEqual([undefined, 0]);
  fails = false;
  await vi.waitFor(async () => expect(await reading.look()).toBe(7), { timeout: 300_000, interval: 20 });
});

it('a slow reading does not delay a scrape, is shown later, and is followed by a longer pause', async () => {
  let finish: (value: number) => void = () => {};
  let reads = 0;
  const reading = new BoundedReading(() => new Promise<number>((resume) => (reads++, (finish = resume))), 1, 30);
  expect(await reading.look()).toBeUndefined();
  finish(7);
  await new Promise((resume) => setTimeout(resume, 5));
  expect(await reading.look()).toBe(7);
  expect(reads).toBe(1); // it took 30 ms, so the next reading starts three seconds later
});
