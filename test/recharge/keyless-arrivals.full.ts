import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { rechargeBody } from '../support/recharges.js';
import { useOwnApp } from '../support/use-app.js';

interface Sent {
  id: string;
  isReplayed: boolean;
  isEarly: boolean;
}

/** The timeouts exceed the delay within which most requests are written before the first response, even on a busy machine. */
const test = useOwnApp({ PROVIDER_TIMEOUT_MS: '20s', SYNC_WINDOW_MS: '25s', VISIBILITY_DELAY_MS: '40s' });
let counter = 0;
const wave = (delaysMs: readonly number[]) => ({
  body: rechargeBody({ account_number: `${7_000_543_000 + ++counter}` }),
  delaysMs,
});

async function sent(developer: TestDeveloper, waves: readonly ReturnType<typeof wave>[]): Promise<Sent[][]> {
  const client = spawn(process.execPath, ['test/recharge/two-connections.mjs'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { port } = new URL(test.urls.production);
  client.stdin.end(JSON.stringify({ port: Number(port), token: developer.tokens.production, waves }));
  return JSON.parse(await text(client.stdout)) as Sent[][];
}

/** Number of recharges that the provider completed for each wave. */
async function paymentCounts(waves: readonly ReturnType<typeof wave>[]): Promise<number[]> {
  const book = await test.simulator.book();
  return waves.map(({ body }) => book.filter(({ account }) => account === body.account_number).length);
}

// blocks the event loop the way a garbage collection or a large document would
let blocking: NodeJS.Timeout;
beforeEach(() => {
  blocking = setInterval(() => {
    const endsMs = performance.now() + 40;
    while (performance.now() < endsMs);
  }, 60);
});
afterEach(() => clearInterval(blocking));

describe.each([30, 300])('with a provider latency of %d ms', (latencyMs) => {
  beforeEach(() => test.simulator.latency('roundpay', latencyMs));

  it('completes each of 80 recharges once if the second request is written before the first response', async () => {
    const developer = await test.developer();
    const waves = Array.from({ length: 80 }, (_, n) => wave([0, (n * (latencyMs + 60)) / 80]));
    const responses = await sent(developer, waves);
    const counts = await paymentCounts(waves);
    const early = responses.filter(([, second]) => second!.isEarly);
    expect(early.length).toBeGreaterThan(40);
    const twice = responses.flatMap(([first, second], n) =>
      counts[n] !== 1 && second!.isEarly ? [[first, second]] : [],
    );
    expect(twice).toEqual([]);
    for (const [first, second] of early)
      expect([second!.id, first!.isReplayed !== second!.isReplayed]).toEqual([first!.id, true]);
  });

  it('completes a burst of 200 requests once and returns the same result to all', async () => {
    const developer = await test.developer();
    const waves = [wave(Array.from({ length: 200 }, () => 0))];
    const [responses] = await sent(developer, waves);
    expect(await paymentCounts(waves)).toEqual([1]);
    expect(new Set(responses!.map(({ id }) => id)).size).toBe(1);
  });
});
