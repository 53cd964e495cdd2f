import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalRequestStore } from '../../src/approval-requests/approval-request.store.js';
import { indianDay, startOfIndianDay } from '../../src/core/clock.js';
import { csvRecords } from '../../src/core/csv.js';
import { paise } from '../../src/core/money.js';
import type { StatementStatus } from '../../src/providers/provider.js';
import { canCheckStatusAt } from '../../src/providers/providers.js';
import { compare } from '../../src/reconcile/compare.js';
import type { ProviderLine } from '../../src/reconcile/provider-statement.js';
import { booksOf, followUp } from '../../src/reconcile/reconcile.js';
import { keepRun } from '../../src/reconcile/statement-run.js';
import { doubtSuccess } from '../../src/status-checks/reversals.js';
import { codesOf, useConsole } from '../console/console.fixture.js';
import { eventsOf, orderRow, publicId, signedIn, transfersOf } from '../orders/order.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';

const console = useConsole();
const { test } = console;
const TODAY = indianDay(new Date());
const day = { from: startOfIndianDay(TODAY), to: startOfIndianDay(TODAY, 1) };
let developer: TestDeveloper;
let finance: string;
let counter = 0;

beforeAll(async () => {
  developer = await test.developer({ provider: 'MOKSHIQ', rateLimitPerMinute: 1_000 });
  finance = await signedIn(test, 'finance');
});

// a run resolves differences of earlier runs
beforeEach(() => test.db.query('delete from reconcile_difference'));

interface PlacedOrder {
  id: string;
  reference: string;
}

/** A success at Mokshiq, which has no status check. */
async function succeeded(): Promise<PlacedOrder> {
  const key = `statement-${++counter}`;
  const response = await place(test, developer, { client_request_id: key, circle: 'Delhi', amount: 61 });
  expect(response.status).toBe(200);
  const { id } = await orderRow(test, developer, key);
  return { id, reference: response.body.data.api_request_id };
}

const lineOf = ({ reference }: Pick<PlacedOrder, 'reference'>, status: StatementStatus, rupees = 61): ProviderLine => ({
  line: 2,
  reference,
  account: '9876543210',
  amountPaise: paise(rupees * 100),
  status,
  at: new Date(),
});

/** Compares these statement lines with these orders, like `gateway reconcile`. */
async function reconcile(lines: ProviderLine[], orders: PlacedOrder[], period = day) {
  const { pool, orm, audit, config } = test.app;
  const options = { provider: 'MOKSHIQ', period, windowMs: 60_000 };
  const books = await booksOf(pool, lines, { ...options, pepper: config.pepper });
  const ids = new Set(orders.map(({ id }) => id));
  const own = books.orders.filter(({ id }) => ids.has(id));
  const comparison = compare(own, books.lines, { ...options, now: new Date() });
  const fileHash = createHash('sha256').update(JSON.stringify(lines.length)).digest();
  const parts = { orm, audit, approvalRequests: new ApprovalRequestStore(pool) };
  const { kept } = await keepRun({ ...options, fileHash, comparison, decided: [] }, undefined, parts);
  return { kept, ...(await followUp(pool, comparison, canCheckStatusAt('MOKSHIQ', config.providers))) };
}

const stateOf = async (id: string) => {
  const [row] = await test.db.query<object>(
    `select o.state, o.reversed_at is not null as reversed, o.status_conflict_at is not null as conflicting, o.doubted_since is not null as doubted,
       o.status_checks as "statusChecks", (select v.reason from order_review v where v.order_id = o.id) as review,
       exists (select from order_due q where q.order_id = o.id) as due
     from orders o where o.id = $1`,
    [id],
  );
  return row;
};
const IN_REVIEW = {
  state: 'success',
  reversed: false,
  conflicting: true,
  doubted: false,
  statusChecks: 0,
  review: 'status_conflict',
  due: false,
};

