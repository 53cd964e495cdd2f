import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApprovalRequestService, requestApproval } from '../../src/approval-requests/approval-request.service.js';
import { ApprovalRequestStore } from '../../src/approval-requests/approval-request.store.js';
import { paise, rupees } from '../../src/core/money.js';
import type { DeveloperId, UserId } from '../../src/core/principal.js';
import { inTransaction } from '../../src/db/orm.js';
import { createPool } from '../../src/db/pool.js';
import { Allowances, takeAllowance } from '../../src/decisions/alone-allowance.js';
import type { MoneyMoved } from '../../src/decisions/money-decision.js';
import { creditDecision } from '../../src/decisions/wallet.decisions.js';
import { creditWallet, utrFor } from '../support/credit.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { codesOf, expectExplained, fieldsOf, type Staff, useConsole } from './console.fixture.js';

const APPROVAL_REQUEST =
  'id state action environment canApprove requestedBy { kind name user { role } } resolvedBy { name } resolvedAt subject reference at reason amount expiresAt developer { id name } order { id }';
const MOVED = 'wallet { environment balance } entry { kind amount balanceAfter reference } order { id } replayed';
const RESULT = `outcome { ... on WalletUpdated { ${MOVED} } ... on ApprovalRequestCreated { approvalRequest { ${APPROVAL_REQUEST} } replayed }
  ... on ApprovalRequestApproved { approvalRequest { state } developer { wallets { environment balance } } } }`;
const CREDIT = `mutation($input: CreditWalletInput!) { creditWallet(input: $input) { ${RESULT} } }`;
const APPROVE = `mutation($input: ApproveApprovalRequestInput!) { approveApprovalRequest(input: $input) { ${RESULT} } }`;
const REJECT = `mutation($input: RejectApprovalRequestInput!) { rejectApprovalRequest(input: $input) { approvalRequest { ${APPROVAL_REQUEST} rejectionReason } } }`;
const LIST = `query($first: Int, $after: String, $last: Int) { approvalRequests(first: $first, after: $after, last: $last) {
  edges { cursor node { ${APPROVAL_REQUEST} } } pageInfo { hasNextPage endCursor } } }`;

const console = useConsole({ CREDIT_APPROVAL_ABOVE_RUPEES: '50000', CREDIT_DAILY_LIMIT_RUPEES: '120000' });
expectExplained(console);
let developerId: DeveloperId;
let sequence = 0;
beforeAll(async () => {
  ({ id: developerId } = await console.test.developer({ liveRupees: 0 }));
});

const as = (actor: Staff, query: string, input: object) => console.call(console.staff[actor], query, { input });
const credit = (change: object = {}, actor: Staff = 'admin') =>
  as(actor, CREDIT, creditOf({ reference: `NEFT ${++sequence}`, ...change }));
/** Credits a wallet with a unique UTR. */
const creditOf = (change: { reference: string }) => ({
  developerId,
  environment: 'PRODUCTION',
  amount: 60_000,
  utr: utrFor(`${developerId} ${change.reference}`),
  ...change,
});
const requested = async (change: object = {}, actor: Staff = 'admin') => {
  const { body } = await credit(change, actor);
  return body.data.creditWallet.outcome.approvalRequest;
};
const approve = (approvalRequestId: string, actor: Staff = 'second') => as(actor, APPROVE, { approvalRequestId });
const rejectRequest = (approvalRequestId: string, actor: Staff = 'second') =>
  as(actor, REJECT, { approvalRequestId, reason: 'Not received' });
/** ID of an approval request in the database and the audit log, without the prefix. */
const keyOf = (id: string): string => id.replace('apr_', '');
const balance = async () =>
  Number((await console.test.app.ledger.wallet(developerId, 'production')).balancePaise) / 100;
const auditLog = () =>
  console.test.db.query(
    'select actor, action, before, after, reason from audit_entry where subject = $1 order by audit_entry.id',
    [`developer:${developerId}/production`],
  );
