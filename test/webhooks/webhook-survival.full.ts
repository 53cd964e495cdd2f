import type { PoolClient } from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { createLogger } from '../../src/core/log.js';
import { Metrics } from '../../src/core/metrics.js';
import { openJobQueue } from '../../src/db/job-queue.js';
import { WebhookJobs } from '../../src/webhooks/webhook-jobs.js';
import { laneOf } from '../../src/webhooks/webhook-lanes.js';
import { createWebhooks, type WebhookOptions } from '../../src/webhooks/webhooks.room.js';
import { useOwnConsole } from '../console/console.fixture.js';
import { until } from '../support/until.js';
import { startWorkWatch } from '../support/work-watch.js';
import { pause, type Receiver, startReceiver } from './receiver.fixture.js';
import { type Account, accountOf, createEndpoint, logOf, outboxOf, recharge } from './webhooks.fixture.js';

const on = useOwnConsole();
const options: WebhookOptions = {
  allowPrivate: true,
  retries: 2,
  delayS: 1,
  delayMaxS: 1,
  stopGraceMs: 300,
  disableAfterMs: 72 * 3_600_000,
  consoleUrl: 'http://console.test.example',
};
const log = createLogger('silent');

let receiver: Receiver;
let listener: Account;
let endpointId: string;
const running: { stop(): Promise<void> }[] = [];
/** Warnings and errors that a process would write to standard error. */
const complaints: unknown[] = [];
for (const event of ['unhandledRejection', 'warning'] as const) process.on(event, (reason) => complaints.push(reason));

/** Starts both loops like a separate process that shares only the database with others. */
function startWebhooks(more: Partial<WebhookOptions> = {}, intervalMs = 50) {
  const { pool, orm, audit, mails, store: orders, config } = on.test.app;
  const encryption = new FieldEncryption(config.encryptionKeys);
  const webhooks = createWebhooks(
    { pool, orm, audit, mails, orders, encryption, log, metrics: new Metrics() },
    { ...options, ...more },
  );
  const watch = startWorkWatch(pool, webhooks.duties, intervalMs);
  webhooks.start(watch.workers);
  running.push(watch, webhooks);
  return webhooks;
}

beforeAll(async () => {
  // these tests start and stop their own processes, so the app's loops are stopped
  await on.test.app.webhooks.stop();
  // jobs of a lost process become available again after two seconds instead of a minute
  await on.test.db.query(`update pgboss.queue set expire_seconds = 2 where name = 'webhook'`);
});
beforeEach(async () => {
  receiver = await startReceiver();
  listener = await accountOf(on);
  endpointId = (await createEndpoint(on, listener, receiver.url)).id;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((webhooks) => webhooks.stop()));
  await receiver.close();
  expect(complaints).toEqual([]);
});

const keys = (): string[] => receiver.received.map(({ body }) => body.data.client_request_id).toSorted();
const send = (from: number, to: number) =>
  Promise.all(
    Array.from({ length: to - from }, (_, n) =>
      recharge(on, listener, { client_request_id: `k${String(from + n).padStart(3, '0')}` }),
    ),
  );

