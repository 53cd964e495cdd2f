import { describe, expect, it } from 'vitest';
import { ScriptedResponses } from '../../src/providers/sandbox/scripted-responses.js';
import { outcomeText } from './sandbox.fixture.js';

const value = () => 'value';

async function timed<T>(work: Promise<T>): Promise<{ result: T; elapsedMs: number }> {
  const startedAt = performance.now();
  return { result: await work, elapsedMs: performance.now() - startedAt };
}

describe('waiting for a sandbox response', () => {
  it('takes 3 s for a slow success by default', async () => {
    const { result, elapsedMs } = await timed(
      new ScriptedResponses({ responseTimeoutMs: 24_000 }).respond('slow_success', value),
    );
    expect(outcomeText(result)).toBe('accepted provider_success');
    expect(elapsedMs).toBeGreaterThan(2_950);
    expect(elapsedMs).toBeLessThan(20_000);
  });

  it('times out without a response and reports the elapsed time', async () => {
    const { result, elapsedMs } = await timed(
      new ScriptedResponses({ responseTimeoutMs: 60 }).respond('silence', value),
    );
    expect(result).toEqual({ kind: 'unknown', evidence: { reason: 'timeout', elapsedMs: 60 } });
    expect(elapsedMs).toBeGreaterThan(55);
  });

  it('times out if the response is too slow', async () => {
    const { result, elapsedMs } = await timed(
      new ScriptedResponses({ responseTimeoutMs: 20, slowResponseMs: 60_000 }).respond('slow_success', value),
    );
    expect(outcomeText(result)).toBe('unknown timeout');
    expect(elapsedMs).toBeLessThan(20_000);
  });

  it('ends all waits when it is closed, and later ones immediately', async () => {
    const responses = new ScriptedResponses({ responseTimeoutMs: 60_000, slowResponseMs: 30_000 });
    const waiting = [responses.respond('silence', value), responses.respond('slow_success', value)];
    responses.close();
    const ended = await timed(Promise.all([...waiting, responses.respond('silence', value)]));
    expect(ended.result.map(outcomeText)).toEqual(Array(3).fill('unknown connection_lost'));
    expect(ended.elapsedMs).toBeLessThan(20_000);
    expect(outcomeText(await responses.respond('success', value))).toBe('accepted provider_success');
  });

  it('supports thousands of simultaneous waits without a warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const responses = new ScriptedResponses({ responseTimeoutMs: 30 });
    const outcomes = await Promise.all(Array.from({ length: 5_000 }, () => responses.respond('silence', value)));
    process.off('warning', listen);
    expect(new Set(outcomes.map(outcomeText))).toEqual(new Set(['unknown timeout']));
    expect(warnings).toEqual([]);
  });

  it('does not keep the process alive', () => {
    const initialTimers = activeTimers();
    const responses = new ScriptedResponses({ responseTimeoutMs: 60_000 });
    const waiting = responses.respond('silence', value);
    expect(activeTimers()).toBe(initialTimers);
    responses.close();
    return expect(waiting).resolves.toMatchObject({ kind: 'unknown' });
  });
});

/** Timers that keep the event loop running, without unref'ed ones. */
const activeTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
