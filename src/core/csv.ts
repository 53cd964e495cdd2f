import { indianTime } from './clock.js';
import { decimalText } from './money.js';
import type { Cell, Columns, Pages } from './table.js';

// csv-parse would not do for the reader: it counts a CRLF inside quotes as two lines, so that every later line number is wrong, and its
// errors quote the file. csv-stringify would still need our guard and our rule for quotes, which is the whole writer.

/** What a spreadsheet skips, or nobody sees: blanks, controls, and characters without a width such as U+200B. */
const INVISIBLE = String.raw`[[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]--[\t\r\n]]*`;
/** Characters that begin a formula, full-width and small forms included. */
const SIGN = String.raw`[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212]`;
/**
 * Where the guard puts an apostrophe: before a formula at the start of a cell. Where the separator is a semicolon or a tab, a cell also
 * begins in the middle of our field. An apostrophe gets another one, so that no two values become one text.
 */
const GUARDED = new RegExp(`(?<=^|[;\\t\\r\\n])(?='|${INVISIBLE}${SIGN})`, 'gv');
/** Words, numbers, ids and times. Anything else is quoted, whatever some program takes for a separator. */
const PLAIN = /^[A-Za-z0-9 _.#/:+-]*$/;

export interface CsvOptions {
  /** Text as it is, formulas included: for programs. */
  raw?: boolean | undefined;
  /** A byte order mark, without which Excel does not read the file as UTF-8. */
  bom?: boolean | undefined;
}

/** A table as CSV text in pieces, its header first. */
export async function* csvOf(columns: Columns, pages: Pages, { raw, bom }: CsvOptions = {}): AsyncGenerator<string> {
  yield (bom ? '\uFEFF' : '') + csvRecord(Object.keys(columns));
  for await (const rows of pages) yield rows.map((row) => csvRecord(row, raw)).join('');
}

/**
 * One record as RFC 4180 writes it, CRLF included. Text comes from our tables and from people: what a spreadsheet would run as a formula
 * gets an apostrophe in front of it, unless the reader wants it `raw`.
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
 * The records of a CSV text that arrives in pieces, as RFC 4180 reads it, or with another delimiter of one character; a byte order mark, LF line ends and blank lines are
 * accepted. Each comes with the number of the line it begins on. Errors: one sentence with the line of a quote that never closes.
 */
export async function* csvRecords(
  pieces: AsyncIterable<string> | Iterable<string>,
  delimiter = ',',
): AsyncGenerator<{ line: number; fields: string[] }> {
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  /** The quote before this character closed the field, unless another one follows. */
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
  if (quoted) throw new Error(`Line ${beganOn}: a quote is never closed.`);
  const record = endRecord();
  if (record) yield record;
}
