import { expect, it } from 'vitest';
import { unreadIn } from '../../src/config.js';
import { createLogger } from '../../src/core/log.js';
import { samplerOf } from '../../src/tracing/sampler.js';
import { startTracing } from '../../src/tracing/start-tracing.js';
import { logLines } from '../support/log-lines.js';
import { freePort } from '../support/ports.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { startCollector } from './collector.fixture.js';
import { withEnvironment } from './environment.fixture.js';

const UNAVAILABLE = 'trace collector unavailable: traces are lost until it accepts them again';
const AVAILABLE_AGAIN = 'trace collector available again';

const lines = logLines();
/** A port without a listener. */
let port: number;
const test = useOwnApp({}, lines.log, async () => {
  port = await freePort();
  return withEnvironment(
    {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
      // shorter than the pause before an export is retried
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_BSP_MAX_QUEUE_SIZE: '50',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
    },
    () => startTracing(process.env, lines.log),
  );
});

it('no request fails while the collector is unavailable, and this is logged once', async () => {
  const developer = await test.developer({ rateLimitPerMinute: 10_000 });
  const recharge = (key: string) => place(test, developer, { client_request_id: key, amount: 1 });
  // several times the capacity of the queue
  for (let round = 0; round < 10; round++) {
    const responses = await Promise.all(Array.from({ length: 10 }, (_, n) => recharge(`away-${round}-${n}`)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  }
  // the exporter stops retrying several times in the meantime
  await until('the line about it', () => lines.of(UNAVAILABLE).length > 0);
  const [line] = lines.of(UNAVAILABLE);
  expect(line).toMatchObject({ level: 40, err: { code: 'ECONNREFUSED' } });
  expect(lines.of(UNAVAILABLE)).toHaveLength(1);
});

it('logs when the collector is available again', async () => {
  const collector = await startCollector(port);
  try {
    await until('spans', async () => {
      await fetch(`${test.urls.uat}/version`);
      return collector.spans.length > 0;
    });
    await until('the line about it', () => lines.of(AVAILABLE_AGAIN).length > 0);
    expect([lines.of(UNAVAILABLE).length, lines.of(AVAILABLE_AGAIN).length]).toEqual([1, 1]);
  } finally {
    await collector.close();
  }
});

const silent = createLogger('silent');

it.each([
  ['nothing is set', {}],
  ['only a sampler is set', { OTEL_TRACES_SAMPLER: 'always_on', OTEL_SERVICE_NAME: 'x' }],
  ['the SDK is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
  ['other exporters are selected', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' }],
])('nothing is traced if %s', async (_case, environment) => {
  expect(await startTracing(environment, silent)).toBeUndefined();
});

it.each([
  ['an unsupported protocol', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
  ['an unknown sampler', { OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER'],
  ['a ratio above 1', { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, '_ARG'],
])('a process serves despite %s, and logs the name of the variable', async (_case, environment, named) => {
  const { log, of } = logLines();
  const tracing = await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', ...environment }, log);
  expect(tracing).toBeUndefined();
  const [line] = of('tracing is disabled: invalid environment variable');
  expect(line).toMatchObject({ level: 50, problem: expect.stringContaining(named) });
});

it.each([
  [undefined, undefined, 'ParentBased{root=AlwaysOnSampler'],
  ['always_off', undefined, 'AlwaysOffSampler'],
  ['traceidratio', '0.25', 'TraceIdRatioBased{0.25}'],
  ['parentbased_traceidratio', '0.1', 'ParentBased{root=TraceIdRatioBased{0.1}'],
])('the sampler %s with %s is %s', (name, argument, text) => {
  expect(String(samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument }))).toContain(text);
});

it('the variables of OpenTelemetry are not reported as unknown settings', () => {
  const names = ['ENDPOINT', 'TRACES_ENDPOINT', 'HEADERS', 'TIMEOUT'].map((name) => `OTEL_EXPORTER_OTLP_${name}`);
  names.push('OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG');
  expect(unreadIn(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});