const waiting = async (): Promise<string[]> => {
  const { body } = await console.call(console.staff.support, LIST, { first: 200 });
  return body.data.approvalRequests.edges.map(({ node }: { node: { id: string } }) => node.id);
};
const forgetAllowance = () => console.test.db.query('delete from alone_allowance');

describe('a credit above the single-approver limit', () => {
  it('posts nothing until another admin approves it', async () => {
    const balanceBefore = await balance();
    const { body } = await credit({ reference: 'UTR 900', reason: 'Transfer of 3 March' });
    expect(body.data.creditWallet.outcome).toEqual({
      replayed: false,
      approvalRequest: {
        id: expect.stringMatching(/^apr_[0-9a-f-]{36}$/),
        state: 'PENDING',
        action: 'CREDIT',
        environment: 'PRODUCTION',
        canApprove: false,
        subject: `developer:${developerId}/production`,
        reference: 'UTR 900',
        requestedBy: { kind: 'USER', name: 'admin', user: { role: 'ADMIN' } },
        resolvedBy: null,
        resolvedAt: null,
        at: expect.any(String),
        reason: 'Transfer of 3 March',
        amount: 60_000,
        expiresAt: expect.any(String),
        developer: { id: `dev_${developerId}`, name: expect.any(String) },
        order: null,
      },
    });
    const { approvalRequest } = body.data.creditWallet.outcome;
    expect(Date.parse(approvalRequest.expiresAt) - Date.parse(approvalRequest.at)).toBe(7 * 86_400_000);
    expect(await balance()).toBe(balanceBefore);
    expect(await waiting()).toContain(approvalRequest.id);

    const done = await approve(approvalRequest.id);
    const { approvalRequest: approved, developer } = done.body.data.approveApprovalRequest.outcome;
    expect(approved).toEqual({ state: 'APPROVED' });
    expect(developer.wallets).toContainEqual({ environment: 'PRODUCTION', balance: balanceBefore + 60_000 });
    expect(await waiting()).not.toContain(approvalRequest.id);
    expect((await auditLog()).slice(-2)).toMatchObject([
      {
        action: 'approval_request.create',
        after: {
          approvalRequestId: keyOf(approvalRequest.id),
          action: 'wallet.credit',
          key: 'UTR 900',
          amountPaise: '6000000',
        },
        reason: 'Transfer of 3 March',
      },
      {
        action: 'wallet.credit',
        after: {
          reference: 'UTR 900',
          approvalRequestId: keyOf(approvalRequest.id),
          requestedBy: expect.stringMatching(/^user:[0-9a-f-]{36}$/),
        },
        reason: 'Transfer of 3 March',
      },
    ]);
    const [first, second] = (await auditLog()).slice(-2) as { actor: string; after: { requestedBy?: string } }[];
    expect(second!.after.requestedBy).toBe(first!.actor);
    expect(second!.actor).not.toBe(first!.actor);
  });

  it('cannot be approved by its requester or by support', async () => {
    const balanceBefore = await balance();
    const { id } = await requested();
    expect(codesOf(await approve(id, 'admin'))).toEqual(['FORBIDDEN']);
    expect(codesOf(await approve(id, 'support'))).toEqual(['FORBIDDEN']);
    // The ID without its prefix is accepted, too.
    expect(codesOf(await approve(keyOf(id), 'admin'))).toEqual(['FORBIDDEN']);
    expect(await balance()).toBe(balanceBefore);
    expect(codesOf(await approve(keyOf(id)))).toEqual([]);
  });

  it('is posted once when two admins approve it at the same time', async () => {
    const balanceBefore = await balance();
    const { id } = await requested();
    // No approval finishes before several have started.
    const gate = createPool(console.test.db.url, { max: 1, retries: false, asOwner: true });
    await gate.query('begin');
    await gate.query(`select from app_user where email = 'second@test.example' for update`);
    const approving = Promise.all(Array.from({ length: 5 }, () => approve(id)));
    await until('several approvals wait for a lock', async () => {
      const lockWaits = await console.test.db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return lockWaits.length >= 2;
    });
    await gate.query('rollback');
    await gate.end();
    const responses = await approving;
    const rejections = [...responses, await approve(id)].filter(({ body }) => body.errors);
    expect(await balance()).toBe(balanceBefore + 60_000);
    expect(rejections.flatMap(codesOf)).toEqual(Array(5).fill('CONFLICT'));
    expect(rejections.map(({ body }) => body.errors[0].message)).toEqual(
      Array(5).fill('This approval request is already approved.'),
    );
  });

  it('cannot be approved after it was rejected; its requester can withdraw it', async () => {
    const balanceBefore = await balance();
    for (const actor of ['second', 'admin'] as const) {
      const { id } = await requested();
      expect((await rejectRequest(id, actor)).body.data.rejectApprovalRequest.approvalRequest).toMatchObject({
        id,
        state: 'REJECTED',
        canApprove: false,
        resolvedBy: { name: actor },
        resolvedAt: expect.any(String),
        rejectionReason: 'Not received',
      });
      expect(codesOf(await approve(id))).toEqual(['CONFLICT']);
      expect(codesOf(await rejectRequest(id))).toEqual(['CONFLICT']);
      expect(await waiting()).not.toContain(id);
      expect((await auditLog()).at(-1)).toMatchObject({
        action: 'approval_request.reject',
        before: { approvalRequestId: keyOf(id) },
        reason: 'Not received',
      });
    }
    expect(await balance()).toBe(balanceBefore);
  });

  it('cannot be approved after it has expired, and no longer blocks a new approval request', async () => {
    const balanceBefore = await balance();
    const { id, reference } = await requested();
    await console.test.db.query(`update approval_request set expires_at = now() - interval '1 s' where id = $1`, [
      keyOf(id),
    ]);
    expect(await waiting()).not.toContain(id);
    for (const response of [await approve(id), await rejectRequest(id)])
      expect(codesOf(response)).toEqual(['CONFLICT']);
    const next = await credit({ reference });
    expect(next.body.data.creditWallet.outcome).toMatchObject({ replayed: false, approvalRequest: { reference } });
    expect(next.body.data.creditWallet.outcome.approvalRequest.id).not.toBe(id);
    expect(codesOf(await approve(id))).toEqual(['CONFLICT']);
    expect(codesOf(await approve(next.body.data.creditWallet.outcome.approvalRequest.id))).toEqual([]);
    expect(await balance()).toBe(balanceBefore + 60_000);
  });

  it('becomes invalid when its requester loses the right to request it', async () => {
    const { id } = await requested();
    await console.test.db.query(`update app_user set disabled_at = now() where email = 'admin@test.example'`);
    const response = await approve(id);
    await console.test.db.query(`update app_user set disabled_at = null where email = 'admin@test.example'`);
    expect(codesOf(response)).toEqual(['CONFLICT']);
    expect(codesOf(await rejectRequest(id))).toEqual([]);
  });

  it('is not posted again if the same reference was credited in the meantime', async () => {
    const balanceBefore = await balance();
    const { id, reference } = await requested();
    await creditWallet(
      console.test.app,
      { developerId, environment: 'production', amountPaise: rupees(60_000), reference },
      { actor: 'system:test', requestId: 't' },
    );
    expect(codesOf(await approve(id))).toEqual(['CONFLICT']);
    expect(await balance()).toBe(balanceBefore + 60_000);
    expect(codesOf(await rejectRequest(id))).toEqual([]);
  });

  it('requires an existing wallet, developer and approval request', async () => {
    expect(codesOf(await credit({ developerId: await console.applicant() }))).toEqual(['CONFLICT']);
    expect(codesOf(await credit({ developerId: UNKNOWN_ID }))).toEqual(['RECORD_NOT_FOUND']);
    const unknown = '0190b3c2-0000-7000-8000-000000000000';
    for (const id of ['none', unknown, `apr_${unknown}`]) {
      expect(codesOf(await approve(id))).toEqual(['RECORD_NOT_FOUND']);
      expect(codesOf(await rejectRequest(id))).toEqual(['RECORD_NOT_FOUND']);
    }
    expect(fieldsOf(await as('admin', REJECT, { approvalRequestId: 'none', reason: ' ' }))).toEqual(['input.reason']);
  });

  it('of test funds needs no second approver', async () => {
    const { body } = await credit({ environment: 'UAT', amount: 5_00_000 });
    expect(body.data.creditWallet.outcome).toMatchObject({ entry: { amount: 5_00_000 } });
  });
});

