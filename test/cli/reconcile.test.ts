import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indianTime, startOfIndianDay } from '../../src/core/clock.js';
import { csvRecord } from '../../src/core/csv.js';
import { readBook } from '../../src/orders/reconcile/provider-statement.js';
import { reconcile } from '../../src/orders/reconcile/reconcile.js';
import { startTestApp, type TestApp, type TestDeveloper, testEnvironment } from '../support/app.js';
import { runProgram } from '../support/program.js';
import { type BookLine } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const today = indianTime(new Date()).slice(0, 10);
const period = { from: startOfIndianDay(today), to: startOfIndianDay(today, 1) };

let test: TestApp;
let book: BookLine[];
beforeAll(async () => {
  test = await startTestApp();
  const roundpay = await test.developer({ rateLimitPerMinute: 1_000 });
  const mokshiq = await test.developer({ provider: 'MOKSHIQ', rateLimitPerMinute: 1_000 });
  const recharge = (developer: TestDeveloper, account: string, amount: number) =>
    test.rest('production', 'POST', '/api/v1/recharge', developer.tokens.production, {
      account_number: account,
      amount,
      operator_sp_key: 116,
      operator_type: 'mobile',
      circle: 'Delhi',
    });
  // performed, declined; and at Mokshiq two alike, declined, and performed although its answer is lost: in review
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
  return {
    ...comparison,
    differences: comparison.differences.map(({ kind, ours, theirs }) => [kind, ours?.state, theirs?.status]),
  };
};

const program = (args: string[]) =>
  runProgram('cli/reconcile.js', testEnvironment(test.db.url, 'http://127.0.0.1:9', [0, 0, 0]), args);

describe('our orders and the book of a provider', () => {
  it('agree by reference after real recharges', async () => {
    expect(await differences('ROUNDPAY', book)).toEqual({ orders: 3, lines: 2, matched: 2, differences: [] });
  });

  it('agree by account, amount and time where no reference is taken, but for what nobody knows yet', async () => {
    expect(await differences('MOKSHIQ', book)).toEqual({
      orders: 4,
      lines: 3,
      matched: 3,
      differences: [['status_differs', 'review', 'performed']],
    });
  });

  it('differ by what the provider did not write down, did twice or with another amount', async () => {
    const [first, second] = book.filter(({ provider }) => provider === 'roundpay') as [BookLine, BookLine];
    expect((await differences('ROUNDPAY', [first])).differences).toEqual([
      ['missing_at_provider', 'success', undefined],
    ]);
    expect((await differences('ROUNDPAY', [first, second, second])).differences).toEqual([
      ['duplicate', undefined, 'performed'],
    ]);
    expect((await differences('ROUNDPAY', [first, { ...second, amount: 1 }])).differences).toEqual([
      ['amount_differs', 'success', 'performed'],
    ]);
    expect(
      (await differences('ROUNDPAY', [first, { ...second, reference: 'X'.repeat(25) }])).differences.toSorted(),
    ).toEqual([
      ['missing_at_ours', undefined, 'performed'],
      ['missing_at_provider', 'success', undefined],
    ]);
  });

  it('an order that was placed before the period is found by its reference', async () => {
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

describe('the program', () => {
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

  it('exits with 1 and a table when they differ, and shows no account number', async () => {
    const file = csv(book.filter(({ provider }) => provider === 'mokshiq'));
    const { code, stdout, stderr } = await program(mokshiqArguments(file));
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(
      /^difference +order +ours +theirs +age\nstatus differs +[0-9A-Z]{25} +review 19\.99 +performed 19\.99 +\d+ s\n/,
    );
    expect(stdout).toMatch(/\n4 orders, 3 lines, 3 matched, 1 differences\n$/);
    expect(stdout).not.toContain('9876540012');
  });

  it('reads what a spreadsheet calls Unicode text, when it is told so, and says when it is not', async () => {
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
    const [told, untold, wrong] = await Promise.all([
      program([...mokshiqArguments(file), ...shape, '--encoding', 'utf-16le']),
      program([...mokshiqArguments(file), ...shape]),
      program([...mokshiqArguments(file), '--time-format', 'DD', '--delimiter', ';;']),
    ]);
    expect(told.stdout).toMatch(/\n4 orders, 3 lines, 3 matched, 1 differences\n$/);
    expect(untold.code).toBe(2);
    expect(untold.stderr).toContain('the file is not utf-8: say what it is with --encoding');
    expect([wrong.code, wrong.stderr.split('\n')[0]]).toEqual([2, '--delimiter must be one character, or tab.']);
  });

  it('exits with 0 when they agree, with JSON if asked; with 2 when it cannot tell', async () => {
    const file = path.join(temporaryDirectory(), 'book.jsonl');
    writeFileSync(file, text(book));
    const [agreeing, unreadable, misspelt] = await Promise.all([
      program(['--provider', 'roundpay', '--statement', file, '--from', today, '--to', today, '--json']),
      program([...mokshiqArguments(csv(book)).slice(0, 8), '--columns', 'account=Nothing']),
      program(['--provider', 'roundpay']),
    ]);
    expect([agreeing.code, agreeing.stderr]).toEqual([0, '']);
    expect(JSON.parse(agreeing.stdout)).toEqual({ orders: 3, lines: 2, matched: 2, differences: [], doubted: 0 });
    expect(unreadable.code).toBe(2);
    expect(unreadable.stderr).toContain('the header has no column for');
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toContain('--statement FILE');
  });
});
