import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import { Metrics } from '../../src/core/metrics.js';
import { Secret } from '../../src/core/secret.js';
import { Placing } from '../../src/orders/placing.js';
import { Switches } from '../../src/providers/switches.js';
import type { TestDeveloper } from '../support/app.js';
import { aRechargeInput, place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { codesOf, expectExplained, fieldsOf, type Staff, useConsole } from './console.fixture.js';

const console = useConsole({ TWO_PEOPLE: 'switches', STATUS_CHECK_SCHEDULE_MS: '1h', POLL_INTERVAL_MS: '100' });
expectExplained(console);

let developer: TestDeveloper;
beforeAll(async () => {
  developer = await console.test.developer({ rateLimitPerMinute: 1_000 });
});

const NOTICE = 'Planned maintenance until 14:00.';
const HOLD = `mutation($input: SetOrderHoldInput!) { setOrderHold(input: $input) {
  environment { environment orderHold { notice since } }
  approvalRequest { id state action environment developer { id } reason changes { field before after } } } }`;
const APPROVE = `mutation($input: ApproveApprovalRequestInput!) { approveApprovalRequest(input: $input) { outcome {
  __typename ... on ApprovalRequestApproved { approvalRequest { state } } } } }`;
const PLANS = '{ mobilePlans(input: {mobile: "9468455123", opcode: A, circle: "06"}) { fee } }';
const RECHARGE = 'mutation($input: RechargeInput!) { recharge(input: $input) { order { id } } }';

const set = (input: object, who: Staff = 'admin') =>
  console.call(console.staff[who], HOLD, { input: { environment: 'PRODUCTION', ...input } });
const hold = async (more: object = {}, who: Staff = 'admin') =>
  (await set({ held: true, notice: NOTICE, ...more }, who)).body.data.setOrderHold;
const ask = async (more: object = {}) =>
  (await set({ held: false, reason: 'The books agree', ...more })).body.data.setOrderHold;
const approve = (approvalRequestId: string, who: Staff = 'second') =>
  console.call(console.staff[who], APPROVE, { input: { approvalRequestId } });
const release = async (more: object = {}) => {
  expect(codesOf(await approve((await ask(more)).approvalRequest.id))).toEqual([]);
  await console.test.app.switches.refresh();
};
const shown = async (token: string) =>
  (await console.call(token, '{ environments { environment orderHold { notice since } } }')).body.data.environments;
const recharge = (key: string, more: object = {}, environment: Environment = 'production') =>
  place(console.test, developer, { client_request_id: key, ...more }, environment);
const gauge = async () => {
  const text = await (await fetch(`${console.test.urls.production}/metrics`)).text();
  return [...text.matchAll(/^gateway_orders_on_hold\{environment="(\w+)"\} (\d)$/gm)].map(([, ...said]) => said.join());
};

describe('new orders that are held', () => {
  it('are refused with the notice before money moves; known keys are answered, and what is open is asked about', async () => {
    expect((await recharge('before')).body.status).toBe('success');
    // the simulator answers this number with HTML, and a status check with what it did
    expect((await recharge('open', { account_number: '9876540007' })).body.status).toBe('pending');
    const paying = await console.test.developer({ feesPaise: { operator_plan_fetch: 100 } });
    const { environment, approvalRequest } = await hold();
    expect([environment, approvalRequest]).toEqual([
      { environment: 'PRODUCTION', orderHold: { notice: NOTICE, since: expect.any(String) } },
      null,
    ]);
    const balances = () =>
      Promise.all([developer, paying].map((account) => console.test.balance(account, 'production')));
    const before = await balances();
    const message = `New orders are held for the moment, and nothing was charged: ${NOTICE}`;
    const refused = await recharge('while held');
    expect([refused.status, refused.body.status, refused.body.code, refused.body.message]).toEqual([
      503,
      'error',
      'DEPENDENCY_DOWN',
      message,
    ]);
    expect(refused.headers.get('retry-after')).toBe('60');
    const live = (query: string, by = developer, variables = {}) =>
      console.test.graphql('production', by.tokens.production, query, variables);
    const graph = await live(RECHARGE, developer, { input: aRechargeInput({ clientRequestId: 'graph while held' }) });
    expect(graph.body.errors[0]).toMatchObject({
      message,
      extensions: { code: 'DEPENDENCY_DOWN', charged: false, retryable: true },
    });
    expect(codesOf(await live(PLANS, paying))).toEqual(['DEPENDENCY_DOWN']);
    expect(codesOf(await live(PLANS))).toEqual([]);
    expect(await balances()).toEqual(before);
    expect((await recharge('before')).body.status).toBe('success');
    expect((await recharge('play', {}, 'uat')).body.status).toBe('success');
    expect(await gauge()).toEqual(['uat,0', 'production,1']);
    await console.test.db.query('update order_due set due_at = now() where developer_id = $1', [developer.id]);
    const asked = `select 1 from order_event e join order_key k on k.order_id = e.order_id where k.client_key = 'open' and e.kind = 'status_check'`;
    await until('it was asked about', async () => (await console.test.db.query(asked)).length > 0);

    await release();
    expect(await gauge()).toEqual(['uat,0', 'production,0']);
    expect((await recharge('while held')).body.status).toBe('success');
  });

  it('are held by every process within two seconds, and developers read why', async () => {
    const other = new Switches(console.test.app.pool, createLogger('silent'));
    await other.prepare();
    try {
      expect(other.holdOf('uat')).toBeUndefined();
      await hold({ environment: 'UAT', notice: 'An incident' });
      await until('another process knows', async () => other.holdOf('uat')?.notice === 'An incident');
      expect(other.holdOf('production')).toBeUndefined();
      const since = other.holdOf('uat')!.since;
      expect(await shown(await console.userOf(developer.id))).toEqual([
        { environment: 'UAT', orderHold: { notice: 'An incident', since: expect.any(String) } },
        { environment: 'PRODUCTION', orderHold: null },
      ]);
      // another notice does not begin it anew
      await hold({ environment: 'UAT', notice: 'It takes until 15:00' });
      await other.refresh();
      expect(other.holdOf('uat')).toEqual({ notice: 'It takes until 15:00', since });
      expect((await recharge('practice', {}, 'uat')).body.code).toBe('DEPENDENCY_DOWN');
      await release({ environment: 'UAT' });
      expect((await recharge('practice', {}, 'uat')).body.status).toBe('success');
    } finally {
      await other.stop();
    }
  });

  it('are held too by a process that has not read yet whether they are', async () => {
    const away = { query: () => Promise.reject(new Error('The database is away.')) };
    const switches = new Switches(away as never, createLogger('silent'));
    await switches.prepare();
    const holds: unknown[] = [];
    const orders = new Placing(
      { backlog: 0, hold: async (one: unknown) => holds.push(one) } as never,
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
    const placed = orders.place({
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
    await expect(placed).rejects.toMatchObject({ code: 'DEPENDENCY_DOWN', details: { retryAfterMs: 60_000 } });
    expect(holds).toEqual([]);
    await expect(switches.assertRead()).rejects.toThrow('away');
    await switches.stop();
  });
});

describe('the switch', () => {
  it('is thrown by one admin at once, and back by two where TWO_PEOPLE says so', async () => {
    await hold();
    const { approvalRequest, environment } = await ask();
    expect(environment.orderHold).toMatchObject({ notice: NOTICE });
    expect(approvalRequest).toEqual({
      id: expect.stringMatching(/^apr_/),
      state: 'PENDING',
      action: 'SET_ORDER_HOLD',
      environment: 'PRODUCTION',
      developer: null,
      reason: 'The books agree',
      changes: [
        { field: 'held', before: 'true', after: 'false' },
        { field: 'notice', before: NOTICE, after: null },
      ],
    });
    expect(codesOf(await approve(approvalRequest.id, 'admin'))).toEqual(['FORBIDDEN']);
    expect(codesOf(await approve(approvalRequest.id, 'support'))).toEqual(['FORBIDDEN']);
    // who sees that it is too early is not held up by what waits
    expect(
      (await hold({ notice: 'Until 16:00', reason: 'Two payments are missing' }, 'second')).approvalRequest,
    ).toBeNull();
    expect(codesOf(await approve(approvalRequest.id))).toEqual(['CONFLICT']);
    await release();
    const entries = await console.test.db.query(
      `select u.name, a.before->>'notice' as before, a.after->>'held' as held, a.after->>'notice' as after, a.reason
        from audit_entry a join app_user u on a.actor = 'user:' || u.id
        where a.subject = 'orders:production' and a.action = 'orders.set_hold' order by a.id desc limit 3`,
    );
    expect(entries).toEqual([
      { name: 'second', before: 'Until 16:00', held: 'false', after: null, reason: 'The books agree' },
      { name: 'second', before: NOTICE, held: 'true', after: 'Until 16:00', reason: 'Two payments are missing' },
      { name: 'admin', before: null, held: 'true', after: NOTICE, reason: '' },
    ]);
  });

  it('that many throw at once is thrown', async () => {
    const many = Array.from({ length: 8 }, (_, n) => set({ held: true, environment: 'UAT', notice: `Notice ${n}` }));
    expect((await Promise.all(many)).flatMap(codesOf)).toEqual([]);
    await release({ environment: 'UAT' });
  });

  it.each<[string, object]>([
    ['no notice', {}],
    ['an empty notice', { notice: ' ' }],
    ['a notice of 201 characters', { notice: 'n'.repeat(201) }],
    ['a line break', { notice: 'Until 14:00\nor so' }],
    ['what turns the direction of text', { notice: 'Until \u202e00:41' }],
    ['a notice of orders that are taken', { held: false, notice: NOTICE }],
  ])('refuses %s by name, and holds nothing', async (_what, more) => {
    const answer = await set({ held: true, ...more });
    expect([codesOf(answer), fieldsOf(answer)]).toEqual([['VALIDATION_FAILED'], ['input.notice']]);
    expect(console.test.app.switches.holdOf('production')).toBeUndefined();
  });
});
