import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonOf } from '../../src/cli/reconcile-report.js';
import { paise } from '../../src/core/money.js';
import type { Difference } from '../../src/reconcile/compare.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { COMPILE_CACHE } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** More rows than a call accepts arguments, and as many as a wrong column mapping reports for a month. */
const LINES = 140_000;
/** Heap limit of V8. The file has 12 MB, the output 20 MB. */
const HEAP_MB = 192;

let db: TestDatabase;
let statement: string;
beforeAll(async () => {
  db = await createTestDatabase();
  statement = path.join(temporaryDirectory(), 'statement.csv');
  await pipeline(Readable.from(records()), createWriteStream(statement));
});
afterAll(() => db.drop());

/** A statement without any order of ours, whose references have the form of ours. */
function* records(): Generator<string> {
  yield 'reference,account,amount,status,time\n';
  const blockLines = 1_000;
  for (let block = 0; block < LINES / blockLines; block++) {
    let text = '';
    for (let n = block * blockLines; n < (block + 1) * blockLines; n++)
      text += `${String(n).padStart(25, 'R')},${9_000_000_000 + n},199.00,SUCCESS,2026-01-15 ${new Date(n * 400).toISOString().slice(11, 19)}\n`;
    yield text;
  }
}

/** Runs the command with little memory. Output lines are passed on and not kept. */
async function reconcile(onLine: (line: string) => void) {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${HEAP_MB}`,
      'dist/cli/reconcile.js',
      '--provider',
      'ROUNDPAY',
      '--statement',
      statement,
    ].concat(['--from', '2026-01-01', '--to', '2026-01-31']),
    {
      env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...testEnvironment(db.url, 'http://127.0.0.1:9', [0, 0, 0]) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  const printed = createInterface({ input: child.stdout });
  printed.on('line', onLine);
  const [[code]] = await Promise.all([once(child, 'exit'), once(printed, 'close')]);
  return { code: code as number | null, stderr };
}

it('reports every line of a statement that matches no order, with little memory', async () => {
  let lines = 0;
  let last = '';
  let first = '';
  const ended = await reconcile((line) => {
    first ||= line;
    lines++;
    last = line;
  });
  expect(ended).toEqual({ code: 1, stderr: '' });
  expect(first).toMatch(/^difference +order +ours +theirs +age$/);
  expect(lines).toBe(1 + LINES + 2);
  expect(last).toBe(`0 orders, ${LINES} lines, 0 matched, ${LINES} differences; ${LINES} new`);
});

it.each([0, 1, 500, 1_201])('JSON written in pieces equals JSON written at once: %i differences', (count) => {
  const differences = Array.from(
    { length: count },
    (_, line): Difference => ({
      kind: 'order_not_found',
      theirs: {
        line,
        reference: `"]\n${line}`,
        account: '',
        status: 'succeeded',
        amountPaise: paise(1),
        at: new Date(0),
      },
      ageMs: line,
    }),
  );
  const comparison = { orders: 0, lines: count, matched: 0, differences };
  const kept = { added: 3, resolved: 4 };
  const run = { requested: 0, left: 0, approvalRequestId: undefined, replayed: false };
  const report = JSON.stringify(
    { ...comparison, doubted: 2, conflicting: 1, ...kept, run },
    (_key, value) => (typeof value === 'bigint' ? Number(value) : value),
    2,
  );
  expect([...jsonOf({ comparison, doubted: 2, conflicting: 1, run: { kept, approvalRequest: run } })].join('')).toBe(
    `${report}\n`,
  );
});
