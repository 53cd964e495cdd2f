import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import type { SessionPrincipal } from '../../src/core/principal.js';
import { inTransaction } from '../../src/db/orm.js';
import { WorkFeed } from '../../src/staff-work/work.feed.js';
import { workKinds, workStatement } from '../../src/staff-work/work.table.js';
import { useConsole } from '../console/console.fixture.js';
import { inReview, signedIn } from '../orders/order.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { utrFor } from '../support/credit.js';
import { codesOf, openEventStream, resultsOf } from '../support/event-stream.js';
import { putInStatusConflict } from '../support/orders.js';
import { rowKeys } from '../support/row-keys.js';
import { until } from '../support/until.js';

const WORK = '{ work { kind count uatCount amount oldestAt } }';
const CREDIT = `mutation($input: CreditWalletInput!) { creditWallet(input: $input) { outcome { __typename } } }`;
const RESOLVE = `mutation($input: ResolveOrderInput!) { resolveOrder(input: $input) { outcome { __typename } } }`;

// Emails stay queued, because no worker sends them.
const console = useConsole({ WORKERS: 'none', CREDIT_APPROVAL_ABOVE_RUPEES: '50000', TWO_PEOPLE: 'roles,unlock' });
let developer: TestDeveloper;
let reviewer: string;
let finance: string;

interface Item {
  kind: string;
  count: number;
  uatCount: number;
  amount: number | null;
  oldestAt: string | null;
}
const work = async (token = console.staff.support): Promise<Record<string, Item>> => {
  const { body } = await console.call(token, WORK);
  return Object.fromEntries(body.data.work.map((item: Item) => [item.kind, item]));
};
const recently = (at: string | null | undefined): boolean => Math.abs(Date.now() - Date.parse(at ?? '')) < 60_000;
const db = (text: string, values: unknown[] = []) => console.test.db.query(text, values);

beforeAll(async () => {
  developer = await console.test.developer();
  [reviewer, finance] = [await signedIn(console.test, 'reviewer'), await signedIn(console.test, 'finance')];
});

