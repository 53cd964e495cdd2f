import { indianDay, indianDays } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { type Paise, subtract, ZERO } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { Cell, Columns, Pages } from '../core/table.js';
import { pagesFromTheEnd } from '../graphql-toolkit/connection.js';
import type { DailyStatementService, StatementDay } from './daily-statement.service.js';
import { LINE_PREFIX, type LineFilter, type StatementLine, type StatementService } from './statement.service.js';
import type { UnrecordedChange } from './wallet-difference.js';

/**
 * `kind` is opening or closing for the rows before and after the entries of each day. It is unrecorded_change for a change of the
 * balance without an entry, which a correction reverses.
 */
export const statementColumns = {
  date: 'day',
  at: 'time',
  kind: 'text',
  reference: 'text',
  credit: 'amount',
  debit: 'amount',
  balance: 'amount',
  line: 'text',
} as const satisfies Columns;
/** Number of days per read. It is small, so that the first row is sent immediately. */
const DAYS_AT_A_TIME = 7;

/**
 * Returns the rows of a wallet statement, oldest first. Each day has its opening balance, its entries and its closing balance.
 * Credits minus debits are the change of the balance. Only one page of entries is kept in memory, and no connection is held
 * between pages. Future days are omitted.
 */
export async function* statementRows(
  { statement, daily }: { statement: StatementService; daily: DailyStatementService },
  developerId: DeveloperId,
  environment: Environment,
  from: string,
  to: string,
): Pages {
  const dates = indianDays(from, to);
  const unrecorded = await statement.unrecorded({ developerId, environment });
  for (let index = 0; index < dates.length; index += DAYS_AT_A_TIME) {
    const dateGroup = dates.slice(index, index + DAYS_AT_A_TIME);
    for (const day of await daily.days(developerId, environment, dateGroup[0]!, dateGroup.at(-1)!)) {
      yield [balanceRow(day.date, 'opening', day.openingPaise)];
      let version = day.firstVersion;
      for await (const lines of statement.pages(developerId, environment, day.firstVersion, day.endVersion))
        yield lines.flatMap((line) => [
          ...unrecordedRow(day.date, unrecorded.get(version++ - 1n), line),
          lineRow(day.date, line),
        ]);
      yield [balanceRow(day.date, 'closing', day.closingPaise)];
    }
  }
}

/**
 * Returns the entries that match a filter, oldest first. The result has no daily balances, because these would not match the
 * entries.
 */
export async function* statementLineRows(
  statement: StatementService,
  developerId: DeveloperId,
  environment: Environment,
  filter: LineFilter,
): Pages {
  for await (const lines of pagesFromTheEnd((page) => statement.page(developerId, environment, page, filter)))
    yield lines.map((line) => lineRow(indianDay(line.at), line));
}

const balanceRow = (date: string, kind: 'opening' | 'closing', balancePaise: StatementDay['openingPaise']): Cell[] => [
  date,
  null,
  kind,
  null,
  null,
  null,
  balancePaise,
  null,
];

/**
 * Returns the row for an unrecorded balance change before an entry, from its opening record. The result is empty if there is
 * none.
 */
function unrecordedRow(
  date: string,
  change: UnrecordedChange | undefined,
  { amountPaise, balanceAfterPaise }: StatementLine,
): Cell[][] {
  if (!change) return [];
  const balance = subtract(balanceAfterPaise, amountPaise);
  return [[date, null, 'unrecorded_change', change.reference, ...creditAndDebit(change.changePaise), balance, null]];
}

const creditAndDebit = (amountPaise: Paise): [credit: Cell, debit: Cell] =>
  amountPaise > 0n ? [amountPaise, null] : [null, subtract(ZERO, amountPaise)];

const lineRow = (date: string, { id, at, kind, amountPaise, balanceAfterPaise, reference }: StatementLine): Cell[] => [
  date,
  at,
  kind,
  reference,
  ...creditAndDebit(amountPaise),
  balanceAfterPaise,
  `${LINE_PREFIX}_${id}`,
];
