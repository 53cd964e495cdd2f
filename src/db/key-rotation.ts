import type { FieldEncryption } from '../core/field-encryption.js';
import type { Queryable } from './pool.js';

/** Where encrypted values stand, and what each of them is bound to. Names are ours, never input. */
export interface EncryptedTable {
  table: string;
  /** The primary key. */
  key: readonly string[];
  columns: readonly string[];
  /** The context that the value was encrypted with, from the key of its row. */
  contextOf: (key: any) => string;
  /** Fewer than usual, where values are large. */
  rowsPerRead?: number;
}

export interface RotationReport {
  table: string;
  /** Values that are encrypted with the first key now, and were not before. */
  rotated: number;
  /** Values that needed nothing. */
  current: number;
  /** Values that could not be decrypted: their key is not configured, or the value is damaged. */
  unreadable: number;
  /** Values that somebody wrote in the meantime. */
  changed: number;
  /** The ids of the keys of unreadable values. */
  missingKeys: string[];
}

const ROWS_PER_READ = 200;

/**
 * Encrypts every value of a table anew with the first key, row by row: it may run while the service does, be interrupted and be
 * repeated. A value is replaced only if it is still the one that was read. Needs the owner's rights: the application itself may
 * not change orders.
 */
export async function rotateTable(
  db: Queryable,
  encryption: FieldEncryption,
  { table, key, columns, contextOf, rowsPerRead = ROWS_PER_READ }: EncryptedTable,
): Promise<RotationReport> {
  const report: RotationReport = { table, rotated: 0, current: 0, unreadable: 0, changed: 0, missingKeys: [] };
  const keyList = key.join(', ');
  const isRow = key.map((name, index) => `${name} = $${index + 1}`).join(' and ');
  let last: unknown[] | undefined;
  for (;;) {
    const after = last ? `where (${keyList}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})` : '';
    const { rows } = await db.query<Record<string, unknown>>({
      text: `select ${[...key, ...columns].join(', ')} from ${table} ${after} order by ${keyList} limit ${rowsPerRead}`,
      values: last ?? [],
    });
    for (const row of rows) {
      const rowKey = key.map((name) => row[name]);
      for (const column of columns) {
        const value = row[column] as Buffer | null;
        if (value === null) continue;
        const renewed = renew(encryption, contextOf(row), value, report);
        if (!renewed) continue;
        const { rowCount } = await db.query({
          name: `rotate ${table}.${column}`,
          text: `update ${table} set ${column} = $${key.length + 1} where ${isRow} and ${column} = $${key.length + 2}`,
          values: [...rowKey, renewed, value],
        });
        report[rowCount === 1 ? 'rotated' : 'changed']++;
      }
    }
    if (rows.length < rowsPerRead) return report;
    last = key.map((name) => rows.at(-1)![name]);
  }
}

/** The value under the first key; undefined when it is already, or cannot be read. */
function renew(
  encryption: FieldEncryption,
  context: string,
  value: Buffer,
  report: RotationReport,
): Buffer | undefined {
  const keyId = encryption.keyIdOf(value);
  if (keyId === encryption.currentKeyId) {
    report.current++;
    return undefined;
  }
  try {
    return encryption.encrypt(context, encryption.decrypt(context, value));
  } catch {
    report.unreadable++;
    if (!report.missingKeys.includes(keyId)) report.missingKeys.push(keyId);
    return undefined;
  }
}