it('requires two admins for every Production credit when the limit is 0', async () => {
  const { orm, ledger, audit, pool } = console.test.app;
  const creditNever = { atOncePaise: rupees(0), perDayPaise: rupees(2_00_000) };
  const creditAlways = creditDecision({ ledger, audit, creditAlone: creditNever });
  const approvalRequests = new ApprovalRequestStore(pool);
  const service = new ApprovalRequestService<MoneyMoved>({ orm, audit, approvalRequests, actions: {} as never });
  const paisa = { developerId, environment: 'production', amountPaise: paise(1), reference: 'one paisa' } as const;
  const smallest = { ...paisa, utr: utrFor('one paisa') };
  const [admin] = await console.test.db.query<{ id: UserId }>(
    `select id from app_user where email = 'admin@test.example'`,
  );
  const by = { userId: admin!.id, actor: `user:${admin!.id}`, requestId: 't', confirmedAt: undefined };
  const result = await service.decide(creditAlways, smallest, by);
  expect(result).toMatchObject({ approvalRequest: { key: 'one paisa' } });
  expect(result.done).toBeUndefined();
});

describe('the second approver', () => {
  const READ = `query($id: ID!) { node(id: $id) { ... on ApprovalRequest { utr reference reason amount
    walletEffect { balanceAtRequest balance balanceAfter }
    earlierRequests { id state action utr amount resolvedBy { name } rejectionReason requestedBy { name } } } } }`;
  const readRequest = async (id: string, actor: Staff = 'second') =>
    (await console.call(console.staff[actor], READ, { id })).body.data.node;

  it('sees the UTR, the balance before and after, and the outcome of earlier requests for a credit', async () => {
    const { id: own } = await console.test.developer({ liveRupees: 500 });
    const of = (change: object) => requested({ developerId: own, ...change });
    const rejection = await of({ amount: 70_000, reference: 'First try', utr: 'HDFC0000000000007001' });
    await rejectRequest(rejection.id);
    const executed = await of({ amount: 60_000, reference: 'Second try', utr: 'HDFC0000000000007000' });
    await approve(executed.id);
    const utr = 'HDFC0000000000007002';
    const { id } = await of({ amount: 75_000, reference: 'Third try', reason: 'Transfer of 28 November', utr });
    await credit({ developerId: own, amount: 250, reference: 'Meanwhile' });
    expect(await readRequest(id)).toEqual({
      utr,
      reference: 'Third try',
      reason: 'Transfer of 28 November',
      amount: 75_000,
      // Balance at the time of the request, now, and after approval.
      walletEffect: { balanceAtRequest: 60_500, balance: 60_750, balanceAfter: 135_750 },
      earlierRequests: [
        {
          id: executed.id,
          state: 'APPROVED',
          action: 'CREDIT',
          utr: 'HDFC0000000000007000',
          amount: 60_000,
          resolvedBy: { name: 'second' },
          rejectionReason: null,
          requestedBy: { name: 'admin' },
        },
        {
          id: rejection.id,
          state: 'REJECTED',
          action: 'CREDIT',
          utr: 'HDFC0000000000007001',
          amount: 70_000,
          resolvedBy: { name: 'second' },
          rejectionReason: 'Not received',
          requestedBy: { name: 'admin' },
        },
      ],
    });
    // After the resolution, the current balance is not shown.
    await approve(id);
    expect((await readRequest(id)).walletEffect).toEqual({
      balanceAtRequest: 60_500,
      balance: null,
      balanceAfter: null,
    });
    const [stored] = await console.test.db.query<{ utr: string }>(
      `select after->>'utr' as utr from audit_entry where action = 'approval_request.create' and after->>'approvalRequestId' = $1`,
      [keyOf(id)],
    );
    expect(stored!.utr).toBe(utr);
  });

  it('sees the balance after a debit, even if it is negative', async () => {
    const { id: own } = await console.test.developer({ liveRupees: 100 });
    const DEBIT = `mutation($input: DebitWalletInput!) { debitWallet(input: $input) { ${RESULT} } }`;
    const input = { developerId: own, environment: 'PRODUCTION', amount: 130, reference: 'Typo', reason: 'Twice' };
    const { body } = await as('admin', DEBIT, input);
    const { walletEffect, utr, earlierRequests } = await readRequest(body.data.debitWallet.outcome.approvalRequest.id);
    expect([walletEffect, utr, earlierRequests]).toEqual([
      { balanceAtRequest: 100, balance: 100, balanceAfter: -30 },
      null,
      [],
    ]);
  });

  it('sees only the earlier requests for the same order when reviewing a correction', async () => {
    const developer = await console.test.developer({ liveRupees: 100 });
    await requested({ developerId: developer.id, reference: 'About the account' });
    for (const key of ['one', 'other']) await place(console.test, developer, { client_request_id: key });
    const orders = await console.test.db.query<{ id: string }>(
      'select id from orders where developer_id = $1 order by client_key desc',
      [developer.id],
    );
    const REVERSE = `mutation($input: ReverseOrderInput!) { reverseOrder(input: $input) { ${RESULT} } }`;
    const reversal = async (index: number) =>
      (await as('admin', REVERSE, { orderId: orders[index]!.id, reason: 'Not performed' })).body.data.reverseOrder
        .outcome.approvalRequest.id;
    const first = await reversal(0);
    await rejectRequest(first);
    await reversal(1);
    const duplicate = await reversal(0);
    const [{ earlierRequests, walletEffect }, sameBatch] = await Promise.all([
      readRequest(duplicate),
      readRequest(duplicate),
    ]);
    expect(sameBatch.earlierRequests).toEqual(earlierRequests);
    expect(earlierRequests.map(({ id }: { id: string }) => id)).toEqual([first]);
    expect(walletEffect).toEqual({ balanceAtRequest: 80, balance: 80, balanceAfter: 90 });
  });

  it('sees no balance for a request that moves no money', async () => {
    const { id: own } = await console.test.developer();
    const { orm, audit } = console.test.app;
    const [admin] = await console.test.db.query<{ id: UserId }>(
      `select id from app_user where email = 'admin@test.example'`,
    );
    const approvalRequest = {
      action: 'service_access.set',
      subject: `developer:${own}`,
      key: 'DTH_INFO',
      developerId: own,
      orderId: null,
      amountPaise: null,
      payload: { before: { 'dth_info.feePaise': '10' }, after: { 'dth_info.feePaise': '25' } },
      reason: 'A new plan',
    } as const;
    const by = { userId: admin!.id, actor: `user:${admin!.id}`, requestId: 't', confirmedAt: undefined };
    const parts = { audit, approvalRequests: new ApprovalRequestStore(console.test.app.pool) };
    const { id } = await inTransaction(orm, (tx) => requestApproval(approvalRequest, by, parts, tx));
    expect(await readRequest(`apr_${id}`)).toMatchObject({ walletEffect: null, utr: null, earlierRequests: [] });
  });
});

