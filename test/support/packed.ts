import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Output of `npm run pack:production`, run as on a production machine by a user who cannot change it. */
export interface Packed {
  directory: string;
  /** A directory of that user. */
  dataDir: string;
  /** User, directory and Node for `spawn` and `fork`. */
  as: { uid?: number; gid?: number; cwd: string; execPath: string };
  remove(): void;
}

const nobody = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: string): number => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** Creates the package. Not in the directory of the run, because a file system in memory may not allow programs. */
export function packProduction(): Packed {
  const home = mkdtempSync(path.join(tmpdir(), 'recharge-gateway-packed-'));
  const directory = path.join(home, 'gateway');
  const dataDir = path.join(home, 'data');
  const user = nobody();
  execFileSync(process.execPath, ['ops/pack.mjs', directory]);
  mkdirSync(dataDir);
  execFileSync('chmod', ['0711', home]);
  if (user.uid !== undefined) chownSync(dataDir, user.uid, user.gid!);
  else execFileSync('chmod', ['-R', 'a-w', directory]);
  let execPath = process.execPath;
  if (spawnSync(execPath, ['--version'], { ...user, cwd: '/' }).status !== 0) {
    // the packages may be in a directory that only their owner can enter
    execPath = path.join(home, 'node');
    copyFileSync(process.execPath, execPath);
  }
  return {
    directory,
    dataDir,
    as: { ...user, cwd: directory, execPath },
    remove: () => {
      execFileSync('chmod', ['-R', 'u+w', home]);
      rmSync(home, { recursive: true });
    },
  };
}
