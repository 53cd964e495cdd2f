import { describe, expect, it } from 'vitest';
import { ScriptedAnswers } from '../../src/providers/sandbox/scripted-answers.js';
import { verdictOf } from './sandbox.fixture.js';

const value = () => 'value';

async function timed<T>(work: Promise<T>): Promise<{ result: T; elapsedMs: number }> {
  const startedAt = performance.now();
  return { result: await work, elapsedMs: performance.now() - startedAt };
}

describe('waiting for a sandbox response', () => {
  it('takes 3 s for a slow success by default', async () => {
    const { result, elapsedMs } = await timed(
      new ScriptedAnswers({ answerTimeoutMs: 24_000 }).answer('slow_success', value),
    );
    expect(verdictOf(result)).toBe('accepted provider_success');
    expect(elapsedMs).toBeGreaterThan(2_950);
    expect(elapsedMs).toBeLessThan(20_000);
  });

  it('times out without a response and reports the elapsed time', async () => {
    const { result, elapsedMs } = await timed(new ScriptedAnswers({ answerTimeoutMs: 60 }).answer('silence', value));
    expect(result).toEqual({ kind: 'unknown', evidence: { reason: 'timeout', elapsedMs: 60 } });
    expect(elapsedMs).toBeGreaterThan(55);
  });

  it('times out if the response is too slow', async () => {
    const { result, elapsedMs } = await timed(
      new ScriptedAnswers({ answerTimeoutMs: 20, slowAnswerMs: 60_000 }).answer('slow_success', value),
    );
    expect(verdictOf(result)).toBe('unknown timeout');
    expect(elapsedMs).toBeLessThan(20_000);
  });

  it('ends all waits when it is closed, and later ones immediately', async () => {
    const answers = new ScriptedAnswers({ answerTimeoutMs: 60_000, slowAnswerMs: 30_000 });
    const waiting = [answers.answer('silence', value), answers.answer('slow_success', value)];
    answers.close();
    const ended = await timed(Promise.all([...waiting, answers.answer('silence', value)]));
    expect(ended.result.map(verdictOf)).toEqual(Array(3).fill('unknown connection_lost'));
    expect(ended.elapsedMs).toBeLessThan(20_000);
    expect(verdictOf(await answers.answer('success', value))).toBe('accepted provider_success');
  });

  it('supports thousands of simultaneous waits without a warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const answers = new ScriptedAnswers({ answerTimeoutMs: 30 });
    const outcomes = await Promise.all(Array.from({ length: 5_000 }, () => answers.answer('silence', value)));
    process.off('warning', listen);
    expect(new Set(outcomes.map(verdictOf))).toEqual(new Set(['unknown timeout']));
    expect(warnings).toEqual([]);
  });

  it('does not keep the process alive', () => {
    const timersBefore = activeTimers();
    const answers = new ScriptedAnswers({ answerTimeoutMs: 60_000 });
    const waiting = answers.answer('silence', value);
    expect(activeTimers()).toBe(timersBefore);
    answers.close();
    return expect(waiting).resolves.toMatchObject({ kind: 'unknown' });
  });
});

/** Timers that keep the event loop running, without unref'ed ones. */
const activeTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
