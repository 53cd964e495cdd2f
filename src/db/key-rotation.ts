import type { FieldEncryption } from '../core/field-encryption.js';
import type { Queryable } from './pool.js';

/** Table with encrypted values, and their encryption context. Names must be constants, never input. */
export interface EncryptedTable {
  table: string;
  /** Columns of the primary key. */
  key: readonly string[];
  columns: readonly string[];
  /** Returns the encryption context of a value, from the key of its row. */
  contextOf: (key: any) => string;
  /** Rows per read, if lower than the default because the values are large. */
  rowsPerRead?: number;
}

export interface RotationReport {
  table: string;
  /** Number of values that were re-encrypted with the first key. */
  rotated: number;
  /** Number of values that already used the first key. */
  current: number;
  /** Number of values that could not be decrypted, because their key is not configured or the value is damaged. */
  unreadable: number;
  /** Number of values that were changed in the meantime. */
  changed: number;
  /** IDs of the keys of unreadable values. */
  missingKeys: string[];
}

const ROWS_PER_READ = 200;

/**
 * Re-encrypts all values of a table with the first key, row by row. It can run while the service is running, and can be
 * interrupted and repeated. A value is replaced only if it is unchanged since it was read. It requires the rights of the owner,
 * because the application cannot change orders.
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

/** Returns the value re-encrypted with the first key. Returns undefined if it already uses this key or cannot be decrypted. */
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
