import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import { Metrics } from '../../src/core/metrics.js';
import { Secret } from '../../src/core/secret.js';
import { OrderService } from '../../src/orders/order.service.js';
import { Switches } from '../../src/providers/switches.js';
import type { TestDeveloper } from '../support/app.js';
import { place, rechargeInput } from '../support/recharges.js';
import { until } from '../support/until.js';
import { codesOf, expectExplained, fieldsOf, type Staff, useConsole } from './console.fixture.js';

const console = useConsole({ TWO_PEOPLE: 'switches', STATUS_CHECK_SCHEDULE_MS: '1h', POLL_INTERVAL_MS: '100' });
expectExplained(console);

let developer: TestDeveloper;
beforeAll(async () => {
  developer = await console.test.developer({ rateLimitPerMinute: 1_000 });
});

const NOTICE = 'Planned maintenance until 14:00.';
const PAYLOAD = `environment { environment orderPause { notice since } }
  approvalRequest { id state action environment developer { id } reason changes { field before after } }`;
const PAUSE = `mutation($input: PauseOrdersInput!) { pauseOrders(input: $input) { ${PAYLOAD} } }`;
const RESUME = `mutation($input: ResumeOrdersInput!) { resumeOrders(input: $input) { ${PAYLOAD} } }`;
const APPROVE = `mutation($input: ApproveApprovalRequestInput!) { approveApprovalRequest(input: $input) { outcome {
  __typename ... on ApprovalRequestApproved { approvalRequest { state } } } } }`;
const PLANS = '{ mobilePlans(input: {mobile: "9468455123", opcode: A, circle: "06"}) { fee } }';
const RECHARGE = 'mutation($input: RechargeInput!) { recharge(input: $input) { order { id } } }';

const callPause = (input: object, actor: Staff = 'admin') =>
  console.call(console.staff[actor], PAUSE, { input: { environment: 'PRODUCTION', ...input } });
const pause = async (more: object = {}, actor: Staff = 'admin') =>
  (await callPause({ notice: NOTICE, ...more }, actor)).body.data.pauseOrders;
const requestResume = async (more: object = {}) =>
  (
    await console.call(console.staff.admin, RESUME, {
      input: { environment: 'PRODUCTION', reason: 'The books agree', ...more },
    })
  ).body.data.resumeOrders;
const approve = (approvalRequestId: string, actor: Staff = 'second') =>
  console.call(console.staff[actor], APPROVE, { input: { approvalRequestId } });
const resume = async (more: object = {}) => {
  expect(codesOf(await approve((await requestResume(more)).approvalRequest.id))).toEqual([]);
  await console.test.app.switches.refresh();
};
const pausesOf = async (token: string) =>
  (await console.call(token, '{ environments { environment orderPause { notice since } } }')).body.data.environments;
const recharge = (key: string, more: object = {}, environment: Environment = 'production') =>
  place(console.test, developer, { client_request_id: key, ...more }, environment);
const gauge = async () => {
  const text = await (await fetch(`${console.test.urls.production}/metrics`)).text();
  return [...text.matchAll(/^gateway_orders_paused\{environment="(\w+)"\} (\d)$/gm)].map(([, ...values]) =>
    values.join(),
  );
};

