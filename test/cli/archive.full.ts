import { readdirSync } from 'node:fs';
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { monthOf } from '../../src/archive/indian-month.js';
import { firstKept, optionsOf } from '../../src/cli/archive-options.js';
import { indianDay } from '../../src/core/clock.js';
import { BOUNDARY, monthsBefore } from '../ledger/archive.fixture.js';
import { postLines } from '../ledger/books.fixture.js';
import { type TestDeveloper, testEnvironment } from '../support/app.js';
import { auditProblems } from '../support/audit.js';
import { runProgram } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { useOwnApp } from '../support/use-app.js';

const CSV = '/api/v1/wallet/statement.csv';
const DAYS = 'query($from: Date!, $to: Date!) { wallet { days(from: $from, to: $to) { opening closing } } }';

const test = useOwnApp({});
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ liveRupees: 0 });
  await postLines(test.db, developer.id, 'production', [
    { at: monthsBefore(2), amountPaise: 100_00 },
    { at: monthsBefore(1), amountPaise: -1_50 },
    { at: monthsBefore(0), amountPaise: -2_00 },
  ]);
});

const archive = (args: string[], more: Record<string, string> = {}) =>
  runProgram('cli/archive.js', { ...testEnvironment(test.db.url, 'http://127.0.0.1:9', [0, 0, 0]), ...more }, args);
const transfers = async () =>
  Number((await test.db.query(`select count(*) as n from transfer where environment = 'production'`))[0]!.n);
const day = (instant: Date): string => indianDay(instant);

describe('gateway archive', () => {
  it('reports the months to archive, archives them and rejects books that are wrong', async () => {
    const directory = temporaryDirectory();
    const falsify = (paise: number) =>
      test.db.query(
        `update wallet set balance_paise = balance_paise + $2 where developer_id = $1 and environment = 'production'`,
        [developer.id, paise],
      );
    await falsify(1);
    const wrong = await archive(['--apply', '--out', directory]);
    await falsify(-1);
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing can be archived while the ledger has violations:\n/),
    });
    expect([readdirSync(directory), await transfers()]).toEqual([[], 3]);

    const dry = await archive([]);
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    const months = [2, 1].map((n) => monthOf(monthsBefore(n)));
    expect(dry.stdout.split('\n')).toEqual([
      `Orders and transfers from before ${monthOf(BOUNDARY)} that can be archived, by the month of the last transfer:`,
      `${months[0]}  0 orders, 1 other postings, 1 transfers of ₹100.00, about 0.0 MB`,
      `${months[1]}  0 orders, 1 other postings, 1 transfers of ₹1.50, about 0.0 MB`,
      'Nothing was changed. To archive them, add --apply --out DIR.',
      '',
    ]);
    expect(await transfers()).toBe(3);

    const done = await archive(['--apply', '--out', directory]);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout.split('\n').slice(-2)).toEqual([
      `All final orders and transfers from before ${monthOf(BOUNDARY)} are archived.`,
      '',
    ]);
    expect(readdirSync(directory)).toHaveLength(4);
    expect(await transfers()).toBe(1);
    expect([await test.app.ledger.check(), await auditProblems(test.app.pool)]).toEqual([[], []]);
  });

  it('rejects the statement of an archived day, in GraphQL and as a file, and returns the next day correctly', async () => {
    const { production: token } = developer.tokens;
    const [dayBefore, first] = [day(new Date(BOUNDARY.getTime() - 1)), day(BOUNDARY)];
    const rejected = await test.graphql('production', token, DAYS, { from: dayBefore, to: first });
    expect(rejected.body.errors[0]).toMatchObject({
      message: `from: Must not be before ${first}, because earlier entries are archived.`,
      extensions: { code: 'VALIDATION_FAILED' },
    });
    const file = await test.rest('production', 'GET', `${CSV}?from=${dayBefore}&to=${first}`, token);
    expect([file.status, file.body.code]).toEqual([422, 'VALIDATION_FAILED']);
    const found = await test.graphql('production', token, DAYS, { from: first, to: day(monthsBefore(0)) });
    const days = found.body.data.wallet.days;
    expect([days[0].opening, days.at(-1).closing]).toEqual([98.5, 96.5]);
    expect((await test.rest('production', 'GET', `${CSV}?from=${first}&to=${first}`, token)).status).toBe(200);
  });

  it('does nothing while another run is in progress', async () => {
    const directory = temporaryDirectory();
    const other = new Client({ connectionString: test.db.url });
    await other.connect();
    try {
      await other.query('select pg_advisory_lock(7401254)');
      expect(await archive(['--apply', '--out', directory])).toMatchObject({
        code: 1,
        stderr: 'Another archive run is in progress.\n',
      });
    } finally {
      await other.end();
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  it('rejects a login that does not own the tables', async () => {
    const login = `service_${developer.id.replaceAll('-', '')}`;
    await test.db.query(`create role ${login} login password 'of a test' in role gateway_app`);
    try {
      const url = new URL(test.db.url);
      [url.username, url.password] = [login, 'of a test'];
      expect(await archive([], { DATABASE_URL: url.href })).toMatchObject({
        code: 1,
        stderr: 'Set DATABASE_URL to connect as the owner of the tables.\n',
      });
    } finally {
      await test.db.query(`drop role ${login}`);
    }
  });
});

describe('the months that the archive keeps', () => {
  it.each([
    [['--keep-months', '12'], '--keep-months must be'],
    [['--keep-months', '13.5'], '--keep-months must be'],
    [['--before', '2025-13'], '--before must be a month'],
    [['--before', '2025-01', '--keep-months', '20'], 'Use either --before or --keep-months'],
    [['--apply'], 'Use --apply and --out together'],
    [['--out', 'x'], 'Use --apply and --out together'],
  ])('rejects %j', (args, words) => {
    expect(() => optionsOf(args)).toThrow(words);
  });

  it('are at least 13 complete months and the current one', () => {
    const kept = (args: string[]) => firstKept(optionsOf(args), '2026-11');
    expect(kept([])).toBe('2025-10');
    expect(kept(['--keep-months', '24'])).toBe('2024-11');
    expect(kept(['--before', '2025-10'])).toBe('2025-10');
    expect(kept(['--before', '2024-02'])).toBe('2024-02');
    expect(() => kept(['--before', '2025-11'])).toThrow(
      '--before must be 2025-10 or earlier: 13 complete months must stay.',
    );
  });
});
