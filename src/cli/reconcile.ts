import { createReadStream, readFileSync } from 'node:fs';
import { decimalText } from '../core/money.js';
import { createPool } from '../db/pool.js';
import type { Comparison, Difference } from '../orders/reconcile/compare.js';
import { type ProviderLine, readBook, readCsvStatement } from '../orders/reconcile/provider-statement.js';
import { askAboutTakenBack, reconcile } from '../orders/reconcile/reconcile.js';
import { requireNode } from '../process-life.js';
import { duration } from './doctor-checks.js';
import { optionsOf } from './reconcile-options.js';
import { openTarget } from './target.js';

async function linesOf(options: ReturnType<typeof optionsOf>): Promise<ProviderLine[]> {
  const { statement, provider, columns, words, encoding, delimiter, skip, skipLast, timeFormat } = options;
  if (statement.endsWith('.jsonl')) return readBook(readFileSync(statement, 'utf8'), provider);
  const format = { provider, columns, words, delimiter, skip, skipLast, ...(timeFormat ? { timeFormat } : {}) };
  return readCsvStatement(textOf(createReadStream(statement), encoding), format);
}

/** Errors: one sentence, when the bytes are none of that encoding. */
async function* textOf(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (piece?: Buffer): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw new Error(`the file is not ${encoding}: say what it is with --encoding`);
    }
  };
  for await (const piece of bytes) yield decode(piece);
  yield decode();
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
