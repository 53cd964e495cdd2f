import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { retryAfterMsOf } from '../../src/webhooks/webhook-sender.js';
import { useConsole } from '../console/console.fixture.js';
import { until } from '../support/until.js';
import { startReceiver } from './receiver.fixture.js';
import { accountOf, createEndpoint, logOf, recharge } from './webhooks.fixture.js';

const LONGEST_S = 3_600;
const on = useConsole({ WEBHOOK_RETRY_DELAY_MAX_S: `${LONGEST_S}s` });

/** Seconds between the first attempt and the next scheduled one after a response with these values. */
async function pauseAfter(status: number, retryAfter: string): Promise<number> {
  const [receiver, account] = [await startReceiver(), await accountOf(on)];
  onTestFinished(() => receiver.close());
  const { id } = await createEndpoint(on, account, receiver.url);
  const reject = (response: ServerResponse): void =>
    void response.writeHead(status, { 'retry-after': retryAfter }).end();
  receiver.react(reject, reject, reject);
  await recharge(on, account);
  await until('the first attempt is recorded', async () => (await logOf(on, account, id))[0]?.attemptCount >= 1);
  const [line] = await logOf(on, account, id);
  expect(line).toMatchObject({ state: 'PENDING', httpStatus: status, attemptCount: 1 });
  return (Date.parse(line.nextAttemptAt) - Date.parse(line.lastAttemptAt)) / 1_000;
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toUTCString();

describe('the Retry-After header of a receiver', () => {
  it.each([
    ['in seconds with status 429', 429, '600', 600],
    ['in seconds with status 503', 503, '90', 90],
    ['is capped at the longest delay', 429, '99999999999999', LONGEST_S],
    ['is ignored if it is shorter than the scheduled delay', 429, '0', 1],
    ['is ignored with other statuses', 500, '600', 1],
    ['is ignored in an invalid format', 503, 'in a while, 2099', 1],
  ])('%s', async (_name, status, value, expected) => {
    const pauseS = await pauseAfter(status, value);
    // the first scheduled delay is one to two seconds in this file
    expect(pauseS).toBeGreaterThan(expected - 0.9);
    expect(pauseS).toBeLessThan(expected + 1.9);
  });

  it('can be an HTTP date', async () => {
    const value = inSeconds(900);
    const pauseS = await pauseAfter(503, value);
    expect(pauseS).toBeGreaterThan(840);
    expect(pauseS).toBeLessThan(901);
  });

  it.each([
    ['120', 120_000],
    ['Sun, 01 Mar 2026 04:31:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 04:29:00 GMT', 0],
    ['Sun, 99 Mar 2026 04:31:00 GMT', 0],
    ['2026-03-01T04:31:00Z', 0],
    ['-5', 0],
    ['1.5', 0],
    ['1e3', 0],
    ['', 0],
    [['1', '2'], 0],
    [undefined, 0],
  ])('%j means %d ms', (value, expected) => {
    expect(retryAfterMsOf(429, value, Date.parse('2026-03-01T04:30:00Z'))).toBe(expected);
  });
});
