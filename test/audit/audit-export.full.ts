import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportLines, verifyExport } from '../../src/audit/audit-export.js';
import { indianDay } from '../../src/core/clock.js';
import { useConsole } from '../console/console.fixture.js';
import { AUDIT_KEYS, auditKeys } from '../support/audit.js';
import { runProgram } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { keysOf, startTestAuditLog, type TestAuditLog } from './audit.fixture.js';

async function all(pieces: AsyncGenerator<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}
const directory = temporaryDirectory();
let files = 0;
/** Writes a file with these lines. */
function fileOf(lines: readonly string[]): string {
  const file = path.join(directory, `${++files}.jsonl`);
  writeFileSync(file, lines.join(''));
  return file;
}

describe('an export file of the audit log', () => {
  let auditLog: TestAuditLog;
  let lines: string[];
  beforeAll(async () => {
    auditLog = await startTestAuditLog();
    await auditLog.write(6);
    lines = await all(exportLines(auditLog.pool, keysOf(1), {}));
  });
  afterAll(() => auditLog.close());
  const problems = async (changed: readonly string[], keys = keysOf(1)) =>
    (await verifyExport(fileOf(changed), keys)).problems;

  it('has a line for each entry and a signature line, and is verified, also after a key rotation', async () => {
    expect(lines).toHaveLength(7);
    const { entries, signed, problems: found } = await verifyExport(fileOf(lines), keysOf(2, 1));
    expect([entries, found]).toEqual([6, []]);
    expect(signed).toMatchObject({ from: null, before: null, first: '1', last: '6', keyId: 'k-1' });
  });

  it('without entries is signed, too', async () => {
    const emptyExport = await all(exportLines(auditLog.pool, keysOf(1), { before: new Date(0) }));
    expect(emptyExport).toHaveLength(1);
    expect(await problems(emptyExport)).toEqual([]);
  });

  const entry = (n: number): string => lines[n - 1]!;
  const last = (): string => lines.at(-1)!;
  const changes: [string, () => string[], RegExp][] = [
    ['a changed line', () => lines.with(2, entry(3).replace('"n":3', '"n":9')), /^line 3: entry 3 was changed/],
    ['a missing line', () => lines.toSpliced(2, 1), /^line 3: entry 4 does not follow entry 2: lines are missing/],
    ['a missing first line', () => lines.slice(1), /the lines differ from the signed lines: 6 entries, 1 to 6/],
    ['a missing last entry', () => [...lines.slice(0, 5), last()], /the lines differ from the signed lines/],
    [
      'reordered lines',
      () => [entry(1), entry(3), entry(2), ...lines.slice(3)],
      /^line 2: entry 3 does not follow entry 1: lines are missing or reordered/,
    ],
    ['a duplicate line', () => [entry(1), ...lines], /^line 2: entry 1 does not follow entry 1/],
    [
      'an entry after the signature line',
      () => [...lines, entry(6)],
      /^line 8: unexpected content after the signed line/,
    ],
    ['a line that is not an entry', () => [...lines.slice(0, 6), 'null\n', last()], /^line 7: not a line of an export/],
    ['a missing signature line', () => lines.slice(0, 6), /^the signed line is missing/],
    ['an empty file', () => [], /^the signed line is missing/],
    [
      'a changed signature line',
      () => [...lines.slice(0, 6), last().replace('"entries":6', '"entries":5')],
      /^line 7: the signed line was changed, or was not signed with this key/,
    ],
    ['additional spaces', () => lines.with(0, entry(1).replace(',', ', ')), /the lines differ from the signed lines/],
  ];
  it.each(changes)('with %s is detected', async (_name, changed, expected) => {
    expect((await problems(changed())).join('\n')).toMatch(expected);
  });

  it('with a key that AUDIT_KEYS does not contain cannot be verified', async () => {
    const found = await problems(lines, keysOf(3));
    expect(found[0]).toBe('line 1: entry 1 cannot be verified: its key "k-1" is missing in AUDIT_KEYS');
    expect(found.at(-1)).toBe('line 7: the key "k-1" of the signed line is missing in AUDIT_KEYS');
  });
});

describe('GET /audit.jsonl', () => {
  const on = useConsole();
  const today = indianDay(new Date());
  const get = (session: string | undefined, query = `from=${today}&to=${today}`) =>
    fetch(`${on.test.urls.console}/audit.jsonl?${query}`, {
      headers: session === undefined ? {} : { authorization: `Bearer ${session}` },
    });
  const exports = () =>
    on.test.db.query<{ actor: string; address: string; after: object }>(
      `select actor, address, after from audit_entry where action = 'audit.export' order by id`,
    );

  it('streams the days to an admin, is recorded in the audit log, and is verified without the database', async () => {
    const response = await get(on.staff.admin);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
    ]);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="audit-${today}-${today}.jsonl"`);
    const text = await response.text();
    const file = fileOf([text]);
    expect((await verifyExport(file, auditKeys)).problems).toEqual([]);
    const auditEntries = await exports();
    expect(auditEntries.at(-1)).toMatchObject({
      actor: expect.stringMatching(/^user:/),
      address: '127.0.0.1',
      after: { from: today, to: today },
    });
    expect(text).toContain('"action":"audit.export"');
    const verified = await runProgram('cli/audit.js', { AUDIT_KEYS }, ['verify', file]);
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The file is unchanged since it was written at .*: \d+ entries, \d+ to \d+\.\n$/),
    });
    const env = { DATABASE_URL: on.test.db.url, AUDIT_KEYS };
    const exported = await runProgram('cli/audit.js', env, ['export', '--from', today, '--to', today]);
    // The same lines, and the entry of this export.
    expect(exported.stdout.split('\n').slice(0, -3)).toEqual(text.split('\n').slice(0, -2));
    expect((await verifyExport(fileOf([exported.stdout]), auditKeys)).problems).toEqual([]);
    expect((await exports()).at(-1)).toEqual({
      actor: 'system:audit',
      address: null,
      after: { from: today, to: today },
    });
    const changed = fileOf([text.replace('"action":"user.sign_in"', '"action":"user.sign_out"')]);
    const rejection = await runProgram('cli/audit.js', { AUDIT_KEYS }, ['verify', changed]);
    expect(rejection).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/was changed, or was not signed with this key\n/),
    });
  });

  it('is rejected for all other callers and for an invalid field, without an audit entry', async () => {
    const countBefore = (await exports()).length;
    const { id } = await on.test.developer({ liveRupees: 0 });
    for (const [session, expected] of [
      [undefined, 401],
      [on.staff.support, 403],
      [await on.userOf(id), 403],
    ] as const)
      expect((await get(session)).status).toBe(expected);
    const rejection = await get(on.staff.admin, `from=${today}&to=never`);
    expect(rejection.status).toBe(422);
    expect(JSON.stringify(await rejection.json())).toContain('"to"');
    expect((await exports()).length).toBe(countBefore);
  });
});
