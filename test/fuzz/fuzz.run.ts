import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentTimes } from './document-time.js';
import { keep, keptCases } from './kept-cases.js';
import { IN_FLIGHT, Runner } from './runner.js';
import { Stage } from './support/stage.js';

const minutes = Number(process.env.FUZZ_MINUTES ?? 10);
const requestedCases = process.env.FUZZ_CASES ? Number(process.env.FUZZ_CASES) : Number.POSITIVE_INFINITY;
const firstSeed = process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : Date.now() % 1_000_000_000;
/** Disabled on busy machines. */
const watchTime = process.env.FUZZ_LATENCY !== 'off';
const BATCH = 2_000;
/** From the body of a document to the response; nothing else runs at the same time. */
const DOCUMENT_LIMIT_MS = 20;
/** If a number of cases is set, the time is only an upper limit. */
const LIMIT_MS = (process.env.FUZZ_CASES && !process.env.FUZZ_MINUTES ? 24 * 60 : minutes) * 60_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ seed: firstSeed, inFlight: IN_FLIGHT });
});
afterAll(() => stage?.close());

test('no input breaks or blocks the service, moves money in a rejected call or is leaked in an error', async () => {
  const runner = await Runner.on(stage, { watchTime });
  const { tally } = runner;
  const startedMs = Date.now();
  console.log(`seed ${firstSeed}, batches of ${BATCH}: FUZZ_SEED=${firstSeed} npm run fuzz plays the same cases again`);
  await runner.replay(keptCases());
  for (
    let seed = firstSeed;
    tally.cases < requestedCases && Date.now() - startedMs < LIMIT_MS && stage.service.isUp;
    seed++
  )
    await runner.play(seed, Math.min(BATCH, requestedCases - tally.cases));
  const seconds = (Date.now() - startedMs) / 1_000;
  const { upstream, service } = stage;
  const own = process.cpuUsage();
  const cpu = (ms: number): string => `${(ms / tally.cases).toFixed(2)} ms`;
  console.log(
    [
      tally.table(),
      `${tally.cases} cases in ${seconds.toFixed(0)} s: ${(tally.cases / seconds).toFixed(0)} a second; seeds ${firstSeed} to ${tally.seeds.at(-1)}`,
      `processor time per case: service ${cpu(service.cpuMs)}, fuzzer ${cpu((own.user + own.system) / 1_000)}`,
      `provider answers: ${upstream.passed} as they were, ${upstream.changed} changed`,
      `slowest answer ${tally.slowestMs.toFixed(0)} ms, longest block ${tally.longestBlockMs.toFixed(0)} ms, ${tally.suspected} suspected of being slow`,
      ...[...tally.findings.values()].map(({ count, first }) => {
        const position = [`seed ${first.seed}`, `case ${first.index}`, keep(first) ?? []].flat().join(', ');
        return `${count} × ${first.problem} (${position})
    ${JSON.stringify(first.given)?.slice(0, 600)}
    ${JSON.stringify(first.answer)}`;
      }),
    ].join('\n'),
  );
  expect([...tally.findings.keys()]).toEqual([]);
  expect(stage.service.isUp).toBe(true);
});

test.runIf(watchTime)('no document of 64 KB blocks the event loop for more than 20 ms', async () => {
  const times = await documentTimes(stage);
  console.log(
    `slowest documents: ${times
      .slice(0, 5)
      .map(({ host, name, ms }) => `${ms.toFixed(0)} ms ${name} (${host})`)
      .join('; ')}`,
  );
  expect(times.filter(({ ms }) => ms > DOCUMENT_LIMIT_MS)).toEqual([]);
});
