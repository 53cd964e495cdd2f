import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { majorVersionOf, programOf } from './binaries.js';
import type { Placement } from './placement.js';

const run = promisify(execFile);
export const SUPERUSER = 'postgres';
const DRAFT_PREFIX = 'unfinished-cluster-';

/** The superuser's password, made on the first call. It is safely on disk before a cluster exists that needs it. */
export function loadOrCreatePassword(home: string): string {
  const file = path.join(home, 'superuser-password');
  if (!existsSync(file)) {
    const cluster = path.join(home, 'cluster');
    if (existsSync(path.join(cluster, 'postmaster.opts'))) {
      throw new Error(
        `${file} is missing, so the database cannot be opened: restore the file, or delete ${home} to start afresh.`,
      );
    }
    const draft = `${file}.unfinished`;
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    renameSync(draft, file);
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Makes the data directory when there is none. It is built beside its final place and renamed when complete, so an initdb
 * that is killed at any moment leaves only a draft, which the next start removes.
 * Throws one sentence for data of another major version or of another user.
 */
export async function ensureCluster(placement: Placement, password: string, options: { sync: boolean }): Promise<void> {
  const { parent, cluster, user } = placement;
  for (const entry of readdirSync(parent)) {
    // Retried, because an orphaned initdb may still be writing there.
    if (entry.startsWith(DRAFT_PREFIX)) {
      await rm(path.join(parent, entry), { recursive: true, force: true, maxRetries: 5 });
    }
  }
  if (existsSync(cluster)) {
    assertReadable(cluster);
    if (isComplete(cluster)) {
      assertVersion(placement);
      // A copy of the checkout made by root belongs to root, and PostgreSQL insists on owning its data.
      if (user && statSync(cluster).uid === 0) await run('chown', ['-R', `${user.uid}:${user.gid}`, cluster]);
      return;
    }
    if (existsSync(path.join(cluster, 'postmaster.opts'))) {
      throw new Error(
        `The database in ${cluster} is damaged (PG_VERSION or global/pg_control is missing): restore it, or delete that directory to start afresh.`,
      );
    }
    // Never started, so nothing was ever stored in it.
    await rm(cluster, { recursive: true, force: true });
  }
  await initialise(placement, password, options.sync);
}

async function initialise(
  { binaries, parent, cluster, user, env }: Placement,
  password: string,
  sync: boolean,
): Promise<void> {
  const draft = path.join(parent, `${DRAFT_PREFIX}${randomUUID()}`);
  const passwordFile = path.join(draft, 'password');
  const data = path.join(draft, 'data');
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const target of [draft, passwordFile]) chownSync(target, user.uid, user.gid);
  try {
    // The builtin locale provider sorts alike on every system, also where the C library has no C.UTF-8.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = ['-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const flags = ['--no-instructions', ...(sync ? [] : ['--no-sync'])];
    await run(programOf(binaries, 'initdb'), ['-D', data, ...access, ...locale, ...flags], { ...user, env, cwd: '/' });
    renameSync(data, cluster);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`The database could not be initialised: ${stderr?.trim() || message}`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

const isComplete = (cluster: string): boolean =>
  existsSync(path.join(cluster, 'PG_VERSION')) && existsSync(path.join(cluster, 'global', 'pg_control'));

function assertReadable(cluster: string): void {
  const { uid } = statSync(cluster);
  const own = process.getuid?.();
  if (own !== 0 && own !== uid) {
    throw new Error(
      `The database in ${cluster} belongs to another user (id ${uid}): start as that user, or choose another DATA_DIR.`,
    );
  }
}

function assertVersion({ binaries, cluster }: Placement): void {
  const found = readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim();
  const expected = majorVersionOf(binaries);
  if (found !== expected) {
    throw new Error(
      `The database in ${cluster} was made by PostgreSQL ${found}, this is PostgreSQL ${expected}: dump it with the old version, or delete that directory to start afresh.`,
    );
  }
}
