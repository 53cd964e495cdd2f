import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { withSecretFiles } from '../config.js';
import { failToStart, requireNode } from '../process-life.js';
import { readDemo, readSettings } from './demo-file.js';
import { DatabaseInUse, startLocalPostgres } from './local-postgres.js';

/** Opens the database of `npm start`: that of a running demo, or a server that is started while it is needed. */
async function openDatabase(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const externalDatabase = { stop: async () => {} };
  const { databaseUrl } = readDemo(dataDir) ?? {};
  if (databaseUrl) return { ...externalDatabase, url: databaseUrl };
  const directory = path.join(dataDir, 'postgres');
  if (!existsSync(path.join(directory, 'cluster')))
    throw new Error(`There is no database in ${directory}. Run "npm start" first, or set DATA_DIR or DATABASE_URL.`);
  try {
    return await startLocalPostgres({ dataDir: directory, database: 'gateway' });
  } catch (error) {
    if (error instanceof DatabaseInUse && error.owner?.url) return { ...externalDatabase, url: error.owner.url };
    throw error;
  }
}

/** Runs a program (file and arguments) on the database of `npm start` in DATA_DIR (.data), with its keys unless keys are set. */
async function main(): Promise<void> {
  requireNode();
  const env = withSecretFiles(process.env);
  const dataDir = path.resolve(env.DATA_DIR || '.data');
  const database = await openDatabase(dataDir);
  try {
    const keys = env.ENCRYPTION_KEYS ? {} : readSettings(dataDir);
    const child = spawn(process.execPath, process.argv.slice(2), {
      env: { ...keys, ...env, DATABASE_URL: database.url },
      stdio: 'inherit',
    });
    // Ctrl-C also reaches the program, which must end before the database
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
    const [code] = (await once(child, 'exit')) as [number | null];
    process.exitCode = code ?? 1;
  } finally {
    await database.stop();
  }
}

main().catch(failToStart);