describe('the work list', () => {
  it('has every kind, even without pending work', async () => {
    const { body } = await console.call(console.staff.admin, WORK);
    const amount = { APPROVAL_REQUEST: 0, REVIEW: 0, STATUS_CONFLICT: 0, STATEMENT_DIFFERENCE: 0 } as Record<
      string,
      number
    >;
    expect(body.data.work).toEqual(
      [
        'KYC',
        'PRODUCTION_REQUEST',
        'APPROVAL_REQUEST',
        'REVIEW',
        'STATUS_CONFLICT',
        'STATEMENT_DIFFERENCE',
        'FAILED_DELIVERY',
        'FAILED_EMAIL',
      ].map((kind) => ({
        kind,
        count: 0,
        uatCount: 0,
        amount: amount[kind] ?? null,
        oldestAt: null,
      })),
    );
  });

  it('shows a KYC reviewer only KYC and requests for Production access, users of a developer nothing, and finance everything', async () => {
    await console.applicant();
    expect(Object.keys(await work(reviewer))).toEqual(['KYC', 'PRODUCTION_REQUEST']);
    expect(Object.keys(await work(finance))).toHaveLength(Object.keys(workKinds).length);
    expect(await console.codes(await console.userOf(developer.id), WORK)).toEqual(['FORBIDDEN']);
  });

  it('counts submitted KYC until it is resolved', async () => {
    const id = await console.applicant();
    await db(`update developer set kyc_submitted_at = kyc_submitted_at - interval '9 days' where id = $1`, [id]);
    const { KYC } = await work();
    expect([KYC!.count, Math.round((Date.now() - Date.parse(KYC!.oldestAt!)) / 86_400_000)]).toEqual([2, 9]);
    const reject =
      'mutation($id: ID!) { rejectDeveloper(input: { developerId: $id, reason: "x" }) { developer { id } } }';
    expect(await console.codes(reviewer, reject, { id })).toEqual([]);
    expect(await work()).toMatchObject({ KYC: { count: 1 } });
    // A closed account needs no review.
    await db(
      `update developer set suspended_at = now(), closed_at = now() where onboarding_status = 'kyc_submitted' returning id`,
    );
    expect(await work()).toMatchObject({ KYC: { count: 0, oldestAt: null } });
  });

  it('counts requests for Production access until it is granted', async () => {
    const { id } = await console.test.developer();
    await db('update developer set production_unlocked = false where id = $1', [id]);
    const owner = await console.userOf(id);
    const requestProduction = 'mutation { requestProduction(input: {}) { developer { id } } }';
    expect(await console.codes(owner, requestProduction)).toEqual([]);
    const { PRODUCTION_REQUEST } = await work();
    expect([PRODUCTION_REQUEST!.count, recently(PRODUCTION_REQUEST!.oldestAt)]).toEqual([1, true]);
    await db('update developer set production_unlocked = true where id = $1', [id]);
    expect(await work()).toMatchObject({ PRODUCTION_REQUEST: { count: 0, oldestAt: null } });
  });

  it('counts approval requests that can still be approved, with their amounts', async () => {
    const input = {
      developerId: developer.id,
      environment: 'PRODUCTION',
      amount: 60_000.5,
      reference: 'NEFT 1',
      utr: utrFor('work 1'),
    };
    expect(await console.codes(console.staff.admin, CREDIT, { input })).toEqual([]);
    const { APPROVAL_REQUEST } = await work();
    expect(APPROVAL_REQUEST).toMatchObject({ count: 1, amount: 60_000.5 });
    expect(recently(APPROVAL_REQUEST!.oldestAt)).toBe(true);
    await db(`update approval_request set expires_at = now() where key = 'NEFT 1'`);
    expect(await work()).toMatchObject({ APPROVAL_REQUEST: { count: 0, amount: 0, oldestAt: null } });
  });

  it('counts orders in review and conflicting ones separately, and real money only', async () => {
    const live = await inReview(console.test, developer, { rupees: 30 });
    await inReview(console.test, developer, { rupees: 70, environment: 'uat' });
    await db(`update order_review set since = since - interval '26 hours' where order_id = $1`, [live]);
    const { REVIEW, STATUS_CONFLICT } = await work();
    expect([REVIEW!.count, REVIEW!.uatCount, REVIEW!.amount, STATUS_CONFLICT!.count]).toEqual([2, 1, 30, 0]);
    expect(Math.round((Date.now() - Date.parse(REVIEW!.oldestAt!)) / 3_600_000)).toBe(26);
    const input = { orderId: live, outcome: 'FAILED', reason: 'x' };
    expect(await console.codes(console.staff.admin, RESOLVE, { input })).toEqual([]);
    await putInStatusConflict(console.test.db, [live]);
    expect(await work()).toMatchObject({ REVIEW: { count: 1, amount: 0 }, STATUS_CONFLICT: { count: 1, amount: 30 } });
  });

  it('counts failed webhook deliveries of the last week only', async () => {
    await db(
      `with e as (insert into webhook_endpoint (developer_id, id, environment, url, secret)
          values ($1, uuidv7(), 'production', 'https://x.example', '\\x00') returning developer_id, id)
        insert into webhook_delivery (developer_id, id, endpoint_id, order_id, reference, event, step, environment, operation,
          amount_paise, occurred_at, created_at, state, next_attempt_at)
        select developer_id, uuidv7(-age), e.id, gen_random_uuid(), 'r', 'succeeded', 2, 'production', 'recharge', 1,
          now() - age, now() - age, state, null
        from e, (values ('failed', interval '1 hour'), ('failed', interval '6 days'), ('failed', interval '8 days'),
          ('delivered', interval '1 hour')) d(state, age)`,
      [developer.id],
    );
    const { FAILED_DELIVERY } = await work();
    expect(FAILED_DELIVERY).toMatchObject({ count: 2, amount: null });
    expect(Math.round((Date.now() - Date.parse(FAILED_DELIVERY!.oldestAt!)) / 86_400_000)).toBe(6);
  });

  it('counts failed emails, and none that will be retried', async () => {
    const { mails, orm } = console.test.app;
    await mails.ready();
    await inTransaction(orm, async (tx) => {
      for (const to of ['a@test.example', 'b@test.example']) await mails.queue({ to, subject: 's', text: 't' }, tx);
    });
    expect(await work()).toMatchObject({ FAILED_EMAIL: { count: 0 } });
    await db(
      `update pgboss.job set state = 'failed' where id = (select id from pgboss.job where name = 'email' order by id limit 1)`,
    );
    expect(await work()).toMatchObject({ FAILED_EMAIL: { count: 1, amount: null } });
    // pg-boss deletes a failed job after a day.
    await db(`delete from pgboss.job where name = 'email' and state = 'failed'`);
    const { FAILED_EMAIL } = await work();
    expect([FAILED_EMAIL!.count, recently(FAILED_EMAIL!.oldestAt)]).toEqual([1, true]);
  });

  it('lists failed emails with the reason and without their text, and resends one for an admin', async () => {
    const { mails, orm } = console.test.app;
    const messages = [
      { to: 'c@test.example', subject: 'Your account was closed' },
      { to: 'd@test.example', subject: 'Set a new password', linkExpiresAt: '2026-01-01T00:00:00.000Z' },
      { to: 'e@test.example', subject: 'Of another key' },
    ];
    for (const email of messages)
      await inTransaction(orm, (tx) => mails.queue({ ...email, text: 'http://c.example/#token=0f0f' }, tx));
    await db(`update pgboss.job set state = 'failed' where name = 'email'`);
    const LIST = `query($first: Int, $after: String) { failedEmails(first: $first, after: $after) {
      edges { node { id to subject failure response linkExpiresAt lastAttemptAt } } pageInfo { hasNextPage endCursor } } }`;
    const list = async (page: object = { first: 3 }) =>
      (await console.call(console.staff.support, LIST, page)).body.data.failedEmails;
    const nodes = async () => (await list()).edges.map(({ node }: { node: Record<string, unknown> }) => node);
    const [unread, reset, closed] = await nodes();
    await db(`update email set content = (select content from email where id = $2) where id = $1`, [
      unread.id.replace('eml_', ''),
      closed.id.replace('eml_', ''),
    ]);
    await db(`update email set attempted_at = now(), failure = 'rejected', response = '550 5.1.1' where id = $1`, [
      closed.id.replace('eml_', ''),
    ]);
    const emptyFields = { failure: null, response: null, linkExpiresAt: null, lastAttemptAt: null };
    expect(await nodes()).toEqual([
      { ...emptyFields, id: unread.id, to: null, subject: null },
      {
        ...emptyFields,
        id: reset.id,
        to: 'd@test.example',
        subject: 'Set a new password',
        linkExpiresAt: reset.linkExpiresAt,
      },
      {
        ...emptyFields,
        id: closed.id,
        to: 'c@test.example',
        subject: 'Your account was closed',
        failure: 'REJECTED',
        response: '550 5.1.1',
        lastAttemptAt: expect.any(String),
      },
    ]);
    const firstPage = await list({ first: 1 });
    expect([firstPage.edges[0].node.id, firstPage.pageInfo.hasNextPage]).toEqual([unread.id, true]);
    expect((await list({ first: 1, after: firstPage.pageInfo.endCursor })).edges[0].node.id).toBe(reset.id);

    const RESEND = 'mutation($input: ResendEmailInput!) { resendEmail(input: $input) { emailId } }';
    const resend = (emailId: string) => console.codes(console.staff.admin, RESEND, { input: { emailId } });
    const countBefore = (await work()).FAILED_EMAIL!.count;
    expect((await Promise.all([resend(closed.id), resend(closed.id)])).flat()).toEqual(['CONFLICT']);
    expect(await resend(closed.id)).toEqual(['CONFLICT']);
    expect((await work()).FAILED_EMAIL!.count).toBe(countBefore - 1);
    // Its link has expired, it cannot be read, and it does not exist.
    for (const [id, code] of [
      [reset.id, 'CONFLICT'],
      [unread.id, 'CONFLICT'],
      ['eml_00000000-0000-0000-0000-000000000000', 'RECORD_NOT_FOUND'],
      ['none', 'RECORD_NOT_FOUND'],
    ])
      expect([id, await resend(id)]).toEqual([id, [code]]);
    // An email with a valid link shows the expiry time, and is sent.
    const RESET = 'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { __typename } }';
    expect(await console.codes(undefined, RESET, { input: { email: 'support@test.example' } })).toEqual([]);
    await db(`update pgboss.job set state = 'failed' where name = 'email'`);
    const [workQueries] = await nodes();
    expect([workQueries.to, workQueries.subject]).toEqual(['support@test.example', 'Set a new password']);
    expect(Math.round((Date.parse(workQueries.linkExpiresAt) - Date.now()) / 60_000)).toBe(60);
    expect(await resend(workQueries.id)).toEqual([]);
    const [entry, , ...rest] = await db(
      `select after, subject from audit_entry where action = 'email.resend' order by id`,
    );
    expect([entry, rest]).toEqual([
      { after: { about: 'Your account was closed' }, subject: `email:${closed.id.replace('eml_', '')}` },
      [],
    ]);
  });

  it('is read by one statement with indexes and small tables', async () => {
    const query = vi.spyOn(console.test.app.pool, 'query');
    await work();
    const workQueries = query.mock.calls.filter(([statement]) => JSON.stringify(statement).includes('oldest_at'));
    query.mockRestore();
    expect(workQueries).toHaveLength(1);
    const client = await console.test.app.pool.connect();
    try {
      // Sequential scans are disabled, but a plan without a usable index still contains one.
      await client.query('set enable_seqscan = off');
      const all = Object.keys(workKinds) as (keyof typeof workKinds)[];
      const { rows } = await client.query(`explain ${workStatement(all)}`);
      const plan = rows.map((row): string => row['QUERY PLAN']);
      const scannedTables = plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
      expect(new Set(scannedTables)).toEqual(new Set(['order_review', 'email']));
      expect(plan.filter((line) => line.includes('webhook_delivery_failed'))).toHaveLength(1);
    } finally {
      client.release(true);
    }
  });
});

