import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import type { EvidenceReason } from '../../src/providers/outcome.js';
import { doubtSuccess } from '../../src/status-checks/reversals.js';
import { callBack, eventsOf, orderRow, publicId, sentReference, transfersOf } from '../orders/order.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { utrFor } from '../support/credit.js';
import { putInReview } from '../support/orders.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { codesOf, expectExplained, fieldsOf, type Staff, useConsole } from './console.fixture.js';

/** The simulator declines, times out or processes payments to these numbers; for the last, its response is unreadable. */
const DECLINED = '9876540001';
const COMPLETED_WITHOUT_RESPONSE = '9876540008';

const ORDER = 'order { id status decline { reason } }';
const REQUESTED = `id action requestedBy { name } reason amount ${ORDER}`;
const RESULT = `{ outcome { ... on WalletUpdated { replayed wallet { balance } ${ORDER}
    entry { kind amount balanceAfter reference } }
  ... on OrderUnchanged { replayed ${ORDER} } ... on ApprovalRequestCreated { replayed approvalRequest { ${REQUESTED} } }
  ... on ApprovalRequestApproved { approvalRequest { state ${ORDER} } } } }`;
const console = useConsole({ STATUS_CHECK_SCHEDULE_MS: '60s' });
expectExplained(console);
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await console.test.developer({ liveRupees: 10_000, rateLimitPerMinute: 1_000 });
});

