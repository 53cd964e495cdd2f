import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, referenceOf } from '../../src/core/ids.js';
import { paise } from '../../src/core/money.js';
import type { TestDeveloper } from '../support/app.js';
import { auditProblems } from '../support/audit.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { backdateSend, putInStatusConflict } from '../support/orders.js';
import { OUTCOME, orderOf } from '../support/outcomes.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import {
  callBack,
  eventsOf,
  orderRow,
  publicId,
  sentReference,
  signedIn,
  transfersOf,
  inReview as unread,
} from './order.fixture.js';

/** Mokshiq has no status check, so an unknown outcome needs review immediately. The simulator returns HTML for this number. */
const UNKNOWN = '9876540007';

const test = useSharedApp();
let developer: TestDeveloper;
let admin: string;
let second: string;
let support: string;

beforeAll(async () => {
  developer = await test.developer({ provider: 'MOKSHIQ', liveRupees: 60_000, rateLimitPerMinute: 1_000 });
  admin = await signedIn(test, 'admin');
  second = await signedIn(test, 'admin');
  support = await signedIn(test, 'support');
});
afterAll(async () => {
  expect(await auditProblems(test.app.pool)).toEqual([]);
});

const recharge = (key: string, amount = 10) =>
  place(test, developer, { account_number: UNKNOWN, client_request_id: key, circle: 'Karnataka', amount });
/** ID of a new order in review that was sent long ago. */
async function inReview(key: string, amount = 10): Promise<string> {
  expect((await recharge(key, amount)).body.status).toBe('pending');
  const { id, state } = await orderRow(test, developer, key);
  expect(state).toBe('review');
  await backdateSend(test.db, id);
  return id;
}

/** An order that was just placed. */
async function pendingOrder(): Promise<string> {
  const id = newId();
  await test.app.ledger.hold({
    developerId: developer.id,
    environment: 'production',
    operation: 'recharge',
    id,
    reference: referenceOf(id),
    clientKey: null,
    fingerprint: Buffer.alloc(32),
    amountPaise: paise(100),
    provider: 'ROUNDPAY',
    request: Buffer.alloc(1),
    accountHash: Buffer.alloc(32),
    leaseMs: 600_000,
  });
  return id;
}

const QUEUE = `query($first: Int!, $after: String) { reviewOrders(first: $first, after: $after) { pageInfo { hasNextPage endCursor } edges { node {
  developerId developerName environment provider inReviewSince requiresApproval approvalRequest { action resolution requestedBy { name } reason }
  order { id status amount clientRequestId accountNumber timeline { kind detail } } } } } }`;
const RESOLVE = `mutation($id: ID!, $outcome: Resolution!, $reason: String!) {
  resolveOrder(input: {orderId: $id, outcome: $outcome, reason: $reason}) ${OUTCOME} }`;
const APPROVE = `mutation($id: ID!) { approveApprovalRequest(input: {approvalRequestId: $id, reason: "second"}) ${OUTCOME} }`;

const queue = async (token = support, first = 200, after?: string) =>
  (await test.graphql('console', token, QUEUE, { first, after })).body.data.reviewOrders;
const entry = async (id: string) =>
  (await queue()).edges
    .map(({ node }: { node: { order: { id: string } } }) => node)
    .find((node: { order: { id: string } }) => node.order.id === publicId(id));
/** Status of the order after the call, or the error code. */
async function resolve(
  token: string,
  id: string,
  outcome = 'SUCCESS',
  reason = 'Statement of the provider, line 7',
): Promise<string> {
  const { body } = await test.graphql('console', token, RESOLVE, { id, outcome, reason });
  return body.errors?.[0].extensions.code ?? orderOf(body.data.resolveOrder).status;
}
/** Approves the pending request of an order and returns the order status or the error code. */
async function approve(token: string, id: string): Promise<string> {
  const [approvalRequest] = await test.db.query<{ id: string }>(
    'select id from approval_request where order_id = $1 order by approval_request.id desc limit 1',
    [id],
  );
  const { body } = await test.graphql('console', token, APPROVE, { id: approvalRequest!.id });
  return body.errors?.[0].extensions.code ?? orderOf(body.data.approveApprovalRequest).status;
}
const audited = async (id: string) =>
  test.db.query<{ action: string; after: object; reason: string; actor: string }>(
    `select action, after, reason, actor from audit_entry where subject = $1 order by id`,
    [`order:${id}`],
  );