describe('a reused reference', () => {
  it('returns the pending approval request for the same amount, and CONFLICT for another amount', async () => {
    const { id, reference } = await requested();
    const duplicate = await credit({ reference }, 'second');
    expect(duplicate.body.data.creditWallet.outcome).toMatchObject({ replayed: true, approvalRequest: { id } });
    for (const amount of [60_001, 1]) {
      const other = await credit({ reference, amount });
      expect([codesOf(other), fieldsOf(other)]).toEqual([['CONFLICT'], ['input.reference']]);
    }
    await approve(id);
    const posted = await credit({ reference });
    expect(posted.body.data.creditWallet.outcome).toMatchObject({ replayed: true, entry: { amount: 60_000 } });
  });

  it('is recognized when written with a different dash', async () => {
    const { id } = await requested({ reference: 'NEFT-2026-big' });
    for (const dash of ['\u2010', '\u2013', '\u2014', '\u2212', '\uff0d', '\ufe63']) {
      const duplicate = await credit({ reference: `neft${dash}2026${dash}BIG` }, 'second');
      expect(duplicate.body.data.creditWallet.outcome).toMatchObject({ replayed: true, approvalRequest: { id } });
    }
    const characters = Array.from({ length: 0x1ffff }, (_, point) => point).filter(
      (point) => point < 0xd800 || point > 0xdfff,
    );
    const dashes = characters
      .map((point) => String.fromCodePoint(point))
      .filter((character) => /^\p{Pd}$/u.test(character));
    const [folded] = await console.test.db.query<{ keys: string[] }>(
      'select array_agg(distinct reference_key(dash)) as keys from unnest($1::text[]) dash',
      [dashes],
    );
    expect(folded!.keys).toEqual(['-']);
  });

  it('creates one approval request when two admins submit it at the same time', async () => {
    const reference = 'twice at once';
    const responses = await Promise.all([credit({ reference }), credit({ reference }, 'second')]);
    const results = responses.map(({ body }) => body.data.creditWallet.outcome);
    expect(results.map(({ replayed }) => replayed).toSorted()).toEqual([false, true]);
    expect(results[0].approvalRequest.id).toBe(results[1].approvalRequest.id);
  });
});

