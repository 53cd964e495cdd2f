import { readdirSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import path from 'node:path';
import { failToStart, logUnhandledRejections, requireNode, stopOnSignals } from './process-life.js';

/** `gateway serve`: one API process in production. Any number of processes can use one migrated database. */
async function serve(): Promise<void> {
  requireNode();
  // imported only now, because an older Node would fail on their syntax before this message
  const { serveOptions } = await import('./config/serve-options.js');
  const { environment, check } = serveOptions(process.env, process.argv.slice(2));
  const [
    { createApp },
    { configuredProviders, unreadIn },
    { createLogger },
    { problemsOf, serveChecks, serveConfig },
    { startTracing },
  ] = await Promise.all([
    import('./app.js'),
    import('./config.js'),
    import('./core/log.js'),
    import('./serve-check.js'),
    import('./tracing/start-tracing.js'),
  ]);
  if (check) return reportProblems(await problemsOf(environment), unreadIn(environment));
  const config = serveConfig(environment);
  const log = createLogger(config.logLevel);
  logUnhandledRejections(log);
  const unread = unreadIn(process.env);
  if (unread.length > 0) log.warn({ variables: unread }, 'unknown settings in the environment: check their spelling');
  const tracing = await startTracing(process.env, log);
  const app = await createApp(config, log, { tracing, checks: serveChecks });
  readSourceMaps();
  stopOnSignals(() => app.close(), log, config.shutdownDelayMs);
  await app.listen();
  const hosts = Object.fromEntries([...config.hosts].map((host) => [host, config.publicUrls[host]]));
  log.info({ hosts, workers: [...config.workers], providers: configuredProviders(config) }, 'listening');
  if (config.allowClearText) log.warn('clear text is allowed: passwords, keys and numbers can be read in transit');
  if (config.allowWeakDurability) log.warn('weak durability is allowed: a database crash can lose orders');
  if (config.pauseOrders) log.warn('orders are paused: reads are served, but no orders are accepted');
  // notifies the parent that started this process that it is ready
  process.send?.({ ready: true });
}

/** `--check`, for people and for deployment scripts. */
function reportProblems(problems: readonly string[], unread: readonly string[]): void {
  if (unread.length > 0)
    process.stderr.write(`Unknown settings in the environment: ${unread.join(', ')}. Check their spelling.\n`);
  if (problems.length > 0) process.exitCode = 1;
  process.stdout.write(
    problems.length === 0
      ? 'The process can serve: settings, secret files and database are valid.\n'
      : `The process cannot serve:\n${problems.map((problem) => `  ${problem}\n`).join('')}`,
  );
}

/**
 * The first stack trace of a file reads its source map, which takes tens of milliseconds. So they are read before requests
 * arrive.
 */
function readSourceMaps(): void {
  const chunks = path.join(import.meta.dirname, 'chunks');
  for (const name of readdirSync(chunks)) if (name.endsWith('.js')) findSourceMap(path.join(chunks, name));
}

serve().catch(failToStart);
