import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startLocalPostgres } from '../../src/dev/local-postgres.js';
import { chromiumProgram } from './chromium.js';
import { postgresDirectory } from './postgres-directory.js';
import { createRunDirectory } from './run-directory.js';
import { createServiceLogin } from './service-login.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** PostgreSQL of this run, and the name of its migrated template. Connect through `createTestDatabase`. */
    pg: { host: string; port: number; user: string; password: string; template: string };
    /** Deleted at the end of the run in any case: see `temporaryDirectory`. */
    runDirectory: string;
  }
}

/** Disables everything that makes commits slow, because the data does not outlive the run. */
const FAST_AND_LOOSE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: 300,
  // see function-calls
  track_functions: 'all',
};

/** Uses another server than that of node_modules: see test/ops/postgres-versions.mjs. */
const { POSTGRES_BIN } = process.env;

const TEMPLATE = 'tpl';
const HOST = '127.0.0.1';

/** One PostgreSQL per test run, with a migrated template database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = createRunDirectory();
  try {
    const dataDir = postgresDirectory(run.path);
    const files = path.join(run.path, 'files');
    mkdirSync(files);
    chmodSync(files, 0o711); // as root, the servers in it run as another user, which must be able to enter the directory
    const [server, { migrate }] = await Promise.all([
      startLocalPostgres({ dataDir, database: TEMPLATE, settings: FAST_AND_LOOSE, noSync: true, bin: POSTGRES_BIN }),
      import('../../src/db/migrate.js'),
      // Unpacks the browser if this machine does not have it yet. Two files that do so concurrently would start an incomplete
      // program.
      chromiumProgram(),
    ]);
    await migrate(server.url);
    await createServiceLogin(server.url);
    const url = new URL(server.url);
    await freezeTemplate(url);
    const { username: user, password } = url;
    project.provide('pg', { host: HOST, port: server.port, user, password, template: TEMPLATE });
    project.provide('runDirectory', files);
  } catch (error) {
    await run.remove();
    throw error;
  }
  // Also stops the server, possibly abruptly, because nothing is kept.
  return run.remove;
}

/** A template that accepts no connections is never "being accessed by other users" when it is cloned. */
async function freezeTemplate(url: URL): Promise<void> {
  const admin = new Client({ connectionString: new URL('/postgres', url).href });
  await admin.connect();
  await admin.query(`alter database ${TEMPLATE} with is_template true allow_connections false`);
  await admin.end();
}
