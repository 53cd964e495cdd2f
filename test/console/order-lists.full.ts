import { beforeAll, describe, expect, it } from 'vitest';
import { inReview, publicId, transfersOf } from '../orders/order.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { putInStatusConflict } from '../support/orders.js';
import { OUTCOME } from '../support/outcomes.js';
import { codesOf, fieldsOf, type Staff, useOwnConsole } from './console.fixture.js';

const console = useOwnConsole();
let developer: TestDeveloper;
let other: TestDeveloper;
beforeAll(async () => {
  developer = await console.test.developer({ liveRupees: 100_000 });
  other = await console.test.developer({ liveRupees: 100_000 });
});

const APPROVAL_REQUEST =
  'approvalRequest { id action reference amount reason order { id } orders { orderId outcome amount } }';
const LIST = `mutation($input: ResolveOrdersInput!) { resolveOrders(input: $input) { replayed results { orderId result code } ${APPROVAL_REQUEST} } }`;
const APPROVE = `mutation($id: ID!) { approveApprovalRequest(input: {approvalRequestId: $id}) ${OUTCOME} }`;
const UNKNOWN = '01990000-0000-7000-8000-000000000000';
const reason = 'Statement of the provider';

const resolve = (actor: Staff, orderIds: string[], outcome = 'FAILED') =>
  console.call(console.staff[actor], LIST, { input: { orderIds, outcome, reason } });
const approve = (actor: Staff, id: string) => console.call(console.staff[actor], APPROVE, { id });
const resolved = (orderId: string) => ({ orderId: publicId(orderId), result: 'RESOLVED', code: null });
const requested = (orderId: string) => ({ orderId: publicId(orderId), result: 'APPROVAL_REQUESTED', code: null });
const rejectionOf = (orderId: string, code = 'CONFLICT') => ({ orderId: publicId(orderId), result: 'REJECTED', code });
const order = (rupees: number, more: object = {}) => inReview(console.test, developer, { rupees, ...more });
const kinds = async (...ids: string[]) => Promise.all(ids.map((id) => transfersOf(console.test, id)));
/** Resolves a single order. */
const single = (actor: Staff, orderId: string, outcome: string) =>
  console.call(
    console.staff[actor],
    `mutation($input: ResolveOrderInput!) { resolveOrder(input: $input) ${OUTCOME} }`,
    {
      input: { orderId, outcome, reason },
    },
  );

