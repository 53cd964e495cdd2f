// csv-parse would not do for the reader: it counts a CRLF inside quotes as two lines, so that every later line number is wrong, and its
// errors quote the file. csv-stringify would still need our guard and our rule for quotes, which is the whole writer.

/** What a spreadsheet skips, or nobody sees: blanks, controls, and characters without a width such as U+200B. */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]*`;
/**
 * Where a spreadsheet would begin a formula: at the start of a cell, full-width and small forms included. Where the separator is
 * a semicolon or a tab, a cell also begins in the middle of our field.
 */
const FORMULA = new RegExp(
  `(^|[;\\t\\r\\n])(${INVISIBLE})([=+\\-@\\t\\r\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212])`,
  'gu',
);
/** Words, numbers, ids and times. Anything else is quoted, whatever some program takes for a separator. */
const PLAIN = /^[A-Za-z0-9 _.#/:+-]*$/;

/**
 * One record as RFC 4180 writes it, CRLF included. Fields come from our tables and from people: one that a spreadsheet would run
 * as a formula gets an apostrophe in front of it.
 */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(text: string): string {
  const safe = text.replace(FORMULA, "$1'$2$3");
  return PLAIN.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`;
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
