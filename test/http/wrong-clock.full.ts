import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { examine } from '../../src/cli/doctor-checks.js';
import type { Finding } from '../../src/cli/finding.js';
import { orderRow } from '../orders/order.fixture.js';
import { place } from '../support/recharges.js';
import { withSkewedClock } from '../support/skewed-clock.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';

const test = useOwnApp({ POLL_INTERVAL_MS: '20', PROVIDER_TIMEOUT_MS: '200', VISIBILITY_DELAY_MS: '60s' });

it('a process with a wrong clock checks no orders and reports it, and another process takes over', async () => {
  await test.app.sweeper.stop();
  const developer = await test.developer();
  const { body } = await place(test, developer, { account_number: '9876540002', client_request_id: 'waiting' });
  expect(body.status).toBe('pending');
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => lines.push(line) });
  const skewed = await createApp({ ...test.app.config, ops: { ...test.app.config.ops, port: 0, onHosts: false } }, log);
  try {
    await withSkewedClock(20 * 60_000, async () => {
      const response = await skewed.ops!.inject('/readyz');
      expect([response.statusCode, response.json()]).toEqual([
        200,
        {
          status: 'ready',
          detail: expect.stringMatching(
            /^The clock is 1(19\d|200)(\.\d+)? s ahead of the database's\. This process does not check order statuses with providers\.$/,
          ),
        },
      ]);
      expect((await skewed.ops!.inject('/metrics')).body).toMatch(/^gateway_clock_offset_seconds 1(19\d|200)/m);
      skewed.sweeper.start();
      skewed.watch.start();
      await until('the process reports it', () => lines.length > 0);
      await sleep(500);
      expect(lines.map((line) => JSON.parse(line).msg)).toEqual([expect.stringMatching(/ahead of the database's/)]);
      const findings: Record<string, Finding> = {};
      await examine(
        { config: test.app.config, stuckAfterMs: 60_000, reviewLimitMs: 60_000 },
        (name, finding) => (findings[name] = finding),
      );
      expect(findings.clock).toMatchObject({ ok: false, summary: expect.stringMatching(/ahead of the database's/) });
    });
    expect(await orderRow(test, developer, 'waiting')).toMatchObject({ state: 'open', statusChecks: 0 });
    test.app.sweeper.start();
    await until('the order is settled', async () => (await orderRow(test, developer, 'waiting')).state === 'success');
  } finally {
    await skewed.close();
  }
});
