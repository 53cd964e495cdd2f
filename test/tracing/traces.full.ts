import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTracing } from '../../src/tracing/start-tracing.js';
import { callBack, orderRow, sentReference } from '../orders/order.fixture.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { logLines } from '../support/log-lines.js';
import { place, RECHARGE } from '../support/recharges.js';
import { useOwnApp } from '../support/use-app.js';
import { startReceiver } from '../webhooks/receiver.fixture.js';
import { type Collector, type ReceivedSpan, startCollector } from './collector.fixture.js';
import { withEnvironment } from './environment.fixture.js';

const [SERVER, CLIENT, INTERNAL] = [2, 3, 1];
const lines = logLines();
let collector: Collector;
let developer: TestDeveloper;

// a status check happens only when the test makes it due
const test = useOwnApp({ STATUS_CHECK_SCHEDULE_MS: '60s' }, lines.log, async () => {
  collector = await startCollector();
  return withEnvironment(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of-the-collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
    () => startTracing(process.env, lines.log),
  );
});
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
});
afterAll(async () => {
  await collector.close();
  expect(lines.of('trace collector unavailable: traces are lost until it accepts them again')).toEqual([]);
});

const recharge = (account: string, key: string, headers?: Record<string, string>) =>
  place(test, developer, { account_number: account, client_request_id: key }, 'production', headers);

/** Spans of a trace, once it contains a span with this name. */
async function traceWith(name: string, fits: (span: ReceivedSpan) => boolean): Promise<Record<string, ReceivedSpan>> {
  const [span] = await collector.find(name, (candidate) => candidate.name === name && fits(candidate));
  return Object.fromEntries(
    collector.spans.filter(({ traceId }) => traceId === span!.traceId).map((other) => [other.name, other]),
  );
}

it('the trace of a recharge contains the request, its hold, the provider call and the settlement', async () => {
  const response = await recharge('9876543210', 'traced-1');
  const { id } = await orderRow(test, developer, 'traced-1');
  const reference = await sentReference(test, id);
  const trace = await traceWith(`POST ${RECHARGE}`, ({ values }) => values['order.id'] === id);
  const { hold, settle, 'ROUNDPAY recharge': call, [`POST ${RECHARGE}`]: root } = trace;
  expect(Object.keys(trace)).toHaveLength(4);
  expect(root).toMatchObject({
    parentId: '',
    kind: SERVER,
    failed: false,
    values: {
      'gateway.host': 'production',
      'gateway.request_id': response.headers.get('x-request-id'),
      'gateway.developer_id': developer.id,
      'http.request.method': 'POST',
      'http.route': RECHARGE,
      'http.response.status_code': 200,
      'order.api_request_id': reference,
    },
    resource: { 'service.name': 'recharge-gateway', 'deployment.environment.name': 'test' },
  });
  for (const span of [hold, call, settle]) expect(span!.parentId).toBe(root!.spanId);
  expect(hold).toMatchObject({
    kind: INTERNAL,
    values: { 'order.id': id, outcome: 'accepted', 'order.kind': 'recharge' },
  });
  expect(call).toMatchObject({
    kind: CLIENT,
    values: {
      'provider.name': 'ROUNDPAY',
      'provider.result': 'accepted',
      'order.id': id,
      'http.response.status_code': 200,
    },
  });
  expect(settle).toMatchObject({ values: { 'order.id': id } });
  expect((await lines.ofRequest(response.headers.get('x-request-id'))).traceId).toBe(root!.traceId);
  expect(collector.headers[0]).toMatchObject({
    ':path': '/v1/traces',
    'content-type': 'application/x-protobuf',
    'api-key': 'of-the-collector',
  });
});

