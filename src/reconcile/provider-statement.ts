import { csvRecords } from '../core/csv.js';
import { type Paise, paise, paiseFromDecimal } from '../core/money.js';
import { type StatementStatus, statementStatuses } from '../providers/provider.js';
import { paidProviders } from '../providers/registry.js';
import { commonTimes, type TimeFormat } from './statement-times.js';

/** One transaction as the provider wrote it down. */
export interface ProviderLine {
  /** Where it stands in the file. */
  line: number;
  /** Ours, as the provider was given it; empty where it takes none. */
  reference: string;
  account: string;
  amountPaise: Paise;
  status: StatementStatus;
  at: Date;
}

/** The names of the columns in the file's header; a provider that takes no reference has no such column. */
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

/** Words of a status column, in upper case. A word that is not listed makes the file unreadable: nothing is guessed. */
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
/** The codes of a provider's own format. */
const codesOf = (provider: string) => paidProviders.find(({ name }) => name === provider)?.statementWords;

export interface CsvFormat {
  provider: string;
  columns: StatementColumns;
  /** Further words of the status column. */
  words?: Readonly<Record<string, StatementStatus>>;
  /** One character; a comma when it is not given. */
  delimiter?: string;
  /** Records before the header: a title, the period, an empty table. */
  skip?: number;
  /** Records after the last transaction, such as a total. */
  skipLast?: number;
  /** How times are written; one of the common forms when it is not given. */
  timeFormat?: TimeFormat;
}

const PROBLEMS_SHOWN = 10;

/** A statement that cannot be read as a whole is not compared: what was skipped would look like agreement. */
export class UnreadableStatement extends Error {
  constructor(problems: readonly string[]) {
    const shown = problems.slice(0, PROBLEMS_SHOWN);
    const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
    super(['The statement cannot be read:', ...[...shown, ...more].map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'UnreadableStatement';
  }
}

/** Reads a CSV statement; amounts are rupees. Times without an offset are Indian. Errors: UnreadableStatement, naming every line. */
export async function readCsvStatement(
  pieces: AsyncIterable<string> | Iterable<string>,
  { provider, columns, words = {}, delimiter, skip = 0, skipLast = 0, timeFormat = commonTimes }: CsvFormat,
): Promise<ProviderLine[]> {
  const statusOf = { ...COMMON_WORDS, ...codesOf(provider), ...upperCased(words) };
  const records: (ProviderLine | string)[] = [];
  let positions: Record<keyof StatementColumns, number> | undefined;
  let skipped = 0;
  const read = (line: number, fields: readonly string[]): ProviderLine | string => {
    const at = (name: keyof StatementColumns): string => fields[positions![name]]?.trim() ?? '';
    const amountPaise = amountOf(at('amount'));
    const status = statusOf[at('status').toUpperCase()];
    const time = timeFormat(at('time'));
    if (amountPaise === undefined || amountPaise <= 0n) return `line ${line}: the amount is not one of rupees`;
    if (!status) return `line ${line}: the status word is not known; say what it means`;
    if (!time) return `line ${line}: the time is in no known form`;
    return { line, reference: at('reference'), account: at('account'), amountPaise, status, at: time };
  };
  try {
    for await (const { line, fields } of csvRecords(pieces, delimiter)) {
      if (skipped++ < skip) continue;
      if (positions) records.push(read(line, fields));
      else positions = positionsOf(columns, fields);
    }
  } catch (error) {
    throw new UnreadableStatement([(error as Error).message]);
  }
  if (!positions) throw new UnreadableStatement(['it is empty']);
  const kept = records.slice(0, Math.max(0, records.length - skipLast));
  const problems = kept.filter((record) => typeof record === 'string');
  if (problems.length > 0) throw new UnreadableStatement(problems);
  return kept as ProviderLine[];
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
      `the header has no column for ${missing.map(([name]) => name).join(', ')}: it has ${header.join(', ')}`,
    );
  return positions;
}

const upperCased = (words: Readonly<Record<string, StatementStatus>>): Record<string, StatementStatus> =>
  Object.fromEntries(Object.entries(words).map(([word, status]) => [word.toUpperCase(), status]));

/** "199", "1,00,199.5", "199.0000", "₹199.00", "Rs. 199": what is exactly an amount of paise; undefined when it is anything else. */
function amountOf(text: string): Paise | undefined {
  const number = text.replace(/^(₹|Rs\.?|INR)\s*/i, '').replaceAll(',', '');
  return paiseFromDecimal(number.replace(/(\.\d\d)0+$/, '$1'));
}

interface BookEntry {
  provider: string;
  reference: string | null;
  account: string;
  /** Integer paise. */
  amount: number;
  outcome: 'succeeded' | 'reversed';
  time: string;
}

/** Reads the simulator's book (JSON lines), the lines of one provider. Errors: UnreadableStatement. */
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
        throw new Error('not a line of a book');
      lines.push({
        line: index + 1,
        reference: entry.reference ?? '',
        account: entry.account,
        amountPaise: paise(entry.amount),
        status: entry.outcome,
        at,
      });
    } catch {
      problems.push(`line ${index + 1}: not a line of a book`);
    }
  });
  if (problems.length > 0) throw new UnreadableStatement(problems);
  return lines;
}
