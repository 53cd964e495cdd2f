import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';

/** The system user that the server runs as, by number. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const USERADD = ['/usr/sbin/useradd', '/sbin/useradd', '/usr/bin/useradd'];

/**
 * PostgreSQL refuses to run as root. Undefined: we are not root, the server runs as ourselves. As root: the owner of the
 * existing data, else the system user `postgres` (created when missing), else `nobody`.
 */
export function chooseServerUser(clusterDirectory: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(clusterDirectory, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = findUser('postgres') ?? findUser('_postgres') ?? createUser() ?? findUser('nobody');
  if (!user) {
    throw new Error('PostgreSQL does not run as root, and there is no other system user: create one named "postgres".');
  }
  return user;
}

/** Of the local user file only: initdb needs an entry that every system has, not one that a directory service may serve. */
function findUser(name: string): ServerUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

function createUser(): ServerUser | undefined {
  const tool = USERADD.find((candidate) => existsSync(candidate));
  if (!tool) return undefined;
  try {
    execFileSync(tool, ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres'], {
      stdio: 'ignore',
    });
  } catch {
    return undefined; // e.g. a read-only /etc: `nobody` serves as well
  }
  return findUser('postgres');
}

/** Whether the user may run a program or enter a directory; asked of the system itself, which knows ACLs and mount options. */
export function mayPass(user: ServerUser | undefined, target: string): boolean {
  if (!user) return true;
  return spawnSync('/bin/sh', ['-c', '[ -x "$1" ]', 'sh', target], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}