describe('events survive', () => {
  it('the absence of any process: the next one delivers exactly the committed events', async () => {
    await send(0, 10);
    // rejected before money moved, so there is no event
    await recharge(on, listener, { amount: 24_999 });
    expect(await outboxOf(on, listener)).toHaveLength(10);
    expect(receiver.received).toEqual([]);
    startWebhooks();
    await receiver.has(10);
    await pause(300);
    expect(keys()).toEqual(Array.from({ length: 10 }, (_, n) => `k00${n}`));
    expect(await outboxOf(on, listener)).toEqual([]);
  });

  it('a process that stops while delivering, and another continues', async () => {
    receiver.react('hang', 'hang', 'hang', 'hang');
    const first = startWebhooks();
    await send(0, 6);
    await receiver.has(4);
    const started = Date.now();
    await first.stop();
    expect(Date.now() - started).toBeLessThan(8_000);
    const lines = await logOf(on, listener, endpointId);
    expect(lines.filter(({ error }) => error === 'INTERRUPTED')).toHaveLength(4);
    startWebhooks();
    await until('all are delivered', async () =>
      (await logOf(on, listener, endpointId)).every(({ state }) => state === 'DELIVERED'),
    );
    expect(new Set(keys())).toEqual(new Set(['k000', 'k001', 'k002', 'k003', 'k004', 'k005']));
  });

  it('a process that crashes with a job in progress', async () => {
    await send(0, 1);
    const dispatcher = startWebhooks();
    await receiver.has(1);
    await dispatcher.stop();
    await on.test.db.query(
      `update webhook_delivery set state = 'pending', next_attempt_at = now() where endpoint_id = $1`,
      [endpointId],
    );
    await on.test.db.query(
      `update pgboss.job set state = 'created', started_on = null, completed_on = null, expire_seconds = 1 where data ->> 'deliveryId' = (select id::text from webhook_delivery where endpoint_id = $1)`,
      [endpointId],
    );
    const crashed = new WebhookJobs(openJobQueue(on.test.app.pool, log), on.test.app.pool, options);
    await crashed.start();
    expect(await crashed.take(laneOf('production', false), 10, 8)).toHaveLength(1);
    await crashed.stop();
    await on.test.db.query('update pgboss.queue set monitor_claim_on = null, monitor_on = null');
    startWebhooks({ superviseIntervalS: 1 });
    await receiver.has(2);
    await until('it is delivered', async () => (await logOf(on, listener, endpointId))[0].state === 'DELIVERED');
    expect(receiver.received[0]!.id).toBe(receiver.received[1]!.id);
  });

  it('several concurrent processes: each event is delivered once', async () => {
    for (let n = 0; n < 4; n++) startWebhooks({}, 5);
    await send(0, 60);
    await receiver.has(60);
    await pause(300);
    expect(keys()).toEqual(Array.from({ length: 60 }, (_, n) => `k${String(n).padStart(3, '0')}`));
    const [counts] = await on.test.db.query<{ rows: number; attemptCount: number }>(
      'select count(*)::int as rows, sum(attempt_count)::int as "attemptCount" from webhook_delivery where endpoint_id = $1',
      [endpointId],
    );
    expect(counts).toEqual({ rows: 60, attemptCount: 60 });
  });

  it('two concurrent dispatchers: the later event of an order follows the earlier one', async () => {
    await send(0, 1);
    const [order] = await on.test.db.query<{ id: string }>('select id from orders where developer_id = $1', [
      listener.developer.id,
    ]);
    await on.test.app.ledger.reverse(listener.developer.id, order!.id, {});
    const dispatchedBy = async (client: Pick<PoolClient, 'query'>) =>
      (await client.query<{ event: string }>('select event from webhook_dispatch(200)')).rows.map(({ event }) => event);
    const first = await on.test.app.pool.connect();
    await first.query('begin');
    const rounds = [await dispatchedBy(first), await dispatchedBy(on.test.app.pool)];
    await first.query('commit');
    first.release();
    rounds.push(await dispatchedBy(on.test.app.pool));
    expect(rounds).toEqual([['succeeded'], [], ['reversed']]);
  });

  it('repeated loss of all database connections', async () => {
    startWebhooks({ superviseIntervalS: 1 });
    const killLoop = (async () => {
      for (let n = 0; n < 12; n++) {
        await on.test.db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'recharge-gateway'`,
        );
        await pause(60);
      }
    })();
    const responses = await send(0, 15);
    await killLoop;
    const [finalOrders] = await on.test.db.query<{ n: number }>(
      `select count(*)::int as n from orders where developer_id = $1 and state in ('success', 'failed')`,
      [listener.developer.id],
    );
    expect(responses.length).toBe(15);
    await until('every event has arrived', () => new Set(keys()).size >= finalOrders!.n);
    await until('all are delivered', async () =>
      (await logOf(on, listener, endpointId)).every(({ state }) => state === 'DELIVERED'),
    );
  });
});

describe('private addresses', () => {
  it('are rejected at delivery, regardless of the stored URL', async () => {
    startWebhooks({ allowPrivate: false });
    await on.test.db.query(`update webhook_endpoint set url = replace(url, 'http:', 'https:') where id = $1`, [
      endpointId,
    ]);
    await send(0, 1);
    await until('the first attempt failed', async () => (await logOf(on, listener, endpointId))[0]?.attemptCount === 1);
    expect((await logOf(on, listener, endpointId))[0]).toMatchObject({
      state: 'PENDING',
      httpStatus: null,
      error: 'ADDRESS_NOT_PUBLIC',
    });
    expect(receiver.connections()).toBe(0);
  });
});

describe('housekeeping', () => {
  it('fails deliveries whose job has expired unnoticed', async () => {
    receiver.react(500);
    const webhooks = startWebhooks({ retries: 0 });
    await send(0, 1);
    await until('the delivery has failed', async () => (await logOf(on, listener, endpointId))[0]?.state === 'FAILED');
    await webhooks.stop();
    await on.test.db.query(
      `update webhook_delivery set state = 'pending', next_attempt_at = now() - interval '1 hour' where endpoint_id = $1`,
      [endpointId],
    );
    await on.test.app.pool.query('select webhook_housekeeping()');
    expect((await logOf(on, listener, endpointId))[0]).toMatchObject({ state: 'FAILED', nextAttemptAt: null });
  });
});
