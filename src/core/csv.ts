import { indianTime } from './clock.js';
import { decimalText } from './money.js';
import type { Cell, Columns, Pages } from './table.js';

// csv-parse is not suitable for reading: it counts a CRLF inside quotes as two lines, so that all following line numbers are
// wrong, and its errors quote the file. csv-stringify would still require our guard and our rule for quotes, which are the
// whole writer.

/** Characters that a spreadsheet skips or that are invisible: spaces, controls, and zero-width characters such as U+200B. */
const INVISIBLE = String.raw`[[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]--[\t\r\n]]*`;
/** Characters that begin a formula, including full-width and small forms. */
const SIGN = String.raw`[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212]`;
/**
 * Positions at which the guard inserts an apostrophe: before a formula at the start of a cell. If the separator is a semicolon
 * or a tab, a cell can also begin in the middle of our field. An apostrophe gets another one, so that no two values become the
 * same text.
 */
const GUARDED = new RegExp(`(?<=^|[;\\t\\r\\n])(?='|${INVISIBLE}${SIGN})`, 'gv');
/** Words, numbers, IDs and times. Anything else is quoted, regardless of the separator that a program expects. */
const PLAIN = /^[A-Za-z0-9 _.#/:+-]*$/;

export interface CsvOptions {
  /** Text without guards against formulas, for programs. */
  raw?: boolean | undefined;
  /** A byte order mark, without which Excel does not read the file as UTF-8. */
  bom?: boolean | undefined;
}

/** A table as CSV text in chunks, starting with its header. */
export async function* csvOf(columns: Columns, pages: Pages, { raw, bom }: CsvOptions = {}): AsyncGenerator<string> {
  yield (bom ? '\uFEFF' : '') + csvRecord(Object.keys(columns));
  for await (const rows of pages) yield rows.map((row) => csvRecord(row, raw)).join('');
}

/**
 * One record according to RFC 4180, including CRLF. Text comes from our tables and from users: an apostrophe is inserted before
 * anything that a spreadsheet would run as a formula, unless the reader wants it `raw`.
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
 * The records of a CSV text that arrives in chunks, according to RFC 4180 or with another delimiter of one character. A byte
 * order mark, LF line ends and blank lines are accepted. Each record contains the number of its first line. Errors: one
 * sentence with the line of a quotation mark that is not closed.
 */
export async function* csvRecords(
  pieces: AsyncIterable<string> | Iterable<string>,
  delimiter = ',',
): AsyncGenerator<{ line: number; fields: string[] }> {
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  /** The previous quotation mark closes the field, unless another one follows. */
  let closing = false;
  let line = 1;
  let beganOn = 1;
  let first = true;
  const endRecord = (): { line: number; fields: string[] } | undefined => {
    const record = { line: beganOn, fields: [...fields, field.endsWith('\r') ? field.slice(0, -1) : field] };
    [fields, field, closing] = [[], '', false];
    return record.fields.length === 1 && record.fields[0] === '' ? undefined : record;
  };
  for await (const piece of pieces) {
    for (const character of first && piece.startsWith('\uFEFF') ? piece.slice(1) : piece) {
      first = false;
      if (character === '"' && (quoted || closing || field === '')) {
        if (closing) field += '"';
        [quoted, closing] = closing ? [true, false] : quoted ? [false, true] : [true, false];
        continue;
      }
      if (character === '\n') line++;
      if (quoted) {
        field += character;
        continue;
      }
      closing = false;
      if (character === delimiter) {
        fields.push(field);
        field = '';
      } else if (character === '\n') {
        const record = endRecord();
        if (record) yield record;
        beganOn = line;
      } else field += character;
    }
  }
  if (quoted) throw new Error(`Line ${beganOn}: a quotation mark is not closed.`);
  const record = endRecord();
  if (record) yield record;
}
