import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecord, csvRecords } from '../../src/core/csv.js';
import { paise } from '../../src/core/money.js';

const cellOf = (text: string): string => csvRecord([text]).slice(0, -2);

describe('a CSV cell', () => {
  it.each([
    ['at the start', '=1+1', `"'=1+1"`],
    ['plus sign at the start', '+1', `"'+1"`],
    ['minus sign at the start', '-1', `"'-1"`],
    ['at sign at the start', '@SUM(A1)', `"'@SUM(A1)"`],
    ['after a tab, which separates cells in some files', '\t=1', `"'\t'=1"`],
    ['after two tabs', 'a\t\t=1', `"a\t'\t'=1"`],
    ['after a carriage return', '\r=1', `"'\r'=1"`],
    ['after a space', ' =1', `"' =1"`],
    ['after a zero-width space', '\u200B=1', `"'\u200B=1"`],
    ['after a byte order mark and a zero-width joiner', '\uFEFF\u200D=1', `"'\uFEFF\u200D=1"`],
    ['full-width equals sign', '\uFF1D1+1', `"'\uFF1D1+1"`],
    ['full-width plus sign', '\uFF0B1', `"'\uFF0B1"`],
    ['full-width minus sign', '\uFF0D1', `"'\uFF0D1"`],
    ['full-width at sign', '\uFF20SUM', `"'\uFF20SUM"`],
    ['small equals sign', '\uFE661', `"'\uFE661"`],
    ['after a semicolon, which separates cells in many countries', 'a;=1+1', `"a;'=1+1"`],
    ['after a semicolon and a space', 'a; \u200B@b', `"a;' \u200B@b"`],
    ['after a line break', 'a\n=1', `"a\n'=1"`],
  ])('does not run as a formula: %s', (_name, text, cell) => {
    expect(cellOf(text)).toBe(cell);
  });

  it.each(['plain', 'Order 28', 'a.b_c#1/2-3', '2026-03-01T10:00:00.000+05:30', '10.50', ''])(
    'keeps "%s" unchanged',
    (text) => {
      expect(cellOf(text)).toBe(text);
    },
  );

  it('is unambiguous: the guide describes how to remove the apostrophe', () => {
    const guarded = (text: string): string =>
      /^(?:"(?<quoted>[^]*)"|(?<plain>[^]*))$/.exec(cellOf(text))!.slice(1).join('').replaceAll('""', '"');
    const text = fc.string({
      unit: fc.constantFrom("'", '=', '-', ';', '\t', '\n', ' ', '\u200B', '"', 'a'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (value) => guarded(value).replace(/(^|[;\t\r\n])'/g, '$1') === value),
      { numRuns: 2_000 },
    );
    expect(['=x', "'=x", "a;'=x"].map(cellOf)).toEqual([`"'=x"`, `"''=x"`, `"a;''=x"`]);
  });

  it('is the plain value if an application requests raw values', () => {
    expect(csvRecord(['=1+1', "'=x", 'a;-x', '+91'], true)).toBe(`"=1+1","'=x","a;-x",+91\r\n`);
  });

  it('is plain for amounts, numbers and times', () => {
    expect(csvRecord([paise(-1_050), 7, new Date(0), null])).toBe('-10.50,7,1970-01-01T05:30:00.000+05:30,\r\n');
  });

  it.each(['a,b', 'a;b', 'a|b', 'say "x"', 'कखग', "it's", 'a=b'])(
    'quotes "%s", which is parsed to the same value',
    async (text) => {
      expect(cellOf(text)).toMatch(/^".*"$/);
      for await (const { fields } of csvRecords([csvRecord([text, 'x'])])) expect(fields).toEqual([text, 'x']);
    },
  );
});
