import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type LocalPostgresOptions, RELOCATE_TO, startLocalPostgres } from '../local-postgres.js';
import { loadOrCreatePassword, SUPERUSER } from './cluster.js';
import { choosePlacement } from './placement.js';
import { findServer } from './server.js';

export interface AttachedPostgres {
  url: string;
  /** It was not running and has been started for us. */
  started: boolean;
  /** Stops what was started for us, and nothing else. */
  detach(): Promise<void>;
}

/**
 * Connects to the server of a data directory whose owner may be running, or starts it when nobody runs it; never makes a new
 * database. Throws one sentence when there is none, or when the server cannot be started.
 */
export async function attachLocalPostgres(
  options: Pick<LocalPostgresOptions, 'dataDir' | 'host' | 'database'>,
): Promise<AttachedPostgres> {
  const { dataDir, host, database } = options;
  const none = new Error(`There is no database in ${dataDir}: run "npm start" first, or set DATA_DIR or DATABASE_URL.`);
  if (!existsSync(path.join(dataDir, 'superuser-password'))) throw none;
  const home = realpathSync(dataDir);
  const password = loadOrCreatePassword(home);
  const placement = await choosePlacement(home, password, RELOCATE_TO);
  if (!existsSync(placement.cluster)) throw none;
  const running = findServer(placement.cluster);
  if (running?.ready) {
    const url = `postgresql://${SUPERUSER}:${password}@${running.host}:${running.port}/${encodeURIComponent(database)}`;
    return { url, started: false, detach: async () => {} };
  }
  const { url, stop } = await startLocalPostgres({ dataDir, host, database });
  return { url, started: true, detach: stop };
}