const as = (actor: Staff, field: string, input: object, result = RESULT) => {
  const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${field}(input: $input) ${result} }`;
  return console.call(console.staff[actor], query, { input });
};
const done = async (...args: Parameters<typeof as>) => {
  const response = await as(...args);
  expect(codesOf(response)).toEqual([]);
  return response.body.data[args[1]].outcome;
};
const approve = (approvalRequestId: string, actor: Staff = 'second') =>
  as(actor, 'approveApprovalRequest', { approvalRequestId });
/** Requested by one admin and approved by another. */
const byTwo = async (field: string, input: object) => {
  const { approvalRequest } = await done('admin', field, input);
  const { body } = await approve(approvalRequest.id);
  return {
    ...body.data.approveApprovalRequest.outcome,
    order: body.data.approveApprovalRequest.outcome.approvalRequest.order,
  };
};
const recharge = (key: string, account = '9876543210', amount = 10) =>
  place(console.test, developer, { account_number: account, client_request_id: key, amount });
const orderOf = (key: string) => orderRow(console.test, developer, key);
const balance = () => console.test.balance(developer, 'production');
const waiting = async (orderId: string) => {
  const { body } = await console.call(
    console.staff.support,
    '{ reviewOrders(first: 200) { edges { node { statusConflictAt requiresApproval order { id status } } } } }',
  );
  const nodes = body.data.reviewOrders.edges.map(({ node }: { node: { order: { id: string } } }) => node);
  return nodes.find(({ order }: { order: { id: string } }) => order.id === publicId(orderId));
};
const reason = 'Statement of the provider, line 7';
let sequence = 0;
/** A new recharge that the provider completed or declined. */
const placeOrder = async (outcome: 'success' | 'failed', amount = 10): Promise<{ id: string; key: string }> => {
  const key = `order ${++sequence}`;
  await recharge(key, outcome === 'success' ? '9876543210' : DECLINED, amount);
  const { id, state } = await orderOf(key);
  expect(state).toBe(outcome);
  return { id, key };
};

describe('debitWallet', () => {
  const debit = (change: object = {}) => ({
    developerId: developer.id,
    environment: 'PRODUCTION',
    amount: 100,
    reference: `debit ${++sequence}`,
    reason: 'Mistyped',
    ...change,
  });

  it('reverses a mistyped credit, with two admins and audit entries', async () => {
    const balanceBefore = await balance();
    await byTwo('creditWallet', { ...debit({ amount: 10_000_000 }), reference: 'typo' });
    expect(await balance()).toBe(balanceBefore + 10_000_000);
    const input = debit({ amount: 9_990_000, reference: 'typo' });
    const first = await done('admin', 'debitWallet', input);
    expect(first).toMatchObject({
      approvalRequest: { order: null, action: 'DEBIT', reason: 'Mistyped', amount: 9_990_000 },
    });
    expect(await balance()).toBe(balanceBefore + 10_000_000);
    for (const actor of ['admin', 'support'] as const)
      expect(codesOf(await approve(first.approvalRequest.id, actor))).toEqual(['FORBIDDEN']);
    const { body } = await approve(first.approvalRequest.id);
    expect(body.data.approveApprovalRequest.outcome).toEqual({ approvalRequest: { state: 'APPROVED', order: null } });
    expect(await balance()).toBe(balanceBefore + 10_000);
    expect(codesOf(await approve(first.approvalRequest.id))).toEqual(['CONFLICT']);
    const retry = await done('second', 'debitWallet', input);
    const line = { kind: 'DEBIT', amount: -9_990_000, balanceAfter: balanceBefore + 10_000, reference: 'typo' };
    expect(retry).toMatchObject({ replayed: true, wallet: { balance: balanceBefore + 10_000 }, entry: line });
    expect(await balance()).toBe(balanceBefore + 10_000);
    const [entry] = await console.test.db.query(
      `select actor, after, reason, amount_paise::text as amount from audit_entry where action = 'wallet.debit'`,
    );
    expect(entry).toMatchObject({
      amount: '999000000',
      reason: 'Mistyped',
      after: { requestedBy: expect.any(String) },
    });
    await byTwo('debitWallet', debit({ amount: 10_000 }));
  });

  it('is included in the statement, the daily totals and their sums', async () => {
    await byTwo('debitWallet', debit({ reference: 'shown' }));
    const today = indianDay(new Date());
    const { body } = await console.test.graphql(
      'production',
      developer.tokens.production,
      `{ wallet { statement(first: 1) { edges { node { kind amount reference } } } days(from: "${today}", to: "${today}") { opening credits debits closing } } }`,
    );
    const { statement, days } = body.data.wallet;
    expect(statement.edges[0].node).toEqual({ kind: 'DEBIT', amount: -100, reference: 'shown' });
    expect(days[0].opening + days[0].credits - days[0].debits).toBeCloseTo(days[0].closing, 2);
  });

  it('stays pending while the wallet balance is too low, and never overdraws the wallet', async () => {
    const balanceBefore = await balance();
    // At most ₹1,00,00,000 at once.
    const { approvalRequest } = await done('admin', 'debitWallet', debit({ amount: balanceBefore + 1 }));
    expect(codesOf(await approve(approvalRequest.id))).toEqual(['INSUFFICIENT_BALANCE']);
    expect(await balance()).toBe(balanceBefore);
    await done('admin', 'creditWallet', {
      ...debit({ amount: 1 }),
      reference: approvalRequest.id,
      utr: utrFor(approvalRequest.id),
    });
    expect(codesOf(await approve(approvalRequest.id))).toEqual([]);
    expect(await balance()).toBe(0);
    await done('admin', 'creditWallet', { ...debit({ amount: 10_000 }), reference: 'refill', utr: utrFor('refill') });
  });

  it('of test funds needs one admin and a sufficient balance', async () => {
    const balanceBefore = await console.test.balance(developer, 'uat');
    await done('admin', 'creditWallet', { ...debit(), environment: 'UAT', reference: 'play' });
    const { entry, approvalRequest } = await done('admin', 'debitWallet', debit({ environment: 'UAT' }));
    expect([entry.amount, approvalRequest]).toEqual([-100, undefined]);
    const more = await as('admin', 'debitWallet', debit({ environment: 'UAT', amount: balanceBefore + 1 }));
    const shortage = { code: 'INSUFFICIENT_BALANCE', required: balanceBefore + 1, available: balanceBefore };
    expect(more.body.errors[0].extensions).toMatchObject(shortage);
    expect(await console.test.balance(developer, 'uat')).toBe(balanceBefore);
  });

  it.each([
    ['nothing', { amount: 0 }, 'VALIDATION_FAILED', 'input.amount'],
    ['more than one crore', { amount: 10_000_000.01 }, 'VALIDATION_FAILED', 'input.amount'],
    ['no reason', { reason: ' ' }, 'VALIDATION_FAILED', 'input.reason'],
    ['no reference', { reference: '' }, 'VALIDATION_FAILED', 'input.reference'],
    ['a reference used for another amount', { reference: 'shown', amount: 101 }, 'CONFLICT', 'input.reference'],
  ])('rejects %s and names the path', async (_name, change, code, field) => {
    const response = await as('admin', 'debitWallet', debit(change));
    expect([codesOf(response), fieldsOf(response)]).toEqual([[code], [field]]);
  });
});

describe('reverseOrder and reverseRefund', () => {
  it('undo each other as often as two admins agree, and the idempotency key returns the current state', async () => {
    const balanceBefore = await balance();
    const { id, key } = await placeOrder('success');
    const first = await done('admin', 'reverseOrder', { orderId: id, reason });
    expect(first).toMatchObject({
      approvalRequest: { action: 'REVERSE', amount: 10, order: { id: publicId(id), status: 'SUCCESS' } },
    });
    expect(await done('second', 'reverseOrder', { orderId: id, reason })).toMatchObject({ replayed: true });
    const pendingRequest = async () => {
      const query = 'query($id: ID!) { order(id: $id) { approvalRequest { id } } }';
      return (await console.call(console.staff.support, query, { id: publicId(id) })).body.data.order.approvalRequest;
    };
    expect(await pendingRequest()).toEqual({ id: first.approvalRequest.id });
    for (const actor of ['admin', 'support'] as const)
      expect(codesOf(await approve(first.approvalRequest.id, actor))).toEqual(['FORBIDDEN']);
    expect(await transfersOf(console.test, id)).toEqual(['hold', 'settle']);

    const order = { id: publicId(id), status: 'REVERSED', decline: { reason: 'REVERSED_BY_SUPPORT' } };
    expect(
      (await approve(first.approvalRequest.id)).body.data.approveApprovalRequest.outcome.approvalRequest,
    ).toMatchObject({ order });
    expect(await balance()).toBe(balanceBefore);
    expect(await pendingRequest()).toBeNull();
    expect(codesOf(await approve(first.approvalRequest.id))).toEqual(['CONFLICT']);
    const rejection = (await recharge(key)).body;
    expect(rejection).toMatchObject({ status: 'failed', code: 'REVERSED', reason: 'REVERSED_BY_SUPPORT' });
    expect(rejection.message).not.toContain('provider');
    const found =
      'query($reason: [DeclineReason!]) { orders(filter: { declineReason: $reason }) { edges { node { id } } } }';
    for (const [word, ids] of [
      ['REVERSED_BY_SUPPORT', [{ node: { id: publicId(id) } }]],
      ['REVERSED_BY_PROVIDER', []],
    ])
      expect((await console.call(console.staff.admin, found, { reason: [word] })).body.data.orders.edges).toEqual(ids);

    expect(await byTwo('reverseRefund', { orderId: id, reason })).toMatchObject({
      order: { status: 'SUCCESS', decline: null },
    });
    expect(await balance()).toBe(balanceBefore - 10);
    const { status, body } = await recharge(key);
    expect([status, body.status]).toEqual([200, 'success']);
    await byTwo('reverseOrder', { orderId: publicId(id), reason });
    await byTwo('reverseRefund', { orderId: publicId(id), reason });
    const kinds = ['hold', 'settle', 'reversal', 'refund_reversal', 'reversal', 'refund_reversal'];
    expect(await transfersOf(console.test, id)).toEqual(kinds);
    expect(await balance()).toBe(balanceBefore - 10);
    const entries = await console.test.db.query(
      `select action, reason, posting_id is not null as bound from audit_entry where subject = $1 and action <> 'approval_request.create' order by audit_entry.id`,
      [`order:${id}`],
    );
    const entry = (action: string) => ({ action, reason, bound: true });
    expect(entries).toEqual(
      ['order.reverse', 'order.reverse_refund', 'order.reverse', 'order.reverse_refund'].map(entry),
    );
  });

  it('fix a wrong resolution: the amount of a completed payment is debited again and the order is successful', async () => {
    const balanceBefore = await balance();
    await recharge('slip', COMPLETED_WITHOUT_RESPONSE);
    const { id } = await orderOf('slip');
    await putInReview(console.test.db, id);
    const slip = await done('admin', 'resolveOrder', { orderId: id, outcome: 'FAILED', reason });
    expect(slip).toMatchObject({ entry: { kind: 'REFUND', amount: 10 }, order: { status: 'FAILED' } });
    expect(codesOf(await as('admin', 'resolveOrder', { orderId: id, outcome: 'SUCCESS', reason }))).toEqual([
      'CONFLICT',
    ]);
    await byTwo('reverseRefund', { orderId: id, reason });
    expect(await balance()).toBe(balanceBefore - 10);
    const { status, body } = await recharge('slip', COMPLETED_WITHOUT_RESPONSE);
    expect([status, body.status, body.data.account_number]).toEqual([200, 'success', COMPLETED_WITHOUT_RESPONSE]);
    expect(await byTwo('reverseOrder', { orderId: id, reason })).toMatchObject({ order: { status: 'REVERSED' } });
    expect(await transfersOf(console.test, id)).toEqual(['hold', 'refund', 'refund_reversal', 'reversal']);
  });

  describe('requested before the order changed', () => {
    const messageOf = (response: Awaited<ReturnType<typeof approve>>) => [
      codesOf(response),
      response.body.errors?.[0].message,
    ];
    const reversedByProvider = async (id: string) =>
      expect(await console.test.app.ledger.reverse(developer.id, id, {})).toBe('reversed');

    it('cannot be approved after the provider reversed the payment and two admins undid that reversal', async () => {
      const balanceBefore = await balance();
      const { id } = await placeOrder('success', 77);
      const { approvalRequest } = await done('admin', 'reverseOrder', { orderId: id, reason });
      await reversedByProvider(id);
      await byTwo('reverseRefund', { orderId: id, reason });
      expect(messageOf(await approve(approvalRequest.id))).toEqual([
        ['CONFLICT'],
        'This approval request is already rejected or withdrawn.',
      ]);
      expect(await transfersOf(console.test, id)).toEqual(['hold', 'settle', 'reversal', 'refund_reversal']);
      expect(await balance()).toBe(balanceBefore - 77);
    });

    it('cannot be approved after another transfer', async () => {
      const { id } = await placeOrder('success', 77);
      const { approvalRequest } = await done('admin', 'reverseOrder', { orderId: id, reason });
      await reversedByProvider(id);
      const outdated = [['CONFLICT'], 'The order has changed since approval was requested. Request approval again.'];
      expect(messageOf(await approve(approvalRequest.id))).toEqual(outdated);
      expect(await transfersOf(console.test, id)).toEqual(['hold', 'settle', 'reversal']);
      const duplicate = (await done('admin', 'reverseRefund', { orderId: id, reason })).approvalRequest;
      expect(messageOf(await approve(approvalRequest.id))).toEqual([
        ['CONFLICT'],
        'This approval request is already rejected or withdrawn.',
      ]);
      expect(codesOf(await approve(duplicate.id))).toEqual([]);
    });
  });

  it('add a receipt to a failed payment that becomes a success', async () => {
    const { id, key } = await placeOrder('failed');
    await console.test.db.query(`update orders set provider_txn_id = 'RP77' where id = $1`, [id]);
    const stored = () => console.test.db.query('select answer from orders where id = $1', [id]);
    const failureRow = await stored();
    expect((await recharge(key, DECLINED)).body.status).toBe('failed');
    await byTwo('reverseRefund', { orderId: id, reason });
    // The stored response of the failure has no receipt.
    expect(await stored()).not.toEqual(failureRow);
    const { status, body } = await recharge(key, DECLINED);
    expect([status, body.status, body.data.provider_txn_id]).toEqual([200, 'success', 'RP77']);
  });

  it('leave the refund in place while the wallet balance is too low, and change nothing', async () => {
    const { id } = await placeOrder('failed', 500);
    const balanceLeft = await balance();
    const debit = { developerId: developer.id, environment: 'PRODUCTION', amount: balanceLeft - 499, reason };
    await byTwo('debitWallet', { ...debit, reference: 'all but 499' });
    const { approvalRequest } = await done('admin', 'reverseRefund', { orderId: id, reason });
    const { body } = await approve(approvalRequest.id);
    expect(body.errors[0].extensions).toMatchObject({ code: 'INSUFFICIENT_BALANCE', required: 500, available: 499 });
    expect([await balance(), (await orderOf(`order ${sequence}`)).state]).toEqual([499, 'failed']);
    await done('admin', 'creditWallet', { ...debit, amount: 10_000, reference: 'filled', utr: utrFor('filled') });
    expect(codesOf(await approve(approvalRequest.id))).toEqual([]);
    expect(await transfersOf(console.test, id)).toEqual(['hold', 'refund', 'refund_reversal']);
  });

  it('run once when several admins approve at the same time', async () => {
    const { id } = await placeOrder('success');
    const balanceBefore = await balance();
    const { approvalRequest } = await done('admin', 'reverseOrder', { orderId: id, reason });
    const responses = await Promise.all(Array.from({ length: 4 }, () => approve(approvalRequest.id)));
    expect(responses.flatMap(codesOf)).toEqual(Array(3).fill('CONFLICT'));
    expect(await balance()).toBe(balanceBefore + 10);
  });

  it('require an order in a state that can be undone', async () => {
    const [success, failed] = [await placeOrder('success'), await placeOrder('failed')];
    const code = async (field: string, orderId: string, actor: Staff = 'admin') =>
      codesOf(await as(actor, field, { orderId, reason }));
    expect(await code('reverseRefund', success.id)).toEqual(['CONFLICT']);
    expect(await code('reverseOrder', failed.id)).toEqual(['CONFLICT']);
    expect(await code('reverseOrder', 'none')).toEqual(['RECORD_NOT_FOUND']);
    expect(await code('reverseRefund', '01990000-0000-7000-8000-000000000000')).toEqual(['RECORD_NOT_FOUND']);
    for (const field of ['reverseOrder', 'reverseRefund'])
      expect(await code(field, success.id, 'support')).toEqual(['FORBIDDEN']);
    expect(fieldsOf(await as('admin', 'reverseOrder', { orderId: success.id, reason: ' ' }))).toEqual(['input.reason']);
  });
});

describe('a provider status that conflicts with the final status', () => {
  it('puts a refunded order into review after a late success callback, where its refund can be reversed', async () => {
    const { id } = await placeOrder('failed');
    for (let time = 0; time < 2; time++)
      await callBack(console.test, { status: 'SUCCESS', agentid: await sentReference(console.test, id) });
    expect(await waiting(id)).toMatchObject({
      statusConflictAt: expect.any(String),
      requiresApproval: true,
      order: { status: 'FAILED' },
    });
    expect(await transfersOf(console.test, id)).toEqual(['hold', 'refund']);
    expect(await eventsOf(console.test, id)).toEqual(['response', 'callback', 'status_conflict', 'callback']);
    await byTwo('reverseRefund', { orderId: id, reason });
    expect(await waiting(id)).toBeUndefined();
  });

  it('puts an order into review after a success callback if its provider had reversed the payment', async () => {
    const { id } = await placeOrder('success');
    expect(await console.test.app.ledger.reverse(developer.id, id, {})).toBe('reversed');
    await callBack(console.test, { status: 'SUCCESS', agentid: await sentReference(console.test, id) });
    expect(await waiting(id)).toMatchObject({
      statusConflictAt: expect.any(String),
      order: { id: publicId(id), status: 'REVERSED' },
    });
    expect(await eventsOf(console.test, id)).toContain('status_conflict');
    expect(await transfersOf(console.test, id)).toEqual(['hold', 'settle', 'reversal']);
  });

  it('is dismissed only by confirming the final status', async () => {
    const { id } = await placeOrder('failed');
    await callBack(console.test, { status: 'SUCCESS', agentid: await sentReference(console.test, id) });
    const resolve = (outcome: string) => as('admin', 'resolveOrder', { orderId: id, outcome, reason });
    expect(codesOf(await resolve('SUCCESS'))).toEqual(['CONFLICT']);
    expect((await resolve('FAILED')).body.data.resolveOrder.outcome).toEqual({
      replayed: false,
      order: expect.objectContaining({ status: 'FAILED' }),
    });
    expect(await waiting(id)).toBeUndefined();
    expect(codesOf(await resolve('FAILED'))).toEqual(['CONFLICT']);
    const [entry] = await console.test.db.query(`select action, reason from audit_entry where subject = $1`, [
      `order:${id}`,
    ]);
    expect(entry).toEqual({ action: 'order.confirm', reason });
  });

  it('puts the order into review if a response arrives after the refund', async () => {
    await console.test.simulator.latency('roundpay', 1_800);
    const sent = recharge('late answer');
    await until('the order is placed', () =>
      orderOf('late answer').then(
        () => true,
        () => false,
      ),
    );
    const { id } = await orderOf('late answer');
    const { ledger } = console.test.app;
    await ledger.resolve({
      developerId: developer.id,
      id,
      success: false,
      result: Buffer.alloc(0),
      providerTxnId: '',
      event: 'status_check',
      recheckAfterMs: null,
      detail: {},
    });
    await console.test.db.query('update orders set answer = null where id = $1', [id]);
    await console.test.simulator.latency('roundpay', 0);
    expect((await sent).body.status).toBe('failed');
    expect(await waiting(id)).toMatchObject({ order: { status: 'FAILED' } });
    expect(await transfersOf(console.test, id)).toEqual(['hold', 'refund']);
  });
});

describe('a provider status for a success that staff resolved', () => {
  const REVERSED_NUMBER = '9876540010';
  const checkStatus = (orderId: string) => done('admin', 'checkOrderStatus', { orderId }, '{ order { id } }');
  const isReversed = (key: string) => async () => (await orderOf(key)).reversed_at !== null;

  it('is a conflict if it may be older than the resolution, however often the status is checked', async () => {
    const balanceBefore = await balance();
    await recharge('charged again', REVERSED_NUMBER);
    await until('the provider reversed the payment', isReversed('charged again'));
    const { id } = await orderOf('charged again');
    await byTwo('reverseRefund', { orderId: id, reason });
    for (const round of [1, 2]) {
      await console.test.db.query('update orders set quiet_until = null where id = $1', [id]);
      // Reconciliation does the same when a statement lists a success as reversed.
      expect(await doubtSuccess(console.test.app.pool, developer.id, id)).toBe(true);
      await until(`the order is conflicting, round ${round}`, async () => {
        const { doubted_since, reversed_at } = await orderOf('charged again');
        return (doubted_since === null && (await waiting(id)) !== undefined) || reversed_at !== null;
      });
      expect(await transfersOf(console.test, id)).toEqual(['hold', 'settle', 'reversal', 'refund_reversal']);
      expect(await waiting(id)).toMatchObject({ order: { status: 'SUCCESS' } });
      expect(await balance()).toBe(balanceBefore - 10);
      // Confirming the final status is a new resolution.
      expect(codesOf(await as('admin', 'resolveOrder', { orderId: id, outcome: 'SUCCESS', reason }))).toEqual([]);
    }
  });

  it('is a reversal if the provider has reported a success since the resolution', async () => {
    const { id } = await placeOrder('success');
    await byTwo('reverseOrder', { orderId: id, reason });
    await byTwo('reverseRefund', { orderId: id, reason });
    await checkStatus(id);
    await until('the provider confirms the success', async () =>
      (await eventsOf(console.test, id)).includes('status_check'),
    );
    const evidence = { reason: 'provider_failure' };
    expect(await console.test.app.ledger.reverse(developer.id, id, evidence)).toBe('reversed');
    await byTwo('reverseRefund', { orderId: id, reason });
    expect(await console.test.app.ledger.reverse(developer.id, id, evidence)).toBe('decided_by_people');
  });

  describe('depends on the history of status checks', () => {
    const MINUTE_MS = 60_000;
    let id: string;
    /** The time by the clock of the database. */
    const at = async (agoMs = 0): Promise<Date> => {
      const [now] = await console.test.db.query<{ at: string }>('select clock_timestamp() as at');
      return new Date(new Date(now!.at).getTime() - agoMs);
    };
    /** Inserts the result of a status check made some time ago. */
    const recordCheck = async (word: EvidenceReason, agoMs = 0) => {
      const detail = { reason: word, askedAt: await at(agoMs) };
      await console.test.db.query(`select order_still_success($1, $2, 0, null, 0, true, $3)`, [
        developer.id,
        id,
        JSON.stringify(detail),
      ]);
    };
    const reverse = async (agoMs = 0) =>
      console.test.app.ledger.reverse(developer.id, id, { reason: 'provider_failure' }, await at(agoMs));
    beforeEach(async () => {
      ({ id } = await placeOrder('success'));
      await byTwo('reverseOrder', { orderId: id, reason });
      await byTwo('reverseRefund', { orderId: id, reason });
    });

    it('is a reversal after one success', async () => {
      await recordCheck('provider_success');
      await pause(2);
      expect(await reverse()).toBe('reversed');
    });

    it('is inconclusive if the provider reports one status, then the other, then the first again', async () => {
      for (const word of ['provider_failure', 'provider_success', 'provider_failure', 'provider_success'] as const) {
        await recordCheck(word);
        await pause(2);
      }
      expect(await reverse()).toBe('decided_by_people');
      expect(await transfersOf(console.test, id)).toEqual(['hold', 'settle', 'reversal', 'refund_reversal']);
    });

    it('is inconclusive if the success was requested before the resolution and recorded after it', async () => {
      await recordCheck('provider_success', MINUTE_MS);
      expect(await reverse()).toBe('decided_by_people');
    });

    it('is inconclusive if the reversal was requested before the success', async () => {
      await recordCheck('provider_success');
      expect(await reverse(MINUTE_MS)).toBe('decided_by_people');
    });
  });
});

describe('checkOrderStatus', () => {
  const checkStatus = (orderId: string, actor: Staff = 'admin') =>
    as(actor, 'checkOrderStatus', { orderId }, '{ order { id status accountNumber } }');
  const checked = (key: string, count = 1) =>
    until('the status was checked with the provider', async () => (await orderOf(key)).statusChecks >= count);

  it('resolves an order in review if the provider knows its status', async () => {
    await recharge('asked in review', COMPLETED_WITHOUT_RESPONSE);
    const { id } = await orderOf('asked in review');
    await putInReview(console.test.db, id);
    const { body } = await checkStatus(publicId(id));
    expect(body.data.checkOrderStatus.order).toMatchObject({ id: publicId(id), accountNumber: 'xxxxxx0008' });
    await until('the order is resolved', async () => (await orderOf('asked in review')).state === 'success');
    const [entry] = await console.test.db.query('select action from audit_entry where subject = $1', [`order:${id}`]);
    expect(entry).toEqual({ action: 'order.check_status' });
  });

  it('changes nothing for a success or a failure that the provider confirms', async () => {
    for (const outcome of ['success', 'failed'] as const) {
      const { id, key } = await placeOrder(outcome);
      const transfersBefore = await transfersOf(console.test, id);
      expect(codesOf(await checkStatus(id))).toEqual([]);
      await checked(key);
      expect([await transfersOf(console.test, id), await waiting(id)]).toEqual([transfersBefore, undefined]);
    }
  });

  it('puts a refunded order that the provider completed into the review queue and moves no money', async () => {
    await recharge('performed all the same', COMPLETED_WITHOUT_RESPONSE);
    const { id } = await orderOf('performed all the same');
    await putInReview(console.test.db, id);
    await done('admin', 'resolveOrder', { orderId: id, outcome: 'FAILED', reason });
    const balanceBefore = await balance();
    expect(codesOf(await checkStatus(id))).toEqual([]);
    await until('the order is in the queue', async () => (await waiting(id)) !== undefined);
    expect(await balance()).toBe(balanceBefore);
    expect((await orderOf('performed all the same')).due_at).toBeNull();
  });

  it('is rejected for an order that is being sent, a provider without status checks, and support', async () => {
    const { id } = await placeOrder('success');
    expect(codesOf(await checkStatus(id, 'support'))).toEqual(['FORBIDDEN']);
    expect(codesOf(await checkStatus('none'))).toEqual(['RECORD_NOT_FOUND']);
    await console.test.db.query(`update orders set provider = 'MOKSHIQ' where id = $1`, [id]);
    const response = await checkStatus(id);
    expect([codesOf(response), response.body.errors[0].message]).toEqual([
      ['CONFLICT'],
      'This provider has no status check. Look up the order in the provider statement.',
    ]);
    await console.test.simulator.latency('roundpay', 1_800);
    const sent = recharge('asked while sent');
    await until('the order is placed', () =>
      orderOf('asked while sent').then(
        () => true,
        () => false,
      ),
    );
    expect(codesOf(await checkStatus((await orderOf('asked while sent')).id))).toEqual(['CONFLICT']);
    await console.test.simulator.latency('roundpay', 0);
    await sent;
  });

  it('for many orders checks the eligible ones and rejects each of the others with its own error', async () => {
    const orders = [await placeOrder('success'), await placeOrder('success'), await placeOrder('failed')];
    const [first, withoutResponse, third] = orders.map(({ id }) => id) as [string, string, string];
    await console.test.db.query(`update orders set provider = 'MOKSHIQ' where id = $1`, [withoutResponse]);
    const checkAll = (orderIds: string[], actor: Staff = 'admin') =>
      as(actor, 'checkOrderStatuses', { orderIds }, '{ results { orderId code } }');
    const { body } = await checkAll([publicId(third), 'none', publicId(withoutResponse), first, publicId(first)]);
    expect(body.data.checkOrderStatuses.results).toEqual([
      { orderId: publicId(third), code: null },
      { orderId: 'ord_none', code: 'RECORD_NOT_FOUND' },
      { orderId: publicId(withoutResponse), code: 'CONFLICT' },
      { orderId: publicId(first), code: null },
    ]);
    for (const { id, key } of orders) if (id !== withoutResponse) await checked(key);
    expect((await orderOf(orders[1]!.key)).statusChecks).toBe(0);
    const entries = await console.test.db.query(
      `select subject from audit_entry where action = 'order.check_status' and subject = any($1) order by audit_entry.id`,
      [orders.map(({ id }) => `order:${id}`)],
    );
    expect(entries.map((entry) => entry.subject).toSorted()).toEqual([`order:${first}`, `order:${third}`].toSorted());
    for (const invalid of [[], Array.from({ length: 201 }, (_, n) => `none ${n}`)])
      expect(fieldsOf(await checkAll(invalid))).toEqual(['input.orderIds']);
    expect(codesOf(await checkAll([first], 'support'))).toEqual(['FORBIDDEN']);
  });
});
