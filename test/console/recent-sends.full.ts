import { beforeAll, describe, expect, it } from 'vitest';
import { subjectOfList } from '../../src/decisions/bulk-approval-request.js';
import { inReview, orderRow, publicId, transfersOf } from '../orders/order.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { OUTCOME, orderOf } from '../support/outcomes.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { codesOf, type Staff, useConsole } from './console.fixture.js';

const VISIBILITY_MS = 600_000;
const console = useConsole({ VISIBILITY_DELAY_MS: `${VISIBILITY_MS}`, PROVIDER_TIMEOUT_MS: '500' });
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await console.test.developer({ provider: 'MOKSHIQ', liveRupees: 100_000 });
});

const reason = 'The panel shows nothing';
const APPROVAL_REQUEST = '{ approvalRequest { id } results { orderId result code } }';
const mutate = async (actor: Staff, field: string, input: object, result: string) => {
  const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
  return console.call(console.staff[actor], `mutation($input: ${type}!) { ${field}(input: $input) ${result} }`, {
    input,
  });
};
const resolve = (orderId: string, more: object = {}) =>
  mutate('admin', 'resolveOrder', { orderId, outcome: 'FAILED', reason, ...more }, OUTCOME);
const resolveAll = async (orderIds: string[], more: object = {}) =>
  (await mutate('admin', 'resolveOrders', { orderIds, outcome: 'FAILED', reason, ...more }, APPROVAL_REQUEST)).body.data
    .resolveOrders;
const approve = (approvalRequestId: string, more: object = {}) =>
  mutate('second', 'approveApprovalRequest', { approvalRequestId, ...more }, OUTCOME);
const justNow = (rupees = 10) => inReview(console.test, developer, { rupees, justNow: true });
const longAgo = (rupees = 10) => inReview(console.test, developer, { rupees });
const kinds = (orderId: string) => transfersOf(console.test, orderId);
/** Makes this the latest time at which the order can have been sent. */
const sentBefore = (orderId: string, ms: number) =>
  console.test.db.query(`update orders set unknown_since = now() - $2 * interval '1 ms' where id = $1`, [orderId, ms]);
const resolvedBy = (orderId: string) =>
  console.test.db.query<{ after: object }>(
    `select after from audit_entry where subject = $1 and action = 'order.resolve'`,
    [`order:${orderId}`],
  );
const SENT_RECENTLY = ['SENT_RECENTLY'];

describe('an admin who resolves a payment as failed', () => {
  it('is stopped while its provider may not list it yet, even if the provider completed it', async () => {
    const { status } = (
      await place(console.test, developer, {
        account_number: '9876540002',
        client_request_id: 'silent',
        circle: 'Karnataka',
      })
    ).body;
    expect(status).toBe('pending');
    const state = async () => (await orderRow(console.test, developer, 'silent')).state;
    await until('the order needs review', async () => (await state()) === 'review');
    const { id } = await orderRow(console.test, developer, 'silent');
    const { body } = await resolve(id);
    const [{ message, extensions }] = body.errors;
    expect(extensions).toMatchObject({ code: 'SENT_RECENTLY', charged: false });
    expect(extensions.retryAfterMs).toBeGreaterThan(VISIBILITY_MS - 60_000);
    expect(extensions.retryAfterMs).toBeLessThanOrEqual(VISIBILITY_MS);
    expect(message).toMatch(/again after \d{3} seconds, or set `allowRecentSend`/);
    expect([await kinds(id), await resolvedBy(id)]).toEqual([['hold'], []]);
    expect((await console.test.simulator.book()).map(({ outcome }) => outcome)).toEqual(['succeeded']);
    expect(codesOf(await resolve(id, { outcome: 'SUCCESS' }))).toEqual([]);
    expect(await kinds(id)).toEqual(['hold', 'settle']);
  });

  it('can override the check, and the audit log records it', async () => {
    const id = await justNow();
    expect(codesOf(await resolve(id, { allowRecentSend: false }))).toEqual(SENT_RECENTLY);
    expect(orderOf((await resolve(id, { allowRecentSend: true })).body.data.resolveOrder).status).toBe('FAILED');
    expect(await kinds(id)).toEqual(['hold', 'refund']);
    expect((await resolvedBy(id))[0]!.after).toMatchObject({ state: 'failed', sentRecently: true });
  });

  it('is stopped for a period after the latest possible time of sending, and sees its end', async () => {
    const id = await justNow();
    // An old claim proves nothing: a process that was suspended sent the payment later.
    await console.test.db.query(`update orders set send_claimed_at = now() - interval '1 day' where id = $1`, [id]);
    await sentBefore(id, VISIBILITY_MS - 60_000);
    const readSentUntil = async () => {
      const query = `{ reviewOrders(first: 200) { edges { node { sentRecentlyUntil order { id } } } } }`;
      const { edges } = (await console.call(console.staff.support, query)).body.data.reviewOrders;
      return edges.find(({ node }: { node: { order: { id: string } } }) => node.order.id === publicId(id)).node
        .sentRecentlyUntil;
    };
    const leftMs = Date.parse(await readSentUntil()) - Date.now();
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(60_000);
    expect(codesOf(await resolve(id))).toEqual(SENT_RECENTLY);
    await sentBefore(id, VISIBILITY_MS + 1);
    expect(await readSentUntil()).toBeNull();
    expect(codesOf(await resolve(id))).toEqual([]);
    expect((await resolvedBy(id))[0]!.after).not.toHaveProperty('sentRecently');
  });
});

