import { hash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { LOCK_FILE } from './lock.js';
import { stopServer } from './server.js';

/**
 * Whether this process runs as root. PostgreSQL does not run as root. The user that runs it instead cannot access files below
 * /root.
 */
export const isRoot = process.getuid?.() === 0;

/** Directory for files that this user must access. The system does not clear it at boot. */
export const REACHABLE = '/var/tmp';

/** Returns the directory for root. There is one for each data directory, so that two checkouts never share one. */
export const placeOf = (dataDir: string): string =>
  path.join(REACHABLE, `recharge-gateway-${hash('sha256', path.resolve(dataDir)).slice(0, 16)}`);

/**
 * Returns the directory of a local server, which is `dataDir` or, for root, the target of the link `dataDir`. Throws a
 * one-sentence error if it belongs to another user.
 */
export function findHome(dataDir: string): string {
  if (isRoot && !existsSync(dataDir)) return claim(placeOf(dataDir));
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new Error(
      `The database directory ${dataDir} cannot be written to. Start as its owner, or choose another DATA_DIR.`,
      { cause },
    );
  }
  if (!isRoot) return realpathSync(dataDir);
  if (!lstatSync(dataDir).isSymbolicLink())
    throw new Error(
      `The database directory ${dataDir} belongs to another user or an older version. Start as that user, or delete the directory to start with an empty database.`,
    );
  return claim(realpathSync(dataDir));
}

/** Makes `dataDir` a link to `home`. It is used when running as root. Existing files belong to a link that was deleted. */
export async function linkHome(dataDir: string, home: string): Promise<void> {
  if (!isRoot || existsSync(dataDir)) return;
  await stopServer(path.join(home, 'cluster'));
  for (const entry of readdirSync(home))
    if (!entry.startsWith(LOCK_FILE)) rmSync(path.join(home, entry), { recursive: true, maxRetries: 3 });
  mkdirSync(path.dirname(dataDir), { recursive: true });
  rmSync(dataDir, { force: true }); // may be a dangling link
  symlinkSync(home, dataDir);
}

/** Creates a directory in a world-writable place. Rejects one that another user has created. */
export function claim(directory: string): string {
  mkdirSync(directory, { recursive: true });
  const found = lstatSync(directory);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${directory} belongs to another user. Remove it.`);
  chmodSync(directory, 0o755); // independent of the umask, because PostgreSQL's user needs access
  return directory;
}
