import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import { Switches } from '../../src/providers/switches.js';
import { inReview } from '../orders/order.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { codesOf, expectExplained, fieldsOf, type Staff, useConsole } from './console.fixture.js';

const console = useConsole({ TWO_PEOPLE: 'switches', STATUS_CHECK_SCHEDULE_MS: '100ms', POLL_INTERVAL_MS: '100' });
expectExplained(console);

let developer: TestDeveloper;
beforeAll(async () => {
  developer = await console.test.developer({ feesPaise: { operator_plan_fetch: 100 }, rateLimitPerMinute: 1_000 });
});

const HEALTH = 'provider environment available unavailableReason breaker pendingPayments pendingAmount exposureLimit';
const SWITCH = `mutation($input: SetProviderAvailabilityInput!) { setProviderAvailability(input: $input) {
  health { ${HEALTH} } approvalRequest { id state action environment developer { id } reason changes { field before after } } } }`;
const APPROVE = `mutation($input: ApproveApprovalRequestInput!) { approveApprovalRequest(input: $input) { outcome {
  __typename ... on ApprovalRequestApproved { approvalRequest { state } } } } }`;
const set = (available: boolean, more: object = {}, actor: Staff = 'admin') =>
  console.call(console.staff[actor], SWITCH, {
    input: { provider: 'ROUNDPAY', environment: 'PRODUCTION', available, reason: 'Wrong answers since 10:00', ...more },
  });
const PLANS = '{ mobilePlans(input: {mobile: "9468455123", opcode: A, circle: "06"}) { fee } }';
const approve = (approvalRequestId: string, actor: Staff = 'second') =>
  console.call(console.staff[actor], APPROVE, { input: { approvalRequestId } });
const on = async (more: object = {}) => {
  const { body } = await set(true, { reason: 'It answers again', ...more });
  expect(codesOf(await approve(body.data.setProviderAvailability.approvalRequest.id))).toEqual([]);
  await console.test.app.switches.refresh();
};
const recharge = (key: string, more: object = {}, environment: Environment = 'production') =>
  place(console.test, developer, { client_request_id: key, ...more }, environment);
const gauge = async () =>
  /^gateway_provider_disabled\{environment="production",provider="ROUNDPAY"\} (\d)$/m.exec(
    await (await fetch(`${console.test.urls.production}/metrics`)).text(),
  )?.[1];

describe('a disabled provider', () => {
  it('gets no new calls, and no money moves; replays are served, and the status of sent payments is checked', async () => {
    expect((await recharge('before')).body.status).toBe('success');
    // The simulator returns HTML for this number, and the outcome to a status check.
    expect((await recharge('open', { account_number: '9876540007' })).body.status).toBe('pending');
    const { body } = await set(false);
    expect(body.data.setProviderAvailability).toEqual({
      health: {
        provider: 'ROUNDPAY',
        environment: 'PRODUCTION',
        available: false,
        unavailableReason: 'Wrong answers since 10:00',
        breaker: 'CLOSED',
        pendingPayments: expect.any(Number),
        pendingAmount: expect.any(Number),
        exposureLimit: 10_000_000,
      },
      approvalRequest: null,
    });
    expect(await gauge()).toBe('1');
    const balance = await console.test.balance(developer, 'production');
    const rejection = await recharge('while off');
    expect([rejection.status, rejection.body.code, rejection.body.status]).toEqual([
      503,
      'PROVIDER_UNAVAILABLE',
      'error',
    ]);
    const graph = await console.test.graphql(
      'production',
      developer.tokens.production,
      `mutation { recharge(input: {accountNumber: "9876543210", amount: 10, operatorSpKey: 3, operatorType: MOBILE}) { order { id } } }`,
    );
    expect(graph.body.errors[0].extensions).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', charged: false });
    expect(await console.test.balance(developer, 'production')).toBe(balance);
    expect((await recharge('before')).body.status).toBe('success');
    expect((await recharge('play', {}, 'uat')).body.status).toBe('success');
    await until('the status was checked', async () => {
      const rows = await console.test.db.query(
        `select 1 from order_event e join order_key k on k.order_id = e.order_id where k.client_key = 'open' and e.kind = 'status_check'`,
      );
      return rows.length > 0;
    });

    await on();
    expect(await gauge()).toBe('0');
    expect((await recharge('while off')).body.status).toBe('success');
  });

  it('is known to other processes within seconds', async () => {
    const other = new Switches(console.test.app.pool, createLogger('silent'));
    await other.prepare();
    try {
      await set(false, { provider: 'EKYCHUB', reason: 'No plans' });
      await until(
        'the other process knows that the provider is disabled',
        async () => other.reasonOf('production', 'EKYCHUB') === 'No plans',
      );
      expect(other.reasonOf('production', 'ROUNDPAY')).toBeUndefined();
      const balance = await console.test.balance(developer, 'production');
      const plans = await console.test.graphql('production', developer.tokens.production, PLANS);
      expect(codesOf(plans)).toEqual(['PROVIDER_UNAVAILABLE']);
      expect(await console.test.balance(developer, 'production')).toBe(balance);
      await on({ provider: 'EKYCHUB' });
      await until(
        'the other process knows that the provider is enabled',
        async () => other.reasonOf('production', 'EKYCHUB') === undefined,
      );
    } finally {
      await other.stop();
    }
  });

  it('can be tried in UAT, where the sandbox replaces all providers', async () => {
    await set(false, { provider: 'SANDBOX', environment: 'UAT' });
    expect((await recharge('practice', {}, 'uat')).body.code).toBe('PROVIDER_UNAVAILABLE');
    await on({ provider: 'SANDBOX', environment: 'UAT' });
    expect((await recharge('practice', {}, 'uat')).body.status).toBe('success');
  });
});