describe('the daily limit of credits by one admin', () => {
  it('prevents splitting a large amount, and applies to each admin separately', async () => {
    await forgetAllowance();
    const results = [];
    for (let n = 0; n < 4; n++) results.push((await credit({ amount: 40_000 })).body.data.creditWallet.outcome);
    expect(results.map(({ approvalRequest }) => approvalRequest !== undefined)).toEqual([false, false, false, true]);
    expect((await credit({ amount: 0.01 })).body.data.creditWallet.outcome.approvalRequest).toBeDefined();
    expect((await credit({ amount: 40_000 }, 'second')).body.data.creditWallet.outcome.approvalRequest).toBeUndefined();
    // A credit approved by a second admin does not use the daily limit of the requester.
    await approve(results[3].approvalRequest.id);
    const [used] = await console.test.db.query('select used_paise::int as used from alone_allowance order by user_id');
    expect(used).toEqual({ used: 12_000_000 });
  });

  it('holds under parallel credits', async () => {
    await forgetAllowance();
    const responses = await Promise.all(Array.from({ length: 8 }, () => credit({ amount: 30_000 })));
    const posted = responses.filter(({ body }) => body.data.creditWallet.outcome.entry);
    expect(posted).toHaveLength(4);
  });

  it('resets at midnight IST', async () => {
    await forgetAllowance();
    for (let n = 0; n < 3; n++) await credit({ amount: 40_000 });
    await console.test.db.query('update alone_allowance set day = day - 1');
    expect((await credit({ amount: 40_000 })).body.data.creditWallet.outcome.approvalRequest).toBeUndefined();
  });

  it.each([
    ['2026-03-01T18:29:59Z', '2026-03-01'],
    ['2026-03-01T18:30:00Z', '2026-03-02'],
    ['2026-03-02T00:00:00Z', '2026-03-02'],
  ])('assigns a credit at %s to %s (IST), also in the remaining limit that is shown', async (instant, day) => {
    await forgetAllowance();
    const { db, app } = console.test;
    const [admin] = await db.query<{ id: UserId }>(`select id from app_user where email = 'admin@test.example'`);
    const limit = { atOncePaise: rupees(100), perDayPaise: rupees(100) };
    // Found in the search path before the built-in now().
    await db.query('create schema played_clock');
    try {
      await db.query('grant usage on schema played_clock to gateway_app');
      await db.query(
        `create function played_clock.now() returns timestamptz language sql as $$ select '${instant}'::timestamptz $$`,
      );
      const path = 'set local search_path = played_clock, public, pg_catalog';
      const isTaken = await inTransaction(app.orm, async (tx) => {
        await sql.raw(path).execute(tx.getKysely());
        return takeAllowance('credit', admin!.id, rupees(60), limit, tx);
      });
      expect(isTaken).toBe(true);
      expect(await db.query('select day::text from alone_allowance')).toEqual([{ day }]);
      const client = await app.pool.connect();
      try {
        await client.query(`begin; ${path}`);
        const remaining = await new Allowances(client, { credit: limit, resolve: limit }).of(admin!.id);
        expect(remaining).toEqual({ credit: rupees(40), resolve: rupees(100) });
      } finally {
        await client.query('rollback');
        client.release();
      }
    } finally {
      await db.query('drop schema played_clock cascade');
    }
  });

  it('does not include a rejected credit', async () => {
    await forgetAllowance();
    await credit({ amount: 40_000, developerId: await console.applicant() });
    expect(await console.test.db.query('select 1 from alone_allowance')).toEqual([]);
  });
});

