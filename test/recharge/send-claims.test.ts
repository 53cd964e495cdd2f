import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { mokshiqTools } from './mokshiq.fixture.js';

const test = useSharedApp();
const tools = mokshiqTools(test);
let developer: TestDeveloper;
const claim = StatusCheckStore.prototype.claim;
beforeEach(async () => {
  developer = await tools.mokshiqDeveloper();
  await test.simulator.reset();
});
afterEach(() => vi.restoreAllMocks());

const recharge = (): Promise<TestResponse> => tools.recharge(developer, { circle: '10', client_request_id: 'mine' });
/** Makes the order due as if its lease had expired, and runs the sweeper. */
async function sweep(): Promise<void> {
  await test.db.query('update orders set quiet_until = null where developer_id = $1', [developer.id]);
  await test.db.query('update order_due set due_at = now() where developer_id = $1', [developer.id]);
  await test.app.sweeper.sweep();
}
const ends = async (state: string, kinds: string[]): Promise<void> => {
  expect((await tools.ordersOf(developer)).map((order) => order.state)).toEqual([state]);
  expect(await tools.kindsOf(developer)).toEqual(kinds);
};
/** Simulates a crash before or after the claim, so that nothing after it happens. */
const crashAtClaim = (afterClaim: boolean) =>
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    kind,
  ) {
    if (afterClaim) await claim.call(this, order, kind);
    throw new Error('the process crashed');
  });

it('an order whose process crashed before sending is refunded although the provider has no status check', async () => {
  crashAtClaim(false);
  expect((await recharge()).body.status).toBe('pending');
  await ends('open', ['hold']);
  await sweep();
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
  expect((await recharge()).body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
  expect(await test.balance(developer, 'production')).toBe(10_000);
});

it('an order that may have been sent needs review', async () => {
  crashAtClaim(true);
  expect((await recharge()).body.status).toBe('pending');
  await sweep();
  await ends('review', ['hold']);
});

it('a slow call does not send an order that the sweeper has refunded', async () => {
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    kind,
  ) {
    await sweep();
    return claim.call(this, order, kind);
  });
  expect((await recharge()).body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
});

it('a slow call does not send an order that the sweeper is about to refund', async () => {
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    kind,
  ) {
    await claim.call(this, order, 'never send');
    return claim.call(this, order, kind);
  });
  expect((await recharge()).body.status).toBe('pending');
  await sweep();
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
});

it('an order moved to review before it was sent is refunded and not sent', async () => {
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    kind,
  ) {
    const claimed = await claim.call(this, order, kind);
    await sweep();
    return claimed;
  });
  expect((await recharge()).body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
});

it('a slow call does not send an order that the sweeper has leased but not resolved', async () => {
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    kind,
  ) {
    const claimed = await claim.call(this, order, kind);
    await test.db.query('update order_due set due_at = now() where developer_id = $1', [developer.id]);
    expect((await this.leaseDue('MOKSHIQ', 100, 1)).map(({ id }) => id)).toContain(order.id);
    return claimed;
  });
  expect((await recharge()).body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
});

it.each([
  ['failed', ['hold', 'refund'], null],
  ['success', ['hold', 'settle'], expect.any(String)],
] as const)('an order resolved as %s before it was sent is not sent', async (state, kinds, statusConflictAt) => {
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    kind,
  ) {
    const claimed = await claim.call(this, order, kind);
    await sweep();
    const key = [order.developerId, order.id, state === 'success'];
    await test.db.query(
      `select * from ledger_resolve(array[$1::uuid], array[$2::uuid], array[$3::boolean], array[''::bytea], array[''], array['resolution'],
         array['{}'::jsonb], array[null::integer])`,
      key,
    );
    return claimed;
  });
  await recharge();
  await ends(state, [...kinds]);
  expect(await tools.called()).toEqual([]);
  // a success that was never sent is marked as a status conflict
  expect(
    await test.db.query('select status_conflict_at::text from orders where developer_id = $1', [developer.id]),
  ).toEqual([{ status_conflict_at: statusConflictAt }]);
});

it('the claim is verified again before sending', async () => {
  const claimChecks = vi.spyOn(StatusCheckStore.prototype, 'isStillClaimed');
  expect((await recharge()).body.status).toBe('success');
  await ends('success', ['hold', 'settle']);
  expect(claimChecks).toHaveBeenCalledTimes(1);
  expect(await tools.called()).toEqual(['/mokshiq/create_mobile_recharge']);
});

it('a sweeper that crashes before a refund is followed by the next sweeper', async () => {
  crashAtClaim(false);
  await recharge();
  await test.db.query(`select order_claim(developer_id, id, false) from orders where developer_id = $1`, [
    developer.id,
  ]);
  await ends('open', ['hold']);
  await sweep();
  await ends('failed', ['hold', 'refund']);
});

it('a provider with a status check needs no claim', async () => {
  const claims = vi.spyOn(StatusCheckStore.prototype, 'claim');
  const other = await test.developer({ provider: 'ROUNDPAY' });
  expect((await tools.recharge(other)).body.status).toBe('success');
  expect(claims).not.toHaveBeenCalled();
});