describe('the provider switch', () => {
  it('is disabled immediately by one admin, and enabled by two where TWO_PEOPLE requires it', async () => {
    await set(false);
    const { approvalRequest, health } = (await set(true, { reason: 'Called them' })).body.data.setProviderAvailability;
    expect(health).toMatchObject({ available: false, unavailableReason: 'Wrong answers since 10:00' });
    expect(approvalRequest).toEqual({
      id: expect.stringMatching(/^apr_/),
      state: 'PENDING',
      action: 'SET_PROVIDER_AVAILABILITY',
      environment: 'PRODUCTION',
      developer: null,
      reason: 'Called them',
      changes: [{ field: 'available', before: 'false', after: 'true' }],
    });
    expect(codesOf(await approve(approvalRequest.id, 'admin'))).toEqual(['FORBIDDEN']);
    expect(codesOf(await approve(approvalRequest.id, 'support'))).toEqual(['FORBIDDEN']);
    // A pending approval request does not prevent disabling the provider again.
    expect(
      (await set(false, { reason: 'Not yet' }, 'second')).body.data.setProviderAvailability.approvalRequest,
    ).toBeNull();
    expect(codesOf(await approve(approvalRequest.id))).toEqual(['CONFLICT']);
    await on();
    const entries = await console.test.db.query(
      `select u.name, a.after->>'available' as available, a.reason from audit_entry a join app_user u on a.actor = 'user:' || u.id
       where a.subject = 'provider:production/ROUNDPAY' and a.action = 'provider.set_availability' order by a.id desc limit 2`,
    );
    expect(entries).toEqual([
      { name: 'second', available: 'true', reason: 'It answers again' },
      { name: 'second', available: 'false', reason: 'Not yet' },
    ]);
  });

  it('is set once by many simultaneous calls, with an audit entry for each', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => set(false, { provider: 'INSPAY', reason: `Reason ${n}` })),
    );
    expect(responses.flatMap(codesOf)).toEqual([]);
    await on({ provider: 'INSPAY' });
  });

  it.each<[string, object, string]>([
    ['a provider that serves no calls there', { environment: 'UAT' }, 'input.environment'],
    ['the sandbox in Production', { provider: 'SANDBOX' }, 'input.environment'],
    ['no reason', { reason: ' ' }, 'input.reason'],
  ])('rejects %s with an error that names the field', async (_name, more, field) => {
    const response = await set(false, more);
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], [field]]);
  });

  it('shows the results of the calls of the last hour, and since when outcomes have been unknown', async () => {
    const figures = async (provider = 'MOKSHIQ') => {
      const query =
        '{ providers { provider environment successRate p95Ms pendingPayments pendingAmount oldestPendingAt } }';
      const { body } = await console.call(console.staff.support, query);
      return body.data.providers.find((entry: { provider: string }) => entry.provider === provider);
    };
    const noFigures = { successRate: null, p95Ms: null, pendingPayments: 0, pendingAmount: 0, oldestPendingAt: null };
    expect(await figures()).toMatchObject(noFigures);
    const other = await console.test.developer({ provider: 'MOKSHIQ' });
    const id = await inReview(console.test, other, { rupees: 30 });
    await inReview(console.test, other, { rupees: 12.5 });
    for (const number of ['9876540001', '9876543210', '9876543211', '9876543212'])
      await place(console.test, other, { account_number: number, client_request_id: number });
    await console.test.db.query(
      `update orders set created_at = settled_at - case when state = 'failed' then interval '40 s' else interval '1 s' end
        where developer_id = $1 and settled_at is not null`,
      [other.id],
    );
    await console.test.db.query(`update orders set created_at = now() - interval '26 hours' where id = $1`, [id]);
    await console.test.app.exposure.refresh();
    const displayed = await figures();
    expect(displayed).toMatchObject({ successRate: 0.75, p95Ms: 40_000, pendingPayments: 2, pendingAmount: 42.5 });
    expect(Math.round((Date.now() - Date.parse(displayed.oldestPendingAt)) / 3_600_000)).toBe(26);
    expect(await figures('BANKSATHI')).toMatchObject(noFigures);

    // A manual resolution is no information about the provider.
    const resolve = `mutation($id: ID!) { resolveOrder(input: { orderId: $id, outcome: FAILED, reason: "Not in their statement" }) { outcome { __typename } } }`;
    expect(codesOf(await console.call(console.staff.admin, resolve, { id }))).toEqual([]);
    await console.test.app.exposure.refresh();
    expect(await figures()).toMatchObject({ successRate: 0.75, p95Ms: 40_000, pendingPayments: 1 });
  });

  it('shows the remaining deposit of a provider that reports it', async () => {
    const query = '{ providers { provider float floatAt } }';
    const { body } = await console.call(console.staff.support, query);
    const withFloat = body.data.providers.filter(({ float }: { float: number | null }) => float !== null);
    expect(withFloat).toEqual([{ provider: 'ROUNDPAY', float: expect.any(Number), floatAt: expect.any(String) }]);
    expect(withFloat[0].float).toBeGreaterThan(0);
  });

  it('shows every provider in the environments it serves', async () => {
    const { body } = await console.call(
      console.staff.support,
      '{ providers { provider environment available breaker } }',
    );
    const up = (provider: string, environment = 'PRODUCTION') => ({
      provider,
      environment,
      available: true,
      breaker: 'CLOSED',
    });
    expect(body.data.providers).toEqual([
      up('SANDBOX', 'UAT'),
      ...['ROUNDPAY', 'MOKSHIQ', 'EKYCHUB', 'INSPAY', 'BANKSATHI'].map((name) => up(name)),
    ]);
  });
});
