import { beforeAll, describe, expect, it, vi } from 'vitest';
import { inReview, publicId } from '../orders/order.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { putInStatusConflict } from '../support/orders.js';
import { place } from '../support/recharges.js';
import { fieldsOf, useConsole } from './console.fixture.js';

const service = useConsole();
const { test } = service;
let account: TestDeveloper;
let other: TestDeveloper;
let user: string;
const references = new Map<string, string>();

const ORDERS = `query($filter: ConsoleOrderFilter, $first: Int, $after: String, $last: Int, $before: String) {
  orders(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    edges { node { id clientRequestId accountNumber status } }
    pageInfo { hasNextPage endCursor }
  }
}`;

const REVERSE = `mutation($input: ReverseOrderInput!) {
  reverseOrder(input: $input) { outcome { ... on ApprovalRequestCreated { approvalRequest { id } } } } }`;
const APPROVE =
  'mutation($input: ApproveApprovalRequestInput!) { approveApprovalRequest(input: $input) { outcome { __typename } } }';

async function recharge(
  developer: TestDeveloper,
  key: string,
  more: object = {},
  headers?: Record<string, string>,
): Promise<void> {
  const response = await place(test, developer, { client_request_id: key, ...more }, 'production', headers);
  references.set(key, response.body.data?.api_request_id);
}

beforeAll(async () => {
  [account, other] = [await test.developer(), await test.developer({ provider: 'MOKSHIQ' })];
  user = await service.userOf(account.id);
  await recharge(account, 'mine 1', { account_number: '9811100001' });
  await recharge(account, 'mine 2');
  await recharge(other, 'theirs');
});

const nodes = async (token: string, variables: object): Promise<any[]> => {
  const { body } = await service.call(token, ORDERS, variables);
  if (!body.data.orders) throw new Error(JSON.stringify(body.errors));
  return body.data.orders.edges.map(({ node }: { node: object }) => node);
};
const keys = async (token: string, variables: object): Promise<string[]> =>
  (await nodes(token, variables)).map(({ clientRequestId }) => clientRequestId);

