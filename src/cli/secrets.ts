import 'reflect-metadata';

import { DriverException, type EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { loadConfig } from '../config.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { closeOrm, inTransaction, openOrm } from '../db/orm.js';
import { createPool, type Queryable } from '../db/pool.js';
import { compareSecrets, type SecretDifference } from '../db/secret-fingerprints.js';
import { OWNS_TABLES } from '../db/start-checks.js';
import { countProcesses, PAUSED_FOR_SECRETS, pausedBy } from '../orders/restore-pause.js';
import { failToStart, requireNode } from '../process-life.js';
import { SettingEntity } from '../settings/setting.entity.js';
import { SettingsService } from '../settings/settings.service.js';

const USAGE: Usage = {
  command: 'secrets',
  synopsis: 'accept',
  description: `A process does not start if its REFERENCE_SECRET, SECRET_PEPPER or ENCRYPTION_KEYS differ from the secrets registered in the database.
gateway secrets accept
  registers the secrets of the settings instead. Use it only if secrets are lost: with another REFERENCE_SECRET, retries of lost orders may be
  paid twice; with another SECRET_PEPPER, no user can sign in; values of a lost encryption key stay unreadable.
  Stop every process first, and use the DATABASE_URL of the owner of the tables. Orders stay paused until "gateway restore --resume-orders":
  reconcile every provider before you resume them.`,
  example: 'DATABASE_URL_FILE=/run/secrets/database-owner-url gateway secrets accept',
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Checks that the login owns the tables and that no process is running. Throws otherwise. */
async function requireNoProcesses(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ owns: boolean | null }>({ text: `select ${OWNS_TABLES} as owns` });
  if (rows[0]!.owns === null) throw new Error('The database has no tables yet: run "gateway migrate" first.');
  if (!rows[0]!.owns)
    throw new Error('Set DATABASE_URL to the owner of the tables: only the owner can accept secrets.');
  const { processes } = await countProcesses(db);
  if (processes > 0) throw new Error(`Running processes: ${processes}. Stop every process first.`);
}

/** Records a missing key as retired. Records a retired first key as in use. */
async function accept({ secret, kind }: SecretDifference, em: EntityManager): Promise<void> {
  const { name, keyId, fingerprint } = secret;
  await sql`update secret_fingerprint set fingerprint = ${fingerprint}, retired_at = ${kind === 'missing' ? sql`now()` : null},
    registered_at = case when fingerprint = ${fingerprint} then registered_at else now() end
    where name = ${name} and key_id = ${keyId}`.execute(em.getKysely());
}

const nameOf = ({ secret: { name, keyId }, kind }: SecretDifference): string =>
  `${name}${keyId === '' ? '' : ` key "${keyId}"`}${kind === 'missing' ? ' (lost)' : ''}`;

/** Runs `gateway secrets accept`, which registers new secrets after secrets were lost. */
async function main(): Promise<void> {
  requireNode();
  const [command, ...more] = commandLine(USAGE, process.argv.slice(2), {}, 'some').positionals;
  if (command !== 'accept') throw wrongUsage(USAGE, 'Enter a subcommand: accept.');
  if (more.length > 0) throw wrongUsage(USAGE, 'Too many arguments.');
  const config = loadConfig(process.env);
  const pool = createPool(config.databaseUrl, { max: 2, asOwner: true });
  const orm = openOrm(pool, [SettingEntity]);
  try {
    await requireNoProcesses(pool);
    const { differences } = await compareSecrets(pool, config);
    if (differences.length === 0) return print('The secrets match the registered ones. Nothing was changed.');
    const settings = new SettingsService(pool);
    const holder = await pausedBy(settings);
    const names = differences.map(nameOf);
    await inTransaction(orm, async (em) => {
      for (const difference of differences) await accept(difference, em);
      // this keeps the pause of a restore in progress
      if (holder === undefined) await settings.set('production', 'orders_paused', PAUSED_FOR_SECRETS, em);
      await new AuditService(new AuditKeys(config.audit.keys)).record(
        { actor: 'system:secrets', requestId: 'secrets' },
        { action: 'secrets.accept', subject: 'secrets', before: null, after: { secrets: names } },
        em,
      );
    });
    print(`Accepted: ${names.join(', ')}.`);
    print('Orders are paused until "gateway restore --resume-orders". docs/restoring.md has the steps.');
  } finally {
    await closeOrm(orm, pool);
  }
}

main().catch((error: Error) => {
  // the error message quotes the statement with its values
  if (error instanceof DriverException)
    failToStart(new Error(`The database rejected the statement: ${error.code ?? error.name}.`));
  failToStart(error);
});
