import { readdirSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import path from 'node:path';
import { failToStart, outliveRejections, requireNode, stopOnSignals } from './process-life.js';

/** `npm run serve`: one API process in production. Any number of them run on one migrated database. `-- --hold`: see HOLD_ORDERS. */
async function serve(): Promise<void> {
  requireNode();
  // loaded only now: an older Node fails on their syntax before it could say so
  const [
    { createApp },
    { loadConfig, unreadIn },
    { createLogger },
    { OtherBaseline, requireOurBaseline },
    { sqlFiles },
    { CannotServe },
  ] = await Promise.all([
    import('./app.js'),
    import('./config.js'),
    import('./core/log.js'),
    import('./db/baseline.js'),
    import('./db/sql-files.js'),
    import('./db/trouble.js'),
  ]);
  const config = loadConfig(process.argv.includes('--hold') ? { ...process.env, HOLD_ORDERS: 'true' } : process.env);
  const demo =
    [...config.encryptionKeys, ...config.audit.keys].some(({ id }) => id.startsWith('demo-')) ||
    [config.pepper, config.referenceSecret].some((secret) => secret.reveal().startsWith('demo-'));
  if (demo)
    throw new Error(
      'ENCRYPTION_KEYS, AUDIT_KEYS, SECRET_PEPPER and REFERENCE_SECRET are those of a demo; set keys of your own.',
    );
  const log = createLogger(config.logLevel);
  outliveRejections(log);
  const unread = unreadIn(process.env);
  if (unread.length > 0) log.warn({ variables: unread }, 'nobody reads these variables: are they misspelt settings?');
  const app = await createApp(config, log);
  readSourceMaps();
  stopOnSignals(() => app.close(), log);
  await requireOurBaseline(app.pool, sqlFiles.migrations).catch((error: unknown) => {
    if (error instanceof OtherBaseline || error instanceof CannotServe) throw error;
    // a database that is away may come back
    log.warn({ err: error }, 'the version of the database is not known');
  });
  await app.listen();
  log.info({ hosts: config.publicUrls }, 'listening');
  if (config.holdOrders) log.warn('orders are held: questions are answered, nothing is placed');
  // a parent that started this process learns that it serves
  process.send?.({ ready: true });
}

/** The first stack that goes through a file reads its map, which takes tens of milliseconds: not while somebody waits. */
function readSourceMaps(): void {
  const chunks = path.join(import.meta.dirname, 'chunks');
  for (const name of readdirSync(chunks)) if (name.endsWith('.js')) findSourceMap(path.join(chunks, name));
}

serve().catch(failToStart);
