import { indianFields } from '../../core/clock.js';
import { rupeesNumber } from '../../core/money.js';
import type { Cell, ColumnKind, Columns, Pages } from '../../core/table.js';

const FORMATS: Readonly<Record<ColumnKind, { numFmt: string; width: number }>> = {
  // without this format, Excel converts text to a number when a user edits the cell
  text: { numFmt: '@', width: 24 },
  amount: { numFmt: '#,##0.00', width: 14 },
  count: { numFmt: '0', width: 10 },
  time: { numFmt: 'yyyy-mm-dd hh:mm:ss', width: 20 },
  day: { numFmt: 'yyyy-mm-dd', width: 12 },
};

/**
 * Writes a table as an Excel workbook, in chunks. Rows that exceed one sheet continue on further sheets, each with the header.
 */
export async function* workbookOf(name: string, columns: Columns, pages: Pages): AsyncGenerator<Uint8Array> {
  // the library is imported on first use, because most processes never create a workbook
  const { writeXlsxStream } = await import('hucre/xlsx');
  yield* writeXlsxStream(rowsOf(Object.values(columns), pages), {
    name,
    columns: Object.entries(columns).map(([header, kind]) => ({ header, ...FORMATS[kind] })),
    freezePane: { rows: 1 },
  });
}

type CellValue = string | number | Date | null;

async function* rowsOf(kinds: readonly ColumnKind[], pages: Pages): AsyncGenerator<CellValue[]> {
  for await (const rows of pages) for (const row of rows) yield row.map((cell, n) => valueOf(cell, kinds[n]!));
}

/** Converts a value to a cell. Text becomes a text cell, so that no application runs it as a formula. */
function valueOf(cell: Cell, kind: ColumnKind): CellValue {
  if (typeof cell === 'bigint') return rupeesNumber(cell);
  if (cell instanceof Date) return indianFields(cell);
  if (typeof cell !== 'string') return cell;
  return kind === 'day' ? new Date(cell) : inWorkbook(cell);
}

/**
 * Escapes text for the workbook. Excel reads `_x0041_` as the character with that code, and XML does not allow U+FFFE and
 * U+FFFF.
 */
const inWorkbook = (text: string): string =>
  text.replace(/_(?=x[0-9A-F]{4}_)/gi, '_x005F_').replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
