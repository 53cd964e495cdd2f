import { beforeAll, describe, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import type { TestDeveloper } from '../support/app.js';
import { developerNumber } from '../support/ids.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { type LineToPost, postLines } from './books.fixture.js';

const CSV = '/api/v1/wallet/statement.csv';
const DAYS = `query($from: Date!, $to: Date!) { wallet { balance days(from: $from, to: $to) { date opening credits debits closing } } }`;

const test = useSharedApp();
/** Developer whose wallet has no entries. */
let idle: TestDeveloper;
beforeAll(async () => {
  idle = await test.developer({ liveRupees: 0, rateLimitPerMinute: 1_000 });
});

/** A developer whose Production wallet has exactly these entries. */
async function developerWith(lines: readonly LineToPost[]): Promise<TestDeveloper> {
  const developer = await test.developer({ liveRupees: 0, rateLimitPerMinute: 1_000 });
  await postLines(test.db, developer.id, 'production', lines);
  return developer;
}
const csv = (developer: TestDeveloper, from: string, to: string) =>
  test.rest('production', 'GET', `${CSV}?from=${from}&to=${to}`, developer.tokens.production);
const days = async (developer: TestDeveloper, from: string, to: string) =>
  (await test.graphql('production', developer.tokens.production, DAYS, { from, to })).body;

const records = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
const inPaise = (text: string): bigint => BigInt(text === '' ? '0' : text.replace('.', ''));

describe('days of a wallet', () => {
  it('open with the closing balance of the day before, in IST', async () => {
    const developer = await developerWith([
      { at: '2026-03-01T18:29:59.999Z', amountPaise: 100_00 }, // 1 March, one millisecond before midnight IST.
      { at: '2026-03-01T18:30:00.000Z', amountPaise: -30_25 }, // 2 March, midnight.
      { at: '2026-03-02T06:00:00.000Z', amountPaise: 10 },
      { at: '2026-03-04T06:00:00.000Z', amountPaise: -50 },
    ]);
    const { data } = await days(developer, '2026-02-28', '2026-03-05');
    expect(data.wallet).toEqual({
      balance: 69.35,
      days: [
        { date: '2026-02-28', opening: 0, credits: 0, debits: 0, closing: 0 },
        { date: '2026-03-01', opening: 0, credits: 100, debits: 0, closing: 100 },
        { date: '2026-03-02', opening: 100, credits: 0.1, debits: 30.25, closing: 69.85 },
        { date: '2026-03-03', opening: 69.85, credits: 0, debits: 0, closing: 69.85 },
        { date: '2026-03-04', opening: 69.85, credits: 0, debits: 0.5, closing: 69.35 },
        { date: '2026-03-05', opening: 69.35, credits: 0, debits: 0, closing: 69.35 },
      ],
    });
  });

  it('include entries of their first and last millisecond, also as the only requested day', async () => {
    const developer = await developerWith([
      { at: '2026-03-01T18:29:59.999Z', amountPaise: 1_00 },
      { at: '2026-03-01T18:30:00.000Z', amountPaise: 2_00 }, // 2 March, midnight IST.
      { at: '2026-03-02T18:29:59.999Z', amountPaise: 4_00 },
      { at: '2026-03-02T18:30:00.000Z', amountPaise: 8_00 }, // 3 March.
    ]);
    const [day] = (await days(developer, '2026-03-02', '2026-03-02')).data.wallet.days;
    expect(day).toEqual({ date: '2026-03-02', opening: 1, credits: 6, debits: 0, closing: 7 });
  });

  it('keep the order of the wallet if an entry is older than the previous one', async () => {
    // A posting has the start time of its transaction. One that waited for the wallet comes later with an earlier time.
    const developer = await developerWith([
      { at: '2026-03-01T18:29:00.000Z', amountPaise: 100_00 },
      { at: '2026-03-01T18:30:00.001Z', amountPaise: 7_00 }, // 2 March.
      { at: '2026-03-01T18:29:59.500Z', amountPaise: 5_00 }, // It waited across midnight, so this is 2 March too.
      { at: '2026-03-01T18:30:10.000Z', amountPaise: 1_00 },
    ]);
    const complete = (await days(developer, '2026-03-01', '2026-03-02')).data.wallet.days;
    expect(complete.map(({ credits }: { credits: number }) => credits)).toEqual([100, 13]);
    // A day is the same in every requested range.
    expect((await days(developer, '2026-03-02', '2026-03-02')).data.wallet.days).toEqual([complete[1]]);
    expect((await days(developer, '2026-03-01', '2026-03-01')).data.wallet.days).toEqual([complete[0]]);
  });

  it('start at the first entry of the day, whichever entry the search reads first', async () => {
    // Every second entry waited for the wallet across midnight.
    const lines = Array.from({ length: 16 }, (_, n) => ({
      at: n % 2 === 0 ? '2026-03-01T18:30:01Z' : '2026-03-01T18:29:15Z',
      amountPaise: 1_00,
    }));
    for (const count of [2, 3, 7, 12, 16]) {
      const developer = await developerWith(lines.slice(0, count));
      const [day] = (await days(developer, '2026-03-02', '2026-03-02')).data.wallet.days;
      expect(day).toEqual({ date: '2026-03-02', opening: 0, credits: count, debits: 0, closing: count });
    }
  });

  it('are exact in a wallet with many entries, for every first and last day', async () => {
    // 5,000 entries over 50 days, out of order by up to 20 s like waiting postings.
    const start = Date.parse('2026-01-01T00:00:00Z');
    const lines = Array.from({ length: 5_000 }, (_, n) => ({
      at: new Date(start + n * 864_000 + ((n * 7_919) % 20_000)),
      amountPaise: n % 3 === 1 ? -(n % 97) - 1 : (n % 89) + 100,
    }));
    const developer = await developerWith(lines);
    const dayOf: string[] = [];
    let reached = 0;
    for (const { at } of lines) dayOf.push(indianDay(new Date((reached = Math.max(reached, at.getTime())))));
    let balance = 0;
    const expected = new Map<string, { opening: number; closing: number; credits: number; debits: number }>();
    lines.forEach(({ amountPaise }, index) => {
      const day = expected.get(dayOf[index]!) ?? { opening: balance, closing: balance, credits: 0, debits: 0 };
      if (amountPaise > 0) day.credits += amountPaise;
      else day.debits -= amountPaise;
      day.closing = balance += amountPaise;
      expected.set(dayOf[index]!, day);
    });
    const found = await test.app.daily.days(developer.id, 'production', '2026-01-01', '2026-02-19');
    expect(found).toHaveLength(50);
    for (const [index, day] of found.entries()) {
      const { opening, credits, debits, closing } = expected.get(day.date)!;
      expect([day.openingPaise, day.creditsPaise, day.debitsPaise, day.closingPaise].map(Number)).toEqual([
        opening,
        credits,
        debits,
        closing,
      ]);
      if (index % 5 > 0) continue;
      const singleDay = await test.app.daily.days(developer.id, 'production', day.date, day.date);
      expect(singleDay).toEqual([day]);
    }
  });

  it('in the future are omitted', async () => {
    const today = indianDay(new Date());
    const inAWeek = indianDay(new Date(Date.now() + 7 * 86_400_000));
    expect((await days(idle, today, inAWeek)).data.wallet.days.map(({ date }: { date: string }) => date)).toEqual([
      today,
    ]);
    expect((await days(idle, inAWeek, inAWeek)).data.wallet.days).toEqual([]);
  });

  it.each([
    ['2026-03-02', '2026-03-01'],
    ['2026-01-01', '2026-04-03'], // 93 days.
  ])('reject the range %s to %s', async (from, to) => {
    const { errors } = await days(idle, from, to);
    expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', fields: [{ path: 'to' }] });
  });
});

describe('the pages of a statement', () => {
  const PAGE = `query($after: String) { wallet { statement(first: 3, after: $after) {
    edges { node { reference } } pageInfo { hasNextPage endCursor } } } }`;

  it('contain each entry once, newest first', async () => {
    const references = Array.from({ length: 7 }, (_, n) => `line ${n}`);
    const developer = await developerWith(
      references.map((reference) => ({ at: '2026-03-01T06:00:00Z', amountPaise: 1, reference })),
    );
    const pages: string[][] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { body } = await test.graphql('production', developer.tokens.production, PAGE, { after });
      const { edges, pageInfo } = body.data.wallet.statement;
      pages.push(edges.map(({ node }: { node: { reference: string } }) => node.reference));
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(references.toReversed());
  });
});

describe('the statement as CSV', () => {
  it('adds up to the exact balance over many pages of entries and chunks of days', async () => {
    const start = Date.parse('2026-01-31T12:00:00Z');
    const lines = Array.from({ length: 3_500 }, (_, n) => ({
      at: new Date(start + n * 300_000), // 12 days.
      amountPaise: n % 3 === 2 ? -((n % 61) + 1) : (n % 83) + 60,
    }));
    const developer = await developerWith(lines);
    const { status, headers, body } = await csv(developer, '2026-01-01', '2026-03-01');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="statement-production-2026-01-01-2026-03-01.csv"',
    );
    expect(headers.get('cache-control')).toBe('no-store');
    const [header, ...rows] = records(body);
    expect(header).toEqual(['date', 'at', 'kind', 'reference', 'credit', 'debit', 'balance', 'line']);
    const posted = rows.filter(([, , kind]) => kind !== 'opening' && kind !== 'closing');
    expect(posted.map((row) => row[7])).toEqual(lines.map((_, n) => `led_production_${developer.id}_${n + 1}`));
    let balance = 0n;
    for (const [, , kind, , credit = '', debit = '', after = ''] of rows) {
      balance += inPaise(credit) - inPaise(debit);
      expect([kind, inPaise(after)]).toEqual([kind, balance]);
    }
    expect(balance).toBe((await test.app.ledger.wallet(developer.id, 'production')).balancePaise);
    expect(rows.filter(([, , kind]) => kind === 'opening')).toHaveLength(60);
    expect(rows.filter(([, , kind]) => kind === 'closing')).toHaveLength(60);
  });

  it('contains a real recharge, refund and reversal', async () => {
    const developer = await test.developer({ liveRupees: 500 });
    for (const account of ['9876543210', '9876540001'])
      await place(test, developer, { account_number: account, amount: 10.5 });
    const [order] = await test.db.query<{ id: string }>(
      `select id from orders where developer_id = $1 and state = 'success'`,
      [developer.id],
    );
    expect(await test.app.ledger.reverse(developer.id, order!.id, {})).toBe('reversed');
    const today = indianDay(new Date());
    const rows = records((await csv(developer, today, today)).body).slice(1);
    expect(rows.map(([, , kind, , credit, debit, after]) => [kind, credit, debit, after])).toEqual([
      ['opening', '', '', '0.00'],
      ['top_up', '500.00', '', '500.00'],
      ['hold', '', '10.50', '489.50'],
      ['hold', '', '10.50', '479.00'],
      ['refund', '10.50', '', '489.50'],
      ['reversal', '10.50', '', '500.00'],
      ['closing', '', '', '500.00'],
    ]);
    const [day] = (await days(developer, today, today)).data.wallet.days;
    expect(day).toEqual({ date: today, opening: 0, credits: 521, debits: 21, closing: 500 });
    expect(rows[2]![1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:30$/);
    expect(rows[2]![3]).toMatch(/^[0-9A-Z]{25}$/);
  });

  it('quotes fields as necessary and neutralizes spreadsheet formulas', async () => {
    const references = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', 'a;=1+1', 'a "quoted", text', 'plain'];
    const developer = await developerWith(
      references.map((reference) => ({ at: '2026-03-01T06:00:00Z', amountPaise: 1, reference })),
    );
    const { body } = await csv(developer, '2026-03-01', '2026-03-01');
    const cells = (body as string)
      .split('\r\n')
      .slice(2, 9)
      .map((line) => /top_up,(.*),0\.01,,/.exec(line)![1]);
    expect(cells).toEqual([
      `"'=HYPERLINK(""http://x"")"`,
      `"'+1"`,
      `"'-1"`,
      `"'@SUM(A1)"`,
      `"a;'=1+1"`,
      `"a ""quoted"", text"`,
      'plain',
    ]);
  });

  it('contains nothing of another developer or environment', async () => {
    const other = await developerWith([{ at: '2026-03-01T06:00:00Z', amountPaise: 5, reference: 'theirs' }]);
    const developer = await developerWith([{ at: '2026-03-01T06:00:00Z', amountPaise: 5, reference: 'mine' }]);
    await postLines(test.db, developer.id, 'uat', [{ at: '2026-03-01T06:00:00Z', amountPaise: 5, reference: 'play' }]);
    const { body } = await csv(developer, '2026-03-01', '2026-03-01');
    expect(body).toContain('mine');
    expect(body).not.toMatch(/theirs|play/);
    expect((await csv(other, '2026-03-01', '2026-03-01')).body).toContain('theirs');
  });

  it('checks token, account and input in the usual order', async () => {
    const developer = await test.developer();
    const path = `${CSV}?from=2026-03-01&to=2026-02-01`;
    const anonymous = await test.rest('production', 'GET', path);
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    const otherEnvironment = await test.rest('production', 'GET', path, developer.tokens.uat);
    expect([otherEnvironment.status, otherEnvironment.body.code]).toEqual([401, 'WRONG_HOST']);
    await test.db.query('update developer set suspended_at = now() where id = $1', [developer.id]);
    const suspended = await test.rest('production', 'GET', path, developer.tokens.production);
    expect([suspended.status, suspended.body.code]).toEqual([403, 'SUSPENDED']);
    await test.db.query('update developer set suspended_at = null where id = $1', [developer.id]);
    const rejection = await test.rest('production', 'GET', path, developer.tokens.production);
    expect([rejection.status, rejection.body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(rejection.body).toMatchObject({ status: 'error', errors: { to: ['Must not be before the first day.'] } });
    const method = await test.rest('production', 'POST', CSV, developer.tokens.production, {});
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await test.rest('uat', 'GET', `${CSV}?from=2026-03-01&to=2026-03-01`, developer.tokens.uat)).status).toBe(
      200,
    );
  });

  it.each([
    ['', { from: expect.anything(), to: expect.anything() }],
    ['?from=2026-02-30&to=2026-03-01', { from: expect.anything() }],
    ['?from=2026-03-01&from=2026-03-02&to=2026-03-05', { from: expect.anything() }],
    ['?from=2025-01-01&to=2026-03-01', { to: ['Must span at most 366 days, including the first one.'] }],
    ['?from=2026-03-01&to=yesterday', { to: expect.anything() }],
  ])('names the invalid field in the query "%s"', async (query, errors) => {
    const { status, body } = await test.rest('production', 'GET', CSV + query, idle.tokens.production);
    expect([status, body.errors]).toEqual([422, errors]);
  });

  it('has a rate limit of its own', async () => {
    const developer = await test.developer({ liveRupees: 0, rateLimitPerMinute: 2 });
    const responses = [];
    for (let n = 0; n < 3; n++) responses.push(await csv(developer, '2026-03-01', '2026-03-01'));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(responses[0]!.headers.get('x-ratelimit-remaining')).toBe('1');
    expect(responses[2]!.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(responses[2]!.headers.get('ratelimit')).toContain('"wallet/statement.csv";r=0');
  });

  it('aborts the response instead of ending it early when the database fails halfway', async () => {
    const developer = await developerWith(
      Array.from({ length: 1_500 }, () => ({ at: '2026-03-01T06:00:00Z', amountPaise: 1 })),
    );
    const broken = new Error('the database went away');
    const { statement } = test.app;
    const original = statement.pages.bind(statement);
    statement.pages = async function* (...args: Parameters<typeof original>) {
      for await (const page of original(...args)) {
        yield page;
        throw broken;
      }
    };
    try {
      await expect(csv(developer, '2026-03-01', '2026-03-01')).rejects.toThrow();
    } finally {
      statement.pages = original;
    }
    expect((await csv(developer, '2026-03-01', '2026-03-01')).status).toBe(200);
  });

  it('stops reading when the client disconnects', async () => {
    const developer = await developerWith(
      Array.from({ length: 30_000 }, () => ({ at: '2026-03-01T06:00:00Z', amountPaise: 1 })),
    );
    const progress = { pages: 0, ended: false };
    const { statement } = test.app;
    const original = statement.pages.bind(statement);
    statement.pages = async function* (...args: Parameters<typeof original>) {
      try {
        for await (const page of original(...args)) {
          progress.pages++;
          yield page;
        }
      } finally {
        progress.ended = true;
      }
    };
    try {
      const response = await fetch(`${test.urls.production}${CSV}?from=2026-03-01&to=2026-03-01`, {
        headers: { authorization: `Bearer ${developer.tokens.production}` },
      });
      const reader = response.body!.getReader();
      while (progress.pages === 0) await reader.read();
      await reader.cancel();
      for (let waited = 0; !progress.ended && waited < 5_000; waited += 20)
        await new Promise((resume) => setTimeout(resume, 20));
    } finally {
      statement.pages = original;
    }
    expect(progress.ended).toBe(true);
    expect(progress.pages).toBeLessThan(30);
  });
});

it('a wallet that does not exist has empty days', async () => {
  const found = await test.app.daily.days(developerNumber(999_999), 'production', '2026-03-01', '2026-03-02');
  expect(found.map(({ closingPaise }) => closingPaise)).toEqual([0n, 0n]);
});
