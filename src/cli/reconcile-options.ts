import { startOfIndianDay } from '../core/clock.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { CalendarDate } from '../graphql-toolkit/scalars.js';
import { type StatementStatus, statementStatuses } from '../providers/provider.js';
import { paidProviders } from '../providers/registry.js';
import { defaultColumns, type StatementColumns } from '../reconcile/provider-statement.js';
import { timeFormatOf } from '../reconcile/statement-times.js';

/** Help text of the options that describe a provider's statement. */
export const STATEMENT_LINES = `  --provider NAME       ${paidProviders.map(({ name }) => name).join(' or ')}
  --statement FILE      CSV with a header; a file that ends in .jsonl is the simulator's book (GET /_/book)
  --columns NAME=COLUMN,…   columns for reference, account, amount (rupees), status and time; reference= for a provider
                        without references (default: columns with these names)
  --status WORD=MEANING,…   meaning of words in the status column: succeeded, failed, pending or reversed
  --encoding NAME       utf-8 (default), utf-16le or utf-16be; "Unicode text" of Excel is utf-16le
  --delimiter CHARACTER column separator: , (default), ; or tab
  --skip N, --skip-last N   records before the header, such as a title, and after the last transaction, such as a total
  --time-format PATTERN format of times if it is not a common one: YYYY MM MMM DD HH hh mm ss A Z, as in "DD-MM-YYYY hh:mm A"
  --window-minutes N    maximum time between an order and a line without a reference (default 30)`;

const USAGE: Usage = {
  command: 'reconcile',
  synopsis: '--provider NAME --statement FILE --from YYYY-MM-DD --to YYYY-MM-DD [options]',
  description: `Compares a provider's statement with our orders of a period (IST, both days included). Exits with 1 if they differ, and with 2 if the comparison
failed. If the statement lists a successful order as reversed or failed, the service checks its status; without a status check, the order needs
manual review. Differences are stored; staff resolve them in the portal, under Statement differences.`,
  options: `${STATEMENT_LINES}
  --compare-only        only compares: stores nothing and changes no order
  --request-approval --by EMAIL  requests approval, as this user, to resolve the orders in review whose outcome the statement proves; another
                        user approves the request in the portal
  --json                prints the result as JSON`,
  example:
    'gateway reconcile --provider ROUNDPAY --statement january.csv --from 2026-01-01 --to 2026-01-31 --columns reference=TXN,account=NUMBER',
};

/** Parses "a=b,c=d". */
function pairsOf(usage: Usage, text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1) throw wrongUsage(usage, `"${pair}" must have the form NAME=VALUE.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function columnsOf(usage: Usage, text: string | undefined): StatementColumns {
  const named = pairsOf(usage, text);
  for (const name of Object.keys(named))
    if (!Object.hasOwn(defaultColumns, name)) throw wrongUsage(usage, `Unknown column "${name}".`);
  const columns = { ...defaultColumns, ...named };
  return { ...columns, reference: columns.reference || undefined };
}

function wordsOf(usage: Usage, text: string | undefined): Record<string, StatementStatus> {
  const words = pairsOf(usage, text) as Record<string, StatementStatus>;
  for (const meaning of Object.values(words))
    if (!statementStatuses.includes(meaning))
      throw wrongUsage(usage, `Unknown status "${meaning}". Use ${statementStatuses.join(', ')}.`);
  return words;
}

function dayOf(usage: Usage, text: string, option: string): string {
  try {
    return CalendarDate.parseValue(text);
  } catch {
    throw wrongUsage(usage, `--${option} must be a date in the form YYYY-MM-DD.`);
  }
}

const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be'];

function shapeOf(usage: Usage, values: StatementValues) {
  const encoding = values.encoding.toLowerCase();
  if (!ENCODINGS.includes(encoding)) throw wrongUsage(usage, `--encoding must be one of ${ENCODINGS.join(', ')}.`);
  const delimiter = values.delimiter === 'tab' ? '\t' : values.delimiter;
  if (delimiter.length !== 1 || /["\r\n]/.test(delimiter))
    throw wrongUsage(usage, '--delimiter must be one character, or tab.');
  const countOf = (option: 'skip' | 'skip-last'): number => {
    const count = Number(values[option]);
    if (Number.isInteger(count) && count >= 0) return count;
    throw wrongUsage(usage, `--${option} must be a whole number, 0 or more.`);
  };
  const pattern = values['time-format'];
  return {
    encoding,
    delimiter,
    skip: countOf('skip'),
    skipLast: countOf('skip-last'),
    timeFormat: pattern === undefined ? undefined : timeFormatOf(pattern),
  };
}

export const statementOptions = {
  provider: { type: 'string' },
  statement: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  columns: { type: 'string' },
  status: { type: 'string' },
  encoding: { type: 'string', default: 'utf-8' },
  delimiter: { type: 'string', default: ',' },
  skip: { type: 'string', default: '0' },
  'skip-last': { type: 'string', default: '0' },
  'time-format': { type: 'string' },
  'window-minutes': { type: 'string', default: '30' },
} as const;

interface StatementValues {
  provider?: string | undefined;
  statement?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  columns?: string | undefined;
  status?: string | undefined;
  encoding: string;
  delimiter: string;
  skip: string;
  'skip-last': string;
  'time-format'?: string | undefined;
  'window-minutes': string;
}

/** Returns the provider, file format and period of the statement. Throws Ending. */
export function statementOf(usage: Usage, values: StatementValues) {
  const { provider, statement, from, to } = values;
  if (!provider || !statement || !from || !to)
    throw wrongUsage(usage, '--provider, --statement, --from and --to are required.');
  const windowMs = Number(values['window-minutes']) * 60_000;
  if (!(windowMs > 0)) throw wrongUsage(usage, '--window-minutes must be a number greater than 0.');
  const period = {
    from: startOfIndianDay(dayOf(usage, from, 'from')),
    to: startOfIndianDay(dayOf(usage, to, 'to'), 1),
  };
  if (period.to <= period.from) throw wrongUsage(usage, '--to must not be before --from.');
  return {
    provider: provider.toUpperCase(),
    statement,
    columns: columnsOf(usage, values.columns),
    words: wordsOf(usage, values.status),
    ...shapeOf(usage, values),
    period,
    windowMs,
  };
}

export type StatementOptions = ReturnType<typeof statementOf>;

/** Returns the options of the command line. Throws Ending. */
export function optionsOf(args: string[]) {
  const { values } = commandLine(USAGE, args, {
    ...statementOptions,
    'compare-only': { type: 'boolean', default: false },
    'request-approval': { type: 'boolean', default: false },
    by: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const statement = statementOf(USAGE, values);
  if (values['request-approval'] !== (values.by !== undefined))
    throw wrongUsage(USAGE, 'Use --request-approval and --by together.');
  if (values['request-approval'] && values['compare-only'])
    throw wrongUsage(USAGE, 'Use either --request-approval or --compare-only.');
  return { ...statement, compareOnly: values['compare-only'], requestBy: values.by, json: values.json };
}
