import { withSecretFiles } from '../config.js';
import { migrate } from '../db/migrate.js';
import { sqlFiles } from '../db/sql-files.js';
import { failToStart, requireNode } from '../process-life.js';

/** `npm run migrate`: brings the database of DATABASE_URL to the newest version, and prints what was applied. */
async function main(): Promise<void> {
  requireNode();
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