describe('orders on the console', () => {
  it('include those of all developers for staff, newest first, with masked numbers', async () => {
    const newest = await nodes(service.staff.support, { first: 3 });
    expect(newest.map(({ clientRequestId }) => clientRequestId)).toEqual(['theirs', 'mine 2', 'mine 1']);
    expect(newest[2].accountNumber).toBe('xxxxxx0001');
  });

  it("include only the account's own for a user of a developer, with full numbers", async () => {
    const own = await nodes(user, {});
    expect(own.map(({ clientRequestId, accountNumber }) => [clientRequestId, accountNumber])).toEqual([
      ['mine 2', '9876543210'],
      ['mine 1', '9811100001'],
    ]);
    expect(await keys(user, { filter: { clientRequestId: 'theirs' } })).toEqual([]);
    expect(await service.codes(user, ORDERS, { filter: { developerId: other.id } })).toEqual(['RECORD_NOT_FOUND']);
  });

  it('are found by developer, number, IDs, idempotency keys and provider', async () => {
    const { admin } = service.staff;
    const of = (filter: object) => keys(admin, { filter });
    expect(await of({ developerId: other.id })).toEqual(['theirs']);
    expect(await of({ developerId: `dev_${other.id}`, environment: 'UAT' })).toEqual([]);
    expect(await of({ accountNumber: '9811100001' })).toEqual(['mine 1']);
    expect(await of({ apiRequestId: references.get('mine 2') })).toEqual(['mine 2']);
    expect(await of({ clientRequestId: 'mine 2', developerId: account.id })).toEqual(['mine 2']);
    const from = new Date(Date.now() - 3_600_000).toISOString();
    expect(await of({ provider: 'MOKSHIQ', developerId: other.id, from })).toEqual(['theirs']);
    expect(await of({ provider: 'MOKSHIQ', developerId: account.id, from })).toEqual([]);
    expect(await of({ provider: 'MOKSHIQ', developerId: other.id })).toEqual(['theirs']);
    for (const filter of [
      { provider: 'XYZ' },
      { provider: 'EKYCHUB' },
      { provider: 'INSPAY', kind: 'RECHARGE' },
      { provider: 'MOKSHIQ', environment: 'UAT' },
    ])
      expect([filter, fieldsOf(await service.call(admin, ORDERS, { filter }))]).toEqual([filter, ['filter.provider']]);
    for (const reference of ['mine 2', references.get('mine 2')]) expect(await of({ reference })).toEqual(['mine 2']);
    for (const developerId of ['nobody', UNKNOWN_ID])
      expect(await service.codes(admin, ORDERS, { filter: { developerId } })).toEqual(['RECORD_NOT_FOUND']);
  });

  it.each([
    { reference: 'mine 2' },
    { reference: UNKNOWN_ID },
    { clientRequestId: 'mine 2' },
    { cardLast4: '3008' },
    { accountNumber: '9811100001' },
  ])('are found by %j with index scans only, for any developer', async (filter) => {
    const query = vi.spyOn(test.app.pool, 'query');
    await service.call(service.staff.admin, ORDERS, { filter });
    const [listQuery] = query.mock.calls
      .map(([statement]) => statement as unknown as { text?: string; values: unknown[] })
      .filter((statement) => statement.text?.includes('from orders where'));
    query.mockRestore();
    const client = await test.app.pool.connect();
    try {
      // Sequential scans are disabled, but a plan without a usable index still contains one.
      await client.query('set enable_seqscan = off');
      const { rows } = await client.query(`explain ${listQuery!.text}`, listQuery!.values);
      const plan = rows.map((row): string => row['QUERY PLAN']);
      // Each account has two wallets, which determine the idempotency keys to search.
      expect(plan.filter((line) => /Seq Scan on (?!wallet)/.test(line))).toEqual([]);
      // Index scans start at the first column of the index, the account.
      expect(plan.filter((line) => line.includes('client_key =') && !line.includes('developer_id ='))).toEqual([]);
    } finally {
      client.release(true);
    }
  });

  it('are filtered by state: pending, in review, final or reversed', async () => {
    const third = await test.developer();
    const otherUser = await service.userOf(third.id);
    await recharge(third, 'done');
    // The simulator never reports the outcome for this number.
    await recharge(third, 'asked', { account_number: '9876540004' }, { prefer: 'wait=0' });
    await inReview(test, third, { key: 'looked at' });
    await recharge(third, 'taken back');
    const [{ id }] = await nodes(otherUser, { filter: { clientRequestId: 'taken back' } });
    const { body } = await service.call(service.staff.admin, REVERSE, {
      input: { orderId: id, reason: 'a complaint' },
    });
    await service.call(service.staff.second, APPROVE, {
      input: { approvalRequestId: body.data.reverseOrder.outcome.approvalRequest.id },
    });
    for (const [token, of] of [
      [otherUser, {}],
      [service.staff.admin, { developerId: third.id }],
    ] as const) {
      const inState = (...status: string[]) => keys(token, { filter: { ...of, status } });
      expect(await inState('PENDING')).toEqual(['looked at', 'asked']);
      expect(await inState('REVERSED')).toEqual(['taken back']);
      expect(await inState('REVERSED', 'PENDING')).toEqual(['taken back', 'looked at', 'asked']);
      expect(await inState('REVERSED', 'SUCCESS')).toEqual(['taken back', 'done']);
    }
    // Without a developer, the filter applies to all orders, and these are the newest.
    expect(await keys(service.staff.admin, { first: 2, filter: { status: ['PENDING'] } })).toEqual([
      'looked at',
      'asked',
    ]);
  });

  it('are paginated', async () => {
    const { body } = await service.call(user, ORDERS, { first: 1 });
    const { pageInfo } = body.data.orders;
    expect(pageInfo.hasNextPage).toBe(true);
    expect(await keys(user, { first: 1, after: pageInfo.endCursor })).toEqual(['mine 1']);
    expect(await keys(user, { last: 1 })).toEqual(['mine 1']);
  });

  it('of several developers are paginated separately in one request', async () => {
    const { body } = await service.call(
      service.staff.support,
      `query($one: ID!, $other: ID!, $first: Int) {
        one: developer(id: $one) { orders(first: $first, filter: { reference: "mine 1" }) { edges { node { clientRequestId } } } newest: orders(first: 1) { edges { node { clientRequestId } } pageInfo { hasNextPage } } }
        other: developer(id: $other) { orders(first: $first, filter: { reference: "mine 1" }) { edges { node { clientRequestId } } } newest: orders(first: 1) { edges { node { clientRequestId } } pageInfo { hasNextPage } } }
      }`,
      { one: account.id, other: other.id, first: 5 },
    );
    const edge = (clientRequestId: string) => ({ node: { clientRequestId } });
    expect(body.data).toEqual({
      one: {
        orders: { edges: [edge('mine 1')] },
        newest: { edges: [edge('mine 2')], pageInfo: { hasNextPage: true } },
      },
      other: { orders: { edges: [] }, newest: { edges: [edge('theirs')], pageInfo: { hasNextPage: false } } },
    });
  });

  it('include their developer', async () => {
    const { body } = await service.call(
      service.staff.support,
      `query($id: ID!) { developer(id: $id) { orders(first: 1) { edges { node { clientRequestId } } } } }`,
      { id: account.id },
    );
    expect(body.data.developer.orders.edges).toEqual([{ node: { clientRequestId: 'mine 2' } }]);
  });
});