describe('workChanged', () => {
  const WATCH = { query: 'subscription { workChanged { kind count } }' };
  const listen = async (token: string) => {
    const client = new AbortController();
    const response = await openEventStream(console.test.urls.console, token, WATCH, { signal: client.signal });
    expect(response.status).toBe(200);
    const results = resultsOf(response);
    const next = async () => (await results.next()).value!;
    const counts = async (): Promise<Record<string, number>> => {
      const { data } = await next();
      return Object.fromEntries(data.workChanged.map(({ kind, count }: Item) => [kind, count]));
    };
    return { results, next, counts, leave: () => client.abort() };
  };
  const reading = () => vi.spyOn(console.test.app.pool, 'query');
  const readings = (query: ReturnType<typeof reading>) =>
    query.mock.calls.filter(([workQueries]) => JSON.stringify(workQueries).includes('oldest_at')).length;

  it('notifies each reader of the kinds that their role can open, immediately and on changes, with one query for all', async () => {
    const query = reading();
    expect(console.test.app.workFeed.count).toBe(0);
    const all = await listen(console.staff.support);
    const countsBefore = await all.counts();
    const kyc = await listen(reviewer);
    expect(Object.keys(await kyc.counts())).toEqual(['KYC', 'PRODUCTION_REQUEST']);
    expect([Object.keys(countsBefore).length, readings(query)]).toEqual([Object.keys(workKinds).length, 1]);
    expect(await work()).toMatchObject({ KYC: { count: countsBefore.KYC } });

    await console.applicant();
    const counts = await Promise.all([all.counts(), kyc.counts()]);
    expect(counts.map(({ KYC }) => KYC)).toEqual([countsBefore.KYC! + 1, countsBefore.KYC! + 1]);
    // A second stream of the reader of `work`.
    expect(readings(query)).toBe(3);

    // A change about money is not sent to a KYC reviewer.
    const input = {
      developerId: developer.id,
      environment: 'PRODUCTION',
      amount: 60_001,
      reference: 'NEFT 2',
      utr: utrFor('work 2'),
    };
    expect(await console.codes(console.staff.admin, CREDIT, { input })).toEqual([]);
    expect((await all.counts()).APPROVAL_REQUEST).toBe(countsBefore.APPROVAL_REQUEST! + 1);
    all.leave();
    kyc.leave();
    await until('no stream is open', () => console.test.app.workFeed.count === 0);
    const rejection = await openEventStream(console.test.urls.console, await console.userOf(developer.id), WATCH);
    expect(codesOf((await rejection.json()) as never)).toEqual(['FORBIDDEN']);
    query.mockRestore();
  });

  it('shows nothing after a change of role or the end of the session, and ends with the process', async () => {
    const places = { take: () => () => {} };
    let count = 0;
    const read = vi.fn(async () => [{ kind: 'kyc', count: ++count } as never]);
    const feed = new WorkFeed({ read, places, log: createLogger('silent') });
    const admin = { kind: 'session', role: 'admin' } as SessionPrincipal;
    const stream = feed.open(admin, undefined);
    expect(await stream.next()).toEqual([{ kind: 'kyc', count: 1 }]);
    // A stream opened within the two seconds gets the last result.
    const second = feed.open(admin, undefined);
    expect([await second.next(), read.mock.calls.length]).toEqual([[{ kind: 'kyc', count: 1 }], 1]);
    const abortedSignal = AbortSignal.abort();
    expect(await feed.open(admin, abortedSignal).next()).toBeUndefined();
    feed.stop();
    expect([await stream.next(), await second.next(), feed.count]).toEqual([undefined, undefined, 0]);
    expect(() => feed.open(admin, undefined)).toThrow('This stream has ended');

    const token = await signedIn(console.test, 'finance');
    const changed = await listen(token);
    await changed.counts();
    await db(`update app_user set role = 'support' where id = (select user_id from session where session_hash = $1)`, [
      rowKeys.lookup('session', token),
    ]);
    await console.applicant();
    expect(codesOf(await changed.next())).toEqual(['FORBIDDEN']);
    expect((await changed.results.next()).done).toBe(true);
  });
});

describe('defaults', () => {
  const DEFAULTS =
    '{ defaults { rateLimitPerMinute tokenIdleDays tokenMaxDays creditApprovalAbove creditDailyLimit resolutionApprovalAbove feeApprovalAbove twoPeople } }';

  it('are the settings of this service, for staff only', async () => {
    const { body } = await console.call(reviewer, DEFAULTS);
    const { config } = console.test.app;
    expect(body.data.defaults).toEqual({
      rateLimitPerMinute: config.rateLimitPerMinute,
      tokenIdleDays: 30,
      tokenMaxDays: 365,
      creditApprovalAbove: 50_000,
      creditDailyLimit: 200_000,
      resolutionApprovalAbove: 5_000,
      feeApprovalAbove: 10,
      twoPeople: ['UNLOCK', 'ROLES'],
    });
    expect(await console.codes(await console.userOf(developer.id), DEFAULTS)).toEqual(['FORBIDDEN']);
  });
});
