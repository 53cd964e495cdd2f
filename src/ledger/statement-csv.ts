import { indianDays, indianTime } from '../core/clock.js';
import { csvRecord } from '../core/csv.js';
import type { Environment } from '../core/environment.js';
import { decimalText, type Paise, subtract } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { DailyStatementService, StatementDay } from './daily-statement.service.js';
import { LINE_PREFIX, type StatementLine, type StatementService } from './statement.service.js';
import type { UnrecordedChange } from './wallet-difference.js';

/**
 * `kind` is opening or closing for the two records around the entries of each day, and unrecorded_change for a change of the balance
 * without an entry, which a correction reverses. `at` is in IST.
 */
export const statementColumns = ['date', 'at', 'kind', 'reference', 'credit', 'debit', 'balance', 'line'];
/** Days are summed so many at a time, so that the first line leaves at once. */
const DAYS_AT_A_TIME = 7;

/**
 * The statement of a wallet as CSV text in pieces, oldest first: per day its opening balance, its lines, its closing balance. Credits
 * minus debits are the change of the balance.
 * Nothing is held but one page of lines, and no connection between two pages. Days that have not begun are left out.
 */
export async function* statementCsv(
  { statement, daily }: { statement: StatementService; daily: DailyStatementService },
  developerId: DeveloperId,
  environment: Environment,
  from: string,
  to: string,
): AsyncGenerator<string> {
  yield csvRecord(statementColumns);
  const dates = indianDays(from, to);
  const unrecorded = await statement.unrecorded({ developerId, environment });
  for (let index = 0; index < dates.length; index += DAYS_AT_A_TIME) {
    const some = dates.slice(index, index + DAYS_AT_A_TIME);
    for (const day of await daily.days(developerId, environment, some[0]!, some.at(-1)!)) {
      yield balanceRecord(day.date, 'opening', day.openingPaise);
      let version = day.firstVersion;
      for await (const lines of statement.pages(developerId, environment, day.firstVersion, day.endVersion))
        yield lines
          .map((line) => unrecordedRecord(day.date, unrecorded.get(version++ - 1n), line) + lineRecord(day.date, line))
          .join('');
      yield balanceRecord(day.date, 'closing', day.closingPaise);
    }
  }
}

function balanceRecord(date: string, kind: 'opening' | 'closing', balancePaise: StatementDay['openingPaise']): string {
  return csvRecord([date, '', kind, '', '', '', decimalText(balancePaise), '']);
}

/** Record of the change of the balance before a line, from its opening record; empty if there is none. */
function unrecordedRecord(
  date: string,
  change: UnrecordedChange | undefined,
  { amountPaise, balanceAfterPaise }: StatementLine,
): string {
  if (!change) return '';
  const balance = decimalText(subtract(balanceAfterPaise, amountPaise));
  return csvRecord([
    date,
    '',
    'unrecorded_change',
    change.reference,
    ...creditAndDebit(change.changePaise),
    balance,
    '',
  ]);
}

const creditAndDebit = (amountPaise: Paise): [string, string] =>
  amountPaise > 0n ? [decimalText(amountPaise), ''] : ['', decimalText(amountPaise).slice(1)];

function lineRecord(date: string, { id, at, kind, amountPaise, balanceAfterPaise, reference }: StatementLine): string {
  return csvRecord([
    date,
    indianTime(at),
    kind,
    reference,
    ...creditAndDebit(amountPaise),
    decimalText(balanceAfterPaise),
    `${LINE_PREFIX}_${id}`,
  ]);
}
