import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { loadConfig } from '../config.js';
import { commandLine, type Usage } from '../core/command-line.js';
import { FieldEncryption } from '../core/field-encryption.js';
import { CannotServe } from '../db/database-errors.js';
import { type RotationReport, rotateTable } from '../db/key-rotation.js';
import { closeOrm, inTransaction, openOrm } from '../db/orm.js';
import { createPool } from '../db/pool.js';
import { compareSecrets, registerSecrets } from '../db/secret-fingerprints.js';
import { failToStart, requireNode } from '../process-life.js';
import { encryptedTables } from './encrypted-tables.js';

const USAGE: Usage = {
  command: 'rotate-keys',
  synopsis: '',
  description: `Re-encrypts all stored values with the first of ENCRYPTION_KEYS. Put the new key first, restart every process, then run this with the
DATABASE_URL of the owner of the tables. The output shows when the old keys can be removed. The command can be interrupted and repeated at any time.
Exits with 1 if values still use another key.`,
  example: 'DATABASE_URL_FILE=/run/secrets/database-owner-url gateway rotate-keys',
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const lineOf = ({ table, rotated, current, unreadable, changed, missingKeys }: RotationReport): string =>
  [
    `${table}: ${rotated} re-encrypted, ${current} current`,
    unreadable > 0 ? `${unreadable} unreadable (key ${missingKeys.join(', ')})` : '',
    changed > 0 ? `${changed} changed during the run` : '',
  ]
    .filter(Boolean)
    .join(', ');

/** Runs `gateway rotate-keys`, which re-encrypts all stored values with the first of ENCRYPTION_KEYS. */
async function main(): Promise<void> {
  requireNode();
  commandLine(USAGE, process.argv.slice(2), {});
  const config = loadConfig(process.env);
  const encryption = new FieldEncryption(config.encryptionKeys);
  const pool = createPool(config.databaseUrl, { max: 2, asOwner: true });
  const orm = openOrm(pool, []);
  try {
    const { differences } = await compareSecrets(pool, config);
    // values with a missing key are reported by this command itself
    const wrong = differences.filter(({ kind }) => kind !== 'missing');
    if (wrong.length > 0) throw new CannotServe(wrong.map(({ sentence }) => sentence).join(' '));
    if (differences.length === 0) await registerSecrets(config)(pool);
    const reports: RotationReport[] = [];
    for (const table of encryptedTables) {
      const report = await rotateTable(pool, encryption, table);
      print(lineOf(report));
      reports.push(report);
    }
    const rotated = reports.reduce((sum, report) => sum + report.rotated, 0);
    if (rotated > 0) {
      const after = { keyId: encryption.currentKeyId, values: rotated };
      await inTransaction(orm, (em) =>
        new AuditService(new AuditKeys(config.audit.keys)).record(
          { actor: 'system:rotate-keys', requestId: 'rotate-keys' },
          { action: 'encryption.rotate', subject: 'encryption', before: null, after },
          em,
        ),
      );
    }
    const left = reports.reduce((sum, { unreadable, changed }) => sum + unreadable + changed, 0);
    if (left > 0) {
      process.exitCode = 1;
      print(`${left} values may still use another key. Keep the old keys, and run this command again.`);
      return;
    }
    await pool.query(
      `update secret_fingerprint set retired_at = now() where name = 'ENCRYPTION_KEYS' and key_id <> $1 and retired_at is null`,
      [encryption.currentKeyId],
    );
    print(`Every value is encrypted with key "${encryption.currentKeyId}". You can remove the old keys now.`);
  } finally {
    await closeOrm(orm, pool);
  }
}

main().catch(failToStart);