describe('the review queue', () => {
  it('shows unresolved orders with their evidence and masked numbers', async () => {
    const id = await inReview('evidence');
    expect(await entry(id)).toMatchObject({
      developerId: `dev_${developer.id}`,
      developerName: expect.stringMatching(/^Developer \d+$/),
      environment: 'PRODUCTION',
      provider: 'MOKSHIQ',
      requiresApproval: false,
      approvalRequest: null,
      order: {
        status: 'PENDING',
        amount: 10,
        clientRequestId: 'evidence',
        accountNumber: 'xxxxxx0007',
      },
    });
    const { order, inReviewSince } = await entry(id);
    expect(Date.now() - Date.parse(inReviewSince)).toBeLessThan(60_000);
    expect(order.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['HOLD', 'SEND', 'RESPONSE', 'REVIEW']);
    expect(order.timeline[2].detail).toMatch(/^response is not JSON, HTTP 500|^HTTP error, HTTP 500/);
  });

  it('is paginated, oldest first', async () => {
    for (const key of ['page 1', 'page 2', 'page 3']) await inReview(key);
    const all = (await queue()).edges.map(({ node }: { node: { order: { id: string } } }) => node.order.id);
    const paged: string[] = [];
    for (let after: string | undefined; ; ) {
      const { edges, pageInfo } = await queue(support, 2, after);
      paged.push(...edges.map(({ node }: { node: { order: { id: string } } }) => node.order.id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(paged).toEqual(all);
    expect(all).toEqual(all.toSorted());
  });

  it.each([
    ['a page size of 0', { first: 0 }],
    ['a page size of 201', { first: 201 }],
    ['a cursor of another list', { first: 1, after: 'aw' }],
  ])('rejects %s', async (_case, variables) => {
    const { body } = await test.graphql('console', admin, QUEUE, variables);
    expect(body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
  });

  it('is visible only to administrators and support, and only administrators can resolve orders', async () => {
    const id = await inReview('closed');
    const user = await signedIn(test, 'developer', developer);
    const code = async (token: string | undefined, query: string, variables: object) =>
      (await test.graphql('console', token, query, variables)).body.errors?.[0].extensions.code;
    const resolution = { id, outcome: 'FAILED', reason: 'mine' };
    expect(await code(undefined, QUEUE, { first: 1 })).toBe('UNAUTHENTICATED');
    expect(await code(user, QUEUE, { first: 1 })).toBe('FORBIDDEN');
    for (const token of [user, support]) expect(await code(token, RESOLVE, resolution)).toBe('FORBIDDEN');
    expect(await code(undefined, RESOLVE, resolution)).toBe('UNAUTHENTICATED');
    for (const query of [QUEUE, RESOLVE]) {
      const { body } = await test.graphql('uat', developer.tokens.uat, query, { first: 1, ...resolution });
      expect(body.errors[0].extensions.code).toBe('INVALID_DOCUMENT');
    }
    expect((await orderRow(test, developer, 'closed')).state).toBe('review');
  });
});

describe('a resolution', () => {
  it('as failed refunds the money once and sets the replayed response', async () => {
    const balance = await test.balance(developer, 'production');
    const id = await inReview('not performed');
    expect(await resolve(admin, id, 'FAILED')).toBe('FAILED');
    expect(await test.balance(developer, 'production')).toBe(balance);
    expect(await transfersOf(test, id)).toEqual(['hold', 'refund']);
    expect(await eventsOf(test, id)).toEqual(['response', 'review', 'resolution']);
    expect((await recharge('not performed')).body).toMatchObject({ status: 'failed', code: 'PROVIDER_DECLINED' });
    expect(await entry(id)).toBeUndefined();
    expect(await audited(id)).toEqual([
      {
        action: 'order.resolve',
        after: { state: 'failed', amountPaise: '1000' },
        reason: 'Statement of the provider, line 7',
        actor: expect.stringMatching(/^user:[0-9a-f-]{36}$/),
      },
    ]);
  });

  it('as successful makes the debit final and fills in all keys of the response', async () => {
    const id = await inReview('performed');
    expect(await resolve(admin, id, 'SUCCESS')).toBe('SUCCESS');
    expect(await transfersOf(test, id)).toEqual(['hold', 'settle']);
    const { status, body } = await recharge('performed');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ operator_ref: '', provider_txn_id: '', account_number: UNKNOWN });
  });

  it('keeps the transaction ID of a status check, so that no other transaction proves a reversal', async () => {
    const id = await inReview('known transaction');
    await test.db.query(`select order_unknown($1, $2, null, 0, true, true, false, 'MQ77', 'status_check', '{}')`, [
      developer.id,
      id,
    ]);
    expect(await resolve(admin, id)).toBe('SUCCESS');
    expect((await recharge('known transaction')).body.data.provider_txn_id).toBe('MQ77');
    // later status checks are compared with it
    expect(await test.db.query('select state, provider_txn_id from orders where id = $1', [id])).toEqual([
      { state: 'success', provider_txn_id: 'MQ77' },
    ]);
  });

  it.each([
    [
      'of a resolved order',
      async () => {
        const id = await inReview('twice');
        await resolve(admin, id, 'FAILED');
        return id;
      },
      'CONFLICT',
    ],
    [
      'of a successful order',
      async () => {
        await place(test, developer, { client_request_id: 'fine', circle: '52' });
        return (await orderRow(test, developer, 'fine')).id;
      },
      'CONFLICT',
    ],
    ['of an order in progress', pendingOrder, 'CONFLICT'],
    ['of an unknown order', async () => '01990000-0000-7000-8000-000000000000', 'RECORD_NOT_FOUND'],
    ['of an invalid order ID', async () => "'; drop table orders", 'RECORD_NOT_FOUND'],
  ])('%s is rejected', async (_case, make, code) => {
    const id = await make();
    expect(await resolve(admin, id, 'SUCCESS')).toBe(code);
    expect(await resolve(admin, id, 'FAILED')).toBe(code);
  });

  it.each([
    ['no reason', '  '],
    ['a reason of 501 characters', 'x'.repeat(501)],
  ])('with %s is rejected', async (_case, reason) => {
    const { id } = await orderRow(test, developer, 'evidence');
    expect(await resolve(admin, id, 'SUCCESS', reason)).toBe('VALIDATION_FAILED');
  });

  it('of an order whose status is still checked is rejected with the time when manual review begins', async () => {
    const other = await test.developer({ rateLimitPerMinute: 1_000 });
    await place(test, other, { account_number: '9876540004', client_request_id: 'too early' });
    const { id } = await orderRow(test, other, 'too early');
    const { body } = await test.graphql('console', admin, RESOLVE, { id, outcome: 'FAILED', reason: 'I think so' });
    const READ = 'query($id: ID!) { order(id: $id) { status reviewAt } }';
    const order = (await test.graphql('console', admin, READ, { id: publicId(id) })).body.data.order;
    expect(order.status).toBe('PENDING');
    expect(body.errors[0].extensions.code).toBe('CONFLICT');
    expect(body.errors[0].message).toContain(`Manual review begins at ${order.reviewAt} at the earliest`);
    const sending = await pendingOrder();
    const early = await test.graphql('console', admin, RESOLVE, {
      id: sending,
      outcome: 'FAILED',
      reason: 'I think so',
    });
    expect(early.body.errors[0]).toMatchObject({
      message: expect.stringContaining('Manual review begins at'),
      extensions: { code: 'CONFLICT' },
    });
  });

  it('by two administrators at the same time is applied once', async () => {
    const id = await inReview('race');
    const responses = await Promise.all([
      ...Array.from({ length: 4 }, () => resolve(admin, id, 'FAILED')),
      ...Array.from({ length: 4 }, () => resolve(second, id, 'SUCCESS')),
    ]);
    expect(responses.filter((response) => response === 'CONFLICT')).toHaveLength(7);
    expect(await transfersOf(test, id)).toHaveLength(2);
    expect(await audited(id)).toHaveLength(1);
  });

  it('moves no money if it cannot be audited', async () => {
    const id = await inReview('not audited');
    await test.db.query('revoke insert on audit_entry from gateway_app');
    try {
      expect(await resolve(admin, id, 'FAILED')).toBe('INTERNAL');
    } finally {
      await test.db.query('grant insert on audit_entry to gateway_app');
    }
    expect((await orderRow(test, developer, 'not audited')).state).toBe('review');
    expect(await transfersOf(test, id)).toEqual(['hold']);
    expect(await eventsOf(test, id)).toEqual(['response', 'review']);
  });
});

describe('the filtered queue', () => {
  const PART = `query($filter: ReviewFilter, $first: Int, $after: String) { reviewOrders(filter: $filter, first: $first, after: $after) {
    totalCount totals { provider count amount } pageInfo { hasNextPage endCursor } edges { node { order { id } } } } }`;
  interface Part {
    ids: string[];
    totalCount: number;
    totals: { provider: string; count: number; amount: number }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  }
  const part = async (filter: object, first?: number, after?: string | null): Promise<Part> => {
    const { body } = await test.graphql('console', support, PART, { filter, first, after });
    expect(body.errors).toBeUndefined();
    const { edges, ...rest } = body.data.reviewOrders;
    return { ...rest, ids: edges.map(({ node }: { node: { order: { id: string } } }) => node.order.id) };
  };
  const [small, middle, great] = [61.5, 62, 63];
  const between = (minAmount: number, maxAmount: number, more: object = {}) => ({ minAmount, maxAmount, ...more });
  let ids: string[];
  let other: string;
  /** IDs as shown in the queue. */
  let publicIds: string[];
  let otherPublicId: string;
  beforeAll(async () => {
    ids = [];
    for (const rupees of [small, middle, great]) ids.push(await unread(test, developer, { rupees }));
    other = await unread(test, developer, { rupees: great });
    await test.db.query(`update orders set provider = 'ROUNDPAY' where id = $1`, [other]);
    publicIds = ids.map(publicId);
    otherPublicId = publicId(other);
  });

  it('filters by provider, account, environment, amount and age, and totals all its pages', async () => {
    const all = [...publicIds, otherPublicId];
    const mokshiq = { provider: 'MOKSHIQ', count: 3, amount: small + middle + great };
    const roundpay = { provider: 'ROUNDPAY', count: 1, amount: great };
    expect(await part(between(small, great))).toMatchObject({ ids: all, totals: [mokshiq, roundpay] });
    expect(await part(between(small, great), 1)).toMatchObject({
      ids: [all[0]],
      totalCount: 4,
      totals: [mokshiq, roundpay],
    });
    const found = async (filter: object) => (await part(between(small, great, filter))).ids;
    expect(await found({ provider: 'MOKSHIQ' })).toEqual(publicIds);
    expect(await found({ developerId: developer.id, environment: 'PRODUCTION', conflicting: false })).toEqual(all);
    for (const noMatch of [{ environment: 'UAT' }, { conflicting: true }, { provider: 'INSPAY' }])
      expect(await part(between(small, great, noMatch))).toMatchObject({ ids: [], totalCount: 0, totals: [] });
    expect((await part(between(middle, middle))).ids).toEqual([publicIds[1]]);
    expect((await part({ orderId: publicIds[1] })).ids).toEqual([publicIds[1]]);
    expect(await part({ orderId: UNKNOWN_ID })).toMatchObject({ ids: [], totalCount: 0 });
    await test.db.query(`update orders set created_at = now() - interval '2 days' where id = $1`, [ids[2]]);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    expect(await found({ olderThan: yesterday })).toEqual([publicIds[2]]);
  });

  it('has stable pages while earlier orders are resolved', async () => {
    const first = await part(between(small, great), 2);
    expect(first).toMatchObject({ ids: [publicIds[0], publicIds[1]], pageInfo: { hasNextPage: true } });
    expect(await resolve(admin, ids[0]!, 'FAILED')).toBe('FAILED');
    const next = await part(between(small, great), 2, first.pageInfo.endCursor);
    expect(next).toMatchObject({ ids: [publicIds[2], otherPublicId], pageInfo: { hasNextPage: false } });
  });

  it('contains final orders with a conflicting provider status', async () => {
    await putInStatusConflict(test.db, [ids[0]!]);
    expect((await part(between(small, great, { conflicting: true }))).ids).toEqual([publicIds[0]]);
    expect((await part(between(small, great, { conflicting: false }))).ids).not.toContain(publicIds[0]);
    await putInStatusConflict(test.db, [ids[0]!], false);
  });

  it.each([
    ['an invalid developer ID', { developerId: 'me' }, 'RECORD_NOT_FOUND'],
    ['an invalid order ID', { orderId: 'it' }, 'RECORD_NOT_FOUND'],
    ['an unknown developer', { developerId: UNKNOWN_ID }, 'RECORD_NOT_FOUND'],
    ['an invalid amount', { minAmount: 1.234 }, 'VALIDATION_FAILED'],
    ['an invalid time', { olderThan: 'yesterday' }, 'VALIDATION_FAILED'],
  ])('is rejected for %s', async (_name, filter, code) => {
    const { body } = await test.graphql('console', support, PART, { filter });
    expect(body.errors[0].extensions.code).toBe(code);
  });
});

describe('a resolution above the limit', () => {
  it('is an approval request that another administrator approves', async () => {
    const balance = await test.balance(developer, 'production');
    const id = await inReview('much', 5_000.01);
    expect((await entry(id)).requiresApproval).toBe(true);
    expect(await resolve(admin, id, 'FAILED', 'first')).toBe('PENDING');
    expect(await resolve(second, id, 'FAILED', 'first again')).toBe('PENDING');
    expect(await approve(admin, id)).toBe('FORBIDDEN');
    expect(await approve(support, id)).toBe('FORBIDDEN');
    expect(await transfersOf(test, id)).toEqual(['hold']);
    expect((await entry(id)).approvalRequest).toEqual({
      action: 'RESOLVE',
      resolution: 'FAILED',
      requestedBy: { name: expect.stringMatching(/^User/) },
      reason: 'first',
    });
    expect(await approve(second, id)).toBe('FAILED');
    expect(await approve(second, id)).toBe('CONFLICT');
    expect(await test.balance(developer, 'production')).toBe(balance);
    const auditLog = await audited(id);
    expect(auditLog.map(({ action, reason }) => [action, reason])).toEqual([
      ['approval_request.create', 'first'],
      ['order.resolve', 'second'],
    ]);
    expect(auditLog[1]!.after).toMatchObject({ state: 'failed', requestedBy: auditLog[0]!.actor });
  });

  it('is replaced by a new request when another administrator requests the opposite', async () => {
    const id = await inReview('opposite', 6_000);
    expect(await resolve(admin, id, 'SUCCESS')).toBe('PENDING');
    expect(await resolve(second, id, 'FAILED')).toBe('PENDING');
    expect((await entry(id)).approvalRequest.resolution).toBe('FAILED');
    expect(await approve(second, id)).toBe('FORBIDDEN');
    expect(await approve(admin, id)).toBe('FAILED');
    expect(await transfersOf(test, id)).toEqual(['hold', 'refund']);
    const [previous] = await test.db.query(
      `select final_state from approval_request where order_id = $1 and action = 'order.settle'`,
      [id],
    );
    expect(previous).toEqual({ final_state: 'rejected' });
  });

  it('needs one administrator at exactly the limit', async () => {
    expect(await resolve(admin, await inReview('at the limit', 5_000), 'FAILED')).toBe('FAILED');
  });

  it('is requested and approved once by simultaneous administrators', async () => {
    const id = await inReview('much at once', 7_000);
    const requested = await Promise.all([admin, second, admin, second].map((token) => resolve(token, id, 'FAILED')));
    expect(requested).toEqual(Array(4).fill('PENDING'));
    const responses = await Promise.all(
      [admin, second, admin, second].flatMap((token) => [approve(token, id), resolve(token, id, 'SUCCESS')]),
    );
    const kinds = await transfersOf(test, id);
    expect(responses.filter((response) => response === 'INTERNAL')).toEqual([]);
    expect([['hold'], ['hold', 'refund'], ['hold', 'settle']]).toContainEqual(kinds);
  });

  it('needs one administrator for test funds', async () => {
    const id = await inReview('play', 8_000);
    await test.db.query(`update orders set environment = 'uat' where id = $1`, [id]);
    expect((await entry(id)).requiresApproval).toBe(false);
    await test.db.query(`update orders set environment = 'production' where id = $1`, [id]);
    expect((await entry(id)).requiresApproval).toBe(true);
  });
});

describe('the preview of a resolution', () => {
  const PREVIEW = `{ viewer { allowance { credit resolve } } reviewOrders(first: 200) { edges { node { order { id }
    developer { id } preview { resolution requiresApproval entries { kind from to amount } } } } } }`;
  const preview = async (token: string, id: string) => {
    const { viewer, reviewOrders } = (await test.graphql('console', token, PREVIEW)).body.data;
    const entries = reviewOrders.edges.map(({ node }: { node: object }) => node);
    const { developer: owner, preview: postings } = entries.find((item: any) => item.order.id === publicId(id));
    return { allowance: viewer.allowance, owner, preview: postings };
  };

  it.each(['SUCCESS', 'FAILED'])('matches the result: %s', async (outcome) => {
    const id = await unread(test, developer, { rupees: 11 });
    const { owner, preview: postings } = await preview(support, id);
    expect(owner).toEqual({ id: `dev_${developer.id}` });
    const previewed = postings.find(({ resolution }: { resolution: string }) => resolution === outcome);
    expect(await resolve(admin, id, outcome)).toBe(outcome);
    const posted = await test.db.query(
      `select upper(kind) as kind, upper(from_account) as from, upper(to_account) as to, amount_paise::integer / 100 as amount
        from ledger_entry where subject_id = $1 and step = 2`,
      [id],
    );
    expect(previewed).toEqual({ resolution: outcome, requiresApproval: false, entries: posted });
    expect(posted).toHaveLength(1);
  });

  it('is empty for a conflicting order', async () => {
    const id = await unread(test, developer);
    await resolve(admin, id, 'FAILED');
    await putInStatusConflict(test.db, [id]);
    expect((await preview(admin, id)).preview).toEqual([
      { resolution: 'FAILED', entries: [], requiresApproval: false },
    ]);
    await putInStatusConflict(test.db, [id], false);
  });

  it('requires approval above the remaining daily limit, which users can see for themselves', async () => {
    const id = await unread(test, developer, { rupees: 20 });
    const finance = await signedIn(test, 'finance');
    const usedBy = (usedPaise: number) =>
      test.db.query(
        `insert into alone_allowance (user_id, kind, day, used_paise)
          select s.user_id, 'resolve', (now() at time zone 'Asia/Kolkata')::date, $1 from session s where s.id = (
            select max(id::text)::uuid from session)
          on conflict (user_id, kind, day) do update set used_paise = excluded.used_paise`,
        [usedPaise],
      );
    const approvalFlags = async (token: string) =>
      (await preview(token, id)).preview.map((posting: { requiresApproval: boolean }) => posting.requiresApproval);
    expect((await preview(finance, id)).allowance).toEqual({ credit: 50_000, resolve: 5_000 });
    expect((await preview(support, id)).allowance).toBeNull();
    await usedBy(9_998_000);
    expect((await preview(finance, id)).allowance.resolve).toBe(20);
    expect(await approvalFlags(finance)).toEqual([false, false]);
    await usedBy(9_998_001);
    expect(await approvalFlags(finance)).toEqual([true, true]);
    expect(await approvalFlags(second)).toEqual([false, false]);
    await usedBy(20_000_000);
    expect((await preview(finance, id)).allowance.resolve).toBe(0);
    expect(await resolve(finance, id, 'FAILED')).toBe('PENDING');
    await test.db.query(`update orders set environment = 'uat' where id = $1`, [id]);
    expect(await approvalFlags(finance)).toEqual([false, false]);
    await test.db.query(`update orders set environment = 'production' where id = $1`, [id]);
  });
});

it('a callback for an order in review without a status check is only stored as evidence', async () => {
  const id = await inReview('called back');
  await test.db.query(`update orders set provider = 'ROUNDPAY' where id = $1`, [id]);
  expect((await callBack(test, { status: 'SUCCESS', agentid: await sentReference(test, id) })).status).toBe(200);
  expect((await orderRow(test, developer, 'called back')).state).toBe('review');
  expect(await eventsOf(test, id)).toEqual(['response', 'review', 'callback']);
});
