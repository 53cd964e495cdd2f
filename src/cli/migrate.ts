import { withSecretFiles } from '../config.js';
import { commandLine, type Usage } from '../core/command-line.js';
import { migrate } from '../db/migrate.js';
import { sqlFiles } from '../db/sql-files.js';
import { failToStart, requireNode } from '../process-life.js';

const USAGE: Usage = {
  command: 'migrate',
  takes: '',
  does: `Brings the database of DATABASE_URL to the newest version, and prints what was applied. Connects as its owner; safe to repeat.
Runs beside processes that serve. What somebody locks is waited for, for ten minutes.`,
  example: 'DATABASE_URL_FILE=/run/secrets/database-owner-url gateway migrate',
};

/** `gateway migrate`: brings the database of DATABASE_URL to the newest version, and prints what was applied. */
async function main(): Promise<void> {
  requireNode();
  commandLine(USAGE, process.argv.slice(2), {});
  const url = withSecretFiles(process.env).DATABASE_URL;
  if (!url) throw new Error('Set DATABASE_URL to the database to migrate, connecting as its owner.');
  let waits = false;
  const onWait = (): void => {
    if (!waits)
      process.stderr.write('Somebody holds a lock that a migration needs; it is tried again for ten minutes.\n');
    waits = true;
  };
  const applied = await migrate(url, sqlFiles, { onWait });
  process.stdout.write(applied.length > 0 ? `${applied.join('\n')}\n` : 'The database is at the newest version.\n');
}

main().catch(failToStart);