describe('a success that conflicts with a statement, at a provider without a status check', () => {
  it.each(['failed', 'reversed'] as const)('is moved to manual review once: %s', async (status) => {
    const order = await succeeded();
    const lines = [lineOf(order, status)];
    expect(await reconcile(lines, [order])).toMatchObject({ doubted: 0, conflicting: 1 });
    expect(await stateOf(order.id)).toEqual(IN_REVIEW);
    expect(await eventsOf(test, order.id)).toEqual(['response', 'status_conflict']);
    expect(await transfersOf(test, order.id)).toEqual(['hold', 'settle']);
    expect(await reconcile(lines, [order])).toMatchObject({ doubted: 0, conflicting: 0 });
    await test.db.query(`select order_confirm(developer_id, id, '{}') from orders where id = $1`, [order.id]);
    expect(await reconcile(lines, [order])).toMatchObject({ conflicting: 0 });
    expect(await stateOf(order.id)).toMatchObject({ conflicting: false, review: null });
  });

  it('is also moved to manual review if it is in doubt, without any status check', async () => {
    const { id } = await succeeded();
    expect(await doubtSuccess(test.app.pool, developer.id, id)).toBe(true);
    await until('the doubt has ended', async () => {
      const [row] = await test.db.query('select from orders where id = $1 and doubted_since is null', [id]);
      return row !== undefined;
    });
    expect(await stateOf(id)).toEqual(IN_REVIEW);
    expect(await eventsOf(test, id)).toEqual(['response', 'status_conflict']);
  });
});

const LIST = `query($filter: StatementDifferenceFilter) { statementDifferences(first: 50, filter: $filter) { edges { node {
  id provider kind line orderId reference account orderStatus orderAmount lineStatus lineAmount runId fileHash
  resolution resolvedAt resolvedBy { name } resolvedByRunId reason } } } }`;
const RESOLVE = `mutation($input: ResolveStatementDifferenceInput!) { resolveStatementDifference(input: $input) {
  difference { id resolution reason resolvedBy { name } } } }`;
const list = async (filter: object, token = console.staff.support) =>
  (await console.call(token, LIST, { filter })).body.data.statementDifferences.edges.map(
    ({ node }: { node: Record<string, unknown> }) => node,
  );
const resolve = (differenceId: unknown, reason: string, token = finance) =>
  console.call(token, RESOLVE, { input: { differenceId, reason } });

