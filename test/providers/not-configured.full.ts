import { beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/core/log.js';
import { fetchBill } from '../card-bills/card-bills.fixture.js';
import { type TestDeveloper, type TestResponse, testEnvironment } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { place } from '../support/recharges.js';
import { useOwnApp } from '../support/use-app.js';

const WITHOUT_PROVIDERS = {
  PROVIDER_MOKSHIQ_URL: '',
  PROVIDER_INSPAY_URL: '',
  PROVIDER_EKYCHUB_URL: '',
  PROVIDER_BANKSATHI_URL: '',
};
const test = useOwnApp(WITHOUT_PROVIDERS);
let roundpay: TestDeveloper;
let mokshiq: TestDeveloper;
beforeAll(async () => {
  const feesPaise = { operator_fetch: 150, bill_fetch: 150 } as object;
  roundpay = await test.developer({ feesPaise });
  mokshiq = await test.developer({ provider: 'MOKSHIQ' });
});

const recharge = (developer: TestDeveloper, environment: 'uat' | 'production' = 'production') =>
  place(test, developer, { circle: 'Karnataka' }, environment);

it('calls that need a provider without a URL are rejected, and nothing is charged', async () => {
  const { production } = roundpay.tokens;
  const call = (method: string, path: string, body?: object) => test.rest('production', method, path, production, body);
  const calls: readonly (() => Promise<TestResponse>)[] = [
    () => recharge(mokshiq),
    () => fetchBill(test, roundpay, 'production'),
    () => call('POST', '/api/v1/plan/operator-fetch', { mobile: '9468455123', orderid: 'FIND-1' }),
    () => call('GET', '/api/v1/products/categories'),
  ];
  for (const restCall of calls) {
    const { status, body } = await restCall();
    expect([status, body.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  }
  expect([await test.balance(mokshiq, 'production'), await test.balance(roundpay, 'production')]).toEqual([
    10_000, 10_000,
  ]);
});

it('calls to configured providers and the sandbox still work', async () => {
  expect((await recharge(roundpay)).body.status).toBe('success');
  expect((await recharge(mokshiq, 'uat')).body.status).toBe('success');
  expect((await fetchBill(test, roundpay, 'uat')).status).toBe(200);
});

it('a process with a sweeper does not start while orders are pending with such a provider; a process without one does', async () => {
  await test.db.query(
    `insert into order_due (developer_id, order_id, provider, waited_for, due_at)
     values ($1, $2, 'MOKSHIQ', true, now() + interval '1 hour')`,
    [mokshiq.id, UNKNOWN_ID],
  );
  const appWith = (workers: string) =>
    createApp(
      loadConfig({
        ...testEnvironment(test.db.url, test.simulator.url, [0, 0, 0]),
        ...WITHOUT_PROVIDERS,
        WORKERS: workers,
      }),
      createLogger('silent'),
    );
  const sweeperApp = await appWith('all');
  expect(await sweeperApp.problems()).toEqual([expect.stringMatching(/^Orders are pending with MOKSHIQ, /)]);
  await expect(sweeperApp.listen()).rejects.toThrow(
    'Orders are pending with MOKSHIQ, but this process cannot check their status',
  );
  const other = await appWith('none');
  await other.listen();
  await Promise.all([sweeperApp.close(), other.close()]);
  await test.db.query('delete from order_due where order_id = $1', [UNKNOWN_ID]);
});
