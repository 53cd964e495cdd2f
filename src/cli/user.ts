import 'reflect-metadata';

import { DriverException } from '@mikro-orm/postgresql';
import { accountEntities } from '../accounts/account.entities.js';
import { Attempts } from '../accounts/attempts.js';
import { InvitationService } from '../accounts/people/invitation.service.js';
import { MailAllowance } from '../accounts/people/mail-allowance.js';
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
import { registerSecrets } from '../db/secret-fingerprints.js';
import { createEmails } from '../mails/emails.room.js';
import { failToStart, requireNode } from '../process-life.js';
import { developerOf } from './developer-commands.js';
import { readPassword } from './password-input.js';
import { runUserCommand, userOptions } from './user-commands.js';

async function requireMigrated(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ there: boolean }>({ text: `select to_regclass('app_user') is not null as there` });
  if (!rows[0]!.there) throw new Error('The database has no tables yet: run "gateway migrate" first.');
}

/**
 * Runs `gateway user`, which manages staff from the command line of the server, and creates the first administrator in an empty
 * database.
 */
async function main(): Promise<void> {
  requireNode();
  const options = userOptions(process.argv.slice(2));
  const config = loadConfig(process.env);
  const pool = createPool(config.databaseUrl, { max: 2, withStartupOptions: config.startupOptions });
  const orm = openOrm(pool, accountEntities);
  const rowKeys = new RowKeys(config.pepper);
  const passwords = new Passwords(rowKeys);
  const encryption = new FieldEncryption(config.encryptionKeys);
  // running processes send the emails that this command queues
  const emails = createEmails({ pool, encryption, log: createLogger('silent') }, { ...config.mail, supervise: false });
  try {
    await requireMigrated(pool);
    await registerSecrets(config)(pool);
    // this command does not sign users in, so failed attempts need no shared counters
    const counters = new MemoryCounters();
    const { pepper, twoPeople } = config;
    const attempts = new Attempts(counters, { failed: () => {} }, pepper);
    const audit = new AuditService(new AuditKeys(config.audit.keys));
    const userParts = { orm, audit, passwords, mails: emails, consoleUrl: config.publicUrls.console };
    const users = new UserService(userParts);
    const allowance = new MailAllowance(counters, pepper);
    await runUserCommand(options, {
      users,
      invitations: new InvitationService({ ...userParts, users, rowKeys, attempts, allowance, twoPeople }),
      developerOf: (text) => developerOf(text, pool),
      identifierHash: (email) => attempts.identifierHash(email),
      readPassword: () => readPassword(process.stdin, process.stderr),
      print: (line) => void process.stdout.write(`${line}\n`),
    });
  } finally {
    await passwords.close();
    await emails.close();
    await closeOrm(orm, pool);
  }
}

main().catch((error: unknown) => {
  // the error message contains the statement with its values
  if (error instanceof DriverException)
    failToStart(new Error(`The database rejected the statement: ${error.code ?? error.name}.`));
  failToStart(error);
});
