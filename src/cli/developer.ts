import 'reflect-metadata';

import { DriverException } from '@mikro-orm/postgresql';
import { accountEntities } from '../accounts/account.entities.js';
import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { loadConfig } from '../config.js';
import { FieldEncryption } from '../core/field-encryption.js';
import { closeOrm, openOrm } from '../db/orm.js';
import { createPool } from '../db/pool.js';
import { failToStart, requireNode } from '../process-life.js';
import { runDeveloperCommand } from './developer-commands.js';
import { developerOptions } from './developer-options.js';

/** `gateway developer`: what a developer may ask for as a person. */
async function main(): Promise<void> {
  requireNode();
  const options = developerOptions(process.argv.slice(2));
  const config = loadConfig(process.env);
  const pool = createPool(config.databaseUrl, { max: 2, withStartupOptions: config.startupOptions });
  const orm = openOrm(pool, accountEntities);
  try {
    process.exitCode = await runDeveloperCommand(options, {
      pool,
      orm,
      audit: new AuditService(new AuditKeys(config.audit.keys)),
      encryption: new FieldEncryption(config.encryptionKeys),
      say: (line) => void process.stdout.write(`${line}\n`),
    });
  } finally {
    await closeOrm(orm, pool);
  }
}

main().catch((error: unknown) => {
  // its text quotes the statement with its values
  if (error instanceof DriverException) failToStart(new Error(`The database refused: ${error.code ?? error.name}.`));
  failToStart(error);
});
