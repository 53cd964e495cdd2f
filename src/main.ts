import { readdirSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import path from 'node:path';
import { failToStart, outliveRejections, requireNode, stopOnSignals } from './process-life.js';

/**
 * `npm run serve`: one API process in production. Any number of them run on one migrated database. `-- --hosts`, `--workers`, `--hold`:
 * see HOSTS, WORKERS and HOLD_ORDERS.
 */
async function serve(): Promise<void> {
  requireNode();
  // loaded only now: an older Node fails on their syntax before it could say so
  const [
    { createApp },
    { configuredProviders, loadServeConfig, unreadIn },
    { createLogger },
    { requireMember, startChecks },
    { withServeOptions },
    { startTracing },
  ] = await Promise.all([
    import('./app.js'),
    import('./config.js'),
    import('./core/log.js'),
    import('./db/start-checks.js'),
    import('./config/serve-options.js'),
    import('./tracing/start-tracing.js'),
  ]);
  const config = loadServeConfig(withServeOptions(process.env, process.argv.slice(2)));
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
  const tracing = await startTracing(process.env, log);
  const app = await createApp(config, log, { tracing, checks: [...startChecks, requireMember] });
  readSourceMaps();
  stopOnSignals(() => app.close(), log, config.shutdownDelayMs);
  await app.listen();
  const hosts = Object.fromEntries([...config.hosts].map((host) => [host, config.publicUrls[host]]));
  log.info({ hosts, workers: [...config.workers], providers: configuredProviders(config) }, 'listening');
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
