import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { streamXlsxRows } from 'hucre/xlsx';
import { beforeAll, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { postLines } from './books.fixture.js';

const LINES = 100_000;
const MOST_BYTES = 32 * 2 ** 20;
const DAY = '2026-03-01';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ liveRupees: 0, rateLimitPerMinute: 1_000 });
  const lines = Array.from({ length: LINES }, (_, n) => ({
    at: `${DAY}T06:00:00Z`,
    amountPaise: (n % 97) + 1,
    reference: `=line ${n}`,
  }));
  await postLines(test.db, developer.id, 'production', lines);
});

const download = () =>
  fetch(`${test.urls.production}/api/v1/wallet/statement.xlsx?from=${DAY}&to=${DAY}`, {
    headers: { authorization: `Bearer ${developer.tokens.production}` },
  });

/** Memory in use after garbage collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

it('a workbook of 100,000 rows is never completely in memory', async () => {
  // The first download loads the writer.
  await (await download()).body!.cancel();
  const heapBefore = heapBytes();
  let most = 0;
  const pieces: Uint8Array[] = [];
  for await (const piece of (await download()).body!)
    if (pieces.push(piece) % 20 === 1) most = Math.max(most, heapBytes() - heapBefore);
  expect(pieces.length).toBeGreaterThan(100);
  expect(most).toBeLessThan(MOST_BYTES);
  let rows = 0;
  let last: unknown;
  for await (const { values } of streamXlsxRows(Buffer.concat(pieces))) {
    rows++;
    if (rows === LINES + 2) last = values[3];
  }
  // With the header and the balances of the day.
  expect([rows, last]).toEqual([LINES + 3, `=line ${LINES - 1}`]);
});

it('is no longer read when the client disconnects', async () => {
  const progress = { pages: 0, ended: false };
  const { statement } = test.app;
  const original = statement.pages.bind(statement);
  statement.pages = async function* (...args: Parameters<typeof original>) {
    try {
      for await (const page of original(...args)) {
        progress.pages++;
        yield page;
      }
    } finally {
      progress.ended = true;
    }
  };
  try {
    const reader = (await download()).body!.getReader();
    while (progress.pages === 0) await reader.read();
    await reader.cancel();
    await until('reading ends', () => progress.ended);
  } finally {
    statement.pages = original;
  }
  expect(progress.pages).toBeLessThan(LINES / 1_000);
});
