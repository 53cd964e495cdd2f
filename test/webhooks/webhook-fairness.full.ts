import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { createLogger } from '../../src/core/log.js';
import { Metrics } from '../../src/core/metrics.js';
import type { Shares } from '../../src/webhooks/webhook-lanes.js';
import { createWebhooks, type WebhookOptions } from '../../src/webhooks/webhooks.room.js';
import { useOwnConsole } from '../console/console.fixture.js';
import { mailboxOf, seed, type TestDeveloper } from '../support/app.js';
import { arrivedFor } from '../support/mailbox.js';
import { until as untilOf } from '../support/until.js';
import { startWorkWatch } from '../support/work-watch.js';
import { type Account, ENABLE, LIST, logOf, recharge } from './webhooks.fixture.js';

const until = (condition: () => boolean | Promise<boolean>): Promise<void> => untilOf('what was delivered', condition);
const on = useOwnConsole();
const NEVER_MS = 60_000;
const options: WebhookOptions = {
  allowPrivate: true,
  retries: 9,
  delayS: 1,
  delayMaxS: 1,
  stopGraceMs: 50,
  timeoutMs: NEVER_MS,
  disableAfterMs: 72 * 3_600_000,
  consoleUrl: 'http://console.test.example',
};
const running: { stop(): Promise<void> }[] = [];

function startWebhooks(more: Partial<WebhookOptions>) {
  const { pool, orm, audit, mails, store: orders, config } = on.test.app;
  const encryption = new FieldEncryption(config.encryptionKeys);
  const webhooks = createWebhooks(
    { pool, orm, audit, mails, orders, encryption, log: createLogger('silent'), metrics: new Metrics() },
    { ...options, ...more },
  );
  const watch = startWorkWatch(pool, webhooks.duties, 20);
  webhooks.start(watch.workers);
  running.push(watch, webhooks);
}

beforeAll(async () => {
  await on.test.app.webhooks.stop();
  for (let n = 0; n < 4; n++) people.push(await on.test.developer({ rateLimitPerMinute: 2_000 }));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((webhooks) => webhooks.stop()));
  // removes deliveries left by the test
  await on.test.db.query(`delete from pgboss.job where name = 'webhook'`);
  await on.test.db.query('delete from webhook_endpoint');
});

interface Call {
  name: string;
  /** client_request_id of the event. */
  key: string;
  response: ServerResponse;
}

