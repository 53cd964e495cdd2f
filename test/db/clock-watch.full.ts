import { expect, it } from 'vitest';
import type { Logger } from '../../src/core/log.js';
import { ClockWatch, clockOffsetMs } from '../../src/db/clock-watch.js';
import type { Queryable } from '../../src/db/pool.js';
import { until } from '../support/until.js';

const HOUR_MS = 3_600_000;

/** A database with a slow clock or a slow response. */
const database = ({ behindMs = 0, takesMs = 0 }) =>
  ({
    query: async () => {
      const rows = [{ now_ms: Date.now() - behindMs }];
      await new Promise((resume) => setTimeout(resume, takesMs));
      return { rows };
    },
  }) as unknown as Queryable;

function startWatch(db: Queryable) {
  const lines: string[] = [];
  const write = (_fields: object, text: string) => lines.push(text);
  return { lines, watch: new ClockWatch(db, { error: write, info: write } as unknown as Logger) };
}

it('measures the lead of the clock of this machine, minus the time of the query', async () => {
  const ahead = await clockOffsetMs(database({ behindMs: HOUR_MS }));
  expect(ahead).toBeGreaterThan(HOUR_MS - 60_000);
  const behind = await clockOffsetMs(database({ behindMs: -HOUR_MS }));
  expect(behind).toBeLessThan(-HOUR_MS + 60_000);
  // within the time of the query, the clock of this machine could have had any of these values
  expect(await clockOffsetMs(database({ behindMs: -50, takesMs: 100 }))).toBe(0);
});

it('reports a wrong clock once, and measures again only after an interval', async () => {
  let queryCount = 0;
  const wrong = database({ behindMs: HOUR_MS });
  const { lines, watch } = startWatch({ query: (statement) => (queryCount++, wrong.query(statement)) });
  for (let round = 0; round < 3; round++) expect(await watch.isRight()).toBe(false);
  expect(queryCount).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(
      /^this machine's clock is 3\d{3}(\.\d+)? s ahead of the database's: this process stops status checks$/,
    ),
  ]);
});

it('detects a step of the database clock in either direction, and is steady again after the given time', async () => {
  for (const stepMs of [-HOUR_MS, 2_000]) {
    const clock = { behindMs: 0 };
    let steps = 0;
    const lines: string[] = [];
    const log = { error: (_fields: object, text: string) => lines.push(text), info: () => {} } as unknown as Logger;
    const db: Queryable = { query: (statement) => database(clock).query(statement) };
    const watch = new ClockWatch(db, log, () => steps++);
    expect([await watch.isRight(), await watch.isSteadyFor(60_000), steps]).toEqual([true, true, 0]);
    clock.behindMs = stepMs;
    expect([await watch.isSteadyFor(60_000), await watch.isSteadyFor(60_000), steps]).toEqual([false, false, 1]);
    expect(lines[0]).toMatch(/^the database's clock stepped, /);
    await until('the time has passed', () => watch.isSteadyFor(50));
    expect(steps).toBe(1);
  }
});

it('does not mistake a slow response or a wrong clock of this machine for a step', async () => {
  let steps = 0;
  const settings = { behindMs: HOUR_MS, takesMs: 0 };
  const db: Queryable = { query: (statement) => database(settings).query(statement) };
  const watch = new ClockWatch(db, { error: () => {}, info: () => {} } as unknown as Logger, () => steps++);
  await watch.isSteadyFor(0);
  settings.takesMs = 1_300;
  expect([await watch.isSteadyFor(60_000), await watch.isSteadyFor(60_000), steps]).toEqual([true, true, 0]);
});

it('is not steady while the database is unavailable', async () => {
  const { watch } = startWatch({ query: () => Promise.reject(new Error('away')) });
  expect(await watch.isSteadyFor(0)).toBe(false);
});

it('trusts the clock while the database is unavailable', async () => {
  const { lines, watch } = startWatch({ query: () => Promise.reject(new Error('away')) });
  expect(await watch.isRight()).toBe(true);
  expect([watch.offsetMs, lines]).toEqual([0, []]);
});
