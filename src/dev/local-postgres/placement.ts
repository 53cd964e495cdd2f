import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Binaries, copyBinaries, linkLibraries, locateBinaries, programOf } from './binaries.js';
import { stopServer } from './server.js';
import { chooseServerUser, mayPass, type ServerUser } from './server-user.js';

/** Where everything of one local server lies, and as whom it runs. */
export interface Placement {
  binaries: Binaries;
  /** The directory that holds the cluster; writable for us, enterable for the server's user. */
  parent: string;
  /** The data directory proper. */
  cluster: string;
  user: ServerUser | undefined;
  /** The whole environment of the programs: ours stays out, its PG* variables would steer them and its secrets are not theirs. */
  env: Record<string, string>;
}

const CLUSTER = 'cluster';
/** initdb calls postgres through a shell, in double quotes. */
const UNSAFE_IN_DOUBLE_QUOTES = /["$`\\]/;

/**
 * Normally the binaries stay in node_modules and the data in `home`. What the server's user cannot reach (a checkout below
 * /root) lives below `relocateTo` instead: in a directory of its own per checkout, so that two checkouts never share one.
 */
export async function choosePlacement(home: string, password: string, relocateTo: string): Promise<Placement> {
  const installed = locateBinaries();
  const user = chooseServerUser(path.join(home, CLUSTER));
  if (user) chmodSync(home, 0o711);

  const usable = mayPass(user, programOf(installed, 'postgres')) && !UNSAFE_IN_DOUBLE_QUOTES.test(installed.root);
  const binaries = usable ? installed : await copyBinaries(installed, claim(placeOf(relocateTo, installed.root)));
  const parent = await chooseParent(home, password, relocateTo, user);
  const libraries = await linkLibraries(binaries, path.join(parent, 'lib'));
  return { binaries, parent, cluster: path.join(parent, CLUSTER), user, env: { LC_ALL: 'C', ...libraries } };
}

async function chooseParent(
  home: string,
  password: string,
  relocateTo: string,
  user: ServerUser | undefined,
): Promise<string> {
  if (!user) return home;
  const reachable = mayPass(user, home);
  if (existsSync(path.join(home, CLUSTER))) {
    if (reachable) return home;
    throw new Error(
      `The owner of the database in ${home} cannot enter the directories above it: allow that (chmod o+x), or delete ${home} to start afresh.`,
    );
  }
  // The password is as old as `home`: data of a deleted predecessor at the same path has another name and is of no use.
  const name = digest(password);
  const place = placeOf(relocateTo, home);
  // Data that was relocated once stays there, even if the way to `home` has been opened since.
  if (reachable && !existsSync(path.join(place, name))) return home;
  claim(place);
  for (const entry of await readdir(place)) if (entry !== name) await removeCluster(path.join(place, entry));
  const parent = path.join(place, name);
  mkdirSync(parent, { recursive: true });
  chmodSync(parent, 0o711);
  return parent;
}

async function removeCluster(parent: string): Promise<void> {
  await stopServer(path.join(parent, CLUSTER));
  await rm(parent, { recursive: true, force: true, maxRetries: 3 });
}

/** A directory of its own for every path: two checkouts never share one. */
const placeOf = (relocateTo: string, forPath: string): string =>
  path.join(relocateTo, `recharge-gateway-${digest(forPath)}`);

/** Creates a directory where everybody may create some: refuses one that somebody else has put there. */
function claim(directory: string): string {
  mkdirSync(directory, { recursive: true });
  const found = lstatSync(directory);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${directory} belongs to somebody else; remove it.`);
  }
  chmodSync(directory, 0o755); // whatever our umask says, the server's user has to pass
  return directory;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
