import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import { type TestDeveloper, testEnvironment } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { freePort, isRefused } from '../support/ports.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { orderRow, signedIn } from './order.fixture.js';

/** The simulator returns HTML for this number: Mokshiq orders need review, RoundPay orders await a status check. */
const UNKNOWN = '9876540007';

const test = useOwnApp({ EXPOSURE_LIMIT: '0,mokshiq:2:0,roundpay:0:25', STATUS_CHECK_SCHEDULE_MS: '60s' });
let mokshiq: TestDeveloper;
let roundpay: TestDeveloper;
let admin: string;
beforeAll(async () => {
  mokshiq = await test.developer({ provider: 'MOKSHIQ', rateLimitPerMinute: 1_000 });
  roundpay = await test.developer({ rateLimitPerMinute: 1_000 });
  admin = await signedIn(test, 'admin');
});

const recharge = (developer: TestDeveloper, key: string, more: object = {}, environment: Environment = 'production') =>
  place(test, developer, { client_request_id: key, circle: 'Karnataka', ...more }, environment);
const metric = async (name: string, provider: string) => {
  const text = await fetch(`${test.urls.production}/metrics`).then((response) => response.text());
  return Number(new RegExp(`^${name}\\{provider="${provider}"\\} (\\S+)$`, 'm').exec(text)?.[1]);
};

describe('a provider that has reached its exposure limit', () => {
  it('receives no new payments until enough orders are final; used idempotency keys are still replayed', async () => {
    for (const key of ['one', 'two'])
      expect((await recharge(mokshiq, key, { account_number: UNKNOWN })).body.status).toBe('pending');
    await until(
      'the exposure metrics are updated',
      async () => (await metric('gateway_provider_exposure_reached', 'MOKSHIQ')) === 1,
    );
    expect(await metric('gateway_provider_pending_payments', 'MOKSHIQ')).toBe(2);
    const balanceBefore = await test.balance(mokshiq, 'production');
    const rejection = await recharge(mokshiq, 'three');
    expect([rejection.status, rejection.body.code, rejection.body.status]).toEqual([
      503,
      'PROVIDER_UNAVAILABLE',
      'error',
    ]);
    expect(rejection.headers.get('retry-after')).toBe('60');
    expect(await test.balance(mokshiq, 'production')).toBe(balanceBefore);
    await expect(orderRow(test, mokshiq, 'three')).rejects.toThrow('no order');

    expect((await recharge(mokshiq, 'one', { account_number: UNKNOWN })).body).toMatchObject({ status: 'pending' });
    expect((await recharge(roundpay, 'other provider')).body.status).toBe('success');
    expect((await recharge(mokshiq, 'play', {}, 'uat')).body.status).toBe('success');

    const { id } = await orderRow(test, mokshiq, 'one');
    const query = `mutation { resolveOrder(input: {orderId: "${id}", outcome: FAILED, reason: "Statement", allowRecentSend: true}) { outcome { __typename } } }`;
    expect((await test.graphql('console', admin, query)).body.errors).toBeUndefined();
    await test.app.exposure.refresh();
    expect((await recharge(mokshiq, 'three')).body.status).toBe('success');
  });

  it('is also limited by the rupees of orders whose status is still being checked', async () => {
    await recharge(roundpay, 'much', { account_number: UNKNOWN, amount: 20 });
    await test.app.exposure.refresh();
    expect((await recharge(roundpay, 'below')).body.status).toBe('success');
    await recharge(roundpay, 'more', { account_number: UNKNOWN, amount: 20 });
    expect((await orderRow(test, roundpay, 'more')).state).toBe('open');
    await test.app.exposure.refresh();
    expect((await recharge(roundpay, 'above')).body.code).toBe('PROVIDER_UNAVAILABLE');
    expect(await metric('gateway_provider_pending_rupees', 'ROUNDPAY')).toBe(40);
  });
});

it('a process does not start while orders are pending with an unknown provider', async () => {
  await test.db.query(
    `insert into order_due (developer_id, order_id, provider, waited_for, due_at)
     values ($1, $2, 'PAYX', true, now() + interval '1 hour')`,
    [roundpay.id, UNKNOWN_ID],
  );
  const ports = [await freePort(), await freePort(), await freePort()];
  const other = await createApp(
    loadConfig(testEnvironment(test.db.url, test.simulator.url, ports)),
    createLogger('silent'),
  );
  await expect(other.listen()).rejects.toThrow(
    'Orders are pending with PAYX, but this process cannot check their status',
  );
  for (const port of ports) expect(await isRefused(port)).toBe(true);
  await other.close();
  await test.db.query('delete from order_due where order_id = $1', [UNKNOWN_ID]);
});

describe('the exposure limit setting', () => {
  const limits = (text: string) =>
    loadConfig({ ...testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]), EXPOSURE_LIMIT: text })
      .exposureLimits;
  it('accepts limits for payments and rupees, with overrides for single providers', () => {
    expect(limits('2000:10000000, mokshiq:500:0,inspay:0')).toEqual({
      otherwise: { payments: 2_000, amountPaise: 1_000_000_000n },
      byProvider: new Map([
        ['MOKSHIQ', { payments: 500, amountPaise: 0n }],
        ['INSPAY', { payments: 0, amountPaise: 0n }],
      ]),
    });
  });
  it.each(['many', '2000', 'mokshiq', 'MOKSHIQ:1:1', '1:-1', '1:2:3'])('rejects %j', (text) => {
    expect(() => limits(text)).toThrow('EXPOSURE_LIMIT');
  });
});