/** One server for all accounts; the path contains the account. Does not respond unless `at` does. */
async function receiver(at: (call: Call) => void = () => {}) {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    void text(request).then((raw) => {
      const call = { name: request.url!.split('/')[1]!, key: JSON.parse(raw).data.client_request_id, response };
      calls.push(call);
      at(call);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    of: (name: string) => calls.filter((call) => call.name === name),
    urlOf: (name: string, n = 0) => `http://127.0.0.1:${port}/${name}/${n}`,
  };
}

const people: TestDeveloper[] = [];
let ordered = 0;

const order = (developer: TestDeveloper, environment: Environment = 'production') =>
  recharge(on, { developer, session: '' }, { client_request_id: `k${++ordered}` }, environment);

/** Creates endpoints and successful orders for one of the developers; each order is due at each endpoint. */
async function accountWith(
  index: number,
  urls: readonly string[],
  orders: number,
  environment: Environment = 'production',
): Promise<Account & { endpoints: string[] }> {
  const developer = people[index]!;
  const endpoints: string[] = [];
  for (const url of urls)
    endpoints.push(
      (
        await on.test.app.webhooks.endpoints.create(
          { developerId: developer.id, environment },
          { url },
          {
            by: seed,
            clientId: null,
          },
        )
      ).endpoint.id,
    );
  await Promise.all(Array.from({ length: orders }, () => order(developer, environment)));
  return { developer, session: on.staff.admin, endpoints };
}

/** Makes all pending deliveries due, regardless of pauses. */
const makeAllDue = () =>
  on.test.db.query(`update pgboss.job j set start_after = now() from (
    select id from pgboss.job where name = 'webhook' and state < 'active' for update skip locked) due
    where j.id = due.id and j.name = 'webhook'`);

/** Number of queued deliveries of a developer. */
const queuedFor = async (index: number): Promise<number> =>
  (await on.test.db.query('select from webhook_delivery where developer_id = $1', [people[index]!.id])).length;

const ok = ({ response }: Call): void => void response.writeHead(200).end();
const shares = (production: number, uat: number, perDeveloper: number): Shares => ({
  places: { production, uat },
  perDeveloper: { production: perDeveloper, uat: perDeveloper },
});

describe('unresponsive receivers', () => {
  it('only occupy the slots of their developer, regardless of the number of endpoints and events', async () => {
    const at = await receiver((call) => call.name === 'honest' && ok(call));
    const five = Array.from({ length: 5 }, (_, n) => at.urlOf('failed', n));
    await accountWith(0, five, 40);
    const honest = await accountWith(1, [at.urlOf('honest')], 3);
    startWebhooks({ shares: shares(4, 2, 2) });
    await until(() => at.of('honest').length === 3);
    await until(async () =>
      (await logOf(on, honest, honest.endpoints[0]!)).every(({ state }) => state === 'DELIVERED'),
    );
    // 200 deliveries were due earlier
    expect(at.of('failed')).toHaveLength(2);
  });

  it('of several developers get one slot each before any of them gets a second', async () => {
    const at = await receiver();
    await accountWith(0, [at.urlOf('a')], 10);
    await accountWith(1, [at.urlOf('b')], 10);
    await accountWith(2, [at.urlOf('c')], 10);
    startWebhooks({ shares: shares(5, 2, 4) });
    await until(() => at.calls.length === 5);
    // slots are assigned in order, but calls can arrive in any order
    expect(new Set(at.calls.map(({ name }) => name))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('that occupy every slot leave the next free one to a developer without slots', async () => {
    const at = await receiver((call) => call.name === 'honest' && ok(call));
    await accountWith(0, [at.urlOf('a')], 10);
    await accountWith(1, [at.urlOf('b')], 10);
    startWebhooks({ shares: shares(4, 2, 2) });
    await until(() => at.calls.length === 4);
    await accountWith(3, [at.urlOf('honest')], 2);
    await until(async () => (await queuedFor(3)) === 2);
    // older events of both are pending, but those of the new account are sent first
    ok(at.of('a')[0]!);
    await until(() => at.of('honest').length === 2);
    const lastHonest = at.calls.findLastIndex(({ name }) => name === 'honest');
    expect(at.calls.slice(0, lastHonest).filter(({ name }) => name !== 'honest').length).toBeLessThanOrEqual(5);
  });

  it('in UAT, where orders are free of charge, occupy no Production slot', async () => {
    const at = await receiver((call) => call.name === 'honest' && ok(call));
    for (const [index, name] of ['a', 'b', 'c'].entries()) await accountWith(index, [at.urlOf(name)], 3, 'uat');
    await accountWith(3, [at.urlOf('honest')], 3);
    startWebhooks({ shares: shares(1, 2, 2) });
    await until(() => at.of('honest').length === 3);
    expect(at.calls.filter(({ name }) => name !== 'honest')).toHaveLength(2);
  });

  it('are retried next to first attempts, in half of the slots', async () => {
    const at = await receiver((call) => call.name === 'honest' && ok(call));
    let isRejecting = true;
    const first = await receiver((call) => isRejecting && call.response.writeHead(500).end());
    for (const [index, name] of ['a', 'b', 'c'].entries()) await accountWith(index, [first.urlOf(name)], 4);
    startWebhooks({ shares: shares(4, 2, 4), delayS: 3_600, delayMaxS: 3_600 });
    await until(() => first.calls.length === 12);
    await until(async () => (await waiting()).retry === 12);
    isRejecting = false;
    await makeAllDue();
    await until(() => first.calls.length === 14);
    await accountWith(3, [at.urlOf('honest')], 6);
    await until(() => at.of('honest').length === 6);
    expect(first.calls).toHaveLength(14);
  });
});

async function waiting(): Promise<{ retry: number }> {
  const [row] = await on.test.db.query<{ retry: number }>(
    `select count(*) filter (where state = 'retry')::int as retry from pgboss.job where name = 'webhook'`,
  );
  return row!;
}

describe('an unresponsive endpoint', () => {
  const lateOptions: Partial<WebhookOptions> = { shares: shares(4, 2, 1), delayS: 3_600, delayMaxS: 3_600 };
  const attemptsOf = (lines: { attemptCount: number }[]): number =>
    lines.reduce((sum, { attemptCount }) => sum + attemptCount, 0);

  it('is paused after five consecutive failed attempts, and its other events wait without an attempt', async () => {
    const at = await receiver();
    const account = await accountWith(0, [at.urlOf('failed')], 12);
    startWebhooks({ ...lateOptions, timeoutMs: 30 });
    const lines = () => logOf(on, account, account.endpoints[0]!);
    await until(async () => (await lines()).filter(({ error }) => error === 'ENDPOINT_PAUSED').length === 7);
    const log = await lines();
    expect([log.length, attemptsOf(log)]).toEqual([12, 5]);
    // on a busy machine an attempt can time out before it arrives
    expect(at.calls.length).toBeLessThanOrEqual(5);
    expect(log.every(({ state, nextAttemptAt }) => state === 'PENDING' && nextAttemptAt !== null)).toBe(true);
    expect(log.filter(({ error }) => error === 'TIMEOUT')).toHaveLength(5);
  });

  it('is tested with one event after the pause and receives the others when it responds', async () => {
    let isResponding = false;
    const at = await receiver((call) => (isResponding ? ok(call) : call.response.destroy()));
    const account = await accountWith(0, [at.urlOf('failed')], 8);
    const [endpoint] = account.endpoints;
    startWebhooks({ ...lateOptions, shares: shares(4, 2, 4) });
    const lines = () => logOf(on, account, endpoint!);
    await until(async () => (await lines()).filter(({ error }) => error !== null).length === 8);
    const countBefore = at.calls.length;
    const endPause = () =>
      on.test.db.query('update webhook_endpoint set paused_until = now() where id = $1', [endpoint]);
    await endPause();
    await makeAllDue();
    await until(async () => attemptsOf(await lines()) === countBefore + 1);
    await until(async () => (await waiting()).retry === 8);
    expect(at.calls).toHaveLength(countBefore + 1);

    isResponding = true;
    await endPause();
    await makeAllDue();
    await until(async () => (await lines()).some(({ state }) => state === 'DELIVERED'));
    await until(async () => {
      await makeAllDue();
      return (await lines()).every(({ state }) => state === 'DELIVERED');
    });
    expect(await healthOf(endpoint!)).toEqual({ failing: false, unanswered: 0, paused: false });
  });

  it('is not paused by error responses', async () => {
    const at = await receiver((call) => call.response.writeHead(500).end());
    const account = await accountWith(0, [at.urlOf('angry')], 8);
    startWebhooks(lateOptions);
    await until(() => at.calls.length === 8);
    await until(async () => attemptsOf(await logOf(on, account, account.endpoints[0]!)) === 8);
    expect(await healthOf(account.endpoints[0]!)).toEqual({ failing: true, unanswered: 0, paused: false });
  });
});

async function healthOf(id: string): Promise<object> {
  const [row] = await on.test.db.query<object>(
    `select failing_since is not null as failing, unanswered, paused_until is not null as paused from webhook_endpoint where id = $1`,
    [id],
  );
  return row!;
}

describe('a permanently failing endpoint', () => {
  const emailsTo = (address: string): string[] => arrivedFor(mailboxOf(on.test.db.url), address);

  it('is disabled after days, with an email to its developer and an audit entry', async () => {
    const at = await receiver((call) => call.response.writeHead(500).end());
    const account = await accountWith(0, [at.urlOf('secret-path')], 1);
    const [endpoint] = account.endpoints;
    startWebhooks({ delayS: 3_600, delayMaxS: 3_600 });
    await until(async () => ((await healthOf(endpoint!)) as { failing: boolean }).failing);
    const list = async () =>
      (await on.call(account.session, LIST, { developerId: String(account.developer.id) })).body.data
        .webhookEndpoints[0];
    expect(await list()).toMatchObject({ disabledAt: null, disabledReason: null });

    await on.test.db.query(`update webhook_endpoint set failing_since = now() - interval '73 hours' where id = $1`, [
      endpoint,
    ]);
    await order(account.developer);
    await until(async () => (await list()).disabledAt !== null);
    expect(await list()).toMatchObject({ disabledReason: 'FAILING' });
    const [{ email }] = (await on.test.db.query('select email from developer where id = $1', [
      account.developer.id,
    ])) as [{ email: string }];
    await until(() => emailsTo(email).length === 1);
    const [message] = emailsTo(email);
    expect(message).toContain('Subject: A webhook endpoint was disabled');
    expect(message).toContain(endpoint);
    expect(message).toContain('http://console.test.example');
    expect(message).not.toMatch(/secret-path|127\.0\.0\.1/);
    const [entry] = await on.test.db.query(
      `select actor, action, after from audit_entry where subject like '%' || $1 order by id desc limit 1`,
      [endpoint],
    );
    expect(entry).toMatchObject({ actor: 'system:webhooks', action: 'webhook.disable', after: { reason: 'failing' } });

    // pending deliveries are cancelled, and enabling the endpoint resets its failures
    await makeAllDue();
    await until(async () => (await logOf(on, account, endpoint!)).every(({ state }) => state === 'CANCELLED'));
    const enabled = await on.call(account.session, ENABLE, { id: endpoint });
    expect(enabled.body.data.enableWebhookEndpoint.endpoint).toMatchObject({
      disabledAt: null,
      disabledReason: null,
    });
    expect(await healthOf(endpoint!)).toEqual({ failing: false, unanswered: 0, paused: false });
  });

  it('is not disabled if a delivery succeeded in the meantime', async () => {
    let status = 500;
    const at = await receiver((call) => call.response.writeHead(status).end());
    const account = await accountWith(0, [at.urlOf('flaky')], 1);
    const [endpoint] = account.endpoints;
    startWebhooks({ delayS: 3_600, delayMaxS: 3_600 });
    await until(async () => ((await healthOf(endpoint!)) as { failing: boolean }).failing);
    await on.test.db.query(`update webhook_endpoint set failing_since = now() - interval '73 hours' where id = $1`, [
      endpoint,
    ]);
    status = 200;
    await order(account.developer);
    await until(async () => !((await healthOf(endpoint!)) as { failing: boolean }).failing);
    status = 500;
    await order(account.developer);
    await until(async () => ((await healthOf(endpoint!)) as { failing: boolean }).failing);
    expect(
      (await on.call(account.session, LIST, { developerId: String(account.developer.id) })).body.data
        .webhookEndpoints[0].disabledAt,
    ).toBeNull();
  });
});
