import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startOfIndianDay } from '../core/clock.js';
import { decimalText } from '../core/money.js';
import { CalendarDate } from '../core/scalars.js';
import { createPool } from '../db/pool.js';
import type { Comparison, Difference } from '../orders/reconcile/compare.js';
import {
  defaultColumns,
  type ProviderLine,
  readBook,
  readCsvStatement,
  type StatementColumns,
  type StatementStatus,
  statementStatuses,
} from '../orders/reconcile/provider-statement.js';
import { askAboutTakenBack, reconcile } from '../orders/reconcile/reconcile.js';
import { requireNode } from '../process-life.js';
import { duration } from './doctor-checks.js';
import { openTarget } from './target.js';

const USAGE = `npm run reconcile -- --provider NAME --statement FILE --from YYYY-MM-DD --to YYYY-MM-DD [options]
Compares a provider's statement with our orders of a period (Indian days, both included). Exits with 1 when they differ, with 2 when it cannot tell.
Successes that the statement calls reversed or failed are put in doubt: the service asks their provider, where it can be asked.
  --provider NAME       ROUNDPAY, MOKSHIQ or INSPAY
  --statement FILE      CSV with a header; a file that ends in .jsonl is the simulator's book (GET /_/book)
  --columns NAME=COLUMN,…   columns of the file for reference, account, amount (rupees), status, time; reference= for a
                        provider that takes none (default: columns of these names)
  --status WORD=MEANING,…   words of the status column: performed, failed, pending or reversed
  --window-minutes N    how far apart an order and a line without a reference may be (default 30)
  --compare-only        puts nothing in doubt
  --json                the result as JSON`;

/** "a=b,c=d" → pairs. */
function pairsOf(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1) throw new Error(`"${pair}" must have the form NAME=VALUE.\n${USAGE}`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function columnsOf(text: string | undefined): StatementColumns {
  const given = pairsOf(text);
  for (const name of Object.keys(given))
    if (!Object.hasOwn(defaultColumns, name)) throw new Error(`There is no column "${name}" to name.\n${USAGE}`);
  const columns = { ...defaultColumns, ...given };
  return { ...columns, reference: columns.reference || undefined };
}

function wordsOf(text: string | undefined): Record<string, StatementStatus> {
  const words = pairsOf(text) as Record<string, StatementStatus>;
  for (const meaning of Object.values(words))
    if (!statementStatuses.includes(meaning)) throw new Error(`"${meaning}" is no meaning of a status word.\n${USAGE}`);
  return words;
}

function dayOf(text: string, option: string): string {
  try {
    return CalendarDate.parseValue(text);
  } catch {
    throw new Error(`--${option} must be a date in the form YYYY-MM-DD.\n${USAGE}`);
  }
}

function optionsOf(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      provider: { type: 'string' },
      statement: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      columns: { type: 'string' },
      status: { type: 'string' },
      'window-minutes': { type: 'string', default: '30' },
      'compare-only': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { provider, statement, from, to } = values;
  if (!provider || !statement || !from || !to) throw new Error(USAGE);
  const windowMs = Number(values['window-minutes']) * 60_000;
  if (!(windowMs > 0)) throw new Error(`--window-minutes must be a number greater than 0.\n${USAGE}`);
  const period = { from: startOfIndianDay(dayOf(from, 'from')), to: startOfIndianDay(dayOf(to, 'to'), 1) };
  if (period.to <= period.from) throw new Error('--to must not be before --from.');
  return {
    provider: provider.toUpperCase(),
    statement,
    columns: columnsOf(values.columns),
    words: wordsOf(values.status),
    period,
    windowMs,
    compareOnly: values['compare-only'],
    json: values.json,
  };
}

async function linesOf({ statement, provider, columns, words }: ReturnType<typeof optionsOf>): Promise<ProviderLine[]> {
  if (statement.endsWith('.jsonl')) return readBook(readFileSync(statement, 'utf8'), provider);
  return readCsvStatement(createReadStream(statement, 'utf8'), { provider, columns, words });
}

/** One line of the table; our reference, or where the provider's line stands. */
function rowOf({ kind, ours, theirs, ageMs }: Difference): string[] {
  return [
    kind.replaceAll('_', ' '),
    ours?.reference ?? (theirs?.reference || `line ${theirs?.line}, account ${theirs?.account}`),
    ours ? `${ours.state} ${decimalText(ours.amountPaise)}` : '–',
    theirs ? `${theirs.status} ${decimalText(theirs.amountPaise)}` : '–',
    duration(ageMs / 1_000),
  ];
}

function tableOf({ orders, lines, matched, differences }: Comparison, doubted: number): string {
  const counts = `${orders} orders, ${lines} lines, ${matched} matched, ${differences.length} differences${doubted > 0 ? `; asking about ${doubted} that were taken back` : ''}`;
  if (differences.length === 0) return `${counts}\n`;
  const rows = [['difference', 'order', 'ours', 'theirs', 'age'], ...differences.map(rowOf)];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const printed = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return `${[...printed, '', counts].join('\n')}\n`;
}

/** `reconcile`: our orders against a provider's statement. */
async function main(): Promise<void> {
  requireNode();
  const options = optionsOf(process.argv.slice(2));
  const lines = await linesOf(options);
  const target = await openTarget(process.env);
  try {
    const config = target.config();
    const pool = createPool(config.databaseUrl, { max: 1 });
    try {
      const comparison = await reconcile(pool, lines, { ...options, pepper: config.pepper });
      const doubted = options.compareOnly ? 0 : await askAboutTakenBack(pool, comparison);
      process.stdout.write(
        options.json
          ? `${JSON.stringify({ ...comparison, doubted }, (_key, value) => (typeof value === 'bigint' ? Number(value) : value), 2)}\n`
          : tableOf(comparison, doubted),
      );
      if (comparison.differences.length > 0) process.exitCode = 1;
    } finally {
      await pool.end();
    }
  } finally {
    await target.close();
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(2); // 1 says that the books differ
});
