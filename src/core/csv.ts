import { indianTime } from './clock.js';
import { decimalText } from './money.js';
import type { Cell, Columns, Pages } from './table.js';

// csv-parse is not suitable for reading: it counts a CRLF inside quotes as two lines, so that all following line numbers are
// wrong, and its errors quote the file. With csv-stringify, we would still need our formula guard and quoting rules, which are
// the whole writer.

/**
 * Characters that a spreadsheet ignores or that are invisible: spaces, control characters, and zero-width characters such as
 * U+200B.
 */
const INVISIBLE = String.raw`[[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]--[\t\r\n]]*`;
/** Characters that start a formula, including full-width and small forms. */
const SIGN = String.raw`[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212]`;
/**
 * Positions at which the guard inserts an apostrophe: before a formula at the start of a cell. If a spreadsheet uses a semicolon
 * or tab as the separator, a cell can also start in the middle of a field. An apostrophe is doubled, so that different values
 * remain different.
 */
const GUARDED = new RegExp(`(?<=^|[;\\t\\r\\n])(?='|${INVISIBLE}${SIGN})`, 'gv');
/** Matches words, numbers, IDs and times. Everything else is quoted, regardless of the separator that an application expects. */
const PLAIN = /^[A-Za-z0-9 _.#/:+-]*$/;

export interface CsvOptions {
  /** Whether the guards against formulas are omitted, for applications. */
  raw?: boolean | undefined;
  /** Whether a byte order mark is added. Without it, Excel does not read the file as UTF-8. */
  bom?: boolean | undefined;
}

/** Returns a table as CSV in chunks, starting with the header. */
export async function* csvOf(columns: Columns, pages: Pages, { raw, bom }: CsvOptions = {}): AsyncGenerator<string> {
  yield (bom ? '\uFEFF' : '') + csvRecord(Object.keys(columns));
  for await (const rows of pages) yield rows.map((row) => csvRecord(row, raw)).join('');
}

/**
 * Returns one record according to RFC 4180, including CRLF. Text comes from our tables and from users, so an apostrophe is
 * inserted before anything that a spreadsheet would run as a formula, except in `raw` mode.
 */
export function csvRecord(cells: readonly Cell[], raw = false): string {
  return `${cells.map((cell) => csvField(cell, raw)).join(',')}\r\n`;
}

function csvField(cell: Cell, raw: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'bigint') return decimalText(cell);
  if (cell instanceof Date) return indianTime(cell);
  const text = raw || typeof cell === 'number' ? String(cell) : cell.replace(GUARDED, "'");
  return PLAIN.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}

/**
 * Returns the records of a CSV text that arrives in chunks, according to RFC 4180 or with a different single-character
 * delimiter. A byte order mark, LF line breaks and blank lines are accepted. Each record contains the number of its first line.
 * If a quotation mark is not closed, the error is one sentence with its line.
 */
export async function* csvRecords(
  pieces: AsyncIterable<string> | Iterable<string>,
  delimiter = ',',
): AsyncGenerator<{ line: number; fields: string[] }> {
  let fields: string[] = [];
  let field = '';
  let isQuoted = false;
  /** Whether the previous quotation mark closes the field. It does not if another one follows. */
  let isClosing = false;
  let line = 1;
  let startLine = 1;
  let isFirst = true;
  const endRecord = (): { line: number; fields: string[] } | undefined => {
    const record = { line: startLine, fields: [...fields, field.endsWith('\r') ? field.slice(0, -1) : field] };
    [fields, field, isClosing] = [[], '', false];
    return record.fields.length === 1 && record.fields[0] === '' ? undefined : record;
  };
  for await (const piece of pieces) {
    for (const character of isFirst && piece.startsWith('\uFEFF') ? piece.slice(1) : piece) {
      isFirst = false;
      if (character === '"' && (isQuoted || isClosing || field === '')) {
        if (isClosing) field += '"';
        [isQuoted, isClosing] = isClosing ? [true, false] : isQuoted ? [false, true] : [true, false];
        continue;
      }
      if (character === '\n') line++;
      if (isQuoted) {
        field += character;
        continue;
      }
      isClosing = false;
      if (character === delimiter) {
        fields.push(field);
        field = '';
      } else if (character === '\n') {
        const record = endRecord();
        if (record) yield record;
        startLine = line;
      } else field += character;
    }
  }
  if (isQuoted) throw new Error(`Line ${startLine}: a quotation mark is not closed.`);
  const record = endRecord();
  if (record) yield record;
}
