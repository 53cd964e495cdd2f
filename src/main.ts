import { readdirSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import path from 'node:path';
import { failToStart, outliveRejections, requireNode, stopOnSignals } from './process-life.js';

/** `gateway serve`: one API process in production. Any number of them run on one migrated database. */
async function serve(): Promise<void> {
  requireNode();
  // loaded only now: an older Node fails on their syntax before it could say so
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
  if (check) return sayWhetherItCouldServe(await problemsOf(environment), unreadIn(environment));
  const config = serveConfig(environment);
  const log = createLogger(config.logLevel);
  outliveRejections(log);
  const unread = unreadIn(process.env);
  if (unread.length > 0) log.warn({ variables: unread }, 'nobody reads these variables: are they misspelt settings?');
  const tracing = await startTracing(process.env, log);
  const app = await createApp(config, log, { tracing, checks: serveChecks });
  readSourceMaps();
  stopOnSignals(() => app.close(), log, config.shutdownDelayMs);
  await app.listen();
  const hosts = Object.fromEntries([...config.hosts].map((host) => [host, config.publicUrls[host]]));
  log.info({ hosts, workers: [...config.workers], providers: configuredProviders(config) }, 'listening');
  if (config.allowClearText) log.warn('clear text is allowed: passwords, keys and numbers can be read on the way');
  if (config.allowWeakDurability) log.warn('weak durability is allowed: a crash of the database can lose orders');
  if (config.pauseOrders) log.warn('orders are paused: reads are served, and no orders are accepted');
  // a parent that started this process learns that it serves
  process.send?.({ ready: true });
}

/** `--check`, for people and for scripts of a deployment. */
function sayWhetherItCouldServe(problems: readonly string[], unread: readonly string[]): void {
  if (unread.length > 0) process.stderr.write(`Nobody reads ${unread.join(', ')}: are they misspelt settings?\n`);
  if (problems.length > 0) process.exitCode = 1;
  process.stdout.write(
    problems.length === 0
      ? 'The process could serve: settings, secret files and database fit.\n'
      : `The process could not serve:\n${problems.map((problem) => `  ${problem}\n`).join('')}`,
  );
}

/** The first stack that goes through a file reads its map, which takes tens of milliseconds: not while somebody waits. */
function readSourceMaps(): void {
  const chunks = path.join(import.meta.dirname, 'chunks');
  for (const name of readdirSync(chunks)) if (name.endsWith('.js')) findSourceMap(path.join(chunks, name));
}

serve().catch(failToStart);