describe('resolving a list of orders', () => {
  it('needs one admin up to the total limit, and handles each order separately', async () => {
    const balanceBefore = await console.test.balance(developer, 'production');
    const [first, second, conflicting, opposite] = [await order(10), await order(20), await order(30), await order(40)];
    const play = await order(9_000, { environment: 'uat' });
    const otherOrder = await inReview(console.test, other, { rupees: 15 });
    for (const id of [conflicting, opposite]) await single('admin', id, id === opposite ? 'SUCCESS' : 'FAILED');
    await putInStatusConflict(console.test.db, [conflicting, opposite]);

    const list = [second, UNKNOWN, publicId(first), conflicting, opposite, play, publicId(otherOrder), 'none'];
    const { body } = await resolve('admin', list);
    expect(body.data.resolveOrders).toEqual({
      replayed: false,
      approvalRequest: null,
      results: [
        resolved(second),
        rejectionOf(UNKNOWN, 'RECORD_NOT_FOUND'),
        resolved(first),
        resolved(conflicting),
        rejectionOf(opposite),
        resolved(play),
        resolved(otherOrder),
        rejectionOf('none', 'RECORD_NOT_FOUND'),
      ],
    });
    expect(await kinds(first, second, conflicting, play, otherOrder)).toEqual(
      Array.from({ length: 5 }, () => ['hold', 'refund']),
    );
    expect(await console.test.balance(developer, 'production')).toBe(balanceBefore - 40);
    const auditLog = await console.test.db.query<{ action: string; reason: string; after: object }>(
      'select action, reason, after from audit_entry where subject = any($1) order by audit_entry.id',
      [[first, second].map((id) => `order:${id}`)],
    );
    const entry = (amountPaise: string) => ({
      action: 'order.resolve',
      reason,
      after: { state: 'failed', amountPaise },
    });
    expect(auditLog.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual([
      entry('1000'),
      entry('2000'),
    ]);
    expect((await resolve('admin', [first, second])).body.data.resolveOrders.results).toEqual([
      rejectionOf(first),
      rejectionOf(second),
    ]);
  });

  it('creates one approval request above the limit, and reports orders that were resolved before its approval', async () => {
    const [first, second, third] = [await order(2_000), await order(2_000), await order(1_000.01)];
    const play = await order(50, { environment: 'uat' });
    const list = (await resolve('admin', [first, second, play, third], 'SUCCESS')).body.data.resolveOrders;
    expect(list.results).toEqual([requested(first), requested(second), resolved(play), requested(third)]);
    expect(list.approvalRequest).toMatchObject({
      action: 'RESOLVE_MANY',
      reference: '3 orders',
      amount: 5_000.01,
      reason,
      order: null,
      orders: [
        { orderId: publicId(first), outcome: 'SUCCESS', amount: 2_000 },
        { orderId: publicId(second), outcome: 'SUCCESS', amount: 2_000 },
        { orderId: publicId(third), outcome: 'SUCCESS', amount: 1_000.01 },
      ],
    });
    expect(await kinds(first, second, third)).toEqual(Array.from({ length: 3 }, () => ['hold']));
    const retry = (await resolve('second', [third, second, first], 'SUCCESS')).body.data.resolveOrders;
    expect(retry).toMatchObject({ replayed: true, approvalRequest: { id: list.approvalRequest.id } });
    const { body } = await console.call(
      console.staff.support,
      '{ reviewOrders(filter: {minAmount: 1000.01, maxAmount: 1000.01}) { edges { node { approvalRequest { id } } } } }',
    );
    expect(body.data.reviewOrders.edges).toEqual([{ node: { approvalRequest: { id: list.approvalRequest.id } } }]);

    for (const actor of ['admin', 'support'] as const)
      expect(codesOf(await approve(actor, list.approvalRequest.id))).toEqual(['FORBIDDEN']);
    await single('admin', second, 'FAILED');
    expect((await approve('second', list.approvalRequest.id)).body.data.approveApprovalRequest.outcome).toMatchObject({
      approvalRequest: { id: list.approvalRequest.id },
      results: [resolved(first), rejectionOf(second), resolved(third)],
    });
    expect(await kinds(first, second, third)).toEqual([
      ['hold', 'settle'],
      ['hold', 'refund'],
      ['hold', 'settle'],
    ]);
    expect(codesOf(await approve('second', list.approvalRequest.id))).toEqual(['CONFLICT']);
    const [entry] = await console.test.db.query<{ after: object }>(
      `select after from audit_entry where subject = $1 and action = 'order.resolve'`,
      [`order:${first}`],
    );
    const approvalRequestId = list.approvalRequest.id.replace('apr_', '');
    expect(entry!.after).toMatchObject({ approvalRequestId, requestedBy: expect.stringMatching(/^user:/) });
  });

  it('replaces pending approval requests for single orders of the list', async () => {
    const id = await order(6_000);
    const earlierRequest = (await single('admin', id, 'SUCCESS')).body.data.resolveOrder.outcome.approvalRequest;
    const list = (await resolve('second', [id])).body.data.resolveOrders;
    expect(codesOf(await approve('second', earlierRequest.id))).toEqual(['CONFLICT']);
    expect((await approve('admin', list.approvalRequest.id)).body.data.approveApprovalRequest.outcome.results).toEqual([
      resolved(id),
    ]);
    expect(await kinds(id)).toEqual([['hold', 'refund']]);
  });

  it('applies exactly the list that the requester saw, or nothing', async () => {
    const [ownOrder, addedOrder] = [await order(6_000), await order(6_000)];
    const { approvalRequest } = (await resolve('admin', [ownOrder])).body.data.resolveOrders;
    const added = `insert into approval_request_order (approval_request_id, order_id, outcome) values ($1, $2, 'failed')`;
    await console.test.db.query(added, [approvalRequest.id.replace('apr_', ''), addedOrder]);
    expect(codesOf(await approve('second', approvalRequest.id))).toEqual(['CONFLICT']);
    expect(await kinds(ownOrder, addedOrder)).toEqual([['hold'], ['hold']]);
  });

  it('fails with a conflict if all its orders were resolved in the meantime', async () => {
    const ids = [await order(3_000), await order(3_000)];
    const { approvalRequest } = (await resolve('admin', ids)).body.data.resolveOrders;
    for (const id of ids) await single('second', id, 'SUCCESS');
    expect(codesOf(await approve('second', approvalRequest.id))).toEqual(['CONFLICT']);
  });

  it('happens once for simultaneous overlapping lists, single orders and an approval request', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await inReview(console.test, n % 2 ? developer : other, { rupees: 1_000 }));
    const { approvalRequest } = (await resolve('admin', ids)).body.data.resolveOrders;
    const responses = await Promise.all([
      resolve('admin', ids.slice(0, 4), 'SUCCESS'),
      approve('second', approvalRequest.id),
      resolve('second', ids.slice(2).toReversed()),
      ...ids.map((id) => single('admin', id, 'SUCCESS')),
    ]);
    expect(responses.flatMap(codesOf).filter((code) => code !== 'CONFLICT')).toEqual([]);
    for (const moved of await kinds(...ids)) expect([...moved, '']).toHaveLength(3);
  });

  it.each([
    ['an empty list', []],
    ['201 orders', Array.from({ length: 201 }, (_, n) => `order ${n}`)],
    ['an order twice', [UNKNOWN, UNKNOWN]],
  ])('rejects %s and names the path', async (_name, orderIds) => {
    const response = await resolve('admin', orderIds);
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.orderIds']]);
  });
});
