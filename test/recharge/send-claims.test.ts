import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import type { Answer, TestDeveloper } from '../support/app.js';
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

const recharge = (): Promise<Answer> => tools.recharge(developer, { circle: '10', client_request_id: 'mine' });
/** The sweeper finds it as if its lease had ended. */
async function sweep(): Promise<void> {
  await test.db.query('update orders set quiet_until = null where developer_id = $1', [developer.id]);
  await test.db.query('update order_due set due_at = now() where developer_id = $1', [developer.id]);
  await test.app.sweeper.sweep();
}
const ends = async (state: string, kinds: string[]): Promise<void> => {
  expect((await tools.ordersOf(developer)).map((order) => order.state)).toEqual([state]);
  expect(await tools.kindsOf(developer)).toEqual(kinds);
};
/** The process dies around the claim: whatever it was about to do next never happens. */
const diesAtClaim = (whenItHasIt: boolean) =>
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    what,
  ) {
    if (whenItHasIt) await claim.call(this, order, what);
    throw new Error('the process is gone');
  });

it('an order whose process died before it could be sent is given back, although the provider cannot be asked', async () => {
  diesAtClaim(false);
  expect((await recharge()).body.status).toBe('pending');
  await ends('open', ['hold']);
  await sweep();
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
  expect((await recharge()).body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
  expect(await test.balance(developer, 'production')).toBe(10_000);
});

it('an order that may have been sent waits for a person', async () => {
  diesAtClaim(true);
  expect((await recharge()).body.status).toBe('pending');
  await sweep();
  await ends('review', ['hold']);
});

it('what a sweeper has given back is not sent any more by the call that was slow', async () => {
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    what,
  ) {
    await sweep();
    return claim.call(this, order, what);
  });
  expect((await recharge()).body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
});

it('what a sweeper is about to give back is not sent any more', async () => {
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    what,
  ) {
    await claim.call(this, order, 'never send');
    return claim.call(this, order, what);
  });
  expect((await recharge()).body.status).toBe('pending');
  await sweep();
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
});

it('what came to a person before it was sent is not sent any more, and given back', async () => {
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    what,
  ) {
    const mine = await claim.call(this, order, what);
    await sweep();
    return mine;
  });
  expect((await recharge()).body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
});

it('what a sweeper has taken over is not sent any more, before the sweeper has decided anything', async () => {
  vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
    this: StatusCheckStore,
    order,
    what,
  ) {
    const mine = await claim.call(this, order, what);
    await test.db.query('update order_due set due_at = now() where developer_id = $1', [developer.id]);
    expect((await this.leaseDue('MOKSHIQ', 100, 1)).map(({ id }) => id)).toContain(order.id);
    return mine;
  });
  expect((await recharge()).body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
  await ends('failed', ['hold', 'refund']);
  expect(await tools.called()).toEqual([]);
});

it.each([
  ['failed', ['hold', 'refund'], null],
  ['success', ['hold', 'settle'], expect.any(String)],
] as const)(
  'what a person called %s before it was sent is not sent any more',
  async (state, kinds, statusConflictAt) => {
    vi.spyOn(StatusCheckStore.prototype, 'claim').mockImplementationOnce(async function (
      this: StatusCheckStore,
      order,
      what,
    ) {
      const mine = await claim.call(this, order, what);
      await sweep();
      const key = [order.developerId, order.id, state === 'success'];
      await test.db.query(
        `select * from ledger_resolve(array[$1::uuid], array[$2::uuid], array[$3::boolean], array[''::bytea], array[''], array['resolution'],
         array['{}'::jsonb], array[null::integer])`,
        key,
      );
      return mine;
    });
    await recharge();
    await ends(state, [...kinds]);
    expect(await tools.called()).toEqual([]);
    // a success that was never sent is for a person again
    expect(
      await test.db.query('select status_conflict_at::text from orders where developer_id = $1', [developer.id]),
    ).toEqual([{ status_conflict_at: statusConflictAt }]);
  },
);

it('a claim is looked at once more before the send', async () => {
  const looks = vi.spyOn(StatusCheckStore.prototype, 'isStillClaimed');
  expect((await recharge()).body.status).toBe('success');
  await ends('success', ['hold', 'settle']);
  expect(looks).toHaveBeenCalledTimes(1);
  expect(await tools.called()).toEqual(['/mokshiq/create_mobile_recharge']);
});

it('a sweeper that dies before it gives an order back is followed by the next one', async () => {
  diesAtClaim(false);
  await recharge();
  await test.db.query(`select order_claim(developer_id, id, false) from orders where developer_id = $1`, [
    developer.id,
  ]);
  await ends('open', ['hold']);
  await sweep();
  await ends('failed', ['hold', 'refund']);
});

it('a provider that can be asked costs no claim', async () => {
  const claims = vi.spyOn(StatusCheckStore.prototype, 'claim');
  const other = await test.developer({ provider: 'ROUNDPAY' });
  expect((await tools.recharge(other)).body.status).toBe('success');
  expect(claims).not.toHaveBeenCalled();
});
