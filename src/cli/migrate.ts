import { withSecretFiles } from '../config.js';
import { migrate } from '../db/migrate.js';
import { failToStart, requireNode } from '../process-life.js';

/** `npm run migrate`: brings the database of DATABASE_URL to the newest version, and prints what was applied. */
async function main(): Promise<void> {
  requireNode();
  const url = withSecretFiles(process.env).DATABASE_URL;
  if (!url) throw new Error('Set DATABASE_URL to the database to migrate, connecting as its owner.');
  const applied = await migrate(url);
  process.stdout.write(applied.length > 0 ? `${applied.join('\n')}\n` : 'The database is at the newest version.\n');
}

main().catch(failToStart);
