import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { addBooksMetrics, BoundedReading } from '../../src/http/books-metrics.js';

const figures = { open: 3, oldestOpenS: 12.5, review: 2, oldestReviewS: 99, contradicted: 1 };
const books = { violations: 4, owed: [{ environment: 'production' as const, provider: 'ROUNDPAY', paise: 19_900 }] };

async function scrape(registry: Registry): Promise<Record<string, string>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  );
}

it('shows what waits and what is violated', async () => {
  const registry = new Registry();
  addBooksMetrics(registry, { orders: async () => figures, ledger: async () => books });
  const shown = await scrape(registry);
  expect(shown).toMatchObject({
    orders_open: '3',
    orders_review: '2',
    orders_contradicted: '1',
    orders_oldest_open_seconds: '12.5',
    ledger_violations: '4',
    'provider_payable_paise{environment="production",provider="ROUNDPAY"}': '19900',
  });
  expect(Number(shown['books_read_timestamp_seconds{what="ledger"}'])).toBeCloseTo(Date.now() / 1000, -1);
});

it('reads once however many scrapes come, and again after its interval', async () => {
  const registry = new Registry();
  const reads = { orders: 0, ledger: 0 };
  addBooksMetrics(registry, {
    orders: async () => ({ ...figures, open: ++reads.orders }),
    ledger: async () => ({ ...books, violations: ++reads.ledger }),
    ordersEveryMs: 1_000,
    ledgerEveryMs: 60_000,
  });
  await Promise.all(Array.from({ length: 20 }, () => scrape(registry)));
  expect(reads).toEqual({ orders: 1, ledger: 1 });
  await vi.waitFor(async () => expect(Number((await scrape(registry)).orders_open)).toBeGreaterThan(1), {
    timeout: 30_000,
    interval: 20,
  });
  expect(reads.ledger).toBe(1);
});

it('says NaN, not zero, when a reading fails', async () => {
  const registry = new Registry();
  addBooksMetrics(registry, {
    orders: () => Promise.reject(new Error('away')),
    ledger: () => Promise.reject(new Error('away')),
  });
  const shown = await scrape(registry);
  expect(Object.keys(shown).filter((name) => name.startsWith('provider_payable'))).toEqual([]);
  expect(shown).toMatchObject({
    orders_open: 'Nan',
    ledger_violations: 'Nan',
    'books_read_timestamp_seconds{what="orders"}': '0',
  });
});

it('does not hold up a scrape for a slow reading, shows it later, and rests longer after it', async () => {
  let finish: (value: number) => void = () => {};
  let reads = 0;
  const reading = new BoundedReading(() => new Promise<number>((resume) => (reads++, (finish = resume))), 1, 30);
  expect(await reading.look()).toBeUndefined();
  finish(7);
  await new Promise((resume) => setTimeout(resume, 5));
  expect(await reading.look()).toBe(7);
  expect(reads).toBe(1); // it took 30 ms, so the next one is three seconds away
});