describe('the list of approval requests', () => {
  it('is paginated oldest first, forwards and backwards', async () => {
    await console.test.db.query(`update approval_request set expires_at = now() where final_state is null`);
    const ids = [(await requested()).id, (await requested()).id, (await requested()).id];
    const page = async (variables: object) =>
      (await console.call(console.staff.support, LIST, variables)).body.data.approvalRequests;
    const first = await page({ first: 2 });
    expect(first.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(ids.slice(0, 2));
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await page({ first: 2, after: first.pageInfo.endCursor });
    expect(rest.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(ids.slice(2));
    expect(rest.pageInfo.hasNextPage).toBe(false);
    const last = await page({ last: 2 });
    expect(last.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(ids.slice(1));
  });

  it('shows the outcome, the resolver and who can resolve each request, also by ID', async () => {
    const four = [await requested(), await requested(), await requested(), await requested()];
    const [pending, done, rejected, expired] = four.map(({ id }) => id) as [string, string, string, string];
    await approve(done);
    await rejectRequest(rejected);
    await console.test.db.query(`update approval_request set expires_at = now() where id = $1`, [keyOf(expired)]);
    const read = async (id: string, actor: Staff = 'support') => {
      const query =
        'query($id: ID!) { node(id: $id) { ... on ApprovalRequest { state canApprove resolvedBy { name } resolvedAt } } }';
      return (await console.call(console.staff[actor], query, { id })).body.data.node;
    };
    const unresolved = { resolvedBy: null, resolvedAt: null };
    const second = { canApprove: false, resolvedBy: { name: 'second' }, resolvedAt: expect.stringMatching(/\+05:30$/) };
    expect(await read(pending)).toEqual({ state: 'PENDING', canApprove: false, ...unresolved });
    expect(await read(pending, 'admin')).toMatchObject({ canApprove: false });
    expect(await read(pending, 'second')).toMatchObject({ canApprove: true });
    expect(await read(done)).toEqual({ state: 'APPROVED', ...second });
    expect(await read(rejected)).toEqual({ state: 'REJECTED', ...second });
    expect(await read(expired, 'second')).toEqual({ state: 'EXPIRED', canApprove: false, ...unresolved });

    const list = async (filter: object, actor: Staff = 'support') => {
      const query = `query($filter: ApprovalRequestFilter) { approvalRequests(filter: $filter, last: 200) { totalCount edges { node { id } } } }`;
      const { body } = await console.call(console.staff[actor], query, { filter });
      const { totalCount, edges } = body.data.approvalRequests;
      expect(totalCount).toBe(edges.length);
      return edges
        .map(({ node }: { node: { id: string } }) => node.id)
        .filter((id: string) => four.some((request) => request.id === id));
    };
    expect(await list({})).toEqual([pending]);
    expect(await list({ state: ['APPROVED', 'REJECTED', 'EXPIRED'] })).toEqual([done, rejected, expired]);
    expect(await list({ action: ['CREDIT'], developerId, requestedByMe: true }, 'admin')).toEqual([pending]);
    for (const noMatch of [{ action: ['RESOLVE', 'REVERSE'] }, { requestedByMe: true }])
      expect(await list(noMatch, 'second')).toEqual([]);
    const query = 'query($filter: ApprovalRequestFilter) { approvalRequests(filter: $filter) { edges { cursor } } }';
    const response = await console.call(console.staff.admin, query, { filter: { developerId: UNKNOWN_ID } });
    expect(codesOf(response)).toEqual(['RECORD_NOT_FOUND']);
  });

  it('shows the order of an approval request with masked numbers', async () => {
    const developer = await console.test.developer({ liveRupees: 100 });
    await place(console.test, developer, {}, 'uat');
    await console.test.db.query(
      `insert into approval_request (id, action, subject, key, folded_key, developer_id, order_id, order_step, payload, reason, requested_by, expires_at)
        select gen_random_uuid(), 'wallet.credit', 'order', 'of an order', 'of an order', developer_id, id, 1, '{}', '', (select id from app_user order by id limit 1), now() + interval '1 day'
        from orders where developer_id = $1`,
      [developer.id],
    );
    const { body } = await console.call(
      console.staff.support,
      '{ approvalRequests(first: 200) { edges { node { reference order { amount accountNumber } } } } }',
    );
    const nodes = body.data.approvalRequests.edges.map(({ node }: { node: object }) => node);
    expect(nodes).toContainEqual({
      reference: 'of an order',
      order: { amount: 10, accountNumber: 'xxxxxx3210' },
    });
    // No audit entry explains this row.
    await console.test.db.query(`delete from approval_request where key = 'of an order'`);
  });

  it.each([
    ['a page size of 0', { first: 0 }, 'first'],
    ['a page size of 201', { first: 201 }, 'first'],
    ['an invalid cursor', { after: Buffer.from(`approvalRequests:${'-'.repeat(36)}`).toString('base64url') }, 'after'],
  ])('rejects %s and names the argument', async (_name, variables, field) => {
    const response = await console.call(console.staff.admin, LIST, variables);
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], [field]]);
  });
});

