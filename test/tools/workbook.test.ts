import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CellObject, read, utils, type WorkSheet } from '@e965/xlsx';
import { beforeAll, describe, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { missingPrograms } from '../ops/tools.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { useSharedApp } from '../support/use-app.js';

const KEYS = ['=1+1', '+91 98765', '00012345678901234567', '_x0041_', "'=x", 'कुंजी <&> "x"', 'ünï'];

const test = useSharedApp();
const today = indianDay(new Date());
let developer: TestDeveloper;
let content: Buffer;
beforeAll(async () => {
  developer = await test.developer();
  for (const key of KEYS) await place(test, developer, { client_request_id: key, amount: 10.5 });
  const answer = await fetch(`${test.urls.production}/api/v1/orders.xlsx?from=${today}&to=${today}`, {
    headers: { authorization: `Bearer ${developer.tokens.production}` },
  });
  expect(answer.status).toBe(200);
  content = Buffer.from(await answer.arrayBuffer());
});

/** Cells of a column with the header first. */
function cellsOf(sheet: WorkSheet, name: string): CellObject[] {
  const range = utils.decode_range(sheet['!ref']!);
  const at = (r: number, c: number): CellObject => sheet[utils.encode_cell({ r, c })] as CellObject;
  const column = Array.from({ length: range.e.c + 1 }, (_, c) => c).find((c) => at(0, c).v === name)!;
  return Array.from({ length: range.e.r + 1 }, (_, r) => at(r, column));
}

describe('a workbook of orders', () => {
  it('has typed cells and no formulas in SheetJS', () => {
    const book = read(content, { cellNF: true, cellFormula: true });
    expect(book.SheetNames).toEqual(['orders']);
    const sheet = book.Sheets.orders!;
    const column = (name: string) => cellsOf(sheet, name).slice(1);
    for (const name of ['id', 'api_request_id', 'client_request_id', 'account_number', 'status'])
      expect([name, ...new Set(column(name).map(({ t, z }) => `${t} ${z}`))]).toEqual([name, 's @']);
    expect(column('client_request_id').map(({ v }) => v)).toEqual(KEYS);
    expect(column('account_number')[0]!.v).toBe('9876543210');
    expect(column('amount').map(({ t, v, z }) => [t, v, z])).toEqual(KEYS.map(() => ['n', 10.5, '#,##0.00']));
    for (const { t, v, z } of column('created_at')) {
      expect([t, z]).toEqual(['n', 'yyyy-mm-dd hh:mm:ss']);
      // days since 30 December 1899, in IST
      const at = new Date(Math.round((Number(v) - 25_569) * 86_400_000));
      expect([at.toISOString().slice(0, 10), Math.abs(at.getTime() - 330 * 60_000 - Date.now()) < 3_600_000]).toEqual([
        today,
        true,
      ]);
    }
    expect(Object.values(sheet).filter((cell) => (cell as CellObject).f !== undefined)).toEqual([]);
  });

  it.skipIf(missingPrograms('the workbook in Gnumeric', 'ssconvert').length > 0)(
    'opens in Gnumeric (ssconvert)',
    () => {
      const directory = temporaryDirectory();
      const [book, csv] = ['orders.xlsx', 'orders.csv'].map((name) => path.join(directory, name)) as [string, string];
      writeFileSync(book, content);
      execFileSync('ssconvert', [book, csv], { stdio: 'pipe' });
      const text = readFileSync(csv, 'utf8');
      expect(text.trim().split('\n')).toHaveLength(KEYS.length + 1);
      for (const written of ['=1+1', '00012345678901234567', 'कुंजी <&>', 'ünï', ',10.5,'])
        expect(text).toContain(written);
      expect(text).toMatch(new RegExp(`^(?:"?)${today.replaceAll('-', '[-/]')} \\d\\d:\\d\\d:\\d\\d`, 'm'));
    },
  );
});
