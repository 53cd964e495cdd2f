import { csvRecords } from '../core/csv.js';
import { type Paise, paise, paiseFromDecimal } from '../core/money.js';
import { type StatementStatus, statementStatuses } from '../providers/provider.js';
import { paidProviders } from '../providers/registry.js';
import { commonTimes, type TimeFormat } from './statement-times.js';

/** Transaction in a statement of a provider. */
export interface ProviderLine {
  /** Line number in the file. */
  line: number;
  /** Our reference, as sent to the provider. It is empty if the provider has none. */
  reference: string;
  account: string;
  amountPaise: Paise;
  status: StatementStatus;
  at: Date;
}

/** Column names in the header of the file. A provider without references has no reference column. */
export interface StatementColumns {
  reference?: string;
  account: string;
  amount: string;
  status: string;
  time: string;
}

export const defaultColumns: StatementColumns = {
  reference: 'reference',
  account: 'account',
  amount: 'amount',
  status: 'status',
  time: 'time',
};

/** Words of the status column, in uppercase. An unlisted word makes the file unreadable, because statuses are never guessed. */
const COMMON_WORDS: Readonly<Record<string, StatementStatus>> = {
  SUCCESS: 'succeeded',
  SUCCESSFUL: 'succeeded',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  FAILURE: 'failed',
  PENDING: 'pending',
  PROCESSING: 'pending',
  REFUNDED: 'reversed',
  REFUND: 'reversed',
  REVERSED: 'reversed',
};
/** Status codes in the format of a provider. */
const codesOf = (provider: string) => paidProviders.find(({ name }) => name === provider)?.statementWords;

export interface CsvFormat {
  provider: string;
  columns: StatementColumns;
  /** Additional words of the status column. */
  words?: Readonly<Record<string, StatementStatus>>;
  /** Delimiter, one character. Default: comma. */
  delimiter?: string;
  /** Number of records before the header, for example a title or the period. */
  skip?: number;
  /** Number of records after the last transaction, for example a total. */
  skipLast?: number;
  /** Format of times. Default: any of the common formats. */
  timeFormat?: TimeFormat;
}

const MAX_LISTED_PROBLEMS = 10;

/**
 * Error for an unreadable statement. A statement that cannot be read completely is not compared, because skipped lines would
 * look like matches.
 */
export class UnreadableStatement extends Error {
  constructor(problems: readonly string[]) {
    const listed = problems.slice(0, MAX_LISTED_PROBLEMS);
    const summary = problems.length > listed.length ? [`and ${problems.length - listed.length} more`] : [];
    super(['The statement could not be read:', ...[...listed, ...summary].map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'UnreadableStatement';
  }
}

/**
 * Reads a CSV statement. Amounts are in rupees. Times without an offset are in IST. Throws UnreadableStatement with all invalid
 * lines.
 */
export async function readCsvStatement(
  pieces: AsyncIterable<string> | Iterable<string>,
  { provider, columns, words = {}, delimiter, skip = 0, skipLast = 0, timeFormat = commonTimes }: CsvFormat,
): Promise<ProviderLine[]> {
  const statusOf = { ...COMMON_WORDS, ...codesOf(provider), ...withUpperCaseKeys(words) };
  const records: (ProviderLine | string)[] = [];
  let positions: Record<keyof StatementColumns, number> | undefined;
  let skipped = 0;
  const parse = (line: number, fields: readonly string[]): ProviderLine | string => {
    const valueOf = (name: keyof StatementColumns): string => fields[positions![name]]?.trim() ?? '';
    const amountPaise = amountOf(valueOf('amount'));
    const status = statusOf[valueOf('status').toUpperCase()];
    const time = timeFormat(valueOf('time'));
    if (amountPaise === undefined || amountPaise <= 0n)
      return `line ${line}: the amount is not a valid amount in rupees`;
    if (!status) return `line ${line}: the status word is unknown; map it to a status`;
    if (!time) return `line ${line}: the time has an unknown format`;
    return { line, reference: valueOf('reference'), account: valueOf('account'), amountPaise, status, at: time };
  };
  try {
    for await (const { line, fields } of csvRecords(pieces, delimiter)) {
      if (skipped++ < skip) continue;
      if (positions) records.push(parse(line, fields));
      else positions = positionsOf(columns, fields);
    }
  } catch (error) {
    throw new UnreadableStatement([(error as Error).message]);
  }
  if (!positions) throw new UnreadableStatement(['the file is empty']);
  const statementRecords = records.slice(0, Math.max(0, records.length - skipLast));
  const problems = statementRecords.filter((record) => typeof record === 'string');
  if (problems.length > 0) throw new UnreadableStatement(problems);
  return statementRecords as ProviderLine[];
}

function positionsOf(columns: StatementColumns, header: readonly string[]): Record<keyof StatementColumns, number> {
  const names = header.map((name) => name.trim().toLowerCase());
  const find = (name: string | undefined): number =>
    name === undefined ? -1 : names.indexOf(name.trim().toLowerCase());
  const positions = {
    reference: find(columns.reference),
    account: find(columns.account),
    amount: find(columns.amount),
    status: find(columns.status),
    time: find(columns.time),
  };
  const missing = Object.entries(positions).filter(
    ([name, at]) => at < 0 && (name !== 'reference' || columns.reference),
  );
  if (missing.length > 0)
    throw new Error(
      `the header has no column for ${missing.map(([name]) => name).join(', ')}; columns: ${header.join(', ')}`,
    );
  return positions;
}

const withUpperCaseKeys = (words: Readonly<Record<string, StatementStatus>>): Record<string, StatementStatus> =>
  Object.fromEntries(Object.entries(words).map(([word, status]) => [word.toUpperCase(), status]));

/**
 * Converts text such as "199", "1,00,199.5", "199.0000", "₹199.00" or "Rs. 199" to an exact amount of paise. Returns undefined
 * for other text.
 */
function amountOf(text: string): Paise | undefined {
  const number = text.replace(/^(₹|Rs\.?|INR)\s*/i, '').replaceAll(',', '');
  return paiseFromDecimal(number.replace(/(\.\d\d)0+$/, '$1'));
}

interface BookEntry {
  provider: string;
  reference: string | null;
  account: string;
  /** Amount in integer paise. */
  amount: number;
  outcome: 'succeeded' | 'reversed';
  time: string;
}

/** Reads the lines of one provider from the simulator's book (JSON lines). Throws UnreadableStatement. */
export function readBook(text: string, provider: string): ProviderLine[] {
  const lines: ProviderLine[] = [];
  const problems: string[] = [];
  text.split('\n').forEach((json, index) => {
    if (json.trim() === '') return;
    try {
      const entry = JSON.parse(json) as BookEntry;
      if (entry.provider !== provider.toLowerCase()) return;
      const at = new Date(entry.time);
      if (!Number.isInteger(entry.amount) || Number.isNaN(at.getTime()) || !statementStatuses.includes(entry.outcome))
        throw new Error('invalid line of a book');
      lines.push({
        line: index + 1,
        reference: entry.reference ?? '',
        account: entry.account,
        amountPaise: paise(entry.amount),
        status: entry.outcome,
        at,
      });
    } catch {
      problems.push(`line ${index + 1}: not a valid line of the simulator's book`);
    }
  });
  if (problems.length > 0) throw new UnreadableStatement(problems);
  return lines;
}
