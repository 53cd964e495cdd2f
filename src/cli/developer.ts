import { subjectOf } from '../accounts/developers/developer.state.js';
import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { loadConfig } from '../config.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { FieldEncryption } from '../core/field-encryption.js';
import { isUuid, newId } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { closeOrm, inTransaction, openOrm } from '../db/orm.js';
import { createPool } from '../db/pool.js';
import { failToStart, requireNode } from '../process-life.js';
import { exportDeveloper } from './developer-export.js';

const USAGE: Usage = {
  command: 'developer',
  takes: 'export ID DIRECTORY',
  does: `Writes everything about a developer's account and its people into a new directory: JSON files by subject, and the documents of KYC.
For a person who asks what is kept of them. Keys, passwords and other secrets are left out. That it was written is an entry of the
audit trail. The files hold personal data in the clear: they are readable for you alone.`,
  example: 'gateway developer export dev_0190b3c2-5f7a-7c1e-9d2b-3a4b5c6d7e8f ./sharma',
};

/** `gateway developer`: what is kept of an account, as files. */
async function main(): Promise<void> {
  requireNode();
  const { positionals } = commandLine(USAGE, process.argv.slice(2), {}, 'some');
  const [what, named, directory, ...more] = positionals;
  if (what !== 'export') throw wrongUsage(USAGE, 'Say what to do: export.');
  const id = named?.replace(/^dev_/, '') ?? '';
  if (!isUuid(id)) throw wrongUsage(USAGE, 'Name the developer by an id such as dev_0190b3c2-….');
  if (directory === undefined || more.length > 0) throw wrongUsage(USAGE, 'Name one directory to write into.');
  const config = loadConfig(process.env);
  const pool = createPool(config.databaseUrl, { max: 2, withStartupOptions: config.startupOptions });
  const orm = openOrm(pool, []);
  try {
    const { rows } = await pool.query('select from developer where id = $1', [id]);
    if (rows.length === 0) throw new Error('There is no developer with this id.');
    const encryption = new FieldEncryption(config.encryptionKeys);
    const written = await exportDeveloper({ db: pool, encryption, developerId: id as DeveloperId, directory });
    const after = { files: written.size, rows: [...written.values()].reduce((sum, count) => sum + count, 0) };
    const entry = { action: 'developer.export', subject: subjectOf(id), before: null, after } as const;
    const audit = new AuditService(new AuditKeys(config.audit.keys));
    await inTransaction(orm, (tx) => audit.record({ actor: 'system:developer', requestId: newId() }, entry, tx));
    for (const [file, count] of written) process.stdout.write(`${file}: ${count}\n`);
  } finally {
    await closeOrm(orm, pool);
  }
}

main().catch(failToStart);