describe('one order', () => {
  const ORDER = 'query($id: ID, $ref: String) { order(id: $id, apiRequestId: $ref) { clientRequestId accountNumber } }';

  it('is found by its ID and by the request ID', async () => {
    const [{ id }] = await nodes(user, { filter: { clientRequestId: 'mine 1' } });
    for (const variables of [{ id }, { id: id.replace('ord_', '') }, { ref: references.get('mine 1') }]) {
      const { body } = await service.call(service.staff.support, ORDER, variables);
      expect(body.data.order).toEqual({ clientRequestId: 'mine 1', accountNumber: 'xxxxxx0001' });
    }
  });

  const OWNER = 'query($id: ID!) { order(id: $id) { environment developer { id name } } }';
  const FOR_STAFF = 'query($id: ID!) { order(id: $id) { provider actions } }';
  const forStaff = async (id: string) => (await service.call(service.staff.support, FOR_STAFF, { id })).body.data.order;
  const idOf = async (key: string): Promise<string> =>
    (await nodes(service.staff.admin, { filter: { clientRequestId: key } }))[0].id;

  it('includes its developer and whether it moves real money', async () => {
    const id = await idOf('theirs');
    const { body } = await service.call(service.staff.support, OWNER, { id });
    expect(body.data.order).toEqual({
      environment: 'PRODUCTION',
      developer: { id: `dev_${other.id}`, name: expect.any(String) },
    });
    const { body: own } = await service.call(user, OWNER, { id: await idOf('mine 1') });
    expect(own.data.order.developer.id).toBe(`dev_${account.id}`);
    const { body: list } = await service.call(
      service.staff.support,
      'query($ids: ConsoleOrderFilter) { orders(filter: $ids, first: 1) { edges { node { environment } } } }',
      { ids: { environment: 'UAT', developerId: account.id } },
    );
    expect(list.data.orders.edges).toEqual([]);
  });

  it('shows its provider and its allowed actions to staff only', async () => {
    await recharge(account, 'declined', { account_number: '9876540001' });
    const waiting = await inReview(test, account, { key: 'waits', environment: 'production' });
    expect(await forStaff(await idOf('mine 1'))).toEqual({
      provider: 'ROUNDPAY',
      actions: ['CHECK_STATUS', 'REVERSE'],
    });
    // MOKSHIQ has no status check.
    expect(await forStaff(await idOf('theirs'))).toEqual({ provider: 'MOKSHIQ', actions: ['REVERSE'] });
    expect(await forStaff(await idOf('declined'))).toMatchObject({ actions: ['CHECK_STATUS', 'REVERSE_REFUND'] });
    expect(await forStaff(publicId(waiting))).toEqual({ provider: 'MOKSHIQ', actions: ['RESOLVE'] });
    await service.call(
      service.staff.admin,
      'mutation($id: ID!) { resolveOrder(input: { orderId: $id, outcome: FAILED, reason: "x" }) { outcome { __typename } } }',
      { id: waiting },
    );
    const declined = { declineReason: ['UNSPECIFIED'], developerId: account.id };
    expect(await keys(service.staff.admin, { filter: declined })).toContain('waits');
    await putInStatusConflict(test.db, [waiting]);
    expect(await forStaff(publicId(waiting))).toMatchObject({ actions: ['RESOLVE', 'REVERSE_REFUND'] });
    expect(await service.codes(user, FOR_STAFF, { id: await idOf('mine 1') })).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  });

  it('allows exactly the actions that the mutations accept', async () => {
    const ids = await Promise.all(['mine 2', 'theirs', 'declined', 'waits'].map(idOf));
    const tried = {
      CHECK_STATUS: 'checkOrderStatus(input: { orderId: $id }) { order { id } }',
      REVERSE: 'reverseOrder(input: { orderId: $id, reason: "x" }) { outcome { __typename } }',
      REVERSE_REFUND: 'reverseRefund(input: { orderId: $id, reason: "x" }) { outcome { __typename } }',
    };
    for (const id of ids) {
      const { actions } = await forStaff(id);
      for (const [action, call] of Object.entries(tried))
        expect([action, await service.codes(service.staff.admin, `mutation($id: ID!) { ${call} }`, { id })]).toEqual([
          action,
          actions.includes(action) ? [] : ['CONFLICT'],
        ]);
    }
  });

  it('of another account is not found', async () => {
    for (const variables of [{ ref: references.get('theirs') }, { id: UNKNOWN_ID }, { ref: 'none' }])
      expect(await service.codes(user, ORDER, variables)).toEqual(['RECORD_NOT_FOUND']);
    expect(await service.codes(user, ORDER, {})).toEqual(['VALIDATION_FAILED']);
  });
});