describe('two admins', () => {
  it('are both stopped: the first when requesting, the second when approving', async () => {
    const id = await justNow(6_000);
    expect(codesOf(await resolve(id))).toEqual(SENT_RECENTLY);
    expect(await console.test.db.query('select from approval_request where order_id = $1', [id])).toEqual([]);
    const { approvalRequest } = (await resolve(id, { allowRecentSend: true })).body.data.resolveOrder.outcome;
    expect(codesOf(await approve(approvalRequest.id))).toEqual(SENT_RECENTLY);
    expect(await kinds(id)).toEqual(['hold']);
    expect(
      orderOf((await approve(approvalRequest.id, { allowRecentSend: true })).body.data.approveApprovalRequest).status,
    ).toBe('FAILED');
    expect((await resolvedBy(id))[0]!.after).toMatchObject({
      sentRecently: true,
      approvalRequestId: expect.any(String),
    });
  });

  it('can continue without an override after that period', async () => {
    const id = await justNow(6_000);
    const { approvalRequest } = (await resolve(id, { allowRecentSend: true })).body.data.resolveOrder.outcome;
    await sentBefore(id, VISIBILITY_MS + 1);
    expect(codesOf(await approve(approvalRequest.id))).toEqual([]);
    expect(await kinds(id)).toEqual(['hold', 'refund']);
  });
});

describe('a list of orders', () => {
  it('rejects recently sent orders individually, or resolves them with the override', async () => {
    const [recent, old] = [await justNow(), await longAgo()];
    const { results } = await resolveAll([recent, old]);
    expect(results).toEqual([
      { orderId: publicId(recent), result: 'REJECTED', code: 'SENT_RECENTLY' },
      { orderId: publicId(old), result: 'RESOLVED', code: null },
    ]);
    expect([await kinds(recent), await kinds(old)]).toEqual([['hold'], ['hold', 'refund']]);
    expect((await resolveAll([recent], { allowRecentSend: true })).results[0].result).toBe('RESOLVED');
    expect((await resolvedBy(recent))[0]!.after).toMatchObject({ sentRecently: true });
    expect((await resolveAll([await justNow()], { outcome: 'SUCCESS' })).results[0].result).toBe('RESOLVED');
  });

  it('is not approved at all if one order is too recent, unless the provider statement lists the payment', async () => {
    const ids = [await justNow(3_000), await justNow(3_000)];
    expect((await resolveAll(ids)).approvalRequest).toBeNull();
    const { approvalRequest } = await resolveAll(ids, { allowRecentSend: true });
    await sentBefore(ids[0]!, VISIBILITY_MS + 1);
    expect(codesOf(await approve(approvalRequest.id))).toEqual(SENT_RECENTLY);
    expect(await Promise.all(ids.map(kinds))).toEqual([['hold'], ['hold']]);
    // As if `reconcile --request-approval` had found the second one.
    const at = '2026-01-01T00:00:00Z';
    const evidence = { line: 7, reference: '', status: 'failed', at, amountPaise: '300000' } as const;
    const list = ids.map((orderId, n) => ({
      orderId,
      outcome: 'failed' as const,
      evidence: n === 1 ? evidence : null,
    }));
    const key = approvalRequest.id.replace('apr_', '');
    await console.test.db.query('update approval_request_order set evidence = $1 where order_id = $2', [
      evidence,
      ids[1],
    ]);
    await console.test.db.query('update approval_request set subject = $1 where id = $2', [subjectOfList(list), key]);
    expect(codesOf(await approve(approvalRequest.id))).toEqual([]);
    expect(await Promise.all(ids.map(kinds))).toEqual([
      ['hold', 'refund'],
      ['hold', 'refund'],
    ]);
  });
});
