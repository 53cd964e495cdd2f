import 'reflect-metadata';

import { DriverException } from '@mikro-orm/postgresql';
import { accountEntities } from '../accounts/account.entities.js';
import { Attempts } from '../accounts/attempts.js';
import { Passwords } from '../accounts/people/passwords.js';
import { UserService } from '../accounts/people/user.service.js';
import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { loadConfig } from '../config.js';
import { FieldEncryption } from '../core/field-encryption.js';
import { createLogger } from '../core/log.js';
import { RowKeys } from '../core/row-keys.js';
import { MemoryCounters } from '../db/counters/counters.js';
import { closeOrm, openOrm } from '../db/orm.js';
import { createPool, type Queryable } from '../db/pool.js';
import { createMails } from '../mails/mails.room.js';
import { failToStart, requireNode } from '../process-life.js';
import { readPassword } from './password-input.js';
import { runUserCommand, userOptions } from './user-commands.js';

async function requireMigrated(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ there: boolean }>({ text: `select to_regclass('app_user') is not null as there` });
  if (!rows[0]!.there) throw new Error('The database has no tables yet: run "gateway migrate" first.');
}

/** `gateway user`: admins and support (staff), from the machine itself. On an empty database it makes the first admin. */
async function main(): Promise<void> {
  requireNode();
  const options = userOptions(process.argv.slice(2));
  const config = loadConfig(process.env);
  const pool = createPool(config.databaseUrl, { max: 2, withStartupOptions: config.startupOptions });
  const orm = openOrm(pool, accountEntities);
  const passwords = new Passwords(new RowKeys(config.pepper));
  // a process that serves sends what is queued here
  const mails = createMails(
    { pool, encryption: new FieldEncryption(config.encryptionKeys), log: createLogger('silent') },
    { ...config.mail, supervise: false },
  );
  try {
    await requireMigrated(pool);
    // nobody signs in here: nothing is counted
    const attempts = new Attempts(new MemoryCounters(), { failed: () => {} }, config.pepper);
    const users = new UserService({
      orm,
      audit: new AuditService(new AuditKeys(config.audit.keys)),
      passwords,
      mails,
      consoleUrl: config.publicUrls.console,
    });
    await runUserCommand(options, {
      users,
      identifierHash: (email) => attempts.identifierHash(email),
      readPassword: () => readPassword(process.stdin, process.stderr),
      say: (line) => void process.stdout.write(`${line}\n`),
    });
  } finally {
    await passwords.close();
    await mails.close();
    await closeOrm(orm, pool);
  }
}

main().catch((error: unknown) => {
  // its text quotes the statement with its values
  if (error instanceof DriverException) failToStart(new Error(`The database refused: ${error.code ?? error.name}.`));
  failToStart(error);
});
