import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indianDay, startOfIndianDay } from '../../src/core/clock.js';
import { csvRecord } from '../../src/core/csv.js';
import { readBook } from '../../src/reconcile/provider-statement.js';
import { reconcile } from '../../src/reconcile/reconcile.js';
import { publicId, signedIn, transfersOf } from '../orders/order.fixture.js';
import { startTestApp, type TestApp, type TestDeveloper, testEnvironment } from '../support/app.js';
import { runProgram } from '../support/program.js';
import { place } from '../support/recharges.js';
import { type BookLine } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const today = indianDay(new Date());
const period = { from: startOfIndianDay(today), to: startOfIndianDay(today, 1) };

let test: TestApp;
let book: BookLine[];
beforeAll(async () => {
  test = await startTestApp();
  const roundpay = await test.developer({ rateLimitPerMinute: 1_000 });
  const mokshiq = await test.developer({ provider: 'MOKSHIQ', rateLimitPerMinute: 1_000 });
  const recharge = (developer: TestDeveloper, account: string, amount: number) =>
    place(test, developer, { account_number: account, amount, circle: 'Delhi', allow_duplicate: true });
  // one success and one declined; and at the second provider two alike, one declined, and one success whose response is lost,
  // which is in review
  for (const account of ['9876543210', '9876543211', '9876540001']) await recharge(roundpay, account, 10);
  for (const account of ['9876543210', '9876543210', '9876540001', '9876540012'])
    await recharge(mokshiq, account, 19.99);
  expect(await test.app.ledger.check()).toEqual([]);
  book = await test.simulator.book();
});
afterAll(() => test.close());

const text = (lines: readonly BookLine[]): string => lines.map((line) => JSON.stringify(line)).join('\n');
const differences = async (provider: string, lines: readonly BookLine[]) => {
  const comparison = await reconcile(test.app.pool, readBook(text(lines), provider), {
    provider,
    period,
    windowMs: 30 * 60_000,
    pepper: test.app.config.pepper,
  });
  const { orders, lines: compared, matched } = comparison;
  return {
    orders,
    lines: compared,
    matched,
    differences: comparison.differences.map(({ kind, ours, theirs }) => [kind, ours?.state, theirs?.status]),
  };
};

const csv = (lines: readonly BookLine[]): string => {
  const file = path.join(temporaryDirectory(), 'statement.csv');
  const rows = lines.map(({ account, amount, time }) =>
    csvRecord([account, (amount / 100).toFixed(2), 'SUCCESS', time]),
  );
  writeFileSync(file, csvRecord(['Mobile', 'Amount', 'Status', 'Date']) + rows.join(''));
  return file;
};
const mokshiqArguments = (file: string): string[] =>
  `--provider mokshiq --statement ${file} --from ${today} --to ${today} --columns reference=,account=Mobile,time=Date`.split(
    ' ',
  );
const program = (args: string[]) =>
  runProgram('cli/reconcile.js', testEnvironment(test.db.url, 'http://127.0.0.1:9', [0, 0, 0]), args);

