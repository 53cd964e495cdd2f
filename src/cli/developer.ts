import 'reflect-metadata';

import { DriverException } from '@mikro-orm/postgresql';
import { accountEntities } from '../accounts/account.entities.js';
import { ClosingService } from '../accounts/developers/closing.service.js';
import { CredentialService } from '../accounts/keys/credential.service.js';
import { Passwords } from '../accounts/people/passwords.js';
import { UserService } from '../accounts/people/user.service.js';
import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { loadConfig } from '../config.js';
import { FieldEncryption } from '../core/field-encryption.js';
import { createLogger } from '../core/log.js';
import { RowKeys } from '../core/row-keys.js';
import { closeOrm, openOrm } from '../db/orm.js';
import { createPool } from '../db/pool.js';
import { requireSameSecrets } from '../db/secret-fingerprints.js';
import { createEmails } from '../mails/emails.room.js';
import { failToStart, requireNode } from '../process-life.js';
import { WebhookEndpointEntity } from '../webhooks/webhook-endpoint.entity.js';
import { WebhookEndpointService } from '../webhooks/webhook-endpoint.service.js';
import { runDeveloperCommand } from './developer-commands.js';
import { developerOptions } from './developer-options.js';

/** Runs `gateway developer`, which exports, closes or credits accounts. */
async function main(): Promise<void> {
  requireNode();
  const options = developerOptions(process.argv.slice(2));
  const config = loadConfig(process.env);
  const log = createLogger('silent');
  const pool = createPool(config.databaseUrl, { max: 2, withStartupOptions: config.startupOptions });
  const orm = openOrm(pool, [...accountEntities, WebhookEndpointEntity]);
  const encryption = new FieldEncryption(config.encryptionKeys);
  const audit = new AuditService(new AuditKeys(config.audit.keys));
  const rowKeys = new RowKeys(config.pepper);
  const passwords = new Passwords(rowKeys);
  // running processes send the emails that this command queues
  const emails = createEmails({ pool, encryption, log }, { ...config.mail, supervise: false });
  const consoleUrl = config.publicUrls.console;
  const endpoints = new WebhookEndpointService(
    { orm, encryption, audit, mails: emails },
    { ...config.webhooks, consoleUrl },
  );
  const users = new UserService({ orm, audit, passwords, mails: emails, consoleUrl });
  const credentials = new CredentialService({ orm, audit, rowKeys, endpoints, mails: emails, consoleUrl });
  try {
    await requireSameSecrets(config)(pool);
    process.exitCode = await runDeveloperCommand(options, {
      pool,
      orm,
      audit,
      encryption,
      closing: new ClosingService({ orm, audit, users, credentials, endpoints, mails: emails }),
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
