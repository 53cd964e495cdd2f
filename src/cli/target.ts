import path from 'node:path';
import { type Config, loadConfig, withoutProviders, withSecretFiles } from '../config.js';
import { readSettings } from '../dev/demo-file.js';
import { attachLocalPostgres } from '../dev/local-postgres/attach.js';

/** The database that a program of the command line works on. */
export interface Target {
  url: string;
  /** The settings of the service that uses it. Errors: ConfigError. */
  config(): Config;
  /** Stops the database when it was started for us. */
  close(): Promise<void>;
}

/**
 * The database of DATABASE_URL, or the one of `npm start` in DATA_DIR (.data), running or not. Settings are those of the
 * environment; where it has no keys, `npm start`'s own. Errors: ConfigError, when the file of a secret cannot be read.
 */
export async function openTarget(environment: NodeJS.ProcessEnv): Promise<Target> {
  const env = withSecretFiles(environment);
  const dataDir = path.resolve(env.DATA_DIR || '.data');
  const local = env.DATABASE_URL
    ? undefined
    : await attachLocalPostgres({ dataDir: path.join(dataDir, 'postgres'), host: '127.0.0.1', database: 'gateway' });
  const url = local?.url ?? env.DATABASE_URL!;
  return {
    url,
    config: () => {
      const demo = env.ENCRYPTION_KEYS ? undefined : readSettings(dataDir);
      return loadConfig({ ...(demo ? { ...withoutProviders, ...demo } : {}), ...env, DATABASE_URL: url });
    },
    close: async () => local?.detach(),
  };
}