describe('our orders and the records of a provider', () => {
  it('match by reference after real recharges', async () => {
    expect(await differences('ROUNDPAY', book)).toEqual({ orders: 3, lines: 2, matched: 2, differences: [] });
  });

  it('match by account, amount and time if no reference is used, except for orders without a known outcome', async () => {
    expect(await differences('MOKSHIQ', book)).toEqual({
      orders: 4,
      lines: 3,
      matched: 3,
      differences: [['status_differs', 'review', 'succeeded']],
    });
  });

  it('differ if the provider is missing an order, processed it twice or has another amount', async () => {
    const [first, second] = book.filter(({ provider }) => provider === 'roundpay') as [BookLine, BookLine];
    expect((await differences('ROUNDPAY', [first])).differences).toEqual([
      ['missing_at_provider', 'success', undefined],
    ]);
    expect((await differences('ROUNDPAY', [first, second, second])).differences).toEqual([
      ['duplicate', undefined, 'succeeded'],
    ]);
    expect((await differences('ROUNDPAY', [first, { ...second, amount: 1 }])).differences).toEqual([
      ['amount_differs', 'success', 'succeeded'],
    ]);
    expect(
      (await differences('ROUNDPAY', [first, { ...second, reference: 'X'.repeat(25) }])).differences.toSorted(),
    ).toEqual([
      ['missing_at_provider', 'success', undefined],
      ['order_not_found', undefined, 'succeeded'],
    ]);
  });

  it('report an archived order as archived, because only its reference is left', async () => {
    const [first, second] = book.filter(({ provider }) => provider === 'roundpay') as [BookLine, BookLine];
    const reference = '0'.repeat(20) + 'ARCHV';
    await test.db.query(
      `insert into order_reference (reference, developer_id, order_id) select $1, id, uuidv7() from developer limit 1`,
      [reference],
    );
    const line = { ...second, account: '9876543219', reference };
    expect((await differences('ROUNDPAY', [first, second, line])).differences).toEqual([
      ['archived', undefined, 'succeeded'],
    ]);
  });

  it('match an order that was placed before the period by its reference', async () => {
    const [first] = book.filter(({ provider }) => provider === 'roundpay');
    await test.db.query(
      `update orders set created_at = created_at - interval '5 days' where account_hash = (select account_hash from orders where provider = 'ROUNDPAY' order by id limit 1) and provider = 'ROUNDPAY'`,
    );
    try {
      expect((await differences('ROUNDPAY', [first!])).differences).toEqual([
        ['missing_at_provider', 'success', undefined],
      ]);
      expect((await differences('ROUNDPAY', book)).differences).toEqual([]);
    } finally {
      await test.db.query(
        `update orders set created_at = created_at + interval '5 days' where created_at < now() - interval '4 days'`,
      );
    }
  });
});

describe('gateway reconcile', () => {
  it('exits with 1 and prints a table if there are differences, without account numbers', async () => {
    const file = csv(book.filter(({ provider }) => provider === 'mokshiq'));
    const { code, stdout, stderr } = await program(mokshiqArguments(file));
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(
      /^difference +order +ours +theirs +age\nstatus differs +[0-9A-Z]{25} +review 19\.99 +succeeded 19\.99 +\d+ s\n/,
    );
    expect(stdout).toMatch(/\n4 orders, 3 lines, 3 matched, 1 differences; 1 new\n$/);
    expect(stdout).not.toContain('9876540012');
  });

  it('reads the "Unicode text" of spreadsheets if the encoding is given, and names the missing option if not', async () => {
    const lines = book.filter(({ provider }) => provider === 'mokshiq');
    const rows = [
      'Recharge report',
      'Mobile\tAmount\tStatus\tDate',
      ...lines.map(({ account, amount, time }) => `${account}\t₹${(amount / 100).toFixed(4)}\tSUCCESS\t${time}`),
      'Total',
    ];
    const file = path.join(temporaryDirectory(), 'statement.txt');
    writeFileSync(file, `\uFEFF${rows.join('\r\n')}\r\n`, 'utf16le');
    const shape = ['--delimiter', 'tab', '--skip', '1', '--skip-last', '1'];
    const [named, unnamed, wrong] = await Promise.all([
      program([...mokshiqArguments(file), ...shape, '--encoding', 'utf-16le']),
      program([...mokshiqArguments(file), ...shape]),
      program([...mokshiqArguments(file), '--time-format', 'DD', '--delimiter', ';;']),
    ]);
    expect(named.stdout).toMatch(/\n4 orders, 3 lines, 3 matched, 1 differences\n$/);
    expect(unnamed.code).toBe(2);
    expect(unnamed.stderr).toContain('the file is not utf-8: set its encoding with --encoding');
    expect([wrong.code, wrong.stderr.split('\n')[0]]).toEqual([
      2,
      '--delimiter must be one character, or tab. See "gateway reconcile --help".',
    ]);
  });

  it('exits with 0 without differences, with JSON on request; with 2 if it cannot compare', async () => {
    const file = path.join(temporaryDirectory(), 'book.jsonl');
    writeFileSync(file, text(book));
    const [agreeing, unreadable, misspelt] = await Promise.all([
      program(['--provider', 'roundpay', '--statement', file, '--from', today, '--to', today, '--json']),
      program([...mokshiqArguments(csv(book)).slice(0, 8), '--columns', 'account=Nothing']),
      program(['--provider', 'roundpay']),
    ]);
    expect([agreeing.code, agreeing.stderr]).toEqual([0, '']);
    expect(JSON.parse(agreeing.stdout)).toEqual({
      orders: 3,
      lines: 2,
      matched: 2,
      differences: [],
      doubted: 0,
      conflicting: 0,
      added: 0,
      resolved: 0,
    });
    expect(unreadable.code).toBe(2);
    expect(unreadable.stderr).toContain('the header has no column for');
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toMatch(/^--provider, --statement, --from and --to are required\./);
  });
});

