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

/** PostgreSQL refuses to run as root; the user that it runs as then cannot reach what lies below /root. */
export const isRoot = process.getuid?.() === 0;

/** Below it lies what that user must reach; the system does not empty it when it starts. */
export const REACHABLE = '/var/tmp';

/** As root: one for every data directory, so that two checkouts never share one. */
export const placeOf = (dataDir: string): string =>
  path.join(REACHABLE, `recharge-gateway-${hash('sha256', path.resolve(dataDir)).slice(0, 16)}`);

/** Where everything of a local server lies: `dataDir` itself; as root, what `dataDir` is a link to. Throws one sentence when it is not ours. */
export function findHome(dataDir: string): string {
  if (isRoot && !existsSync(dataDir)) return claim(placeOf(dataDir));
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new Error(
      `The database directory ${dataDir} cannot be written to: start as its owner, or choose another DATA_DIR.`,
      { cause },
    );
  }
  if (!isRoot) return realpathSync(dataDir);
  if (!lstatSync(dataDir).isSymbolicLink())
    throw new Error(
      `The database directory ${dataDir} is of another user or of an older version: start as that user, or delete that directory to start afresh.`,
    );
  return claim(realpathSync(dataDir));
}

/** As root: makes `dataDir` a link to `home`. What is there already belongs to a link that was deleted. */
export async function linkHome(dataDir: string, home: string): Promise<void> {
  if (!isRoot || existsSync(dataDir)) return;
  await stopServer(path.join(home, 'cluster'));
  for (const entry of readdirSync(home))
    if (!entry.startsWith(LOCK_FILE)) rmSync(path.join(home, entry), { recursive: true, maxRetries: 3 });
  mkdirSync(path.dirname(dataDir), { recursive: true });
  rmSync(dataDir, { force: true }); // it may lead nowhere
  symlinkSync(home, dataDir);
}

/** Creates a directory where everybody may create some: refuses one that somebody else has put there. */
export function claim(directory: string): string {
  mkdirSync(directory, { recursive: true });
  const found = lstatSync(directory);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${directory} belongs to somebody else; remove it.`);
  chmodSync(directory, 0o755); // whatever our umask says, PostgreSQL's user has to pass
  return directory;
}