it("continues the caller's trace, unless the caller does not record it", async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const response = await recharge('9876543210', 'traced-2', { traceparent: `00-${trace}-00f067aa0ba902b7-01` });
  const spans = await traceWith(`POST ${RECHARGE}`, ({ traceId }) => traceId === trace);
  expect(spans[`POST ${RECHARGE}`]!.parentId).toBe('00f067aa0ba902b7');
  expect((await lines.ofRequest(response.headers.get('x-request-id'))).traceId).toBe(trace);
  const other = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  await recharge('9876543210', 'traced-3', { traceparent: `00-${other}-00f067aa0ba902b7-00` });
  await recharge('9876543210', 'traced-4');
  const { id } = await orderRow(test, developer, 'traced-4');
  await traceWith(`POST ${RECHARGE}`, ({ values }) => values['order.id'] === id);
  expect(collector.spans.filter(({ traceId }) => traceId === other)).toEqual([]);
});

it('declined and rejected requests have their codes in the trace', async () => {
  await recharge('9876540001', 'traced-5');
  const { id } = await orderRow(test, developer, 'traced-5');
  const declined = await traceWith('refund', ({ values }) => values['order.id'] === id);
  expect(declined['ROUNDPAY recharge']!.values).toMatchObject({ 'provider.result': 'declined' });
  await test.graphql(
    'production',
    developer.tokens.production,
    'query Odd { order(kind: RECHARGE, clientRequestId: "?") { status } }',
  );
  const rejected = await traceWith('POST /graphql', ({ values }) => values['graphql.operation.name'] === 'Odd');
  expect(rejected['POST /graphql']).toMatchObject({
    failed: false,
    values: { 'error.type': 'RECORD_NOT_FOUND', 'graphql.root_fields': 'order' },
  });
});

it('status checks and callbacks are traces with the order, and so are deliveries', async () => {
  const receiver = await startReceiver();
  try {
    await test.app.webhooks.endpoints.create(
      { developerId: developer.id, environment: 'production' },
      { url: receiver.url },
      {
        by: seed,
        clientId: null,
      },
    );
    await recharge('9876540002', 'traced-6');
    const { id } = await orderRow(test, developer, 'traced-6');
    const reference = await sentReference(test, id);
    await callBack(test, { status: 'SUCCESS', agentid: reference });

    const called = await traceWith('callback', () => true);
    const [[, route]] = Object.entries(called).filter(([name]) => name.endsWith('/callbacks/:provider')) as [
      [string, ReceivedSpan],
    ];
    expect(called.callback).toMatchObject({
      parentId: route.spanId,
      values: { 'provider.name': 'roundpay', 'callback.result': 'status_check' },
    });
    expect(route.values['order.api_request_id']).toBe(reference);

    const settlement = await traceWith('settle', ({ values }) => values['order.id'] === id);
    const { 'status check': statusCheck, 'ROUNDPAY checkStatus': call, settle } = settlement;
    expect(statusCheck).toMatchObject({
      parentId: '',
      values: { 'order.id': id, 'order.api_request_id': reference, 'provider.name': 'ROUNDPAY' },
    });
    for (const span of [call, settle]) expect(span!.parentId).toBe(statusCheck!.spanId);
    expect(call!.values).toMatchObject({ 'provider.result': 'accepted', 'order.id': id });

    await receiver.has(1);
    const [delivery] = await collector.find(
      'a delivery',
      ({ name, values }) => name === 'webhook delivery' && values['order.id'] === id,
    );
    expect(delivery).toMatchObject({
      kind: CLIENT,
      values: { 'webhook.event': 'succeeded', 'http.response.status_code': 200 },
    });
  } finally {
    await receiver.close();
  }
});

it('probes create no spans, and no span contains a number, a URL or a secret', async () => {
  for (const path of ['/livez', '/readyz', '/metrics']) await fetch(`${test.urls.production}${path}`);
  await test.rest('production', 'GET', '/version');
  await collector.find('the last request', ({ name }) => name === 'GET /version');
  expect(collector.spans.filter(({ name }) => /livez|readyz|metrics/.test(name))).toEqual([]);
  const all = JSON.stringify(collector.spans);
  for (const text of ['http://', 'traced-1', developer.tokens.production]) expect(all.includes(text), text).toBe(false);
  // complete or with a masked end; IDs and times contain such digits only by chance, among others
  expect(all.match(/(?<![\da-f-])98765[\dx*]{5}(?![\da-f])/gi)).toBeNull();
});