describe('a statement in which a refunded order succeeded', () => {
  it('puts the order into the review queue once, and moves no money', async () => {
    const [order] = await test.db.query<{ id: string; reference: string }>(
      `select id, reference from orders where provider = 'ROUNDPAY' and state = 'failed'`,
    );
    const [line] = book.filter(({ provider }) => provider === 'roundpay');
    const file = path.join(temporaryDirectory(), 'succeeded.jsonl');
    writeFileSync(file, text([...book, { ...line!, account: '9876540001', reference: order!.reference }]));
    const args = ['--provider', 'roundpay', '--statement', file, '--from', today, '--to', today];
    const run = async (...more: string[]) => (await program([...args, ...more])).stdout;
    const state = async () => {
      const [row] = await test.db.query(
        `select (select reason from order_review v where v.order_id = o.id), o.state, o.status_conflict_at is not null as conflicting,
           (select count(*)::int from order_event e where e.order_id = o.id and e.kind = 'status_conflict') as events
         from orders o where id = $1`,
        [order!.id],
      );
      return row;
    };
    expect(await run('--compare-only')).toMatch(/1 differences\n$/);
    expect(await state()).toEqual({ reason: null, state: 'failed', conflicting: false, events: 0 });
    expect(await run()).toMatch(/1 differences; 1 new; 1 more need manual review\n$/);
    const waiting = { reason: 'status_conflict', state: 'failed', conflicting: true, events: 1 };
    expect(await state()).toEqual(waiting);
    expect(await run()).toMatch(/1 differences\n$/);
    expect(await state()).toEqual(waiting);
    expect(await transfersOf(test, order!.id)).toEqual(['hold', 'refund']);
    await test.db.query(`select order_confirm(developer_id, id, '{"note": "confirmed"}') from orders where id = $1`, [
      order!.id,
    ]);
    expect(await run()).toMatch(/1 differences\n$/);
    expect(await state()).toEqual({ reason: null, state: 'failed', conflicting: false, events: 1 });
  });
});