describe('the differences of a run', () => {
  it('are stored once for the same statement, until a later run no longer finds them', async () => {
    const order = await succeeded();
    const lines = [lineOf(order, 'succeeded', 60)];
    expect((await reconcile(lines, [order])).kept).toEqual({ added: 1, resolved: 0 });
    expect((await reconcile(lines, [order])).kept).toEqual({ added: 0, resolved: 0 });
    const [open, ...more] = await list({ orderId: publicId(order.id) });
    expect(more).toEqual([]);
    expect(open).toMatchObject({
      id: expect.stringMatching(/^dif_/),
      provider: 'MOKSHIQ',
      kind: 'AMOUNT_DIFFERS',
      line: 2,
      orderId: publicId(order.id),
      reference: order.reference,
      orderStatus: 'SUCCESS',
      orderAmount: 61,
      lineStatus: 'SUCCEEDED',
      lineAmount: 60,
      fileHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      resolution: null,
      resolvedBy: null,
    });
    expect(open.account).not.toContain('98765');
    // an incomplete file resolves no difference about a line
    expect((await reconcile([], [order])).kept).toMatchObject({ resolved: 0 });
    expect((await reconcile([lineOf(order, 'succeeded')], [order])).kept).toMatchObject({ added: 0, resolved: 2 });
    const found = await list({ orderId: publicId(order.id), kind: ['AMOUNT_DIFFERS'] });
    expect(found).toMatchObject([{ id: open.id, resolution: 'LATER_RUN', reason: null, resolvedBy: null }]);
    expect(found[0].resolvedByRunId).not.toBe(found[0].runId);
    // found again: the same difference is open again
    expect((await reconcile(lines, [order])).kept).toMatchObject({ added: 0 });
    expect(await list({ orderId: publicId(order.id), resolved: false })).toMatchObject([{ id: open.id }]);
  });

  it('include each of several equal lines without an order, and are resolved only by a statement of all their days', async () => {
    const unknown = { reference: `UNKNOWN-${++counter}` };
    const lines = [lineOf(unknown, 'succeeded', 5), lineOf(unknown, 'succeeded', 5)].map((line) => ({
      ...line,
      at: day.from,
    }));
    expect((await reconcile(lines, [])).kept).toEqual({ added: 2, resolved: 0 });
    expect((await reconcile(lines, [])).kept).toEqual({ added: 0, resolved: 0 });
    const other = [lineOf({ reference: `UNKNOWN-${++counter}` }, 'failed')];
    expect((await reconcile(other, [])).kept.resolved).toBe(0);
    expect((await reconcile([...other, ...other], [], { from: day.from, to: new Date() })).kept.resolved).toBe(0);
    expect((await reconcile([...other, ...other], [])).kept).toEqual({ added: 0, resolved: 2 });
  });

  it('of other days are resolved when the order has the status of the line', async () => {
    const order = await succeeded();
    await reconcile([lineOf(order, 'failed')], [order]);
    const other = await succeeded();
    await reconcile([lineOf(other, 'succeeded', 60)], [other], { from: day.from, to: new Date() });
    const tomorrow = { from: day.to, to: startOfIndianDay(TODAY, 2) };
    expect((await reconcile([], [], tomorrow)).kept.resolved).toBe(0);
    expect(await list({ orderId: publicId(order.id), resolved: false })).toHaveLength(1);
    await test.app.ledger.reverse(developer.id, order.id, { reason: 'provider_failure' });
    expect((await reconcile([], [], tomorrow)).kept.resolved).toBe(1);
    expect(await list({ orderId: publicId(order.id), resolved: false })).toEqual([]);
    expect(await list({ orderId: publicId(other.id), resolved: false })).toHaveLength(1);
  });

  it('are resolved by an admin or finance with a reason, once, and stay resolved', async () => {
    const order = await succeeded();
    const lines = [lineOf(order, 'succeeded', 62)];
    await reconcile(lines, [order]);
    const [{ id }] = await list({ orderId: publicId(order.id) });
    expect(codesOf(await resolve(id, 'Known', console.staff.support))).toEqual(['FORBIDDEN']);
    expect(codesOf(await resolve(id, ' '))).toEqual(['VALIDATION_FAILED']);
    expect(codesOf(await resolve(`dif_${order.id}`, 'Known'))).toEqual(['RECORD_NOT_FOUND']);
    const { body } = await resolve(id, 'Credit note 17 of the provider');
    expect(body.data.resolveStatementDifference.difference).toMatchObject({
      id,
      resolution: 'STAFF',
      reason: 'Credit note 17 of the provider',
      resolvedBy: { name: expect.any(String) },
    });
    expect(codesOf(await resolve(id, 'Once more'))).toEqual(['CONFLICT']);
    const entries = await test.db.query(
      `select action, reason, after ->> 'orderId' as order_id from audit_entry where subject = $1`,
      [`difference:${String(id).slice('dif_'.length)}`],
    );
    expect(entries).toEqual([
      { action: 'reconcile.resolve', reason: 'Credit note 17 of the provider', order_id: order.id },
    ]);
    expect((await reconcile(lines, [order])).kept).toEqual({ added: 0, resolved: 0 });
    await reconcile([lineOf(order, 'succeeded')], [order]);
    expect(await list({ orderId: publicId(order.id), resolved: true })).toMatchObject([{ id, resolution: 'STAFF' }]);
  });

  it('are in the work list, the metric and a CSV file', async () => {
    const order = await succeeded();
    const WORK = '{ work { kind count amount } }';
    const waiting = async () => {
      const { body } = await console.call(console.staff.support, WORK);
      return body.data.work.find(({ kind }: { kind: string }) => kind === 'STATEMENT_DIFFERENCE');
    };
    const waitingBefore = await waiting();
    await reconcile([lineOf(order, 'succeeded', 59)], [order]);
    expect(await waiting()).toEqual({
      ...waitingBefore,
      count: waitingBefore.count + 1,
      amount: waitingBefore.amount + 61,
    });
    await until('the metric has all of them', async () =>
      (await test.app.metrics.text()).includes(
        `gateway_statement_differences{provider="MOKSHIQ"} ${waitingBefore.count + 1}\n`,
      ),
    );

    const download = (token: string, filter = '') =>
      fetch(`${test.urls.console}/differences.csv?from=${TODAY}&to=${TODAY}${filter}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await download(await console.userOf(developer.id))).status).toBe(403);
    const response = await download(console.staff.support);
    expect(response.headers.get('content-disposition')).toContain(`differences-${TODAY}-${TODAY}.csv`);
    const records: string[][] = [];
    for await (const { fields } of csvRecords([await response.text()])) records.push(fields);
    const [header, ...rows] = records;
    const row = rows.map((fields) => Object.fromEntries(header!.map((name, n) => [name, fields[n]!]))).at(-1);
    expect(row).toMatchObject({
      provider: 'MOKSHIQ',
      kind: 'amount_differs',
      order_id: publicId(order.id),
      order_amount: '61.00',
      line_amount: '59.00',
      resolution: '',
    });
    const count = async (filter: string): Promise<number> =>
      (await (await download(console.staff.support, filter)).text()).trim().split('\r\n').length - 1;
    expect(await count(`&orderId=${publicId(order.id)}&resolved=false&kind=amount_differs&provider=mokshiq`)).toBe(1);
    expect(await count(`&orderId=${publicId(order.id)}&resolved=true`)).toBe(0);
    expect((await download(console.staff.support, '&kind=other')).status).toBe(422);
  });
});
