import { createApp } from './app.js';
import { type Environment, readSecretFiles } from './config/secret-files.js';
import { type Config, ConfigError, loadServeConfig } from './config.js';
import { createLogger } from './core/log.js';
import { createPool } from './db/pool.js';
import { Readiness } from './db/readiness.js';
import { requireDurable, requireMember, startChecks } from './db/start-checks.js';

/** Conditions that the database must meet before a process serves. */
export const serveChecks = [...startChecks, requireMember];

/** The settings of a process that serves. Errors: ConfigError; one sentence if they contain values of the demo. */
export function serveConfig(environment: Environment): Config {
  const config = loadServeConfig(environment);
  const demo =
    [...config.encryptionKeys, ...config.audit.keys].some(({ id }) => id.startsWith('demo-')) ||
    [config.pepper, config.referenceSecret].some((secret) => secret.reveal().startsWith('demo-'));
  if (demo)
    throw new Error(
      'ENCRYPTION_KEYS, AUDIT_KEYS, SECRET_PEPPER or REFERENCE_SECRET contain demo values. Set your own values.',
    );
  return config;
}

/** Checks the database even if settings are invalid, so that all problems are reported together. */
async function databaseProblems(environment: Environment) {
  const {
    DATABASE_URL: url,
    DATABASE_STARTUP_OPTIONS: startupOptions = 'true',
    ALLOW_WEAK_DURABILITY: allowWeak = '',
  } = environment;
  if (!url) return [];
  const checks = [...serveChecks, requireDurable(['true', '1'].includes(allowWeak))];
  try {
    const pool = createPool(url, { max: 1, withStartupOptions: !['false', '0'].includes(startupOptions) });
    try {
      return await new Readiness(pool, checks).problems();
    } finally {
      await pool.end();
    }
  } catch {
    return []; // the problem of the setting covers this
  }
}

/** All reasons why a process with this environment could not serve: settings, secret files, the database, open orders. */
export async function problemsOf(environment: Environment): Promise<string[]> {
  let config: Config;
  try {
    config = serveConfig(environment);
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [(error as Error).message];
    return [...problems, ...(await databaseProblems(readSecretFiles(environment).texts))];
  }
  try {
    const app = await createApp(config, createLogger('silent'), { checks: serveChecks });
    try {
      return await app.problems();
    } finally {
      await app.close();
    }
  } catch (error) {
    return [(error as Error).message];
  }
}