describe('a resolution of orders in review by a statement', () => {
  const dayOf = (days: number): string => indianDay(new Date(Date.now() + days * 86_400_000));
  // one more day on each side, because orders near midnight cannot be matched without a reference
  const requestApproval = (by: string, ...more: string[]) =>
    program([
      ...mokshiqArguments(file).slice(0, 4),
      '--from',
      dayOf(-1),
      '--to',
      dayOf(1),
      '--columns',
      'reference=,account=Mobile,time=Date',
      '--request-approval',
      '--by',
      by,
      ...more,
    ]);
  const EVIDENCE = 'orders { orderId outcome amount evidence { line reference status amount } }';
  const console = async (token: string, query: string) => (await test.graphql('console', token, query)).body;
  const approve = (token: string, id: string) =>
    console(
      token,
      `mutation { approveApprovalRequest(input: {approvalRequestId: "${id}"}) { outcome { ... on ApprovalRequestApproved { results { orderId result } } } } }`,
    );
  let file: string;
  let orderId: string;
  let admin: string;
  let second: string;
  let [email, emailOfSupport] = ['', ''];
  beforeAll(async () => {
    file = csv(book.filter(({ provider }) => provider === 'mokshiq'));
    const [row] = await test.db.query<{ id: string }>(`select id from orders where state = 'review'`);
    orderId = row!.id;
    admin = await signedIn(test, 'admin');
    second = await signedIn(test, 'admin');
    await signedIn(test, 'support');
    const users = await test.db.query<{ email: string }>('select email from app_user order by id');
    [email, emailOfSupport] = [users[0]!.email, users[2]!.email];
  });

  it('is requested by the admin who runs the command, stored with its file, and approved by another admin', async () => {
    const { code, stdout, stderr } = await requestApproval(` ${email.toUpperCase()}`);
    expect([code, stderr]).toEqual([1, '']);
    const [, id] = /\napproval request (\S+) is pending: 1 orders in review\n$/.exec(stdout) ?? [];
    expect(await transfersOf(test, orderId)).toEqual(['hold']);
    const [run] = await test.db.query(
      `select provider, encode(file_hash, 'hex') as hash, orders, lines, matched, differences, requested, approval_request_id from reconcile_run where requested > 0`,
    );
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    const counts = { orders: 4, lines: 3, matched: 3, differences: 1, requested: 1 };
    expect(run).toEqual({ provider: 'MOKSHIQ', hash, ...counts, approval_request_id: id });

    const { data } = await console(
      second,
      `{ approvalRequests { edges { node { id amount reason requestedBy { name } ${EVIDENCE} } } } }`,
    );
    const evidence = { line: 4, reference: '', status: 'SUCCEEDED', amount: 19.99 };
    expect(data.approvalRequests.edges).toEqual([
      {
        node: {
          id: `apr_${id}`,
          amount: 19.99,
          reason: `Statement of MOKSHIQ, ${dayOf(-1)} to ${dayOf(1)}, SHA-256 ${hash}`,
          requestedBy: { name: expect.stringMatching(/^User \d+$/) },
          orders: [{ orderId: publicId(orderId), outcome: 'SUCCESS', amount: 19.99, evidence }],
        },
      },
    ]);
    expect((await requestApproval(email, '--json')).stdout).toContain('"replayed": true');
    expect((await approve(admin, id!)).errors[0].extensions.code).toBe('FORBIDDEN');
    const results = [{ orderId: publicId(orderId), result: 'RESOLVED' }];
    expect((await approve(second, id!)).data.approveApprovalRequest.outcome.results).toEqual(results);

    expect(await transfersOf(test, orderId)).toEqual(['hold', 'settle']);
    const auditLog = await test.db.query<{ action: string; after: object }>(
      `select action, after from audit_entry where actor like 'user:%' and (action like 'reconcile.%' or subject = $1) order by audit_entry.id`,
      [`order:${orderId}`],
    );
    expect(auditLog.map(({ action }) => action)).toEqual(['reconcile.run', 'reconcile.run', 'order.resolve']);
    expect(auditLog[2]!.after).toMatchObject({ state: 'success', statement: { line: 4, status: 'succeeded' } });
    const [event] = await test.db.query<{ detail: { note: string } }>(
      `select detail from order_event where order_id = $1 and kind = 'resolution'`,
      [orderId],
    );
    expect(event!.detail.note).toBe("resolved by support: succeeded, line 4 of the provider's statement");
    expect(JSON.stringify([data, auditLog, event, stdout])).not.toContain('9876540012');
    const { stdout: after } = await requestApproval(email);
    expect(after).toMatch(/^the statement proves the outcome of no order in review: no approval was requested$/m);
    expect(await test.app.ledger.check()).toEqual([]);
  });

  it('requires the email address of an active admin', async () => {
    const [support, unknownUser, missing, both] = await Promise.all([
      requestApproval(emailOfSupport),
      requestApproval('nobody@test.example'),
      program([...mokshiqArguments(file), '--request-approval']),
      requestApproval(email, '--compare-only'),
    ]);
    for (const { code, stderr } of [support, unknownUser])
      expect([code, stderr]).toEqual([
        2,
        '--by must be the email address of an active administrator or finance user.\n',
      ]);
    expect([missing.code, missing.stderr.split('\n')[0]]).toEqual([
      2,
      'Use --request-approval and --by together. See "gateway reconcile --help".',
    ]);
    expect([both.code, both.stderr.split('\n')[0]]).toEqual([
      2,
      'Use either --request-approval or --compare-only. See "gateway reconcile --help".',
    ]);
  });
});
