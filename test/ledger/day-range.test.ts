import { beforeAll, describe, expect, it, vi } from 'vitest';
import { dayCount, indianDays } from '../../src/core/clock.js';
import { dayRangeProblem } from '../../src/ledger/day-range.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const CSV = '/api/v1/wallet/statement.csv';
const DAYS =
  'query ($from: Date!, $to: Date!) { wallet { a: days(from: $from, to: $to) { date } b: days(from: $from, to: $to) { date } } }';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ liveRupees: 0 });
});

/** Counts the dates that are formatted while `work` runs: one for every day that is built, and a few others. */
async function datesWritten(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(Date.prototype, 'toISOString');
  try {
    await work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}

it.each([
  ['2026-03-01', '2026-03-01', 1],
  ['2024-02-28', '2024-03-01', 3],
  ['2026-03-02', '2026-03-01', 0],
  ['2000-01-01', '2100-12-31', 36_890],
])('counts the days from %s to %s like a full list of them', (from, to, days) => {
  expect(dayCount(from, to)).toBe(days);
  expect(indianDays(from, to)).toHaveLength(days);
});

it('counts the days of millennia without building a day', async () => {
  const count = await datesWritten(async () => {
    expect(dayRangeProblem('0001-01-01', '9999-12-31', 366)).toBe(
      'Must span at most 366 days, including the first one.',
    );
  });
  expect(count).toBe(0);
});

describe('a range of calendar days in a request', () => {
  it.each([
    ['0001-01-01', '9999-12-31', ['from', 'to']],
    ['1999-12-31', '2000-01-02', ['from']],
    ['2100-12-30', '2101-01-01', ['to']],
    ['2000-01-01', '2100-12-31', ['to']],
  ])('from %s to %s is rejected by REST and GraphQL before any day is built', async (from, to, invalid) => {
    const expectRejection = async (): Promise<void> => {
      const file = await test.rest('uat', 'GET', `${CSV}?from=${from}&to=${to}`, developer.tokens.uat);
      expect([file.status, Object.keys(file.body.errors)]).toEqual([422, invalid]);
      const response = await test.graphql('uat', developer.tokens.uat, DAYS, { from, to });
      for (const { extensions } of response.body.errors) {
        expect(extensions.code).toBe('VALIDATION_FAILED');
        expect([...new Set(extensions.fields.map((field: { path: string }) => field.path))]).toEqual(invalid);
      }
    };
    // The application may format other dates during the first requests.
    await expect.poll(() => datesWritten(expectRejection), { timeout: 30_000 }).toBeLessThan(200);
  });

  it('is rejected with the range of allowed years', async () => {
    const { body } = await test.rest('uat', 'GET', `${CSV}?from=1999-01-01&to=2000-01-01`, developer.tokens.uat);
    expect(body.errors).toEqual({ from: ['Must be between 2000-01-01 and 2100-12-31.'] });
  });

  it('is accepted at both ends of the calendar', async () => {
    for (const [from, to] of [
      ['2000-01-01', '2000-12-31'],
      ['2100-01-01', '2100-12-31'],
    ])
      expect((await test.rest('uat', 'GET', `${CSV}?from=${from}&to=${to}`, developer.tokens.uat)).status).toBe(200);
  });
});
