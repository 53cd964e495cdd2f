import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What `npm run pack:production` makes, as a production machine runs it: by a user who can change nothing of it. */
export interface Packed {
  directory: string;
  /** A directory of that user. */
  dataDir: string;
  /** For `spawn` and `fork`: as whom, where, and by which Node. */
  as: { uid?: number; gid?: number; cwd: string; execPath: string };
  remove(): void;
}

const nobody = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: string): number => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** Assembles it. Not where the run keeps its files: memory may not hold programs. */
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
    // packages may lie where only their owner can pass
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