describe('the database', () => {
  it('rejects an approval request approved by its own requester, whatever the application sends', async () => {
    const { id } = await requested();
    await expect(
      console.test.db.query(
        `update approval_request set final_state = 'approved', resolved_at = now(), resolved_by = requested_by where id = $1`,
        [keyOf(id)],
      ),
    ).rejects.toMatchObject({ code: '23514', constraint: 'approved_by_another' });
  });

  it('does not let the application change or delete an approval request', async () => {
    for (const statement of [
      'update approval_request set amount_paise = 1',
      'update approval_request set requested_by = uuidv7()',
      'update approval_request set expires_at = now()',
      'delete from approval_request',
      'delete from alone_allowance',
    ])
      await expect(console.test.app.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

it('limits the orders one admin can resolve per day, also for 30 simultaneous calls, separately from credits', async () => {
  const [admin] = await console.test.db.query<{ id: UserId }>(
    `select id from app_user where email = 'second@test.example'`,
  );
  const limits = { atOncePaise: rupees(100), perDayPaise: rupees(1_000) };
  const take = () =>
    inTransaction(console.test.app.orm, (tx) => takeAllowance('resolve', admin!.id, rupees(100), limits, tx));
  const results = await Promise.all(Array.from({ length: 30 }, take));
  expect(results.filter(Boolean)).toHaveLength(10);
  const used = await console.test.db.query(
    `select used_paise::int as used from alone_allowance where kind = 'resolve' and user_id = $1`,
    [admin!.id],
  );
  expect(used).toEqual([{ used: 100_000 }]);
});