describe('paused orders', () => {
  it('are rejected with the notice before money moves; replays are served, and open orders are checked', async () => {
    expect((await recharge('before')).body.status).toBe('success');
    // The simulator returns HTML for this number, and the outcome to a status check.
    expect((await recharge('open', { account_number: '9876540007' })).body.status).toBe('pending');
    const paying = await console.test.developer({ feesPaise: { operator_plan_fetch: 100 } });
    const { environment, approvalRequest } = await pause();
    expect([environment, approvalRequest]).toEqual([
      { environment: 'PRODUCTION', orderPause: { notice: NOTICE, since: expect.any(String) } },
      null,
    ]);
    const balances = () =>
      Promise.all([developer, paying].map((account) => console.test.balance(account, 'production')));
    const balancesBefore = await balances();
    const message = `New orders are paused. Nothing was charged. Notice: ${NOTICE}`;
    const rejection = await recharge('while paused');
    expect([rejection.status, rejection.body.status, rejection.body.code, rejection.body.message]).toEqual([
      503,
      'error',
      'DEPENDENCY_DOWN',
      message,
    ]);
    expect(rejection.headers.get('retry-after')).toBe('60');
    const live = (query: string, by = developer, variables = {}) =>
      console.test.graphql('production', by.tokens.production, query, variables);
    const graph = await live(RECHARGE, developer, { input: rechargeInput({ clientRequestId: 'graph while paused' }) });
    expect(graph.body.errors[0]).toMatchObject({
      message,
      extensions: { code: 'DEPENDENCY_DOWN', charged: false, retryable: true },
    });
    expect(codesOf(await live(PLANS, paying))).toEqual(['DEPENDENCY_DOWN']);
    expect(codesOf(await live(PLANS))).toEqual([]);
    expect(await balances()).toEqual(balancesBefore);
    expect((await recharge('before')).body.status).toBe('success');
    expect((await recharge('play', {}, 'uat')).body.status).toBe('success');
    expect(await gauge()).toEqual(['uat,0', 'production,1']);
    await console.test.db.query('update order_due set due_at = now() where developer_id = $1', [developer.id]);
    const statusChecks = `select 1 from order_event e join order_key k on k.order_id = e.order_id where k.client_key = 'open' and e.kind = 'status_check'`;
    await until('the status was checked', async () => (await console.test.db.query(statusChecks)).length > 0);

    await resume();
    expect(await gauge()).toEqual(['uat,0', 'production,0']);
    expect((await recharge('while paused')).body.status).toBe('success');
  });

  it('are paused in every process within two seconds, and developers see the notice', async () => {
    const other = new Switches(console.test.app.pool, createLogger('silent'));
    await other.prepare();
    try {
      expect(other.pauseOf('uat')).toBeUndefined();
      await pause({ environment: 'UAT', notice: 'An incident' });
      await until('the other process knows of the pause', async () => other.pauseOf('uat')?.notice === 'An incident');
      expect(other.pauseOf('production')).toBeUndefined();
      const since = other.pauseOf('uat')!.since;
      expect(await pausesOf(await console.userOf(developer.id))).toEqual([
        { environment: 'UAT', orderPause: { notice: 'An incident', since: expect.any(String) } },
        { environment: 'PRODUCTION', orderPause: null },
      ]);
      // A new notice does not change the start time of the pause.
      await pause({ environment: 'UAT', notice: 'It takes until 15:00' });
      await other.refresh();
      expect(other.pauseOf('uat')).toEqual({ notice: 'It takes until 15:00', since });
      expect((await recharge('practice', {}, 'uat')).body.code).toBe('DEPENDENCY_DOWN');
      await resume({ environment: 'UAT' });
      expect((await recharge('practice', {}, 'uat')).body.status).toBe('success');
    } finally {
      await other.stop();
    }
  });

  it('are also paused in a process that has not loaded the switches yet', async () => {
    const unavailable = { query: () => Promise.reject(new Error('The database is away.')) };
    const switches = new Switches(unavailable as never, createLogger('silent'));
    await switches.prepare();
    const holds: unknown[] = [];
    const orders = new OrderService(
      { backlog: 0, hold: async (held: unknown) => holds.push(held) } as never,
      {} as never,
      {} as never,
      {
        pepper: new Secret('a pepper'),
        referenceSecret: new Secret('another'),
        switches,
        syncWindowMs: 1_000,
        metrics: new Metrics(),
        sendLeaseMs: 1_000,
        maxInFlight: 10,
      },
      createLogger('silent'),
    );
    const order = orders.place({
      principal: { developerId: developer.id, environment: 'uat' } as never,
      operation: 'recharge',
      amountPaise: 100n as never,
      clientKey: null,
      identity: {},
      account: '9876543210',
      provider: 'SANDBOX',
      request: {},
      send: async () => ({ kind: 'declined', evidence: { reason: 'never_sent' } }),
    });
    await expect(order).rejects.toMatchObject({ code: 'DEPENDENCY_DOWN', details: { retryAfterMs: 60_000 } });
    expect(holds).toEqual([]);
    await expect(switches.assertRead()).rejects.toThrow('away');
    await switches.stop();
  });
});

describe('the pause switch', () => {
  it('is set immediately by one admin, and by two where TWO_PEOPLE requires it', async () => {
    await pause();
    const { approvalRequest, environment } = await requestResume();
    expect(environment.orderPause).toMatchObject({ notice: NOTICE });
    expect(approvalRequest).toEqual({
      id: expect.stringMatching(/^apr_/),
      state: 'PENDING',
      action: 'RESUME_ORDERS',
      environment: 'PRODUCTION',
      developer: null,
      reason: 'The books agree',
      changes: [
        { field: 'notice', before: NOTICE, after: null },
        { field: 'paused', before: 'true', after: 'false' },
      ],
    });
    expect(codesOf(await approve(approvalRequest.id, 'admin'))).toEqual(['FORBIDDEN']);
    expect(codesOf(await approve(approvalRequest.id, 'support'))).toEqual(['FORBIDDEN']);
    // a pending approval request does not prevent a new notice
    expect(
      (await pause({ notice: 'Until 16:00', reason: 'Two payments are missing' }, 'second')).approvalRequest,
    ).toBeNull();
    expect(codesOf(await approve(approvalRequest.id))).toEqual(['CONFLICT']);
    await resume();
    const entries = await console.test.db.query(
      `select u.name, a.before->>'notice' as before, a.after->>'paused' as paused, a.after->>'notice' as after, a.reason
        from audit_entry a join app_user u on a.actor = 'user:' || u.id
        where a.subject = 'orders:production' and a.action in ('orders.pause', 'orders.resume') order by a.id desc limit 3`,
    );
    expect(entries).toEqual([
      { name: 'second', before: 'Until 16:00', paused: 'false', after: null, reason: 'The books agree' },
      { name: 'second', before: NOTICE, paused: 'true', after: 'Until 16:00', reason: 'Two payments are missing' },
      { name: 'admin', before: null, paused: 'true', after: NOTICE, reason: '' },
    ]);
  });

  it('is set after many simultaneous calls', async () => {
    const pauses = Array.from({ length: 8 }, (_, n) => callPause({ environment: 'UAT', notice: `Notice ${n}` }));
    expect((await Promise.all(pauses)).flatMap(codesOf)).toEqual([]);
    await resume({ environment: 'UAT' });
  });

  it.each<[string, object]>([
    ['an empty notice', { notice: ' ' }],
    ['a notice of 201 characters', { notice: 'n'.repeat(201) }],
    ['a line break', { notice: 'Until 14:00\nor so' }],
    ['a character that changes the text direction', { notice: 'Until \u202e00:41' }],
  ])('rejects %s with an error that names it, and pauses nothing', async (_name, more) => {
    const response = await callPause(more);
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.notice']]);
    expect(console.test.app.switches.pauseOf('production')).toBeUndefined();
  });
});
