import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptCases } from './kept-cases.js';
import { IN_FLIGHT, Runner } from './runner.js';
import { Stage } from './support/stage.js';

const SEED = 20_261_121;
const CASES = 2_500;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ seed: SEED, inFlight: IN_FLIGHT });
});
afterAll(() => stage?.close());

const findingsOf = (runner: Runner): string[] =>
  [...runner.tally.findings.values()].map(
    ({ first }) => `${first.problem}: ${JSON.stringify(first.given ?? first.answer)}`,
  );

test('every input that once broke the service gets the documented response', async () => {
  const runner = await Runner.on(stage, { watchTime: false });
  await runner.replay(keptCases());
  expect(findingsOf(runner)).toEqual([]);
});

test('2,500 generated inputs get documented responses, and no rejected input moves money or shows a secret', async () => {
  const runner = await Runner.on(stage, { watchTime: false });
  await runner.play(SEED, CASES);
  expect(findingsOf(runner)).toEqual([]);
  expect(runner.tally.cases).toBeGreaterThanOrEqual(CASES);
});
