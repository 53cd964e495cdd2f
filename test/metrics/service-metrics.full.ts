import { beforeAll, describe, expect, it } from 'vitest';
import { Metrics } from '../../src/core/metrics.js';
import { workers } from '../../src/core/workers.js';
import { createPool } from '../../src/db/pool.js';
import { addGauges } from '../../src/http/metrics/gauges.js';
import { addBooksGauges, addOrderGauges } from '../../src/http/metrics/money-gauges.js';
import { Readings } from '../../src/http/metrics/readings.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { useConsole } from '../console/console.fixture.js';
import { place, RECHARGE, rechargeBody } from '../support/recharges.js';
import { until } from '../support/until.js';
import { startReceiver } from '../webhooks/receiver.fixture.js';
import { type Account, accountOf, createEndpoint } from '../webhooks/webhooks.fixture.js';

const on = useConsole({ STATUS_CHECK_SCHEDULE_MS: '60s', LOW_BALANCE_RUPEES: '20000' });
let account: Account;
beforeAll(async () => void (account = await accountOf(on)));

const DECLINED = '9876540001';
const UNREADABLE = '9876540007';

/** Values of a metric with the given labels. */
async function readMetric(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number[]> {
  const text = await (await fetch(`${on.test.urls.uat}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
}
const sum = async (name: string, labels?: Readonly<Record<string, string>>): Promise<number> =>
  (await readMetric(name, labels)).reduce((all, value) => all + value, 0);
/** Values of a metric that is not from the registry of the application. */
const valuesOf = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => line.slice(line.lastIndexOf(' ') + 1));
const recharge = (key: string, more: object = {}) =>
  place(on.test, account.developer, { client_request_id: key, ...more });

describe('a request', () => {
  it('is counted by route, status and error code, with its duration; probes and scrapes are not', async () => {
    const requestsBefore = await sum('gateway_requests_total');
    await fetch(`${on.test.urls.uat}/livez`);
    await fetch(`${on.test.urls.uat}/readyz`);
    expect(await sum('gateway_requests_total')).toBe(requestsBefore);
    await on.test.rest('production', 'POST', RECHARGE, 'no token', rechargeBody());
    await on.test.rest('production', 'GET', '/api/v1/no/such/path');
    const labels = { host: 'production', method: 'POST', route: RECHARGE, status: '401', code: 'UNAUTHENTICATED' };
    expect(await readMetric('gateway_requests_total', labels)).toEqual([1]);
    expect(await readMetric('gateway_requests_total', { route: 'unknown', code: 'NOT_FOUND' })).toEqual([1]);
    const measured = { route: RECHARGE, status: '4xx' };
    expect(await readMetric('gateway_request_duration_seconds_count', measured)).toEqual([1]);
    expect(await readMetric('gateway_request_duration_seconds_bucket', { ...measured, le: '60' })).toEqual([1]);
  });

  it('over GraphQL is counted by root fields of the schema only, with the code of a failure', async () => {
    const { tokens } = account.developer;
    const call = (query: string) => on.test.graphql('production', tokens.production, query);
    await call('{ mine: wallet { balance } operators { name } }');
    await call('{ order(clientRequestId: "nobody knows", operation: RECHARGE) { id } }');
    await call('{ nothingOfTheKind }');
    expect(await readMetric('gateway_graphql_fields_total', { field: 'wallet', code: 'OK' })).toEqual([1]);
    expect(await readMetric('gateway_graphql_fields_total', { field: 'operators', code: 'OK' })).toEqual([1]);
    expect(await sum('gateway_graphql_fields_total', { field: 'nothingOfTheKind' })).toBe(0);
    expect(await sum('gateway_graphql_fields_total', { field: 'mine' })).toBe(0);
    expect(await sum('gateway_graphql_field_duration_seconds_count', { field: 'wallet' })).toBe(1);
    expect(await sum('gateway_requests_total', { route: '/graphql', code: 'INVALID_DOCUMENT' })).toBeGreaterThan(0);
  });

  it('that exceeds a limit is counted by endpoint', async () => {
    const limited = await on.test.developer({ rateLimitPerMinute: 1 });
    const balance = () => on.test.rest('uat', 'GET', '/api/v1/wallet/balance', limited.tokens.uat);
    await balance();
    expect((await balance()).status).toBe(429);
    expect(await sum('gateway_rate_limited_total')).toBe(1);
    expect(await sum('gateway_requests_total', { code: 'RATE_LIMITED' })).toBe(1);
  });
});

describe('orders and providers', () => {
  it('distinguish a success, a decline and an inconclusive response', async () => {
    const productionLabels = { operation: 'recharge', provider: 'ROUNDPAY', environment: 'production' };
    await recharge('success');
    await recharge('declined', { account_number: DECLINED });
    await recharge('unreadable', { account_number: UNREADABLE });
    expect(await readMetric('gateway_orders_placed_total', productionLabels)).toEqual([3]);
    expect(await readMetric('gateway_order_outcomes_total', { ...productionLabels, outcome: 'success' })).toEqual([1]);
    expect(await readMetric('gateway_order_outcomes_total', { ...productionLabels, outcome: 'failed' })).toEqual([1]);
    expect(await sum('gateway_order_declines_total', { provider: 'ROUNDPAY' })).toBe(1);
    const calls = { provider: 'ROUNDPAY', connection: 'roundpay' };
    expect(await sum('gateway_provider_calls_total', { ...calls, result: 'success' })).toBe(1);
    expect(await sum('gateway_provider_calls_total', { ...calls, result: 'declined' })).toBe(1);
    expect(await sum('gateway_provider_calls_total', { ...calls, result: 'fault', reason: 'http_error' })).toBe(1);
    expect(await sum('gateway_provider_call_duration_seconds_count', calls)).toBe(3);
    expect(await sum('gateway_posting_batch_size_sum', { kind: 'hold' })).toBeGreaterThanOrEqual(3);
    const free = { provider: 'EKYCHUB', result: 'success' };
    await on.test.rest('production', 'POST', '/api/v1/plan/operator-fetch', account.developer.tokens.production, {
      orderid: 'lookup',
      mobile: '9876543210',
    });
    expect(await sum('gateway_provider_calls_total', free)).toBe(1);
  });

  it('show an open order by its provider, and no open orders for the other providers', async () => {
    const metrics = new Metrics();
    addOrderGauges(metrics, new Readings(metrics, on.test.app.pool), ['ROUNDPAY', 'INSPAY']);
    // on a busy machine the reading may take longer than a scrape waits
    await until('it is read', async () => (await valuesOf(metrics, 'gateway_orders_open'))[0] !== 'Nan');
    expect(await valuesOf(metrics, 'gateway_orders_open')).toEqual(['1', '0']);
    const [age, noAge] = await valuesOf(metrics, 'gateway_orders_oldest_open_seconds');
    expect([Number(age) > 0, noAge]).toEqual([true, '0']);
  });

  it('count a reversed success', async () => {
    const { body } = await recharge('taken back', { account_number: '9876540010' });
    expect(body.status).toBe('success');
    await until(
      'it is reversed',
      async () => (await sum('gateway_order_outcomes_total', { outcome: 'reversed' })) === 1,
    );
  });
});

describe('background work', () => {
  it('reports the time of the last run of every loop', async () => {
    const tasks = Object.keys(on.test.app.tasks).toSorted();
    expect(tasks).toEqual(
      'anchor lookup-release month-rewrite partitions retention watch webhook-housekeeping'.split(' '),
    );
    const [first] = await readMetric('gateway_task_last_success_timestamp_seconds', { task: 'watch' });
    await until('another round', async () => {
      const [now] = await readMetric('gateway_task_last_success_timestamp_seconds', { task: 'watch' });
      return now! > first!;
    });
  });

  it('counts delivery attempts and pending deliveries', async (context) => {
    const receiver = await startReceiver();
    context.onTestFinished(() => receiver.close());
    await createEndpoint(on, account, receiver.url);
    receiver.react(500);
    await recharge('told', { account_number: '9876500000' });
    await receiver.has(2);
    const attempts = (result: string) =>
      readMetric('gateway_webhook_attempts_total', { environment: 'production', result });
    await until('it is recorded', async () => (await attempts('delivered'))[0] === 1);
    expect(await attempts('retried')).toEqual([1]);
    expect(await readMetric('gateway_webhook_outbox_oldest_seconds')).toEqual([0]);
    expect(await readMetric('gateway_jobs', { queue: 'webhook-dead', state: 'ready' })).toEqual([0]);
  });

  it('checks all the books when this is due, and reports findings that the check of new data does not see', async () => {
    const { db, app } = on.test;
    const [{ installedAt }] = (await db.query<{ installedAt: number }>(
      `select extract(epoch from completed_at)::float8 as "installedAt" from ledger_full_check where next_step_at = completed_at + interval '7 days'`,
    )) as [{ installedAt: number }];
    const full = async () => {
      const metrics = new Metrics();
      addBooksGauges(metrics, new Readings(metrics, app.pool), app.ledger, new AbortController().signal);
      const violations = () => valuesOf(metrics, 'gateway_ledger_violations');
      await until('both are read', async () => !(await violations()).includes('Nan'));
      const [at] = await valuesOf(metrics, 'gateway_ledger_full_check_timestamp_seconds');
      return { at: Number(at), violations: await violations() };
    };
    expect(await full()).toEqual({ at: installedAt, violations: ['0', '0'] });
    const change = (n: number) =>
      `update transfer set balance_after_paise = balance_after_paise + ${n} where developer_id = '${account.developer.id}' and environment = 'production' and kind = 'top_up'`;
    const run = async () => {
      const { at } = await full();
      await db.query('update ledger_full_check set next_step_at = now()');
      await until('it has ended', async () => (await full()).at > at);
    };
    await db.query(change(1));
    try {
      await run();
      expect((await full()).violations).toEqual(['0', '1']);
    } finally {
      await db.query(change(-1));
    }
    await run();
    expect((await full()).violations).toEqual(['0', '0']);
  });

  it('reports connections, wallets and the build', async () => {
    expect(await sum('gateway_pool_connections', { pool: 'main' })).toBeGreaterThan(0);
    expect(await readMetric('gateway_pool_connections_limit')).toEqual([4, 4]);
    await until('wallets are read', async () => (await readMetric('gateway_wallets_low'))[0]! >= 1);
    expect(await readMetric('gateway_build_info', { node: process.version })).toEqual([1]);
    expect(await sum('gateway_worker')).toBe(workers.length);
    expect(await readMetric('gateway_provider_breaker_open', { connection: 'roundpay-status' })).toEqual([0]);
  });
});

describe('a scrape of an idle process', () => {
  it('does not count its own statements as waiting for a connection', async () => {
    const pool = createPool(on.test.db.url, { max: 4, consoleMax: 1 });
    const { config, tasks } = on.test.app;
    const metrics = new Metrics();
    const { stop } = addGauges(metrics, {
      pool,
      config,
      tasks,
      ledger: new LedgerService(pool),
      clock: { isRight: async () => true, offsetMs: 0 },
      providers: { connections: () => [] },
      orders: { inFlight: 0, unstored: 0 },
      waitingPlaces: { count: 0 },
      exposure: { keepFresh: async () => {}, figures: () => [] } as never,
      switches: { pauseOf: () => undefined, reasonOf: () => undefined } as never,
      auditTail: { look: async (query) => (await query({ text: 'select 0' }), { lastId: 0, missing: 0 }) },
    });
    expect(await valuesOf(metrics, 'gateway_pool_waiting')).toEqual(['0', '0']);
    expect(await valuesOf(metrics, 'gateway_reading_timestamp_seconds')).not.toEqual([]);
    stop();
    await pool.end();
  });
});

describe('a value that cannot be read', () => {
  it('is NaN and never zero, and the time of its reading does not change', async () => {
    const metrics = new Metrics();
    const readings = new Readings(metrics, on.test.app.pool);
    addOrderGauges(metrics, readings, ['ROUNDPAY'], () => Promise.reject(new Error('away')));
    expect(await valuesOf(metrics, 'gateway_orders_open')).toEqual(['Nan']);
    expect(await valuesOf(metrics, 'gateway_reading_timestamp_seconds')).toEqual(['0']);
  });

  it('because a check of the books takes long does not delay a scrape, and the check ends with the process', async () => {
    const owner = createPool(on.test.db.url, { max: 1, asOwner: true });
    const checking = createPool(on.test.db.url, { max: 1 });
    const client = await owner.connect();
    // a check waits for this row
    await client.query('begin; select from ledger_checkpoint for update');
    const metrics = new Metrics();
    const stopping = new AbortController();
    addBooksGauges(metrics, new Readings(metrics, checking), new LedgerService(checking), stopping.signal);
    const failed = new LedgerService(checking).checkNew(60_000, stopping.signal).catch((error: Error) => error);
    // full checks are a separate reading
    expect(await valuesOf(metrics, 'gateway_ledger_violations')).toEqual(['Nan', expect.stringMatching(/^(Nan|0)$/)]);
    stopping.abort();
    expect(await failed).toBeInstanceOf(Error);
    // otherwise it would wait for the same lock as the check
    await checking.end();
    await client.query('rollback');
    client.release();
    await owner.end();
  });
});
