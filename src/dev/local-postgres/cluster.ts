import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Programs } from './server.js';

export const SUPERUSER = 'postgres';
const DRAFT_PREFIX = 'unfinished-';
const PASSWORD_FILE = 'superuser-password';

/**
 * Creates the data directory `home/cluster` if there is none. Returns the password of the superuser. Throws a one-sentence error
 * for data that is damaged or of another major version.
 */
export async function openCluster(home: string, programs: Programs, sync: boolean): Promise<string> {
  if (!existsSync(path.join(home, 'cluster'))) await initialise(home, programs, sync);
  const startOverHint = 'or delete that directory to start with an empty database';
  const missing = [PASSWORD_FILE, 'cluster/PG_VERSION', 'cluster/global/pg_control'].find(
    (file) => !existsSync(path.join(home, file)),
  );
  if (missing)
    throw new Error(`The database in ${home} is damaged (${missing} is missing). Restore it, ${startOverHint}.`);
  const version = readFileSync(path.join(home, 'cluster', 'PG_VERSION'), 'utf8').trim();
  if (version !== programs.majorVersion)
    throw new Error(
      `The database in ${home} was created by PostgreSQL ${version}, but this is PostgreSQL ${programs.majorVersion}. Dump it with the old version, ${startOverHint}.`,
    );
  return readFileSync(path.join(home, PASSWORD_FILE), 'utf8');
}

/**
 * Creates the data directory under a temporary name and renames it when it is complete. An initdb that is killed leaves only a
 * draft, which the next start removes. The password is on disk before a cluster that requires it.
 */
async function initialise(home: string, { bin, majorVersion, spawnOptions }: Programs, sync: boolean): Promise<void> {
  // the removal is retried, because an orphaned initdb may still be writing there
  for (const entry of readdirSync(home))
    if (entry.startsWith(DRAFT_PREFIX)) await rm(path.join(home, entry), { recursive: true, maxRetries: 5 });
  const passwordFile = path.join(home, PASSWORD_FILE);
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  const draft = mkdtempSync(path.join(home, DRAFT_PREFIX));
  const data = path.join(draft, 'data');
  if (spawnOptions.uid && spawnOptions.gid)
    for (const target of [draft, passwordFile]) chownSync(target, spawnOptions.uid, spawnOptions.gid);
  try {
    // the builtin locale provider, available since PostgreSQL 17, sorts in the same way on all systems, even if the C library
    // has no C.UTF-8
    const builtin = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const locale = ['--encoding=UTF8', ...(Number(majorVersion) >= 17 ? builtin : ['--locale=C.UTF-8'])];
    const access = ['-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const flags = ['--no-instructions', ...(sync ? [] : ['--no-sync'])];
    const options = ['-D', data, ...access, ...locale, ...flags];
    await promisify(execFile)(path.join(bin, 'initdb'), options, { ...spawnOptions, cwd: '/' });
    renameSync(data, path.join(home, 'cluster'));
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`The database could not be initialized: ${stderr?.trim() || message}`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}
